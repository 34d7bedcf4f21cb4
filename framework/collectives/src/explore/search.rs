//! The search: from each state every step that is possible, breadth first.
use super::{
    Delivery, Event, Finding, Group, Mode, Scene,
    automaton::Stop,
    counters::Counters,
    machine::{Action, Grain, Machine, Violation},
    state::{Seen, State},
};

/// Searches at most `limit` states; the finding's trace is as short as any in this grain.
pub(super) fn search(scene: &Scene, mode: Mode, limit: usize, grain: Grain) -> wb_comm::Result<Finding> {
    let end = |group: &Group| group.first_cell + group.cells();
    let cells = scene.groups.iter().map(end).max().unwrap_or_default();
    let mut counters = Counters::new(scene.size, cells, mode.delivery != Delivery::Unordered);
    loop {
        let machine = Machine::new(scene, mode, grain, cells, &mut counters);
        let mut search = Search { machine, seen: Seen::new(scene.size, scene.size * cells) };
        return match search.run(limit) {
            Ok(finding) => Ok(finding),
            Err(Stop::Wrong) => continue,
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
                let waiting = self.machine.waiting(&from);
                return Ok(Finding::Deadlock { waiting, trace: self.trace(at)? });
            }
            for &action in &actions {
                to.clone_from(&from);
                if let Some(violation) = self.machine.step(&mut to, action, None)? {
                    return self.violation(at, action, violation);
                }
                self.seen.insert(&to, at);
            }
            at += 1;
        }
        Ok(Finding::Safe { states: self.seen.len() })
    }

    fn violation(&mut self, at: usize, last: Action, violation: Violation) -> Result<Finding, Stop> {
        let mut trace = self.trace(at)?;
        let mut state = State::default();
        self.seen.read(at, &mut state);
        self.machine.step(&mut state, last, Some(&mut trace))?;
        let Violation { episode, left, missing } = violation;
        Ok(Finding::Violation { episode, left, missing, trace })
    }

    /// The steps from the beginning to a state: made again, because only the states were kept.
    fn trace(&mut self, to: usize) -> Result<Vec<Event>, Stop> {
        let (mut from, mut actions, mut trace) = (State::default(), vec![], vec![]);
        for pair in self.seen.path(to).windows(2) {
            self.seen.read(pair[0], &mut from);
            self.machine.actions(&from, &mut actions);
            for &action in &actions {
                let (mut state, mut events) = (from.clone(), vec![]);
                self.machine.step(&mut state, action, Some(&mut events))?;
                if self.seen.is(pair[1], &state) {
                    trace.append(&mut events);
                    break;
                }
            }
        }
        Ok(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::{self, Setting},
        script::Style,
    };

    /// What follows at once must not hide a fault, nor make one.
    #[test]
    fn both_grains_come_to_the_same_verdict() {
        let mut faults = 0;
        for entry in catalogue::all().into_iter().chain(catalogue::wrong()) {
            for (size, episodes) in [(2, 3), (3, 2)] {
                for (style, mode) in Style::ALL.into_iter().flat_map(|s| Mode::ALL.map(|mode| (s, mode))) {
                    let Some(Ok(scene)) = Scene::of(entry, &Setting::of(size), style, episodes) else {
                        continue;
                    };
                    let verdict =
                        |grain| search(&scene, mode, 20_000, grain).expect("it does not fail").name();
                    let (coarse, fine) = (verdict(Grain::Coarse), verdict(Grain::Fine));
                    faults += usize::from(fine == "deadlock" || fine == "violation");
                    let same = coarse == fine || fine == "limit";
                    assert!(same, "{}, P = {size}, {}: {coarse}, {fine}", entry.name, mode.name());
                }
            }
        }
        assert!(faults > 0, "nothing was refused, so nothing could be hidden");
    }
}
