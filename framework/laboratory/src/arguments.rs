//! The command line of the laboratory, as `cargo wb barriers bench` passes it.
use std::path::PathBuf;

use wb_messages::{Lang, barrier_bench as text};
use wb_record::BarrierForm;
use wb_runner::ArgReader;

use crate::substrate;

/// The arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BarrierBenchArguments {
    /// The file of the records.
    pub(crate) records: PathBuf,
    /// Numbers of ranks, ascending.
    pub(crate) ranks: Vec<usize>,
    /// Barriers by name; all if empty.
    pub(crate) only: Vec<String>,
    /// Substrates by name; all if empty.
    pub(crate) substrates: Vec<String>,
    /// Whether to make few launches and rounds.
    pub(crate) quick: bool,
    /// The seed of the orders.
    pub(crate) seed: Option<u64>,
    /// The language of the output.
    pub(crate) lang: Lang,
}

impl BarrierBenchArguments {
    /// Reads the arguments; the error is for the user.
    pub(crate) fn parse(all: &[String]) -> Result<Self, String> {
        let lang = ArgReader::requested_language(all, "--lang").unwrap_or_else(Lang::from_environment);
        let (mut read, mut words) = (Self { lang, ..Self::default() }, ArgReader::new(all, lang));
        while let Some(option) = words.option() {
            match option {
                "--quick" => read.quick = true,
                "--records" => read.records = words.path()?,
                "--ranks" => read.ranks = words.ranks()?,
                "--only" => read.only = names(words.value()?, &variant_names(&substrate::forms()), lang)?,
                "--substrate" => read.substrates = names(words.value()?, &substrate::names(), lang)?,
                "--lang" => read.lang = words.language()?,
                "--seed" => read.seed = Some(words.seed()?),
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        match read.ranks.is_empty() || read.records.as_os_str().is_empty() {
            true => Err(text::incomplete(lang)),
            false => Ok(read),
        }
    }
}

/// Names of barriers that can be selected.
fn variant_names(all: &[BarrierForm]) -> Vec<&str> {
    let mut names: Vec<_> = all.iter().map(|form| form.variant.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A list of names, all of which must be known.
fn names(list: &str, known: &[&str], lang: Lang) -> Result<Vec<String>, String> {
    let names = list.split(',').map(str::trim);
    names
        .map(|name| match known.contains(&name) {
            true => Ok(name.to_owned()),
            false => Err(text::unknown_name(lang, name, known.join(", "))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<BarrierBenchArguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        BarrierBenchArguments::parse(&words)
    }

    #[test]
    fn a_full_line_is_understood() {
        let line = "--records r --ranks 4,2 --only dissemination,mpi_barrier --substrate cells --quick --seed 3 --lang ru";
        let wanted = BarrierBenchArguments {
            records: "r".into(),
            ranks: vec![2, 4],
            only: vec!["dissemination".into(), "mpi_barrier".into()],
            substrates: vec!["cells".into()],
            quick: true,
            seed: Some(3),
            lang: Lang::Ru,
        };
        assert_eq!(parse(line), Ok(wanted));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let common = "--lang en --records r --ranks 2";
        for (line, named) in [
            ("--ranks 0", "`0`"),
            ("--ranks 2,2", "`2`"),
            ("--ranks 2,x", "`x`"),
            ("--only nonsense", "`nonsense`"),
            ("--substrate pigeons", "`pigeons`"),
            ("--seed x", "`x`"),
            ("--lang xx", "`xx`"),
            ("--whatever", "`--whatever`"),
            ("--only", "`--only`"),
        ] {
            let refused = parse(&format!("{common} {line}")).expect_err(line);
            assert!(refused.contains(named), "{line}: {refused}");
        }
        assert!(parse("--lang en --ranks 2").is_err(), "no file for the records");
    }
}
