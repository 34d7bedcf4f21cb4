//! The command line of the laboratory: what `cargo wb barriers bench` hands over.
use std::path::PathBuf;

use wb_messages::{Lang, laboratory as text};

use crate::{schedule, substrate};

/// The largest number of ranks that is not taken for a misprint.
const MOST_RANKS: usize = 1024;

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Where the records go.
    pub(crate) records: PathBuf,
    /// Numbers of ranks, rising.
    pub(crate) ranks: Vec<usize>,
    /// Barriers by name; none: all.
    pub(crate) only: Vec<String>,
    /// Substrates by name; none: all.
    pub(crate) substrates: Vec<String>,
    /// Few launches and rounds?
    pub(crate) quick: bool,
    /// The seed of the orders.
    pub(crate) seed: Option<u64>,
    /// The language of what the user reads.
    pub(crate) lang: Lang,
}

impl Arguments {
    /// Reads the arguments; the error is for the user.
    pub(crate) fn parse(all: &[String]) -> Result<Self, String> {
        let asked = all.windows(2).find(|pair| pair[0] == "--lang").and_then(|pair| Lang::parse(&pair[1]));
        let lang = asked.unwrap_or_else(Lang::of_environment);
        let mut read = Self { lang, ..Self::default() };
        let mut all = all.iter();
        while let Some(argument) = all.next() {
            let mut value = || all.next().ok_or_else(|| text::no_value(lang, argument));
            match argument.as_str() {
                "--quick" => read.quick = true,
                "--records" => read.records = value()?.into(),
                "--ranks" => read.ranks = ranks(value()?, lang)?,
                "--only" => read.only = names(value()?, &schedule::names(&substrate::forms()), lang)?,
                "--substrate" => read.substrates = names(value()?, &substrate::names(), lang)?,
                "--lang" => drop(value()?),
                "--seed" => {
                    let number = value()?;
                    read.seed = Some(number.parse().map_err(|_| text::bad_seed(lang, number))?);
                }
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        match read.ranks.is_empty() || read.records.as_os_str().is_empty() {
            true => Err(text::incomplete(lang)),
            false => Ok(read),
        }
    }
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

/// A list of names that are all known.
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

    fn parse(line: &str) -> Result<Arguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::parse(&words)
    }

    #[test]
    fn a_full_line_is_understood() {
        let line = "--records r --ranks 4,2 --only dissemination,mpi_barrier --substrate cells --quick --seed 3 --lang ru";
        let wanted = Arguments {
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
            ("--whatever", "`--whatever`"),
            ("--only", "`--only`"),
        ] {
            let refused = parse(&format!("{common} {line}")).expect_err(line);
            assert!(refused.contains(named), "{line}: {refused}");
        }
        assert!(parse("--lang en --ranks 2").is_err(), "no file for the records");
    }
}
