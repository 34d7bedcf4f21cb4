//! A table of measurements: which algorithm is the fastest for a verb, a number of ranks and a length.
use std::{collections::BTreeMap, fmt, str::FromStr};

use wb_comm::{Error, Result, Verb, text::collective};

use super::LIBRARY;
use crate::collectives::shared_memory::{self, SharedAlgorithm};

/// Whether each rank has a core of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RankCores {
    /// There are at least as many cores as ranks.
    Own,
    /// Ranks share cores.
    Shared,
}

impl RankCores {
    /// The ranks of a node with this number of cores.
    pub fn new(ranks: usize, cores: usize) -> Self {
        if ranks <= cores { Self::Own } else { Self::Shared }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Shared => "shared",
        }
    }
}

/// One line of a table: up to `bytes` of a block, this algorithm.
#[derive(Clone, Copy, Debug)]
struct SelectionRule {
    verb: Verb,
    ranks: usize,
    cores: RankCores,
    /// The longest block.
    bytes: usize,
    /// `None`: the library's.
    algorithm: Option<&'static SharedAlgorithm>,
}

/// Which algorithm performs a verb, by the number of ranks, their cores and the bytes of a block.
///
/// Its text has a rule in each line, `VERB RANKS own|shared BYTES|max ALGORITHM|library`; what follows `#` is a comment. The rule with the smallest number
/// of ranks, then of bytes, that is not less than those of a call applies; without such a rule the operation is the library's.
#[derive(Clone, Debug, Default)]
pub struct SelectionTable {
    rules: Vec<SelectionRule>,
}

/// How fast an algorithm is.
#[derive(Clone, Debug)]
pub struct MeasuredRatio {
    /// The operation.
    pub verb: Verb,
    /// Ranks.
    pub ranks: usize,
    /// Their cores.
    pub cores: RankCores,
    /// Bytes of a block.
    pub bytes: usize,
    /// The algorithm.
    pub algorithm: &'static SharedAlgorithm,
    /// The library's time, in times of the algorithm: the median.
    pub ratio: f64,
    /// The lower end of its interval.
    pub lower: f64,
}

impl SelectionTable {
    /// Our own measurements, for machines that have no table; its text names the machine.
    pub fn built_in() -> Self {
        include_str!("default.table").parse().expect("a test reads it")
    }

    /// The table of measurements: at each length the fastest algorithm, if the library is not faster within the interval. A length between two that
    /// were measured is taken for the nearer one; the longest one counts for all that are longer.
    pub fn from_measurements(measured: impl IntoIterator<Item = MeasuredRatio>) -> Self {
        let mut groups = BTreeMap::<_, BTreeMap<usize, Vec<MeasuredRatio>>>::new();
        for ratio in measured {
            let group = (ratio.verb.name(), ratio.ranks, ratio.cores);
            groups.entry(group).or_default().entry(ratio.bytes).or_default().push(ratio);
        }
        let mut table = Self::default();
        for lengths in groups.values() {
            let all: Vec<usize> = lengths.keys().copied().collect();
            for (at, candidates) in lengths.values().enumerate() {
                let best = candidates
                    .iter()
                    .max_by(|a, b| a.ratio.total_cmp(&b.ratio))
                    .expect("a length was measured");
                let middle = |next: &usize| (all[at] as f64 * *next as f64).sqrt() as usize;
                let rule = SelectionRule {
                    verb: best.verb,
                    ranks: best.ranks,
                    cores: best.cores,
                    bytes: all.get(at + 1).map_or(usize::MAX, middle),
                    algorithm: (best.lower >= 1.0).then_some(best.algorithm),
                };
                table.push(rule);
            }
        }
        table
    }

    /// Adds a rule; it replaces one before it that differs in the length only.
    fn push(&mut self, rule: SelectionRule) {
        let key = |rule: &SelectionRule| {
            (rule.verb, rule.ranks, rule.cores, rule.algorithm.map(|algorithm| algorithm.name))
        };
        if self.rules.last().is_some_and(|last| key(last) == key(&rule)) {
            self.rules.pop();
        }
        self.rules.push(rule);
    }

    /// The rules for groups of this size.
    pub fn for_group(&self, ranks: usize, cores: RankCores) -> GroupRules {
        let of_verb = |verb: &Verb| {
            let fits =
                |rule: &&SelectionRule| rule.verb == *verb && rule.cores == cores && rule.ranks >= ranks;
            let of_verb: Vec<_> = self.rules.iter().filter(fits).collect();
            let measured = of_verb.iter().map(|rule| rule.ranks).min();
            let mut rules: Vec<_> = of_verb
                .into_iter()
                .filter(|rule| Some(rule.ranks) == measured)
                .map(|rule| (rule.bytes, rule.algorithm))
                .collect();
            rules.sort_by_key(|(bytes, _)| *bytes);
            rules
        };
        GroupRules { rules: Verb::ALL.iter().map(of_verb).collect() }
    }
}

/// The rules of a table for one number of ranks, by verb: a choice takes some nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct GroupRules {
    /// Lengths and algorithms, by length.
    rules: Vec<Vec<(usize, Option<&'static SharedAlgorithm>)>>,
}

impl GroupRules {
    /// The same rules up to this length; longer blocks are the library's.
    pub(super) fn limited_to(mut self, bytes: usize) -> Self {
        for rules in &mut self.rules {
            let kept = rules.partition_point(|(most, _)| *most < bytes);
            rules.truncate(kept + 1);
            rules.iter_mut().for_each(|(most, _)| *most = bytes.min(*most));
        }
        self
    }

    /// The algorithm for a verb and a block of `bytes`; `None`: the library's.
    #[inline]
    pub fn choose(&self, verb: Verb, bytes: usize) -> Option<&'static SharedAlgorithm> {
        let rules = self.rules.get(verb as usize)?;
        rules.iter().find(|(most, _)| *most >= bytes)?.1
    }
}

