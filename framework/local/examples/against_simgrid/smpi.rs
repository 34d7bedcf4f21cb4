//! SimGrid's SMPI: compiles `programs.c` and runs it in virtual time.
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use wb_process::Job;

use crate::ours::{EPISODES, ExampleProgram};

/// The time limit of one run. The largest runs take 20 s on an idle machine.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The settings that make SMPI's model equal to ours, in the order in which the table of settings adds them.
pub(crate) const SETTINGS: [(&str, &[&str]); 7] = [
    ("o of 200 ns at both ends", &["smpi/os:0:2e-7:0", "smpi/ois:0:2e-7:0", "smpi/or:0:2e-7:0"]),
    ("latencies as the platform says", &["smpi/lat-factor:0:1"]),
    ("bandwidths as the platform says", &["smpi/bw-factor:0:1"]),
    ("short messages leave before they are received", &["smpi/async-small-thresh:65536"]),
    ("no acknowledgements in the way", &["network/crosstraffic:0"]),
    ("looking at the clock is free", &["smpi/wtime:0"]),
    ("what is less than 1 ns apart is not at once", &["surf/precision:1e-12"]),
];

/// `programs.c`, compiled.
pub(crate) struct Smpi {
    folder: PathBuf,
}

/// Why SMPI returns no time.
#[derive(Debug)]
pub(crate) enum SmpiError {
    /// It is not installed.
    Missing,
    /// It is installed, and an error occurred.
    Broken(String),
}

impl From<io::Error> for SmpiError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Broken(error.to_string()),
        }
    }
}

impl std::fmt::Display for SmpiError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => {
                to.write_str("no smpicc and smpirun: SimGrid's SMPI is Debian's package libsimgrid-dev")
            }
            Self::Broken(what) => to.write_str(what),
        }
    }
}

impl Smpi {
    /// Compiles `programs.c` into `folder`, which must exist.
    pub(crate) fn build(folder: &Path) -> Result<Self, SmpiError> {
        let smpi = Self { folder: folder.to_owned() };
        let mut compile = Command::new("smpicc");
        compile.arg("-O2").arg(source("programs.c")).arg("-o").arg(smpi.program());
        smpi.finish(compile)?;
        let hosts: String = (0..1024).map(|host| format!("n{host}\n")).collect();
        fs::write(folder.join("hosts"), hosts)?;
        Ok(smpi)
    }

    /// The version reported by `smpirun -version`: `"SimGrid version 3.32"`.
    pub(crate) fn version(&self) -> Result<String, SmpiError> {
        let mut ask = Command::new("smpirun");
        ask.arg("-version");
        Ok(self.finish(ask)?.lines().next().unwrap_or_default().to_owned())
    }

    /// Runs `program` on `size` ranks with the first `settings` of [`SETTINGS`]. The programs have no global
    /// variables, so ranks share a process without copies of them, which is SMPI's fastest mode; the time of their own
    /// code is not charged. Returns the simulated time to the end of the last rank, nanoseconds.
    pub(crate) fn run(
        &self,
        program: ExampleProgram,
        size: usize,
        settings: usize,
    ) -> Result<f64, SmpiError> {
        let mut run = Command::new("smpirun");
        run.args(["-no-privatize", "-np", &size.to_string(), "-hostfile", "hosts", "-platform"]);
        run.arg(source("platform.xml"));
        run.args(["--log=root.thres:critical", "--cfg=smpi/simulate-computation:no"]);
        let settings = SETTINGS[..settings].iter().flat_map(|(_, settings)| *settings);
        run.args(settings.map(|setting| format!("--cfg={setting}")));
        run.arg(self.program()).args([program.name, &EPISODES.to_string()]);
        let output = self.finish(run)?;
        output.trim().parse().map_err(|_| SmpiError::Broken(format!("no time: {output}")))
    }

    fn program(&self) -> PathBuf {
        self.folder.join("programs")
    }

    /// Runs `command` to its end in the folder, which also has its scratch files; returns its output.
    fn finish(&self, mut command: Command) -> Result<String, SmpiError> {
        let (out, err) = (self.folder.join("stdout"), self.folder.join("stderr"));
        command.current_dir(&self.folder).env("TMPDIR", &self.folder).stdin(Stdio::null());
        let ended = Job::spawn_to_files(command, &out, &err)?.wait(TIMEOUT)?;
        if ended.is_success() {
            return Ok(fs::read_to_string(out)?);
        }
        let why =
            if ended.has_timed_out { format!("{TIMEOUT:?} are over") } else { ended.status.to_string() };
        Err(SmpiError::Broken(format!("{why}\n{}", fs::read_to_string(err)?)))
    }
}

/// The path of a file next to this one.
fn source(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/against_simgrid")).join(name)
}
