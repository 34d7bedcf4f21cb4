//! What a host says of itself over `ssh`: its processor, its cores, whether it sees the shared folder, and its clock.
//!
//! One connection for each host. After the facts the remote shell answers every line with its time, which gives the offset of its
//! clock: an answer was made between the question and its arrival, so half of the shortest round trip bounds the error. The
//! same a moment later gives the drift.

use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The time limit of a whole probe.
const LIMIT: Duration = Duration::from_secs(20);

/// Exchanges of time stamps in each of the two measurements.
const EXCHANGES: usize = 20;

/// The time between the two measurements of the clock.
const DRIFT_INTERVAL: Duration = Duration::from_secs(2);

/// The remote shell: facts as `key=value`, an empty line, then the time in nanoseconds for every line that it reads.
const SCRIPT: &str = r#"echo "architecture=$(uname -m)"
echo "name=$(uname -n)"
echo "cores=$(getconf _NPROCESSORS_ONLN)"
if [ -x "$program" ]; then echo shared=yes; else echo shared=no; fi
echo
while read -r line; do date +%s%N; done"#;

/// The facts about a host.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HostFacts {
    pub(super) architecture: String,
    /// The host's own name.
    pub(super) name: String,
    pub(super) cores: usize,
    /// Whether it sees the program in the shared folder, and may execute it.
    pub(super) sees_shared_folder: bool,
    pub(super) clock: ClockReading,
}

/// The clock of a host, compared with this host's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClockReading {
    /// The host's time minus this host's.
    pub(super) offset_ns: i64,
    /// The bound of the error of the offset: half of the shortest round trip.
    pub(super) offset_error_ns: u64,
    /// The drift of its clock, in parts per million.
    pub(super) drift_ppm: f64,
    /// The bound of the error of the drift.
    pub(super) drift_error_ppm: f64,
}

/// One measurement of an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Offset {
    offset_ns: i64,
    round_trip_ns: u64,
    /// When it was measured.
    at_ns: u64,
}

/// Asks a host, which must see `program`.
///
/// # Errors
/// The last line that `ssh` or the host printed, or that there was no answer in time (`None`).
pub(super) fn probe(host: &str, program: &Path) -> Result<HostFacts, Option<String>> {
    let (sender, receiver) = mpsc::channel();
    let mut child = start(host, program).map_err(|error| Some(error.to_string()))?;
    let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let conversation = thread::spawn(move || {
        let _receiver_gave_up = sender.send(converse(input, BufReader::new(output)));
    });
    let answer = receiver.recv_timeout(LIMIT).ok();
    // Ends the conversation, also one that hangs.
    let _ended = child.kill();
    let printed = child.wait_with_output().map(|output| output.stderr).unwrap_or_default();
    let _no_panic = conversation.join();
    let printed = String::from_utf8_lossy(&printed);
    let last_line = printed.lines().map(str::trim).rfind(|line| !line.is_empty());
    match answer {
        Some(Ok(facts)) => Ok(facts),
        Some(Err(error)) => Err(Some(last_line.map_or_else(|| error.to_string(), str::to_owned))),
        None => Err(last_line.map(str::to_owned)),
    }
}

