//! I9: what was outstanding when a barrier was entered has arrived when it is left.
use super::{LawResult, LawRun, count_ranks, stress::RandomDelays};

/// Is it promised here?
pub(super) fn is_completion_promised(trial: &LawRun<'_>) -> bool {
    trial.provider.completes_memory(trial.entry)
}

/// Each rank puts the episode's number into a word of its own at every other one and waits for nothing; after the barrier
/// everybody looks at its words. They alternate, so whoever is in the next episode already puts elsewhere and each value
/// must be exact.
pub(super) fn check_completion(trial: &LawRun<'_>) -> LawResult {
    let (rank, size) = (trial.world.rank(), trial.world.size());
    let place = trial.provider.build(trial.entry, trial.world)?;
    let words = place.put_words().ok_or("the carrier completes, and gives no words")?;
    let mut barrier = place.barrier();
    let mut weather = RandomDelays::new(trial.seed() + 9, rank);
    let others = || (0..size).filter(|&other| other != rank);
    let mut wrong: Option<String> = None;
    for episode in 1..=trial.effort.episodes {
        let first = episode % 2 * size;
        others().try_for_each(|to| words.put(to, first + rank, episode as i64))?;
        weather.delay();
        barrier.wait()?;
        for from in others() {
            let value = words.own(first + from)?;
            if value != episode as i64 && wrong.is_none() {
                wrong = Some(format!(
                    "after episode {episode} what rank {from} has put is not there, but {value}"
                ));
            }
        }
    }
    drop(barrier);
    let anywhere = count_ranks(trial.world, wrong.is_some())?;
    place.close()?;
    match anywhere > 0 {
        true => Err(wrong.unwrap_or_else(|| "another rank misses what was put".into()).into()),
        false => Ok(()),
    }
}
