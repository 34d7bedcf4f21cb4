//! Forms that hang, that exit, that err and that leave early, each planted into real MPI jobs: the laboratory must report
//! them as failed, each with its reason, and still measure all others in every launch.
//!
//! This program is all parts: the test, which starts it as the laboratory; the laboratory, which starts it as ranks.
#![forbid(unsafe_code)]

use std::{
    env, fs,
    path::Path,
    process::{Command, ExitCode},
    thread,
    time::Duration,
};

use wb_collectives::{
    catalogue::{self, Setting},
    over::OverMessages,
};
use wb_comm::{Barrier, Error, Result, Site, Transport, Verb};
use wb_laboratory::{Planted, main as laboratory};
use wb_process::{Job, exit_now, launched};
use wb_record::{BarrierLine, BarrierOutcome, BarrierSeries};

const PLANTED: &[Planted] = &[
    Planted { name: "canary_hangs", barrier: |transport| fails(transport, hang) },
    Planted { name: "canary_exits", barrier: |transport| fails(transport, exit) },
    Planted { name: "canary_errs", barrier: |transport| fails(transport, err) },
    Planted { name: "canary_leaves", barrier: |transport| Ok(Box::new(Leaves(transport.rank()))) },
];

/// The episode in which rank 1 fails: the others are in it, and wait for it in the library.
const EPISODE: u32 = 11;

/// Twice as long as it takes on a machine that is busy with other things.
const LIMIT: Duration = Duration::from_secs(120);

fn hang() -> Result<()> {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn exit() -> Result<()> {
    exit_now(3)
}

fn err() -> Result<()> {
    Err(Error::Setup(wb_comm::Text::verbatim("a planted error")))
}

/// A right barrier, until rank 1 does something else.
struct Fails<'t> {
    right: OverMessages<&'t dyn Transport>,
    rank: usize,
    episodes: u32,
    then: fn() -> Result<()>,
}

fn fails<'t>(transport: &'t dyn Transport, then: fn() -> Result<()>) -> Result<Box<dyn Barrier + 't>> {
    let (rank, setting) = (transport.rank(), Setting::of(transport.size()));
    let plans = catalogue::find("dissemination")?.plans(&setting).expect("a pattern")?;
    let right = OverMessages::of(&plans, transport, Site::here(Verb::Barrier));
    Ok(Box::new(Fails { right, rank, episodes: 0, then }))
}

impl Barrier for Fails<'_> {
    fn wait(&mut self) -> Result<()> {
        self.episodes += 1;
        if (self.rank, self.episodes) == (1, EPISODE) { (self.then)() } else { self.right.wait() }
    }
}

/// Waits for nobody, and rank 1 is slow.
struct Leaves(usize);

impl Barrier for Leaves {
    fn wait(&mut self) -> Result<()> {
        if self.0 == 1 {
            thread::sleep(Duration::from_micros(300));
        }
        Ok(())
    }
}

/// What the laboratory must say of each.
const FAILURES: [(&str, &str); 4] = [
    ("canary_hangs", "did not come out within 6 s"),
    ("canary_exits", "of 2 ranks have answered"),
    ("canary_errs", "a planted error"),
    ("canary_leaves", "before rank 1 had entered"),
];

/// Whom it must measure all the same.
const SOUND: [&str; 2] = ["k_dissemination_3", "mpi_barrier"];

const TEST: &str = "forms_that_hang_exit_err_and_leave_have_failed_and_all_others_are_measured";

fn main() -> ExitCode {
    // A rank of one of its jobs, or the laboratory.
    if launched().is_some() || env::args().any(|argument| argument == "--records") {
        return laboratory(PLANTED);
    }
    let asked = env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    if !TEST.contains(&asked) {
        return ExitCode::SUCCESS;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = run(folder.path());
    let records = fs::read_to_string(folder.path().join("records")).unwrap_or_default();
    let series: Vec<_> = BarrierLine::read_all(&records)
        .expect("records can be read")
        .into_iter()
        .filter_map(|line| if let BarrierLine::BarrierSeries(series) = line { Some(*series) } else { None })
        .collect();
    let of = |name: &str| -> &BarrierSeries {
        let found = series.iter().find(|series| series.form.variant == name);
        found.unwrap_or_else(|| panic!("nothing is recorded of {name}\n{said}"))
    };
    for (name, reason) in FAILURES {
        let outcome = &of(name).outcome;
        let right = matches!(outcome, BarrierOutcome::Failed { reason: told } if told.contains(reason));
        assert!(right, "{name}: {outcome:?}\n{said}");
    }
    for name in SOUND {
        let outcome = &of(name).outcome;
        let whole = matches!(outcome, BarrierOutcome::Measured { launches } if launches.len() == 2);
        assert!(whole, "{name}: {outcome:?}\n{said}");
    }
    println!("test {TEST} ... ok");
    ExitCode::SUCCESS
}

/// The laboratory on two ranks; gives what it said.
fn run(folder: &Path) -> String {
    let only = FAILURES.iter().map(|(name, _)| *name).chain(SOUND).collect::<Vec<_>>().join(",");
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--lang", "en", "--quick", "--ranks", "2", "--seed", "7", "--substrate", "messages,mpi"]);
    command.args(["--only", &only, "--records"]).arg(folder.join("records"));
    let output = folder.join("output");
    let job = Job::spawn_to_files(command, &output, &output).expect("it starts");
    let ended = job.wait(LIMIT).expect("it can be waited for");
    let said = fs::read_to_string(&output).unwrap_or_default();
    assert!(!ended.timed_out, "not done after {LIMIT:?}\n{said}");
    assert_eq!(ended.status.code(), Some(1), "a form has failed, so the laboratory has\n{said}");
    said
}