fn start(host: &str, program: &Path) -> io::Result<Child> {
    let mut command = Command::new("ssh");
    // Asks for no password: nothing waits for a terminal.
    command.args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "--", host]);
    let quoted = program.to_string_lossy().replace('\'', r"'\''");
    command.arg(format!("program='{quoted}'\n{SCRIPT}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

fn converse(mut input: ChildStdin, mut output: BufReader<ChildStdout>) -> io::Result<HostFacts> {
    let facts = read_facts(&mut output)?;
    let mut measure = || (0..EXCHANGES).map(|_| exchange(&mut input, &mut output)).collect();
    let first: io::Result<Vec<Offset>> = measure();
    let first = shortest(first?);
    thread::sleep(DRIFT_INTERVAL);
    let second: io::Result<Vec<Offset>> = measure();
    let clock = ClockReading::new(first, shortest(second?));
    let value = |key: &str| facts.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let missing = || io::Error::other("the host's shell did not answer as expected");
    Ok(HostFacts {
        architecture: value("architecture").ok_or_else(missing)?,
        name: value("name").ok_or_else(missing)?,
        cores: value("cores").and_then(|cores| cores.parse().ok()).ok_or_else(missing)?,
        sees_shared_folder: value("shared").ok_or_else(missing)? == "yes",
        clock,
    })
}

/// The lines `key=value` up to an empty one. A login shell may print other lines before them.
fn read_facts(output: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut facts = Vec::new();
    for line in output.lines() {
        let line = line?;
        match line.split_once('=') {
            Some((key, value)) => facts.push((key.to_owned(), value.to_owned())),
            None if line.is_empty() && !facts.is_empty() => return Ok(facts),
            None => {}
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

fn exchange(input: &mut impl Write, output: &mut impl BufRead) -> io::Result<Offset> {
    let before = now_ns();
    let start = Instant::now();
    input.write_all(b"\n")?;
    input.flush()?;
    let mut line = String::new();
    output.read_line(&mut line)?;
    let round_trip_ns = start.elapsed().as_nanos() as u64;
    let remote: u64 = line.trim().parse().map_err(io::Error::other)?;
    let middle = before + round_trip_ns / 2;
    Ok(Offset { offset_ns: remote.wrapping_sub(middle).cast_signed(), round_trip_ns, at_ns: middle })
}

fn now_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

fn shortest(offsets: Vec<Offset>) -> Offset {
    let least = offsets.into_iter().min_by_key(|offset| offset.round_trip_ns);
    least.expect("at least one exchange")
}

impl ClockReading {
    /// The drift from two measurements at different times.
    fn new(first: Offset, second: Offset) -> Self {
        let elapsed_ns = (second.at_ns - first.at_ns).max(1) as f64;
        let errors_ns = (first.round_trip_ns + second.round_trip_ns) as f64 / 2.0;
        let best = if second.round_trip_ns < first.round_trip_ns { second } else { first };
        Self {
            offset_ns: best.offset_ns,
            offset_error_ns: best.round_trip_ns.div_ceil(2),
            drift_ppm: (second.offset_ns - first.offset_ns) as f64 / elapsed_ns * 1e6,
            drift_error_ppm: errors_ns / elapsed_ns * 1e6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_behind_what_a_login_shell_prints() {
        let mut output = io::Cursor::new("Welcome\n\narchitecture=x86_64\nname=wb2\n\n17\n");
        let facts = read_facts(&mut output).expect("complete");
        assert_eq!(facts[1], ("name".to_owned(), "wb2".to_owned()));
        let mut cut = io::Cursor::new("architecture=x86_64\n");
        assert!(read_facts(&mut cut).is_err());
    }

    #[test]
    fn a_planted_offset_and_drift_are_within_the_stated_errors() {
        let at = |at_ns: u64, delay_to: u64, delay_back: u64| {
            // 5 s ahead and 50 ppm too fast.
            let remote = |ns: u64| ns + 5_000_000_000 + ns / 20_000;
            let round_trip_ns = delay_to + delay_back;
            let middle = at_ns + round_trip_ns / 2;
            let offset_ns = (remote(at_ns + delay_to) - middle).cast_signed();
            Offset { offset_ns, round_trip_ns, at_ns: middle }
        };
        // Asymmetric ways.
        let clock = ClockReading::new(at(0, 100_000, 300_000), at(2_000_000_000, 400_000, 50_000));
        let error = (clock.offset_ns - 5_000_000_000).unsigned_abs();
        assert!(error <= clock.offset_error_ns, "{clock:?}");
        assert!((clock.drift_ppm - 50.0).abs() <= clock.drift_error_ppm, "{clock:?}");
        assert!(clock.offset_error_ns == 200_000 && clock.drift_error_ppm < 250.0, "{clock:?}");
    }
}
