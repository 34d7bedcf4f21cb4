//! The command line of a benchmark, as `cargo bench -p TASK -- ...` and `cargo wb perf` pass it.
use std::path::PathBuf;

use wb_messages::{Lang, checker, performance as text};
use wb_record::{Backend, ComputingCost, LaunchPart};
use wb_runner::ArgReader;

use crate::checked::{Budget, MAX_RANKS, MAX_SIZE, ReplayId};

/// The arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BenchmarkArguments {
    /// The file of the records.
    pub(crate) records: Option<PathBuf>,
    /// Whether to make fewer launches with a wider target.
    pub(crate) quick: bool,
    /// Numbers of ranks, ascending.
    pub(crate) ranks: Option<Vec<usize>>,
    /// The language of the output.
    pub(crate) lang: Option<Lang>,
    /// The seed of inputs and orders.
    pub(crate) seed: Option<u64>,
    /// What the line of progress begins with, where that is all that is shown of it: on a terminal, and nowhere else.
    pub(crate) progress: Option<String>,
    /// The launches to measure, if not all.
    pub(crate) part: Option<LaunchPart>,
    /// The file of the trace, if one pass is traced and nothing is measured.
    pub(crate) trace: Option<PathBuf>,
    /// The machine to simulate, if nothing is measured.
    pub(crate) machine: Option<String>,
    /// The faults that are injected into it.
    pub(crate) faults: Vec<String>,
    pub(crate) computing: ComputingCost,
    /// Whether the reference of the assignment is simulated, too.
    pub(crate) reference: bool,
    /// Whether all orders of small inputs are tried, and nothing is measured.
    pub(crate) check: bool,
    /// The budget of the check.
    pub(crate) budget: Option<Budget>,
    /// The run to replay.
    pub(crate) replay: Option<ReplayId>,
    /// Whether the results of the check are printed as JSON.
    pub(crate) json: bool,
    /// The workload that is traced, simulated or checked.
    pub(crate) workload: Option<String>,
    /// The backend of the traced pass; by default the linked library, or threads without one.
    pub(crate) backend: Option<Backend>,
}

impl BenchmarkArguments {
    /// Whether something is measured. Nothing is for `cargo test --benches`, which passes no arguments or libtest's,
    /// and only tests that the program starts.
    pub(crate) fn is_measuring(arguments: &[String]) -> bool {
        arguments.iter().any(|argument| argument == "--bench" || argument.starts_with("--wb-"))
    }

    /// Reads the arguments; the error is for the user.
    pub(crate) fn parse(all: &[String]) -> Result<Self, String> {
        let lang = ArgReader::requested_language(all, "--wb-lang");
        Self::read(all, lang.unwrap_or_else(Lang::from_environment))
    }

    fn read(all: &[String], lang: Lang) -> Result<Self, String> {
        let (mut read, mut words) = (Self::default(), ArgReader::new(all, lang));
        while let Some(option) = words.option() {
            match option {
                "--bench" => {}
                "--wb-quick" => read.quick = true,
                "--wb-part" => {
                    let part = words.value()?;
                    read.part = Some(part.parse().map_err(|_| text::bad_part(lang, part))?);
                }
                "--wb-progress" => read.progress = Some(words.value()?.to_owned()),
                "--wb-records" => read.records = Some(words.path()?),
                "--wb-ranks" => read.ranks = Some(words.ranks()?),
                "--wb-simulate" => read.machine = Some(words.value()?.to_owned()),
                "--wb-compute" => read.computing = computing(words.value()?, lang)?,
                "--wb-fault" => read.faults.push(words.value()?.to_owned()),
                "--wb-reference" => read.reference = true,
                "--wb-check" => read.check = true,
                "--wb-json" => read.json = true,
                "--wb-budget" => {
                    let line = words.value()?;
                    read.budget = Some(line.parse().map_err(|()| checker::bad_budget(lang, line))?);
                }
                "--wb-replay" => {
                    let line = words.value()?;
                    let refused = |()| checker::bad_replay(lang, line, MAX_RANKS, MAX_SIZE);
                    read.replay = Some(line.parse().map_err(refused)?);
                }
                "--wb-trace" => read.trace = Some(words.path()?),
                "--wb-backend" => read.backend = Some(backend(words.value()?, lang)?),
                "--wb-workload" => read.workload = Some(words.value()?.to_owned()),
                "--wb-lang" => read.lang = Some(words.language()?),
                "--wb-seed" => read.seed = Some(words.seed()?),
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        Ok(read)
    }
}

fn computing(name: &str, lang: Lang) -> Result<ComputingCost, String> {
    let known = [ComputingCost::Declared, ComputingCost::Measured];
    let found = known.into_iter().find(|computing| computing.name() == name);
    found.ok_or_else(|| text::bad_computing(lang, name, known.map(ComputingCost::name).join(", ")))
}

fn backend(name: &str, lang: Lang) -> Result<Backend, String> {
    let known = [Backend::Mpi, Backend::Threads];
    let found = known.into_iter().find(|backend| backend.name() == name);
    found.ok_or_else(|| text::bad_backend(lang, name, known.map(Backend::name).join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<BenchmarkArguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        BenchmarkArguments::read(&words, Lang::En)
    }

    #[test]
    fn a_full_line_is_understood() {
        let all = read(
            "--bench --wb-records r.jsonl --wb-quick --wb-part 1/3 --wb-ranks 4,1,2 --wb-lang ru --wb-seed 9 --wb-progress 1/2 \
             --wb-simulate cluster-ib --wb-fault jitter:1 --wb-fault deaf:2 --wb-compute measured --wb-reference --wb-check \
             --wb-budget 10s --wb-replay 3:7:0.1 --wb-json --wb-trace t.json --wb-workload sine --wb-backend threads",
        );
        let wanted = BenchmarkArguments {
            records: Some("r.jsonl".into()),
            quick: true,
            ranks: Some(vec![1, 2, 4]),
            lang: Some(Lang::Ru),
            seed: Some(9),
            progress: Some("1/2".into()),
            part: LaunchPart::new(1, 3),
            trace: Some("t.json".into()),
            machine: Some("cluster-ib".into()),
            faults: vec!["jitter:1".into(), "deaf:2".into()],
            computing: ComputingCost::Measured,
            reference: true,
            check: true,
            budget: "10s".parse().ok(),
            replay: "3:7:0.1".parse().ok(),
            json: true,
            workload: Some("sine".into()),
            backend: Some(Backend::Threads),
        };
        assert_eq!(all, Ok(wanted));
    }

    #[test]
    fn a_test_run_does_not_measure() {
        let asks = |line: &str| {
            BenchmarkArguments::is_measuring(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(!asks("") && !asks("--nocapture --test-threads 1"));
        assert!(asks("--bench") && asks("--wb-quick"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in [
            "--wb-budget much",
            "--wb-replay 3",
            "--wb-replay 2:18446744073709551615:0",
            "--wb-rank 2",
            "filter",
            "--wb-ranks",
            "--wb-lang xx",
            "--wb-seed x",
            "--wb-backend smoke",
            "--wb-part 3/3",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
