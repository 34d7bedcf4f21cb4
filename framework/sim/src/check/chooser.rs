//! Who decides in one run: a prefix of choices, and from there on the first possibility that is not asleep.
//!
//! Asleep is what another run has begun with at an earlier choice and what has been exchanged with independent steps only
//! since then: whatever follows is in that other run.
use wb_comm::Rank;

use super::transition::Transition;

/// A choice that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// All that was possible, at least two.
    pub(crate) options: Vec<Transition>,
    /// Which of these need not be tried.
    asleep: Vec<bool>,
    /// Which one was taken.
    pub(crate) taken: usize,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Chooser {
    prefix: Vec<usize>,
    steps: Vec<Step>,
    sleeping: Vec<Transition>,
    /// Does it let anything sleep?
    sleeps: bool,
    verdict: Verdict,
}

/// What a run has turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// One that counts.
    Counts,
    /// Another run with independent steps exchanged.
    Redundant,
    /// The prefix names a possibility that is not there.
    Impossible,
}

impl Chooser {
    /// One that begins with these choices.
    pub(crate) fn new(prefix: Vec<usize>, sleeps: bool) -> Self {
        Self { prefix, steps: Vec::new(), sleeping: Vec::new(), sleeps, verdict: Verdict::Counts }
    }

    /// Decides; where there is one possibility only it takes that and makes no choice.
    pub(crate) fn choose(&mut self, options: Vec<Transition>) -> usize {
        let asleep: Vec<bool> = options.iter().map(|option| self.sleeping.contains(option)).collect();
        let awake = asleep.iter().position(|asleep| !asleep);
        let asked = (options.len() > 1).then(|| self.prefix.get(self.steps.len())).flatten();
        let taken = asked.copied().or(awake).unwrap_or_else(|| {
            self.give_up(Verdict::Redundant);
            0
        });
        if taken >= options.len() {
            self.give_up(Verdict::Impossible);
            return 0;
        }
        if self.sleeps {
            let tried = options[..taken].iter().zip(&asleep).filter(|(_, asleep)| !**asleep);
            self.sleeping.extend(tried.map(|(option, _)| *option));
            self.sleeping.retain(|other| other.is_independent_of(&options[taken]));
        }
        if options.len() > 1 {
            self.steps.push(Step { options, asleep, taken });
        }
        taken
    }

    /// What else was possible at the last choice need not be tried, unless it is woken.
    pub(crate) fn doze(&mut self) -> usize {
        let step = self.steps.last_mut().expect("a choice was made");
        step.asleep[step.taken + 1..].fill(true);
        self.steps.len() - 1
    }

    /// All that was possible at that choice is to be tried.
    pub(crate) fn wake(&mut self, choice: usize) {
        self.steps[choice].asleep.fill(false);
    }

    /// Something that makes no choice changes the state of these ranks: what has to do with them wakes up.
    pub(crate) fn touch(&mut self, ranks: &[Rank]) {
        self.sleeping.retain(|other| !ranks.iter().any(|rank| other.touches(*rank)));
    }

    /// Something may have changed anything.
    pub(crate) fn touch_all(&mut self) {
        self.sleeping.clear();
    }

    /// What the run is worth so far.
    pub(crate) fn verdict(&self) -> Verdict {
        match self.verdict {
            Verdict::Counts if self.steps.len() < self.prefix.len() => Verdict::Impossible,
            verdict => verdict,
        }
    }

    /// Is the run to be broken off?
    pub(crate) fn gives_up(&self) -> bool {
        self.verdict != Verdict::Counts
    }

    /// The choices of the run.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    fn give_up(&mut self, verdict: Verdict) {
        if self.verdict == Verdict::Counts {
            self.verdict = verdict;
        }
    }
}

/// What one run that began with the same choices has woken stays awake in the next.
pub(crate) fn inherit(steps: &mut [Step], known: &[Step]) {
    for (step, known) in steps.iter_mut().zip(known) {
        step.asleep.iter_mut().zip(&known.asleep).for_each(|(asleep, known)| *asleep &= known);
    }
}

/// The choices of the next run, depth first; `None` when there is none.
pub(crate) fn next(steps: &[Step]) -> Option<Vec<usize>> {
    let awake = |step: &Step| (step.taken + 1..step.options.len()).find(|at| !step.asleep[*at]);
    let (at, other) = steps.iter().enumerate().rev().find_map(|(at, step)| Some((at, awake(step)?)))?;
    Some(steps[..at].iter().map(|step| step.taken).chain([other]).collect())
}

#[cfg(test)]
mod tests {
    use super::{super::transition::What, *};

    /// Two possibilities at two ranks, of which both orders are the same.
    fn apart() -> Vec<Transition> {
        vec![Transition::between(What::Step, 1, [0, 0]), Transition::between(What::Step, 2, [1, 1])]
    }

    /// All runs of a job that takes these possibilities in any order.
    fn runs(options: &[Transition], sleeps: bool) -> (usize, usize) {
        let (mut counted, mut redundant, mut prefix) = (0, 0, Some(vec![]));
        while let Some(now) = prefix {
            let (mut chooser, mut left) = (Chooser::new(now, sleeps), options.to_vec());
            while !left.is_empty() && !chooser.gives_up() {
                let taken = chooser.choose(left.clone());
                left.remove(taken);
            }
            match chooser.verdict() {
                Verdict::Counts => counted += 1,
                Verdict::Redundant => redundant += 1,
                Verdict::Impossible => panic!("it names its own choices"),
            }
            prefix = next(&chooser.into_steps());
        }
        (counted, redundant)
    }

    #[test]
    fn of_independent_steps_one_order_is_run_to_its_end() {
        assert_eq!(runs(&apart(), false), (2, 0));
        assert_eq!(runs(&apart(), true), (1, 1));
        let together =
            [Transition::between(What::Step, 1, [0, 2]), Transition::between(What::Step, 2, [1, 2])];
        assert_eq!(runs(&together, true), (2, 0));
        let all = [1, 2, 3].map(|number| Transition::of(What::Step, number));
        assert_eq!(runs(&all, true), (6, 0));
    }

    #[test]
    fn a_choice_that_is_not_there_is_noticed() {
        for prefix in [vec![2], vec![0, 0]] {
            let mut chooser = Chooser::new(prefix, true);
            chooser.choose(apart());
            assert_eq!(chooser.verdict(), Verdict::Impossible);
        }
    }
}
