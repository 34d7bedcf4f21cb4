//! The search: from each state every step that is possible, breadth first.
use wb_comm::Rank;

use super::{
    Delivery, Event, Finding, Mode, Scene, What,
    alike::Alike,
    automaton::Stop,
    counters::Counters,
    machine::{Action, Grain, Machine, Violation},
    state::{Seen, State},
};

/// Searches at most `limit` states; the finding's trace is as short as any in this grain.
pub(super) fn search(scene: &Scene, mode: Mode, limit: usize, grain: Grain) -> wb_comm::Result<Finding> {
    let mut alike = match grain {
        Grain::Coarse => Alike::assumed(scene),
        Grain::Fine => Alike::none(scene),
    };
    let mut counters = Counters::new(scene.size, &scene.initial(), mode.delivery != Delivery::Unordered);
    loop {
        let machine = Machine::new(scene, mode, grain, &alike, &mut counters);
        let mut search = Search { machine, seen: Seen::new(scene.size, scene.size * scene.cells()) };
        return match search.run(limit) {
            Ok(finding) => Ok(finding),
            Err(Stop::Wrong) => continue,
            Err(Stop::Unlike(unlike)) => {
                alike.split(&unlike);
                continue;
            }
            Err(Stop::Full) => Ok(Finding::Limit { states: search.seen.len() }),
            Err(Stop::Failed(error)) => Err(error),
        };
    }
}

struct Search<'s> {
    machine: Machine<'s>,
    seen: Seen,
}

impl Search<'_> {
    fn run(&mut self, limit: usize) -> Result<Finding, Stop> {
        let beginning = self.machine.beginning()?;
        self.seen.insert(&beginning, 0);
        let (mut from, mut to, mut actions) = (State::default(), State::default(), vec![]);
        let mut at = 0;
        while at < self.seen.len() {
            if self.seen.len() > limit {
                return Ok(Finding::Limit { states: self.seen.len() });
            }
            self.seen.read(at, &mut from);
            self.machine.actions(&from, &mut actions);
            if actions.is_empty() && !self.machine.is_end(&from) {
                let (trace, places) = self.trace(at)?;
                let mut waiting = self.machine.waiting(&from);
                waiting.iter_mut().for_each(|waiting| waiting.pe = places[waiting.pe]);
                waiting.sort_by_key(|waiting| waiting.pe);
                return Ok(Finding::Deadlock { waiting, trace });
            }
            for &action in &actions {
                to.clone_from(&from);
                if let Some(violation) = self.machine.step(&mut to, action, None)? {
                    return self.violation(at, action, violation);
                }
                self.machine.sort(&mut to, None);
                self.seen.insert(&to, at);
            }
            at += 1;
        }
        Ok(Finding::Safe { states: self.seen.len() })
    }

    fn violation(&mut self, at: usize, last: Action, violation: Violation) -> Result<Finding, Stop> {
        let (mut trace, places) = self.trace(at)?;
        let (mut state, mut events) = (State::default(), vec![]);
        self.seen.read(at, &mut state);
        self.machine.step(&mut state, last, Some(&mut events))?;
        trace.extend(events.into_iter().map(|event| in_place(event, &places)));
        let Violation { episode, left, missing } = violation;
        let mut missing: Vec<_> = missing.into_iter().map(|pe| places[pe]).collect();
        missing.sort_unstable();
        Ok(Finding::Violation { episode, left: places[left], missing, trace })
    }

    /// The steps from the beginning to a state: made again, because only the states were kept. And who is where in it:
    /// PEs that are alike may have changed places.
    fn trace(&mut self, to: usize) -> Result<(Vec<Event>, Vec<Rank>), Stop> {
        let (mut from, mut actions, mut trace) = (State::default(), vec![], vec![]);
        let mut places: Vec<_> = (0..self.seen.pes()).collect();
        for pair in self.seen.path(to).windows(2) {
            self.seen.read(pair[0], &mut from);
            self.machine.actions(&from, &mut actions);
            for &action in &actions {
                let (mut state, mut events) = (from.clone(), vec![]);
                self.machine.step(&mut state, action, Some(&mut events))?;
                let mut then = places.clone();
                self.machine.sort(&mut state, Some(&mut then));
                if self.seen.is(pair[1], &state) {
                    trace.extend(events.into_iter().map(|event| in_place(event, &places)));
                    places = then;
                    break;
                }
            }
        }
        Ok((trace, places))
    }
}

