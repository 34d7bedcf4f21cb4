//! Who is together on which communicator, and how many collectives each has come to there, out of all transcripts.
//!
//! A communicator has the same name on all its members without a message: what is made from one is numbered in the order
//! of its making, which is the same everywhere, and the parts of a split are told apart by their colour.
use std::collections::BTreeMap;

use wb_comm::Rank;

use super::transcript::{Act, Made, Transcript};

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Company {
    /// By name, the members' numbers in it and how many collectives each has come to.
    members: BTreeMap<String, BTreeMap<Rank, usize>>,
    /// By rank, the names of its communicators by their numbers.
    names: Vec<BTreeMap<usize, String>>,
}

impl Company {
    pub(super) fn of(transcripts: &[Transcript]) -> Self {
        let mut company = Self::default();
        for (rank, transcript) in transcripts.iter().enumerate() {
            company.take_in(rank, transcript);
        }
        company
    }

    fn take_in(&mut self, rank: Rank, transcript: &Transcript) {
        let mut numbers = BTreeMap::from([(0, rank)]);
        let mut names = BTreeMap::from([(0, "world".to_owned())]);
        let mut parts: BTreeMap<usize, usize> = BTreeMap::new();
        self.members.entry("world".to_owned()).or_default().insert(rank, 0);
        for said in &transcript.calls {
            let Some(name) = names.get(&said.on).cloned() else { continue };
            match &said.act {
                Act::Collective(_) => {
                    let counts = self.members.entry(name).or_default();
                    *counts.entry(numbers[&said.on]).or_default() += 1;
                }
                Act::Split { made, .. } | Act::Dup { made } => {
                    let part = parts.entry(said.on).or_default();
                    *part += 1;
                    let Some(Made { number, rank }) = made else { continue };
                    let color = if let Act::Split { color, .. } = said.act { color } else { None };
                    let name = format!("{name}.{part}:{}", color.map_or(-1, i64::from));
                    self.members.entry(name.clone()).or_default().insert(*rank, 0);
                    numbers.insert(*number, *rank);
                    names.insert(*number, name);
                }
                _ => {}
            }
        }
        self.names.push(names);
    }

    /// A member of `rank`'s communicator that has not come to so many collectives there.
    pub(super) fn missing(&self, rank: Rank, communicator: usize, collectives: usize) -> Option<Rank> {
        let members = self.members.get(self.names.get(rank)?.get(&communicator)?)?;
        members.iter().find(|(_, come_to)| **come_to < collectives).map(|(member, _)| *member)
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Contribution, Site, Verb};

    use super::*;
    use crate::functional::transcript::{Brings, Over, Said};

    fn said(on: usize, act: Act) -> Said {
        Said { site: Site::here(Verb::Barrier), on, act, over: Over::Done }
    }

    fn barrier(on: usize) -> Said {
        said(on, Act::Collective(Brings::of(&Contribution::of(Site::here(Verb::Barrier)))))
    }

    fn split(color: u32, number: usize, rank: Rank) -> Said {
        said(0, Act::Split { color: Some(color), key: 0, made: Some(Made { number, rank }) })
    }

    #[test]
    fn who_has_not_come_is_found_on_its_own_communicator() {
        let told = |calls| Transcript { calls, cut: false };
        let transcripts = [
            told(vec![barrier(0), split(0, 1, 0), barrier(1)]),
            told(vec![split(1, 5, 0), barrier(5)]),
            told(vec![barrier(0), split(0, 3, 1)]),
        ];
        let company = Company::of(&transcripts);
        assert_eq!(company.missing(0, 0, 1), Some(1));
        assert_eq!(company.missing(0, 1, 1), Some(1), "rank 2 of the job, 1 of the part");
        assert_eq!(company.missing(2, 3, 0), None);
        assert_eq!(company.missing(1, 5, 1), None);
    }
}
