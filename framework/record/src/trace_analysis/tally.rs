//! What each call of the source cost all ranks together.
use std::collections::BTreeMap;

use crate::{
    SourceCall,
    trace_analysis::{EventRef, Timeline, WaitStateKind, Waits},
};

/// One call of the source, in one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTally<'a> {
    /// The call.
    pub call: &'a SourceCall,
    /// The stage, where the rank was in one.
    pub stage: Option<&'a str>,
    /// How often it was made.
    pub count: u64,
    /// How long it took, nanoseconds.
    pub ns: u64,
    /// The part of that time in which a rank waited, by cause.
    pub waited: [u64; 3],
}

impl CallTally<'_> {
    /// The time in which a rank waited in it.
    pub fn waiting(&self) -> u64 {
        self.waited.iter().sum()
    }

    /// What it was waited for most, if at all.
    pub fn cause(&self) -> Option<WaitStateKind> {
        let most = *self.waited.iter().max()?;
        let cause = WaitStateKind::ALL.into_iter().find(|cause| self.waited[*cause as usize] == most);
        cause.filter(|_| most > 0)
    }
}

/// The calls of the source, the most expensive first.
pub fn tallies<'a>(timeline: &Timeline<'a>, waits: &Waits) -> Vec<CallTally<'a>> {
    let mut found: BTreeMap<(&str, u32, &str, Option<&str>), CallTally<'a>> = BTreeMap::new();
    for place in timeline.event_refs() {
        let (event, call, stage) = (timeline.event(place), timeline.call(place), timeline.stage(place));
        let name = (call.file.as_str(), call.line, call.verb.as_str(), stage);
        let tally =
            found.entry(name).or_insert_with(|| CallTally { call, stage, count: 0, ns: 0, waited: [0; 3] });
        tally.count += 1;
        tally.ns += event.end_ns - event.begin_ns;
        if let Some(wait) = waits.at(place) {
            tally.waited[wait.cause as usize] += wait.ns;
        }
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(|tally| std::cmp::Reverse(tally.ns));
    found
}

impl<'a> Timeline<'a> {
    /// The call of the source at a place.
    pub fn call(&self, place: EventRef) -> &'a SourceCall {
        &self.ranks[place.rank].calls[self.event(place).call as usize]
    }

    /// The stage that a call belongs to: the one that had begun last.
    pub fn stage(&self, place: EventRef) -> Option<&'a str> {
        let begin = self.event(place).begin_ns;
        let begun = self.ranks[place.rank].stages.iter().take_while(|stage| stage.begin_ns <= begin);
        begun.last().map(|stage| stage.name.as_str())
    }
}
