//! Who decides in one run: a prefix of choices, and from there on the first possibility that is not asleep.
//!
//! Asleep is what another run has begun with at an earlier choice and what has been exchanged with independent steps only
//! since then: whatever follows is in that other run.
use wb_comm::Rank;

use super::transition::Transition;

/// A choice that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChoicePoint {
    /// All that was possible, at least two.
    pub(crate) options: Vec<Transition>,
    /// Which of these need not be tried.
    is_asleep: Vec<bool>,
    /// Which one was taken.
    pub(crate) taken: usize,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct SleepSetScheduler {
    prefix: Vec<usize>,
    choices: Vec<ChoicePoint>,
    sleep_set: Vec<Transition>,
    /// Does it let anything sleep?
    uses_sleep_sets: bool,
    validity: RunValidity,
}

/// What a run has turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunValidity {
    /// One that counts.
    Valid,
    /// Another run with independent steps exchanged.
    Redundant,
    /// The prefix names a possibility that is not there.
    InvalidPrefix,
}

impl SleepSetScheduler {
    /// One that begins with these choices.
    pub(crate) fn new(prefix: Vec<usize>, sleeps: bool) -> Self {
        Self {
            prefix,
            choices: Vec::new(),
            sleep_set: Vec::new(),
            uses_sleep_sets: sleeps,
            validity: RunValidity::Valid,
        }
    }

    /// Decides; where there is one possibility only it takes that and makes no choice.
    pub(crate) fn choose(&mut self, options: Vec<Transition>) -> usize {
        let asleep: Vec<bool> = options.iter().map(|option| self.sleep_set.contains(option)).collect();
        let awake = asleep.iter().position(|asleep| !asleep);
        let asked = (options.len() > 1).then(|| self.prefix.get(self.choices.len())).flatten();
        let taken = asked.copied().or(awake).unwrap_or_else(|| {
            self.abort(RunValidity::Redundant);
            0
        });
        if taken >= options.len() {
            self.abort(RunValidity::InvalidPrefix);
            return 0;
        }
        if self.uses_sleep_sets {
            let tried = options[..taken].iter().zip(&asleep).filter(|(_, asleep)| !**asleep);
            self.sleep_set.extend(tried.map(|(option, _)| *option));
            self.sleep_set.retain(|other| other.is_independent_of(&options[taken]));
        }
        if options.len() > 1 {
            self.choices.push(ChoicePoint { options, is_asleep: asleep, taken });
        }
        taken
    }

    /// What else was possible at the last choice need not be tried, unless it is woken.
    pub(crate) fn add_to_sleep_set(&mut self) -> usize {
        let step = self.choices.last_mut().expect("a choice was made");
        step.is_asleep[step.taken + 1..].fill(true);
        self.choices.len() - 1
    }

    /// All that was possible at that choice is to be tried.
    pub(crate) fn wake_alternatives(&mut self, choice: usize) {
        self.choices[choice].is_asleep.fill(false);
    }

    /// Something that makes no choice changes the state of these ranks: what has to do with them wakes up.
    pub(crate) fn wake_dependent(&mut self, ranks: &[Rank]) {
        self.sleep_set.retain(|other| !ranks.iter().any(|rank| other.affects(*rank)));
    }

    /// Something may have changed anything.
    pub(crate) fn wake_all(&mut self) {
        self.sleep_set.clear();
    }

    /// What the run is worth so far.
    pub(crate) fn validity(&self) -> RunValidity {
        match self.validity {
            RunValidity::Valid if self.choices.len() < self.prefix.len() => RunValidity::InvalidPrefix,
            verdict => verdict,
        }
    }

    /// Is the run to be broken off?
    pub(crate) fn is_aborted(&self) -> bool {
        self.validity != RunValidity::Valid
    }

    /// The choices of the run.
    pub(crate) fn into_choices(self) -> Vec<ChoicePoint> {
        self.choices
    }

    fn abort(&mut self, verdict: RunValidity) {
        if self.validity == RunValidity::Valid {
            self.validity = verdict;
        }
    }
}

/// What one run that began with the same choices has woken stays awake in the next.
pub(crate) fn inherit_awake(steps: &mut [ChoicePoint], known: &[ChoicePoint]) {
    for (step, known) in steps.iter_mut().zip(known) {
        step.is_asleep.iter_mut().zip(&known.is_asleep).for_each(|(asleep, known)| *asleep &= known);
    }
}

/// The choices of the next run, depth first; `None` when there is none.
pub(crate) fn next_prefix(steps: &[ChoicePoint]) -> Option<Vec<usize>> {
    let awake = |step: &ChoicePoint| (step.taken + 1..step.options.len()).find(|at| !step.is_asleep[*at]);
    let (at, other) = steps.iter().enumerate().rev().find_map(|(at, step)| Some((at, awake(step)?)))?;
    Some(steps[..at].iter().map(|step| step.taken).chain([other]).collect())
}

#[cfg(test)]
mod tests {
    use super::{super::transition::TransitionKind, *};

    /// Two possibilities at two ranks, of which both orders are the same.
    fn independent_transitions() -> Vec<Transition> {
        vec![
            Transition::for_ranks(TransitionKind::Step, 1, [0, 0]),
            Transition::for_ranks(TransitionKind::Step, 2, [1, 1]),
        ]
    }

    /// All runs of a job that takes these possibilities in any order.
    fn runs(options: &[Transition], sleeps: bool) -> (usize, usize) {
        let (mut counted, mut redundant, mut prefix) = (0, 0, Some(vec![]));
        while let Some(now) = prefix {
            let (mut chooser, mut left) = (SleepSetScheduler::new(now, sleeps), options.to_vec());
            while !left.is_empty() && !chooser.is_aborted() {
                let taken = chooser.choose(left.clone());
                left.remove(taken);
            }
            match chooser.validity() {
                RunValidity::Valid => counted += 1,
                RunValidity::Redundant => redundant += 1,
                RunValidity::InvalidPrefix => panic!("it names its own choices"),
            }
            prefix = next_prefix(&chooser.into_choices());
        }
        (counted, redundant)
    }

    #[test]
    fn of_independent_steps_one_order_is_run_to_its_end() {
        assert_eq!(runs(&independent_transitions(), false), (2, 0));
        assert_eq!(runs(&independent_transitions(), true), (1, 1));
        let together = [
            Transition::for_ranks(TransitionKind::Step, 1, [0, 2]),
            Transition::for_ranks(TransitionKind::Step, 2, [1, 2]),
        ];
        assert_eq!(runs(&together, true), (2, 0));
        let all = [1, 2, 3].map(|number| Transition::for_all(TransitionKind::Step, number));
        assert_eq!(runs(&all, true), (6, 0));
    }

    #[test]
    fn a_choice_that_is_not_there_is_noticed() {
        for prefix in [vec![2], vec![0, 0]] {
            let mut chooser = SleepSetScheduler::new(prefix, true);
            chooser.choose(independent_transitions());
            assert_eq!(chooser.validity(), RunValidity::InvalidPrefix);
        }
    }
}