impl fmt::Display for SelectionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for SelectionRule { verb, ranks, cores, bytes, algorithm } in &self.rules {
            let algorithm = algorithm.map_or(LIBRARY, |algorithm| algorithm.name);
            let bytes = if *bytes == usize::MAX { MAX.to_owned() } else { bytes.to_string() };
            writeln!(f, "{} {ranks} {} {bytes} {algorithm}", verb.name(), cores.name())?;
        }
        Ok(())
    }
}

/// Any length.
const MAX: &str = "max";

impl FromStr for SelectionTable {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let lines =
            text.lines().enumerate().map(|(at, line)| (at + 1, line.split('#').next().unwrap_or("").trim()));
        let rules = lines.filter(|(_, rule)| !rule.is_empty()).map(|(line, rule)| {
            parse_rule(rule)
                .ok_or_else(|| Error::Setup(collective::table_line(line, rule.escape_debug().to_string())))
        });
        Ok(Self { rules: rules.collect::<Result<_>>()? })
    }
}

fn parse_rule(text: &str) -> Option<SelectionRule> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [verb, ranks, cores, bytes, algorithm] = words[..] else { return None };
    let verb = *Verb::ALL.iter().find(|known| known.name() == verb)?;
    let algorithm = match algorithm {
        LIBRARY => None,
        name => Some(shared_memory::find(name).ok().filter(|algorithm| algorithm.verbs.contains(&verb))?),
    };
    Some(SelectionRule {
        verb,
        ranks: ranks.parse().ok().filter(|ranks| *ranks > 1)?,
        cores: [RankCores::Own, RankCores::Shared].into_iter().find(|known| known.name() == cores)?,
        bytes: if bytes == MAX { usize::MAX } else { bytes.parse().ok()? },
        algorithm,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: (Verb, usize, RankCores) = (Verb::Allreduce, 2, RankCores::Own);

    fn measured(bytes: usize, algorithm: &str, ratio: f64, lower: f64) -> MeasuredRatio {
        let (verb, ranks, cores) = GROUP;
        let algorithm = shared_memory::find(algorithm).expect("it is in the catalogue");
        MeasuredRatio { verb, ranks, cores, bytes, algorithm, ratio, lower }
    }

    fn chosen(table: &SelectionTable, group: (Verb, usize, RankCores), bytes: usize) -> &'static str {
        table.for_group(group.1, group.2).choose(group.0, bytes).map_or(LIBRARY, |algorithm| algorithm.name)
    }

    #[test]
    fn the_fastest_is_taken_up_to_the_middle_and_the_library_unless_it_is_slower() {
        let table = SelectionTable::from_measurements([
            measured(8, "allreduce_one_hop", 3.0, 2.9),
            measured(8, "allreduce_two_hops", 2.0, 1.9),
            measured(64, "allreduce_two_hops", 2.5, 2.4),
            measured(64, "allreduce_one_hop", 2.9, 2.8),
            measured(6400, "allreduce_two_hops", 1.2, 1.1),
            measured(640_000, "allreduce_two_hops", 1.1, 0.9),
        ]);
        let text = table.to_string();
        assert_eq!(
            text,
            "allreduce 2 own 640 allreduce_one_hop\nallreduce 2 own 64000 allreduce_two_hops\n\
             allreduce 2 own max library\n"
        );
        let again: SelectionTable = format!("# a machine\n\n{text}").parse().expect("its own text");
        assert_eq!(again.to_string(), text);
        let names = [0, 640, 641, 64_001].map(|bytes| chosen(&again, GROUP, bytes));
        assert_eq!(names, ["allreduce_one_hop", "allreduce_one_hop", "allreduce_two_hops", LIBRARY]);
    }

    #[test]
    fn a_group_is_taken_for_the_next_larger_one_and_never_for_one_of_other_cores() {
        let table: SelectionTable =
            "allreduce 4 own max allreduce_two_hops\nallreduce 2 own max allreduce_one_hop"
                .parse()
                .expect("two rules");
        let of = |ranks, cores| chosen(&table, (Verb::Allreduce, ranks, cores), 8);
        assert_eq!(of(2, RankCores::Own), "allreduce_one_hop");
        assert_eq!(of(3, RankCores::Own), "allreduce_two_hops");
        assert_eq!([of(5, RankCores::Own), of(2, RankCores::Shared)], [LIBRARY; 2]);
        assert_eq!(chosen(&table, (Verb::Bcast, 2, RankCores::Own), 8), LIBRARY);
        let limited = table.for_group(2, RankCores::Own).limited_to(1000);
        assert!(
            limited.choose(Verb::Allreduce, 1000).is_some()
                && limited.choose(Verb::Allreduce, 1001).is_none()
        );
    }

    #[test]
    fn a_line_that_is_no_rule_is_named() {
        for wrong in [
            "allreduce 2 own 8",
            "allreduces 2 own 8 library",
            "allreduce 1 own 8 library",
            "allreduce two own 8 library",
            "allreduce 2 other 8 library",
            "allreduce 2 own -8 library",
            "allreduce 2 own 8 bcast_flat",
            "allreduce 2 own 8 library more",
        ] {
            let error = format!("# here\n{wrong}").parse::<SelectionTable>().expect_err(wrong).to_string();
            assert!(error.contains("line 2") && error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn our_own_measurements_have_a_rule_for_every_algorithm_s_verbs() {
        let table = SelectionTable::built_in();
        for verb in shared_memory::all().into_iter().flat_map(|algorithm| algorithm.verbs) {
            assert!(table.rules.iter().any(|rule| rule.verb == *verb), "{verb}");
        }
    }
}
