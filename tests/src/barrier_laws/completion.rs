//! I9: what was outstanding when a barrier was entered has arrived when it is left.
use super::{LawResult, LawRun, count_ranks, stress::RandomDelays};

/// Whether completion is promised here.
pub(super) fn is_completion_promised(law_run: &LawRun<'_>) -> bool {
    law_run.provider.completes_memory(law_run.entry)
}

/// Each rank puts the episode's number into a word of its own at every other one and waits for nothing; after the barrier
/// every rank reads its words. They alternate, so a rank that is in the next episode puts to other words and each value
/// must be exact.
pub(super) fn check_completion(law_run: &LawRun<'_>) -> LawResult {
    let (rank, size) = (law_run.world.rank(), law_run.world.size());
    let place = law_run.provider.build(law_run.entry, law_run.world)?;
    let words = place.put_words().ok_or("the provider completes, and gives no words")?;
    let mut barrier = place.barrier();
    let mut delays = RandomDelays::new(law_run.seed() + 9, rank);
    let others = || (0..size).filter(|&other| other != rank);
    let mut wrong: Option<String> = None;
    for episode in 1..=law_run.effort.episodes {
        let first = episode % 2 * size;
        others().try_for_each(|to| words.put(to, first + rank, episode as i64))?;
        delays.delay();
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
    let anywhere = count_ranks(law_run.world, wrong.is_some())?;
    place.close()?;
    match anywhere > 0 {
        true => Err(wrong.unwrap_or_else(|| "another rank misses what was put".into()).into()),
        false => Ok(()),
    }
}
