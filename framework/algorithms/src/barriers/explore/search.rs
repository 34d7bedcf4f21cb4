//! The search: every possible step from each state, breadth first.
use wb_comm::Rank;

use super::{
    Configuration, SearchResult, TraceAction, TraceStep,
    automaton::SearchAbort,
    counters::Counters,
    state::{SystemState, VisitedStates},
    symmetry::PeSymmetry,
    transition_system::{Action, BarrierViolation, Granularity, TransitionSystem},
};
use crate::barriers::{Delivery, MemoryOrdering};

/// Searches at most `limit` states; the trace is a shortest one in this granularity.
pub(super) fn search(
    configuration: &Configuration,
    mode: MemoryOrdering,
    limit: usize,
    grain: Granularity,
) -> wb_comm::Result<SearchResult> {
    let mut symmetry = match grain {
        Granularity::Coarse => PeSymmetry::from_configuration(configuration),
        Granularity::Fine => PeSymmetry::trivial(configuration),
    };
    let mut counters =
        Counters::new(configuration.size, &configuration.initial(), mode.delivery != Delivery::Unordered);
    loop {
        let machine = TransitionSystem::new(configuration, mode, grain, &symmetry, &mut counters);
        let mut search = Search {
            system: machine,
            visited: VisitedStates::new(configuration.size, configuration.size * configuration.cells()),
        };
        return match search.run(limit) {
            Ok(finding) => Ok(finding),
            Err(SearchAbort::NotACounter) => continue,
            Err(SearchAbort::NotSymmetric(unlike)) => {
                symmetry.split(&unlike);
                continue;
            }
            Err(SearchAbort::CapacityExceeded) => {
                Ok(SearchResult::LimitReached { states: search.visited.len() })
            }
            Err(SearchAbort::Failed(error)) => Err(error),
        };
    }
}

struct Search<'s> {
    system: TransitionSystem<'s>,
    visited: VisitedStates,
}

impl Search<'_> {
    fn run(&mut self, limit: usize) -> Result<SearchResult, SearchAbort> {
        let beginning = self.system.initial_state()?;
        self.visited.insert(&beginning, 0);
        let (mut from, mut to, mut actions) = (SystemState::default(), SystemState::default(), vec![]);
        let mut at = 0;
        while at < self.visited.len() {
            if self.visited.len() > limit {
                return Ok(SearchResult::LimitReached { states: self.visited.len() });
            }
            self.visited.read(at, &mut from);
            self.system.enabled_actions(&from, &mut actions);
            if actions.is_empty() && !self.system.is_end(&from) {
                let (trace, places) = self.trace(at)?;
                let mut waiting = self.system.blocked(&from);
                waiting.iter_mut().for_each(|waiting| waiting.pe = places[waiting.pe]);
                waiting.sort_by_key(|waiting| waiting.pe);
                return Ok(SearchResult::Deadlock { waiting, trace });
            }
            for &action in &actions {
                to.clone_from(&from);
                if let Some(violation) = self.system.step(&mut to, action, None)? {
                    return self.violation(at, action, violation);
                }
                self.system.canonicalize(&mut to, None);
                self.visited.insert(&to, at);
            }
            at += 1;
        }
        Ok(SearchResult::Safe { states: self.visited.len() })
    }

    fn violation(
        &mut self,
        at: usize,
        last: Action,
        violation: BarrierViolation,
    ) -> Result<SearchResult, SearchAbort> {
        let (mut trace, places) = self.trace(at)?;
        let (mut state, mut events) = (SystemState::default(), vec![]);
        self.visited.read(at, &mut state);
        self.system.step(&mut state, last, Some(&mut events))?;
        trace.extend(events.into_iter().map(|event| relabel(event, &places)));
        let BarrierViolation { episode, early_rank: left, missing } = violation;
        let mut missing: Vec<_> = missing.into_iter().map(|pe| places[pe]).collect();
        missing.sort_unstable();
        Ok(SearchResult::Violation { episode, early_rank: places[left], missing, trace })
    }

    /// The steps from the beginning to a state: repeated, because only the states were kept. Also the places of the PEs
    /// in it: PEs that are alike may have been exchanged.
    fn trace(&mut self, to: usize) -> Result<(Vec<TraceStep>, Vec<Rank>), SearchAbort> {
        let (mut from, mut actions, mut trace) = (SystemState::default(), vec![], vec![]);
        let mut places: Vec<_> = (0..self.visited.pes()).collect();
        for pair in self.visited.path(to).windows(2) {
            self.visited.read(pair[0], &mut from);
            self.system.enabled_actions(&from, &mut actions);
            for &action in &actions {
                let (mut state, mut events) = (from.clone(), vec![]);
                self.system.step(&mut state, action, Some(&mut events))?;
                let mut then = places.clone();
                self.system.canonicalize(&mut state, Some(&mut then));
                if self.visited.is_state(pair[1], &state) {
                    trace.extend(events.into_iter().map(|event| relabel(event, &places)));
                    places = then;
                    break;
                }
            }
        }
        Ok((trace, places))
    }
}

