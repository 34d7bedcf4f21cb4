//! The signs of the ranks of a job on several hosts, as its runner sees them.
//!
//! A rank on another host gives a sign once a second over its connection. The runner finds out which rank on which host gives none: it is
//! stopped, or its host, its network or its file system does not answer.
use std::time::{Duration, Instant};

/// A rank that has given no sign for so long is silent.
pub(crate) const RANK_SILENCE_MAX: Duration = Duration::from_secs(15);

/// How long a rank was silent before the end of its job, so that this may be the cause: two signs. Shorter pauses are not noted.
pub(crate) const QUIET_BEFORE: Duration = Duration::from_secs(2);

/// How long before the end of a rank a pause may have ended that explains the end of the job.
const PAUSE_BEFORE_END_MAX: Duration = Duration::from_secs(5);

/// A rank whose last sign comes so soon after its first one has not run before.
const SIGN_INTERVAL: Duration = Duration::from_secs(1);

/// The signs of all ranks of a job.
#[derive(Debug)]
pub(crate) struct RankSigns {
    ranks: Vec<SeenRank>,
    started: Instant,
    /// Whether the runner has ended the job: what is seen from then on is a consequence.
    has_ended: bool,
}

/// The signs of a rank.
#[derive(Clone, Debug)]
struct SeenRank {
    host: Option<String>,
    is_asked_to_end: bool,
    /// When it gave its last sign.
    since: Instant,
    /// When it gave its first sign.
    first: Option<Instant>,
    /// When its connection was closed.
    closed: Option<Instant>,
    /// Its last pause between two signs that is longer than [`QUIET_BEFORE`], and when that ended: a launcher lets a stopped rank continue
    /// before it asks it to end.
    pause: Option<(Duration, Instant)>,
}

/// A rank, and its host if it has given any sign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankOnHost {
    /// The rank.
    pub rank: usize,
    /// The host.
    pub host: Option<String>,
}

impl RankSigns {
    /// The signs of a job of `ranks` ranks, which starts now.
    pub(crate) fn new(ranks: usize) -> Self {
        let now = Instant::now();
        let unseen = SeenRank {
            host: None,
            is_asked_to_end: false,
            since: now,
            first: None,
            closed: None,
            pause: None,
        };
        Self { ranks: vec![unseen; ranks], started: now, has_ended: false }
    }

    /// A rank has connected from this host.
    pub(crate) fn join(&mut self, rank: usize, host: String) {
        self.add(rank, false);
        self.ranks[rank].host = Some(host);
    }

    /// A rank has given a sign.
    pub(crate) fn add(&mut self, rank: usize, is_asked_to_end: bool) {
        if self.has_ended {
            return;
        }
        let (seen, now) = (&mut self.ranks[rank], Instant::now());
        let pause = seen.first.map(|_| (now.duration_since(seen.since), now));
        seen.pause = pause.filter(|(pause, _)| *pause > QUIET_BEFORE).or(seen.pause);
        (seen.first, seen.since) = (seen.first.or(Some(now)), now);
        seen.is_asked_to_end |= is_asked_to_end;
    }

    /// The connection of a rank was closed.
    pub(crate) fn close(&mut self, rank: usize) {
        if !self.has_ended {
            self.ranks[rank].closed.get_or_insert_with(Instant::now);
        }
    }

    /// The runner ends the job now. A launcher lets a stopped rank continue before it asks it to end, so the signs that follow do not
    /// count.
    pub(crate) fn end(&mut self) {
        self.has_ended = true;
    }

    /// The ranks that have given no sign for [`RANK_SILENCE_MAX`]. One that has never given one counts from the start of the job, with
    /// `start` more.
    pub(crate) fn silent_ranks(&self, start: Duration) -> Vec<RankOnHost> {
        let is_silent = |seen: &SeenRank| match seen.first {
            Some(_) => seen.since.elapsed() > RANK_SILENCE_MAX,
            None => self.started.elapsed() > RANK_SILENCE_MAX + start,
        };
        self.select(is_silent)
    }

    /// The ranks that may have ended by themselves: they were not asked to end, and if the runner ended the job, their connection was closed
    /// before.
    pub(crate) fn ended_ranks(&self) -> Vec<RankOnHost> {
        self.select(|seen| !seen.is_asked_to_end && (seen.closed.is_some() || !self.has_ended))
    }

    /// The ranks that were silent before the end of the job: their last sign is much older than that of another one or the end of their
    /// connection, or they have paused before, or their first sign, when they were asked to end, came much later than that of another rank:
    /// by more than `least`. And how long they were silent, at least.
    pub(crate) fn silent_before_the_end(&self, least: Duration) -> (Vec<RankOnHost>, Duration) {
        let newest = self.ranks.iter().filter(|seen| seen.first.is_some()).map(|seen| seen.since).max();
        let first = self.ranks.iter().filter_map(|seen| seen.first).min();
        let silence = |seen: &SeenRank| {
            let (Some(newest), Some(first), Some(own)) = (newest, first, seen.first) else {
                return Duration::ZERO;
            };
            // A rank that has ended gives no sign, and is not silent.
            let end = seen.closed.map_or(newest, |closed| closed.min(newest));
            let paused = seen
                .pause
                .filter(|(_, at)| end.saturating_duration_since(*at) < PAUSE_BEFORE_END_MAX)
                .map_or(Duration::ZERO, |(pause, _)| pause);
            let quiet = match seen.is_asked_to_end {
                false => end.saturating_duration_since(seen.since),
                true if seen.since.duration_since(own) < SIGN_INTERVAL => own.duration_since(first),
                true => Duration::ZERO,
            };
            quiet.max(paused)
        };
        let is_lost = |seen: &SeenRank| silence(seen) > least;
        let shortest = self.ranks.iter().filter(|seen| is_lost(seen)).map(silence).min().unwrap_or_default();
        (self.select(is_lost), shortest)
    }

