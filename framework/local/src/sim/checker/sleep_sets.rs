//! The scheduler of one run: it takes a prefix of choices, and then the first option that is not in the sleep set.
//!
//! The sleep set has the options that another run has taken at an earlier choice and that have since been exchanged
//! only with independent steps: all their continuations are in that other run.
use wb_comm::Rank;

use super::transition::Transition;

/// A choice that a run has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChoicePoint {
    /// All options, at least two.
    pub(crate) options: Vec<Transition>,
    /// Whether each of these is in the sleep set.
    is_asleep: Vec<bool>,
    /// The index of the option that was taken.
    pub(crate) taken: usize,
}

/// The scheduler of one run; see the module.
#[derive(Debug)]
pub(crate) struct SleepSetScheduler {
    prefix: Vec<usize>,
    choices: Vec<ChoicePoint>,
    sleep_set: Vec<Transition>,
    /// Whether it uses sleep sets.
    uses_sleep_sets: bool,
    validity: RunValidity,
}

/// The validity of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunValidity {
    /// A run that counts.
    Valid,
    /// A run that another one equals up to the order of independent steps.
    Redundant,
    /// The prefix names an option that does not exist.
    InvalidPrefix,
}

impl SleepSetScheduler {
    /// A scheduler whose run begins with these choices.
    pub(crate) fn new(prefix: Vec<usize>, sleeps: bool) -> Self {
        Self {
            prefix,
            choices: Vec::new(),
            sleep_set: Vec::new(),
            uses_sleep_sets: sleeps,
            validity: RunValidity::Valid,
        }
    }

    /// Chooses one of the options; with a single option it makes no choice.
    pub(crate) fn choose(&mut self, options: Vec<Transition>) -> usize {
        let asleep: Vec<bool> = options.iter().map(|option| self.sleep_set.contains(option)).collect();
        let awake = asleep.iter().position(|asleep| !asleep);
        let prescribed = (options.len() > 1).then(|| self.prefix.get(self.choices.len())).flatten();
        let taken = prescribed.copied().or(awake).unwrap_or_else(|| {
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

    /// Puts the other options of the last choice into the sleep set, until an event wakes them.
    pub(crate) fn add_to_sleep_set(&mut self) -> usize {
        let step = self.choices.last_mut().expect("a choice was made");
        step.is_asleep[step.taken + 1..].fill(true);
        self.choices.len() - 1
    }

    /// Wakes all options of the choice with this index.
    pub(crate) fn wake_alternatives(&mut self, choice: usize) {
        self.choices[choice].is_asleep.fill(false);
    }

    /// Wakes the options that depend on the state of these ranks, which changes without a choice.
    pub(crate) fn wake_dependent(&mut self, ranks: &[Rank]) {
        self.sleep_set.retain(|other| !ranks.iter().any(|rank| other.affects(*rank)));
    }

    /// Wakes all options, after a change that may affect any of them.
    pub(crate) fn wake_all(&mut self) {
        self.sleep_set.clear();
    }

    /// The validity of the run so far.
    pub(crate) fn validity(&self) -> RunValidity {
        match self.validity {
            RunValidity::Valid if self.choices.len() < self.prefix.len() => RunValidity::InvalidPrefix,
            verdict => verdict,
        }
    }

    /// Must the run be aborted?
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

/// Options that a run with the same prefix has woken stay awake in the next one.
pub(crate) fn inherit_awake(steps: &mut [ChoicePoint], known: &[ChoicePoint]) {
    for (step, known) in steps.iter_mut().zip(known) {
        step.is_asleep.iter_mut().zip(&known.is_asleep).for_each(|(asleep, known)| *asleep &= known);
    }
}

/// The choices of the next run, depth first; `None` when all are explored.
pub(crate) fn next_prefix(steps: &[ChoicePoint]) -> Option<Vec<usize>> {
    let awake = |step: &ChoicePoint| (step.taken + 1..step.options.len()).find(|at| !step.is_asleep[*at]);
    let (at, other) = steps.iter().enumerate().rev().find_map(|(at, step)| Some((at, awake(step)?)))?;
    Some(steps[..at].iter().map(|step| step.taken).chain([other]).collect())
}

#[cfg(test)]
mod tests {
    use super::{super::transition::TransitionKind, *};

    /// Two independent transitions at two ranks.
    fn independent_transitions() -> Vec<Transition> {
        vec![
            Transition::for_ranks(TransitionKind::Step, 1, [0, 0]),
            Transition::for_ranks(TransitionKind::Step, 2, [1, 1]),
        ]
    }

    /// Counts the runs of a job that takes these options in any order.
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