/// The acting PE is the one in this place. Cells stay where they are, and so do the effects of arrivals there.
fn relabel(event: TraceStep, places: &[Rank]) -> TraceStep {
    match event.action {
        TraceAction::Executes { .. } => TraceStep { pe: places[event.pe], ..event },
        TraceAction::Delivers { .. } => event,
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Memory, Until};

    use super::*;
    use crate::barriers::{
        BarrierProgram, ErasedProgram, GroupConfig, catalogue, compiled_plan::SignalEncoding,
    };

    fn searched(
        configuration: &Configuration,
        mode: MemoryOrdering,
        limit: usize,
        grain: Granularity,
    ) -> SearchResult {
        search(configuration, mode, limit, grain).expect("it does not fail")
    }

    /// Every barrier, right or wrong: three episodes of 2 PEs and two of 3, in every encoding and on every memory.
    fn for_small_configurations(mut check: impl FnMut(&str, &Configuration, MemoryOrdering)) {
        for entry in catalogue::all().into_iter().chain(catalogue::wrong()) {
            for (size, episodes) in [(2, 3), (3, 2)] {
                for (encoding, mode) in
                    SignalEncoding::ALL.into_iter().flat_map(|s| MemoryOrdering::ALL.map(|mode| (s, mode)))
                {
                    if let Some(Ok(configuration)) =
                        Configuration::from_entry(entry, &GroupConfig::new(size), encoding, episodes)
                    {
                        check(
                            &format!("{}, P = {size}, {encoding:?}, {}", entry.name, mode.name()),
                            &configuration,
                            mode,
                        );
                    }
                }
            }
        }
    }

    /// The reduction must neither hide a fault nor create one.
    #[test]
    fn the_reduced_search_comes_to_the_same_verdict_as_the_full_one() {
        let mut faults = 0;
        for_small_configurations(|case, configuration, mode| {
            let reduced = searched(configuration, mode, 20_000, Granularity::Coarse).name();
            let full = searched(configuration, mode, 100_000, Granularity::Fine).name();
            if full == "limit" {
                // Their PEs may read, or write, any number of times.
                let endless = ["central_without_marks", "group_dissemination_of_one"];
                assert!(endless.iter().any(|name| case.starts_with(name)), "{case} is undecided");
                return;
            }
            assert_eq!(reduced, full, "{case}");
            faults += usize::from(full != "safe");
        });
        assert!(faults > 0, "nothing was refused, so nothing could be hidden");
    }

    /// Repeats the steps of a trace one after the other, on the machine without reduction.
    fn rerun(
        configuration: &Configuration,
        mode: MemoryOrdering,
        finding: &SearchResult,
        counters: &mut Counters,
    ) -> Result<(), SearchAbort> {
        let mut machine = TransitionSystem::new(
            configuration,
            mode,
            Granularity::Fine,
            &PeSymmetry::trivial(configuration),
            counters,
        );
        let (mut state, mut actions, trace) = (machine.initial_state()?, vec![], finding.trace());
        for (step, event) in trace.iter().enumerate() {
            machine.enabled_actions(&state, &mut actions);
            let mut next = None;
            for &action in &actions {
                let (mut then, mut events) = (state.clone(), vec![]);
                let violates = machine.step(&mut then, action, Some(&mut events))?.is_some();
                if events == [*event] {
                    next = Some((then, violates));
                }
            }
            let (then, violates) = next.unwrap_or_else(|| panic!("step {step} cannot be made: {event}"));
            let last = step + 1 == trace.len() && finding.name() == "violation";
            assert_eq!(violates, last, "step {step}: {event}");
            state = then;
        }
        if let SearchResult::Deadlock { waiting, .. } = finding {
            machine.enabled_actions(&state, &mut actions);
            assert!(actions.is_empty(), "somebody can go on");
            assert_eq!(*waiting, machine.blocked(&state));
        }
        Ok(())
    }

    fn assert_is_run(configuration: &Configuration, mode: MemoryOrdering, finding: &SearchResult) {
        let mut counters =
            Counters::new(configuration.size, &configuration.initial(), mode.delivery != Delivery::Unordered);
        while let Err(stop) = rerun(configuration, mode, finding, &mut counters) {
            assert!(matches!(stop, SearchAbort::NotACounter), "{finding}");
        }
    }

    #[test]
    fn every_trace_of_the_reduced_search_is_a_run_of_the_full_machine() {
        let mut faults = 0;
        for_small_configurations(|_, configuration, mode| {
            let finding = searched(configuration, mode, 20_000, Granularity::Coarse);
            if matches!(finding, SearchResult::Violation { .. } | SearchResult::Deadlock { .. }) {
                assert_is_run(configuration, mode, &finding);
                faults += 1;
            }
        });
        assert!(faults > 0, "no trace was made again");
    }

    /// A counter whose waiters wait for one less than its additions, or for one more.
    struct Count {
        missing: i64,
    }

    impl BarrierProgram for Count {
        fn cells(&self, _size: usize) -> usize {
            2
        }

        fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> wb_comm::Result<()> {
            let all = m.size() as i64 - self.missing;
            let arrived = m.fetch_add(0, 0, 1)? + 1;
            if arrived < all * epoch {
                return m.poll(0, 1, Until::Equal(epoch));
            }
            m.swap(0, 1, epoch).map(drop)
        }
    }

    #[test]
    fn who_changes_places_is_called_by_its_own_name() {
        for (missing, verdict) in [(1, "violation"), (-1, "deadlock"), (0, "safe")] {
            let counts = (0..4).map(|_| Box::new(Count { missing }) as Box<dyn ErasedProgram>).collect();
            let configuration = Configuration::with_episodes(counts, 1);
            assert_eq!(PeSymmetry::from_configuration(&configuration).classes(), [[0, 1, 2, 3]]);
            let reduced = searched(&configuration, MemoryOrdering::IMMEDIATE, 20_000, Granularity::Coarse);
            assert_eq!(reduced.name(), verdict);
            assert_is_run(&configuration, MemoryOrdering::IMMEDIATE, &reduced);
            let full = searched(&configuration, MemoryOrdering::IMMEDIATE, 20_000, Granularity::Fine);
            if let (SearchResult::Safe { states }, SearchResult::Safe { states: all }) = (reduced, full) {
                assert!(10 * states < all, "{states} of {all}");
            }
        }
    }
}