    /// All ranks.
    pub(crate) fn ranks(&self) -> Vec<RankOnHost> {
        self.select(|_| true)
    }

    /// All ranks that have connected.
    pub(crate) fn started_ranks(&self) -> Vec<RankOnHost> {
        self.select(|seen| seen.host.is_some())
    }

    fn select(&self, is_wanted: impl Fn(&SeenRank) -> bool) -> Vec<RankOnHost> {
        let ranks = self.ranks.iter().enumerate().filter(|(_, seen)| is_wanted(seen));
        ranks.map(|(rank, seen)| RankOnHost { rank, host: seen.host.clone() }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOST_BEFORE: Duration = Duration::from_secs(4);

    fn signs(ranks: usize, started: &[usize]) -> RankSigns {
        let mut signs = RankSigns::new(ranks);
        started.iter().for_each(|rank| signs.join(*rank, "wb2".into()));
        signs
    }

    fn numbers(ranks: &[RankOnHost]) -> Vec<usize> {
        ranks.iter().map(|at| at.rank).collect()
    }

    #[test]
    fn a_rank_that_gives_no_sign_is_silent_and_one_that_never_gave_one_is_later() {
        let mut signs = signs(3, &[0, 1]);
        let long_ago = Instant::now().checked_sub(RANK_SILENCE_MAX * 2).expect("a time");
        (signs.ranks[1].since, signs.started) = (long_ago, long_ago);
        let host = Some("wb2".to_owned());
        assert_eq!(signs.silent_ranks(RANK_SILENCE_MAX * 2), [RankOnHost { rank: 1, host: host.clone() }]);
        let both = [RankOnHost { rank: 1, host }, RankOnHost { rank: 2, host: None }];
        assert_eq!(signs.silent_ranks(Duration::ZERO), both);
        // A sign of it ends the silence.
        signs.add(1, true);
        assert_eq!(numbers(&signs.ended_ranks()), [0, 2]);
        assert_eq!(signs.silent_ranks(RANK_SILENCE_MAX * 2), []);
        assert_eq!((signs.started_ranks().len(), signs.ranks().len()), (2, 3));
    }

    #[test]
    fn a_rank_is_lost_before_the_end_whose_last_sign_is_much_older_than_that_of_others() {
        let mut signs = signs(4, &[0, 1, 2]);
        assert_eq!(signs.silent_before_the_end(LOST_BEFORE).0, []);
        let later = Instant::now() + LOST_BEFORE * 2;
        signs.ranks[0].since = later;
        signs.ranks[2].first = later.checked_sub(LOST_BEFORE * 2 + Duration::from_secs(1));
        signs.ranks[2].is_asked_to_end = true;
        let (lost, silence) = signs.silent_before_the_end(LOST_BEFORE);
        assert_eq!(numbers(&lost), [1], "neither who was asked nor who never began");
        assert!(silence > LOST_BEFORE && silence < LOST_BEFORE * 3, "{silence:?}");
        // Rank 3 begins when it is asked to end, long after the others.
        signs.ranks[3] = SeenRank { since: later, first: Some(later), ..signs.ranks[2].clone() };
        assert_eq!(numbers(&signs.silent_before_the_end(LOST_BEFORE).0), [1, 3]);
    }

    #[test]
    fn a_rank_that_was_stopped_until_shortly_before_its_end_was_silent() {
        for is_asked in [false, true] {
            let mut signs = signs(2, &[0, 1]);
            signs.ranks[1].since = Instant::now().checked_sub(LOST_BEFORE * 2).expect("a time");
            // It continues, and sends what it had to send.
            signs.add(1, false);
            signs.add(1, is_asked);
            signs.close(1);
            assert_eq!(numbers(&signs.silent_before_the_end(LOST_BEFORE).0), [1]);
            let much_later = Instant::now() + PAUSE_BEFORE_END_MAX * 2;
            (signs.ranks[0].since, signs.ranks[1].since) = (much_later, much_later);
            signs.ranks[1].closed = None;
            assert_eq!(signs.silent_before_the_end(LOST_BEFORE).0, [], "it was stopped long before");
        }
    }

    #[test]
    fn a_rank_that_has_ended_is_not_silent() {
        let mut signs = signs(2, &[0, 1]);
        signs.close(1);
        signs.ranks[0].since = Instant::now() + LOST_BEFORE * 2;
        assert_eq!(signs.silent_before_the_end(LOST_BEFORE).0, []);
        signs.ranks[1].closed = Some(signs.ranks[0].since);
        assert_eq!(numbers(&signs.silent_before_the_end(LOST_BEFORE).0), [1], "it was stopped before");
    }

    #[test]
    fn what_ranks_show_after_the_runner_has_ended_their_job_is_a_consequence() {
        let mut signs = signs(4, &[0, 1, 2]);
        signs.ranks[0].since = Instant::now() + LOST_BEFORE * 2;
        signs.close(2);
        signs.end();
        // The launcher lets rank 1 continue, asks it to end, and ends rank 0; rank 3 has been stopped from its start on.
        signs.add(1, false);
        signs.add(1, true);
        signs.close(0);
        signs.join(3, "wb3".into());
        let lost = signs.silent_before_the_end(LOST_BEFORE).0;
        assert_eq!(numbers(&lost), [1]);
        assert_eq!(numbers(&signs.ended_ranks()), [2], "only it ended by itself");
        assert_eq!(numbers(&signs.started_ranks()), [0, 1, 2, 3], "where it is, is known");
    }
}
