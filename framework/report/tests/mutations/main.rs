//! Files of records, traces, barriers and settings in which something was changed: whatever it was, a reader refuses the file
//! or a page is made from it, in time, in little memory, and with numbers on it.
//!
//! The seed corpus is the folder `corpus`: files that are right, and files that once made a reader or a page fail. Each case
//! takes one of them and changes it in a few places. `WBTEST_MUTATIONS=100000 cargo test --release -p wb-report mutations
//! -- --nocapture` tries more than the suite does, and prints how many, the longest time and the peak of memory.

mod change;
mod readers;

use std::{
    cell::Cell,
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use change::{FileMutation, changes};
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner},
};
use readers::{InputKind, KINDS, ReadOutcome};

/// What the suite tries; a few seconds.
const CASES: u32 = 600;

/// Streams of random numbers that share the cases; threads take one after the other.
const STREAMS: u32 = 16;

/// The longest that one file may take, from its bytes to the last page; of one processor.
const TIME_MAX: Duration = Duration::from_secs(2);

/// The most memory of the whole process, in MiB.
const MEMORY_MIB_MAX: u64 = 300;

/// What became of the cases so far.
#[derive(Debug, Default)]
struct CaseCounts {
    refused: u32,
    read: u32,
    longest: Duration,
    errors: Vec<String>,
}

impl CaseCounts {
    fn add(&mut self, other: Self) {
        self.refused += other.refused;
        self.read += other.read;
        self.longest = self.longest.max(other.longest);
        self.errors.extend(other.errors);
    }
}

/// A file of the corpus.
#[derive(Clone, Debug)]
struct Seed {
    kind: InputKind,
    name: String,
    bytes: Vec<u8>,
}

fn corpus() -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut seeds = Vec::new();
    for kind in KINDS {
        let folder = fs::read_dir(root.join(kind.name())).expect("a folder for every kind");
        for file in folder {
            let path = file.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            seeds.push(Seed { kind, name, bytes: fs::read(&path).expect("a file") });
        }
    }
    seeds.sort_by(|a, b| (a.kind.name(), &a.name).cmp(&(b.kind.name(), &b.name)));
    seeds
}

#[test]
fn files_that_are_right_make_pages_and_the_others_are_refused_with_a_reason() {
    for seed in corpus() {
        let message = seed.kind.read(&seed.bytes);
        let wrong = seed.name.starts_with("wrong-");
        match message {
            ReadOutcome::Pages(pages) => {
                assert!(!wrong, "{} is accepted", seed.name);
                assert!(!pages.is_empty());
                pages.iter().for_each(|page| assert_eq!(find_invalid_number(page), None, "{}", seed.name));
            }
            ReadOutcome::Refused(why) => assert!(wrong && !why.is_empty(), "{}: {why}", seed.name),
        }
    }
}

#[test]
fn a_changed_file_is_refused_or_told_in_time_in_memory_and_in_numbers() {
    let asked = std::env::var("WBTEST_MUTATIONS").ok().map(|cases| cases.parse().expect("a number of cases"));
    let cases: u32 = asked.unwrap_or(CASES);
    let seeds: Vec<Seed> = corpus().into_iter().filter(|seed| !seed.name.starts_with("wrong-")).collect();
    let (next, done) = (AtomicU32::new(0), Mutex::new(CaseCounts::default()));
    let work = || {
        loop {
            let stream = next.fetch_add(1, Ordering::Relaxed);
            if stream >= STREAMS {
                return;
            }
            let of_stream = cases / STREAMS + u32::from(stream < cases % STREAMS);
            let result = try_stream(stream, of_stream, &seeds);
            let mut done = done.lock().expect("no stream panics while it adds");
            done.add(result);
            println!("{stream}: {done:.1?} so far");
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    let CaseCounts { refused, read: message, longest, errors } = done.into_inner().expect("all are done");
    let peak = peak_mib();
    println!(
        "{} files, {cases} cases: {refused} refused, {message} told; longest {longest:.1?}, peak {peak} MiB",
        seeds.len()
    );
    assert_eq!(errors, [""; 0]);
    assert_eq!(refused + message, cases);
    assert!(refused > cases / 10 && message > cases / 10, "one half of the property is hardly tried");
    assert!(peak < MEMORY_MIB_MAX, "{peak} MiB");
}

/// The cases of one stream of random numbers: the same on every computer and on every day.
fn try_stream(stream: u32, cases: u32, seeds: &[Seed]) -> CaseCounts {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[7 + stream as u8; 32]);
    let mut runner = TestRunner::new_with_rng(config, random);
    let done = Cell::new(CaseCounts::default());
    let result = runner.run(&(0..seeds.len(), changes()), |(seed, changes)| {
        let start = processor_time();
        let refused = try_case(&seeds[seed], &changes)?;
        let took = processor_time().saturating_sub(start);
        let CaseCounts { refused: before, read: message, longest, errors } = done.take();
        let (refused, message) = (before + u32::from(refused), message + u32::from(!refused));
        done.set(CaseCounts { refused, read: message, longest: longest.max(took), errors });
        prop_assert!(took < TIME_MAX, "{}: {took:?}", seeds[seed].name);
        Ok(())
    });
    let mut done = done.take();
    done.errors.extend(result.err().map(|error| error.to_string()));
    done
}

/// Changes the file and makes all pages from it; returns whether it was refused.
fn try_case(Seed { kind, name, bytes }: &Seed, changes: &[FileMutation]) -> Result<bool, TestCaseError> {
    match kind.read(&FileMutation::apply_all(changes, bytes)) {
        ReadOutcome::Refused(why) => {
            prop_assert!(!why.is_empty() && why.len() < 10_000, "{name}: a reason of {} bytes", why.len());
            Ok(true)
        }
        ReadOutcome::Pages(made) => match made.iter().find_map(|page| find_invalid_number(page)) {
            Some(word) => Err(TestCaseError::fail(format!("{name}: {word}"))),
            None => Ok(false),
        },
    }
}

/// What this thread has computed: a busy computer makes no case longer.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// A text of the page that is not a valid number, with its surroundings.
fn find_invalid_number(page: &str) -> Option<String> {
    let words = page.match_indices(['N', 'i']).filter(|(at, _)| {
        let (before, rest) = (page[..*at].chars().next_back(), &page[*at..]);
        let after = rest.chars().nth(3);
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        (rest.starts_with("NaN") || rest.starts_with("inf")) && !is_word(before) && !is_word(after)
    });
    let (at, _) = words.into_iter().next()?;
    let from = (0..=at.saturating_sub(60)).rev().find(|from| page.is_char_boundary(*from))?;
    Some(page[from..].chars().take(100).collect())
}

#[test]
fn what_is_no_number_is_seen_on_a_page_and_words_are_not() {
    for page in ["<td>NaN</td>", "x=\"inf\"", "-inf %", "1, NaN"] {
        assert!(find_invalid_number(page).is_some(), "{page}");
    }
    for page in ["information", "in finite", "NaNs_", "ginf", "infinity"] {
        assert!(find_invalid_number(page).is_none(), "{page}");
    }
}

/// The most memory that this process has had, in MiB.
fn peak_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}
