//! The command line of a benchmark: what `cargo bench -p TASK -- ...` and `cargo wb perf` hand over.
use std::path::PathBuf;

use wb_messages::{Lang, performance as text};
use wb_record::Backend;

/// The largest number of ranks that is not taken for a misprint.
const MOST_RANKS: usize = 4096;

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Where the records go.
    pub(crate) records: Option<PathBuf>,
    /// Fewer launches, a wider target.
    pub(crate) quick: bool,
    /// Numbers of ranks, increasing.
    pub(crate) ranks: Option<Vec<usize>>,
    /// The language of what the user reads.
    pub(crate) lang: Option<Lang>,
    /// The seed of inputs and orders.
    pub(crate) seed: Option<u64>,
    /// Where the trace goes, if one pass is to be traced and nothing measured.
    pub(crate) trace: Option<PathBuf>,
    /// Which workload is traced.
    pub(crate) workload: Option<String>,
    /// What carries the messages of the traced pass; without a wish the library that is linked, and else threads.
    pub(crate) backend: Option<Backend>,
}

impl Arguments {
    /// Is something to be measured? Not for `cargo test --benches`, which hands over nothing or libtest's arguments and
    /// only wants to know that the program starts.
    pub(crate) fn ask_to_measure(arguments: &[String]) -> bool {
        arguments.iter().any(|argument| argument == "--bench" || argument.starts_with("--wb-"))
    }

    /// Reads the arguments; the error is for the user.
    pub(crate) fn parse(all: &[String]) -> Result<Self, String> {
        let lang = all.windows(2).find(|pair| pair[0] == "--wb-lang").and_then(|pair| Lang::parse(&pair[1]));
        Self::read(all, lang.unwrap_or_else(Lang::of_environment))
    }

    fn read(all: &[String], lang: Lang) -> Result<Self, String> {
        let mut read = Self::default();
        let mut all = all.iter();
        while let Some(argument) = all.next() {
            let mut value = || all.next().ok_or_else(|| text::no_value(lang, argument));
            match argument.as_str() {
                "--bench" => {}
                "--wb-quick" => read.quick = true,
                "--wb-records" => read.records = Some(value()?.into()),
                "--wb-ranks" => read.ranks = Some(ranks(value()?, lang)?),
                "--wb-trace" => read.trace = Some(value()?.into()),
                "--wb-backend" => read.backend = Some(backend(value()?, lang)?),
                "--wb-workload" => read.workload = Some(value()?.clone()),
                "--wb-lang" => {
                    let code = value()?;
                    read.lang = Some(Lang::parse(code).ok_or_else(|| text::bad_lang(lang, code))?);
                }
                "--wb-seed" => {
                    let number = value()?;
                    read.seed = Some(number.parse().map_err(|_| text::bad_seed(lang, number))?);
                }
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        Ok(read)
    }
}

/// A backend by its name.
fn backend(name: &str, lang: Lang) -> Result<Backend, String> {
    let known = [Backend::Mpi, Backend::Threads];
    let found = known.into_iter().find(|backend| backend.name() == name);
    found.ok_or_else(|| text::bad_backend(lang, name, known.map(Backend::name).join(", ")))
}

/// A list like `1,2,4`, in rising order.
fn ranks(list: &str, lang: Lang) -> Result<Vec<usize>, String> {
    let bad = |item: &str| text::bad_ranks(lang, list, item, MOST_RANKS);
    let mut ranks = Vec::new();
    for item in list.split(',') {
        let number = item.trim().parse().map_err(|_| bad(item))?;
        if !(1..=MOST_RANKS).contains(&number) || ranks.contains(&number) {
            return Err(bad(item));
        }
        ranks.push(number);
    }
    ranks.sort_unstable();
    Ok(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::read(&words, Lang::En)
    }

    #[test]
    fn a_full_line_is_understood() {
        let read = read("--bench --wb-records r.jsonl --wb-quick --wb-ranks 4,1,2 --wb-lang ru --wb-seed 9");
        let wanted = Arguments {
            records: Some("r.jsonl".into()),
            quick: true,
            ranks: Some(vec![1, 2, 4]),
            lang: Some(Lang::Ru),
            seed: Some(9),
            ..Arguments::default()
        };
        assert_eq!(read, Ok(wanted));
    }

    #[test]
    fn a_trace_is_asked_for_with_its_file() {
        let read = read("--wb-trace t.json --wb-workload sine --wb-backend threads").expect("understood");
        assert_eq!((read.trace, read.workload), (Some("t.json".into()), Some("sine".into())));
        assert_eq!(read.backend, Some(Backend::Threads));
    }

    #[test]
    fn a_test_run_does_not_measure() {
        let asks = |line: &str| {
            Arguments::ask_to_measure(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(!asks("") && !asks("--nocapture --test-threads 1"));
        assert!(asks("--bench") && asks("--wb-quick"));
    }

    #[test]
    fn bad_lists_of_ranks_are_refused_with_what_is_wrong_in_them() {
        for (list, item) in [("1,two", "two"), ("0", "0"), ("1,,2", "``"), ("2,2", "`2`"), ("1,9999", "9999")]
        {
            let refused = read(&format!("--wb-ranks {list}")).expect_err(list);
            assert!(refused.contains(item), "{refused}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in
            ["--wb-rank 2", "filter", "--wb-ranks", "--wb-lang xx", "--wb-seed x", "--wb-backend smoke"]
        {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