/// Who acts is the PE that is in this place. Cells stay where they are, and so does what arrives there.
fn in_place(event: Event, places: &[Rank]) -> Event {
    match event.what {
        What::Does { .. } => Event { pe: places[event.pe], ..event },
        What::Arrives { .. } => event,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Program,
        catalogue::{self, AnyProgram, Setting},
        script::Style,
    };
    use wb_comm::{Memory, Until};

    fn searched(scene: &Scene, mode: Mode, limit: usize, grain: Grain) -> Finding {
        search(scene, mode, limit, grain).expect("it does not fail")
    }

    /// Every barrier, right or wrong: three episodes of 2 PEs and two of 3, in every style and on every memory.
    fn in_small(mut check: impl FnMut(&str, &Scene, Mode)) {
        for entry in catalogue::all().into_iter().chain(catalogue::wrong()) {
            for (size, episodes) in [(2, 3), (3, 2)] {
                for (style, mode) in Style::ALL.into_iter().flat_map(|s| Mode::ALL.map(|mode| (s, mode))) {
                    if let Some(Ok(scene)) = Scene::of(entry, &Setting::of(size), style, episodes) {
                        check(
                            &format!("{}, P = {size}, {style:?}, {}", entry.name, mode.name()),
                            &scene,
                            mode,
                        );
                    }
                }
            }
        }
    }

    /// What is left out must not hide a fault, nor make one.
    #[test]
    fn the_reduced_search_comes_to_the_same_verdict_as_the_full_one() {
        let mut faults = 0;
        in_small(|case, scene, mode| {
            let reduced = searched(scene, mode, 20_000, Grain::Coarse).name();
            let full = searched(scene, mode, 100_000, Grain::Fine).name();
            if full == "limit" {
                // Their PEs may look, or tell, as often as they like.
                let endless = ["central_without_marks", "group_dissemination_of_one"];
                assert!(endless.iter().any(|name| case.starts_with(name)), "{case} is undecided");
                return;
            }
            assert_eq!(reduced, full, "{case}");
            faults += usize::from(full != "safe");
        });
        assert!(faults > 0, "nothing was refused, so nothing could be hidden");
    }

    /// Makes the steps of a finding's trace one after the other, on the machine that leaves nothing out.
    fn rerun(scene: &Scene, mode: Mode, finding: &Finding, counters: &mut Counters) -> Result<(), Stop> {
        let mut machine = Machine::new(scene, mode, Grain::Fine, &Alike::none(scene), counters);
        let (mut state, mut actions, trace) = (machine.beginning()?, vec![], finding.trace());
        for (step, event) in trace.iter().enumerate() {
            machine.actions(&state, &mut actions);
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
        if let Finding::Deadlock { waiting, .. } = finding {
            machine.actions(&state, &mut actions);
            assert!(actions.is_empty(), "somebody can go on");
            assert_eq!(*waiting, machine.waiting(&state));
        }
        Ok(())
    }

    fn is_a_run(scene: &Scene, mode: Mode, finding: &Finding) {
        let mut counters = Counters::new(scene.size, &scene.initial(), mode.delivery != Delivery::Unordered);
        while let Err(stop) = rerun(scene, mode, finding, &mut counters) {
            assert!(matches!(stop, Stop::Wrong), "{finding}");
        }
    }

    #[test]
    fn every_trace_of_the_reduced_search_is_a_run_of_the_full_machine() {
        let mut faults = 0;
        in_small(|_, scene, mode| {
            let finding = searched(scene, mode, 20_000, Grain::Coarse);
            if matches!(finding, Finding::Violation { .. } | Finding::Deadlock { .. }) {
                is_a_run(scene, mode, &finding);
                faults += 1;
            }
        });
        assert!(faults > 0, "no trace was made again");
    }

    /// A counter at which one less is waited for than there are, or one more.
    struct Count {
        missing: i64,
    }

    impl Program for Count {
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
            let counts = (0..4).map(|_| Box::new(Count { missing }) as Box<dyn AnyProgram>).collect();
            let scene = Scene::repeated(counts, 1);
            assert_eq!(Alike::assumed(&scene).classes(), [[0, 1, 2, 3]]);
            let reduced = searched(&scene, Mode::IMMEDIATE, 20_000, Grain::Coarse);
            assert_eq!(reduced.name(), verdict);
            is_a_run(&scene, Mode::IMMEDIATE, &reduced);
            let full = searched(&scene, Mode::IMMEDIATE, 20_000, Grain::Fine);
            if let (Finding::Safe { states }, Finding::Safe { states: all }) = (reduced, full) {
                assert!(10 * states < all, "{states} of {all}");
            }
        }
    }
}
