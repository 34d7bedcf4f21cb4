//! One mode of a simulated pass, over all ranks.
use serde::{Deserialize, Serialize};
use wb_record::{TimedRegion, Traffic};
use wb_task::Verdict;

use crate::simulated::{pass::RankPass, stopwatch::Lap};

/// One mode of a pass, over all ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModeTotals {
    pub(crate) mode: TimedRegion,
    pub(crate) elapsed_ns: u64,
    pub(crate) worked_ns: u64,
    pub(crate) worked_max_ns: u64,
    pub(crate) traffic: Traffic,
    pub(crate) correct: Option<bool>,
}

impl ModeTotals {
    /// Both modes, from the results of all ranks.
    pub(crate) fn from_passes(passes: &[RankPass]) -> Vec<Self> {
        let wrong = passes.iter().filter_map(|pass| pass.verdict.as_ref());
        let correct = wrong.map(|verdict| *verdict == Verdict::Right).reduce(|all, one| all && one);
        vec![
            Self::from_laps(TimedRegion::TaskRun, passes.iter().map(|pass| pass.run), correct),
            Self::from_laps(TimedRegion::Pipeline, passes.iter().map(|pass| pass.pipeline), correct),
        ]
    }

    fn from_laps(mode: TimedRegion, laps: impl Iterator<Item = Lap> + Clone, correct: Option<bool>) -> Self {
        let most = |of: fn(Lap) -> u64| laps.clone().map(of).max().unwrap_or(0);
        let sum = |of: fn(Lap) -> u64| laps.clone().map(of).sum();
        let begin = laps.clone().map(|lap| lap.begin).min().unwrap_or(0);
        Self {
            mode,
            elapsed_ns: most(|lap| lap.end) - begin,
            worked_ns: sum(|lap| lap.worked_ns),
            worked_max_ns: most(|lap| lap.worked_ns),
            traffic: Traffic {
                messages: sum(|lap| lap.messages),
                bytes: sum(|lap| lap.bytes),
                messages_max_rank: most(|lap| lap.messages),
                bytes_max_rank: most(|lap| lap.bytes),
            },
            correct,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_what_its_ranks_make_of_it() {
        let lap = |begin, end, worked_ns| Lap { begin, end, worked_ns, messages: 2, bytes: 10 };
        let pass =
            |run, verdict| RankPass { run, pipeline: lap(0, 100, 9), verdict, output: None, trace: None };
        let passes = [pass(lap(10, 50, 30), Some(Verdict::Right)), pass(lap(12, 70, 5), None)];
        let [run, pipeline] = ModeTotals::from_passes(&passes).try_into().expect("two modes");
        assert_eq!((run.elapsed_ns, run.worked_ns, run.worked_max_ns), (60, 35, 30));
        assert_eq!((run.traffic.messages, run.traffic.bytes_max_rank, run.correct), (4, 10, Some(true)));
        assert_eq!((pipeline.elapsed_ns, pipeline.mode), (100, TimedRegion::Pipeline));
        let wrong =
            [pass(lap(0, 1, 0), Some(Verdict::Wrong("no".into()))), pass(lap(0, 1, 0), Some(Verdict::Right))];
        assert_eq!(ModeTotals::from_passes(&wrong)[0].correct, Some(false));
        assert_eq!(ModeTotals::from_passes(&[pass(lap(0, 1, 0), None)])[0].correct, None);
    }
}
