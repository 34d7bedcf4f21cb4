//! The members of each communicator, and the number of collectives that each has called there, from all transcripts.
//!
//! A communicator has the same name on all its members without a message: derived communicators are numbered in the
//! order of their creation, which is the same everywhere, and the parts of a split are distinguished by their colour.
use std::collections::BTreeMap;

use wb_comm::Rank;

use crate::replay::call_trace::{
    call_action::{CallAction, CreatedHandle},
    trace::CallTrace,
};

#[derive(Debug, Default)]
pub(crate) struct CommunicatorMap {
    /// For each name, the members' numbers in the communicator and the number of collectives that each has called.
    members: BTreeMap<String, BTreeMap<Rank, usize>>,
    /// For each rank, the names of its communicators by their numbers.
    names: Vec<BTreeMap<usize, String>>,
}

impl CommunicatorMap {
    pub(crate) fn from_traces(traces: &[CallTrace]) -> Self {
        let mut communicators = Self::default();
        for (rank, trace) in traces.iter().enumerate() {
            communicators.add_trace(rank, trace);
        }
        communicators
    }

    fn add_trace(&mut self, rank: Rank, trace: &CallTrace) {
        let mut numbers = BTreeMap::from([(0, rank)]);
        let mut names = BTreeMap::from([(0, "world".to_owned())]);
        let mut parts: BTreeMap<usize, usize> = BTreeMap::new();
        let mut groups: BTreeMap<String, usize> = BTreeMap::new();
        self.members.entry("world".to_owned()).or_default().insert(rank, 0);
        for record in &trace.calls {
            let Some(name) = names.get(&record.on).cloned() else { continue };
            match &record.action {
                CallAction::Collective(_) => {
                    let counts = self.members.entry(name).or_default();
                    *counts.entry(numbers[&record.on]).or_default() += 1;
                }
                CallAction::Split { created: made, .. }
                | CallAction::Topology { created: made, .. }
                | CallAction::File { created: made, .. }
                | CallAction::Dup { created: made } => {
                    let part = parts.entry(record.on).or_default();
                    *part += 1;
                    let Some(CreatedHandle { number, rank }) = made else { continue };
                    let name = format!("{name}.{part}:{}", record.action.color().map_or(-1, i64::from));
                    self.members.entry(name.clone()).or_default().insert(*rank, 0);
                    numbers.insert(*number, *rank);
                    names.insert(*number, name);
                }
                CallAction::Group { members, tag, created: Some(CreatedHandle { number, rank }) } => {
                    let group = format!("{name}.{members:?}:{tag}");
                    let made = groups.entry(group.clone()).or_default();
                    *made += 1;
                    let name = format!("{group}.{made}");
                    self.members.entry(name.clone()).or_default().insert(*rank, 0);
                    numbers.insert(*number, *rank);
                    names.insert(*number, name);
                }
                _ => {}
            }
        }
        self.names.push(names);
    }

    /// A member of `rank`'s communicator that has not reached this number of collectives there.
    pub(crate) fn missing(&self, rank: Rank, communicator: usize, collectives: usize) -> Option<Rank> {
        let members = self.members.get(self.names.get(rank)?.get(&communicator)?)?;
        members.iter().find(|(_, come_to)| **come_to < collectives).map(|(member, _)| *member)
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{CallSite, CollectiveCall, Verb};

    use super::*;
    use crate::replay::call_trace::{
        call_action::CollectiveArgs,
        trace::{CallRecord, CallStatus},
    };

    fn call(on: usize, act: CallAction) -> CallRecord {
        CallRecord { site: CallSite::caller(Verb::Barrier), on, action: act, status: CallStatus::Done }
    }

    fn barrier(on: usize) -> CallRecord {
        call(
            on,
            CallAction::Collective(CollectiveArgs::from_call(&CollectiveCall::new(CallSite::caller(
                Verb::Barrier,
            )))),
        )
    }

    fn split(color: u32, number: usize, rank: Rank) -> CallRecord {
        call(
            0,
            CallAction::Split { color: Some(color), key: 0, created: Some(CreatedHandle { number, rank }) },
        )
    }

    #[test]
    fn who_has_not_come_is_found_on_its_own_communicator() {
        let trace = |calls| CallTrace { calls, is_truncated: false };
        let traces = [
            trace(vec![barrier(0), split(0, 1, 0), barrier(1)]),
            trace(vec![split(1, 5, 0), barrier(5)]),
            trace(vec![barrier(0), split(0, 3, 1)]),
        ];
        let communicators = CommunicatorMap::from_traces(&traces);
        assert_eq!(communicators.missing(0, 0, 1), Some(1));
        assert_eq!(communicators.missing(0, 1, 1), Some(1), "rank 2 of the job, 1 of the part");
        assert_eq!(communicators.missing(2, 3, 0), None);
        assert_eq!(communicators.missing(1, 5, 1), None);
    }
}
