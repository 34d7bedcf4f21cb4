//! The heartbeats of a job on several hosts, in files of a folder that all of them share.
//!
//! The process that starts a job does not see its ranks on other hosts, and they do not see it. So each of them counts in a file of its
//! own. A rank ends by itself when its owner has ended the job, or has given no sign for [`OWNER_SILENCE_MAX`]: its launcher's
//! daemon may have lost the connection without notice and keep it. The owner finds out which rank on which host gives no
//! sign: it is stopped, or its host, its network or its file system does not answer.
//!
//! The invariant: *a rank whose owner is gone ends, also when the file system hangs.* The thread that ends it touches no file.

mod beat;
mod rank;

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

pub use rank::{OWNER_SILENCE_MAX, start_rank_heartbeats};

use beat::{FOLDER_VARIABLE, Heartbeat, HeartbeatFile, INTERVAL, OWNER, Sign, rank_file};

/// A rank that has given no sign for so long is silent.
pub const RANK_SILENCE_MAX: Duration = Duration::from_secs(15);

/// The heartbeats of a job as its owner gives and sees them. The ranks end when it is dropped.
#[derive(Debug)]
pub struct JobHeartbeats {
    folder: PathBuf,
    ranks: Vec<SeenRank>,
    started: Instant,
    looked_at: Instant,
    /// The beating thread ends when it is closed.
    _running: mpsc::Sender<()>,
}

/// What the owner has seen of a rank.
#[derive(Clone, Debug)]
struct SeenRank {
    last: Option<Heartbeat>,
    since: Instant,
    /// When the first sign was seen.
    first: Option<Instant>,
    /// How long the last sign came after the one before it: launchers let a stopped rank continue before they ask it to end.
    gap: Duration,
}

/// A rank, and its host if it has given any sign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankOnHost {
    /// The rank.
    pub rank: usize,
    /// The host.
    pub host: Option<String>,
}

impl JobHeartbeats {
    /// Begins the heartbeats of this process as the owner of a job of so many ranks, in its folder.
    ///
    /// # Errors
    /// When the folder cannot be written, or the system refuses a thread.
    pub fn start(folder: &Path, ranks: usize) -> io::Result<Self> {
        let own = HeartbeatFile::create(&folder.join(OWNER))?;
        let (running, ended) = mpsc::channel::<()>();
        let beat = move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                // The next one may succeed; ranks wait for several.
                let _unwritten = own.write(Sign::Runs);
            }
        };
        thread::Builder::new().name("wb-heartbeat".into()).spawn(beat)?;
        let now = Instant::now();
        let ranks = vec![SeenRank { last: None, since: now, first: None, gap: Duration::ZERO }; ranks];
        Ok(Self { folder: folder.to_owned(), ranks, started: now, looked_at: now, _running: running })
    }

    /// Names the folder to the ranks that `command` starts.
    pub fn add_to(&self, command: &mut Command) {
        command.env(FOLDER_VARIABLE, &self.folder);
    }

    /// Reads the heartbeats of the ranks, at most once in an interval.
    pub fn look(&mut self) {
        if self.looked_at.elapsed() < INTERVAL {
            return;
        }
        self.looked_at = Instant::now();
        self.read();
    }

    fn read(&mut self) {
        for (rank, seen) in self.ranks.iter_mut().enumerate() {
            if let Ok(Some(beat)) = Heartbeat::read(&self.folder.join(rank_file(rank)))
                && seen.last.as_ref().is_none_or(|last| last.count != beat.count)
            {
                let gap = if seen.last.is_some() { seen.since.elapsed() } else { Duration::ZERO };
                let since = Instant::now();
                *seen = SeenRank { last: Some(beat), since, first: seen.first.or(Some(since)), gap };
            }
        }
    }

    /// The ranks that have given no sign for [`RANK_SILENCE_MAX`] as of the last [`look`](Self::look). One that has never given one
    /// counts from the start of the job, with `start` more.
    pub fn silent_ranks(&self, start: Duration) -> Vec<RankOnHost> {
        let is_silent = |seen: &SeenRank| match seen.last {
            Some(_) => seen.since.elapsed() > RANK_SILENCE_MAX,
            None => self.started.elapsed() > RANK_SILENCE_MAX + start,
        };
        self.select(is_silent)
    }

    /// The ranks that were asked to end by a signal, as launchers do when another rank is lost.
    pub fn ranks_asked_to_end(&mut self) -> Vec<RankOnHost> {
        self.read();
        self.select(|seen| seen.last.as_ref().is_some_and(|last| last.sign == Sign::AskedToEnd))
    }

    /// The ranks that were silent before the end of the job: their last sign is much older than that of another one, or came much later
    /// than the one before it, when they were asked to end, or much later than the first one of another rank, if it was their first: by
    /// more than `least`. And how long they were silent, at least.
    pub fn silent_before_the_end(&mut self, least: Duration) -> (Vec<RankOnHost>, Duration) {
        self.read();
        let newest = self.ranks.iter().filter(|seen| seen.last.is_some()).map(|seen| seen.since).max();
        let first = self.ranks.iter().filter_map(|seen| seen.first).min();
        let silence = |seen: &SeenRank| match &seen.last {
            Some(last) if last.sign == Sign::AskedToEnd && seen.first == Some(seen.since) => {
                first.map_or(Duration::ZERO, |first| seen.since.duration_since(first))
            }
            Some(last) if last.sign == Sign::AskedToEnd => seen.gap,
            Some(_) => newest.map_or(Duration::ZERO, |newest| newest.duration_since(seen.since)),
            None => Duration::ZERO,
        };
        let is_lost = |seen: &SeenRank| silence(seen) > least;
        let shortest = self.ranks.iter().filter(|seen| is_lost(seen)).map(silence).min().unwrap_or_default();
        (self.select(is_lost), shortest)
    }

    /// All ranks.
    pub fn ranks(&mut self) -> Vec<RankOnHost> {
        self.read();
        self.select(|_| true)
    }

    /// All ranks that have given a sign.
    pub fn started_ranks(&mut self) -> Vec<RankOnHost> {
        self.read();
        self.select(|seen| seen.last.is_some())
    }

    fn select(&self, is_wanted: impl Fn(&SeenRank) -> bool) -> Vec<RankOnHost> {
        let ranks = self.ranks.iter().enumerate().filter(|(_, seen)| is_wanted(seen));
        ranks
            .map(|(rank, seen)| RankOnHost { rank, host: seen.last.as_ref().map(|last| last.host.clone()) })
            .collect()
    }
}

impl Drop for JobHeartbeats {
    fn drop(&mut self) {
        // The folder may be gone already, which ends the ranks, too.
        let _gone = fs::remove_file(self.folder.join(OWNER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity;

    const LOST_BEFORE: Duration = Duration::from_secs(4);

    fn job(ranks: usize) -> (tempfile::TempDir, JobHeartbeats) {
        let folder = tempfile::tempdir().expect("a folder");
        let owner = JobHeartbeats::start(folder.path(), ranks).expect("a thread");
        (folder, owner)
    }

    #[test]
    fn a_rank_that_gives_no_sign_is_silent_and_one_that_never_gave_one_is_later() {
        let (folder, mut owner) = job(3);
        for rank in [0, 1] {
            HeartbeatFile::create(&folder.path().join(rank_file(rank))).expect("written");
        }
        owner.read();
        let long_ago = Instant::now().checked_sub(RANK_SILENCE_MAX * 2).expect("a time");
        owner.ranks[1].since = long_ago;
        owner.started = long_ago;
        let host = Some(identity::host_name());
        assert_eq!(owner.silent_ranks(RANK_SILENCE_MAX * 2), [RankOnHost { rank: 1, host: host.clone() }]);
        let both = [RankOnHost { rank: 1, host }, RankOnHost { rank: 2, host: None }];
        assert_eq!(owner.silent_ranks(Duration::ZERO), both);
        // A sign of it ends the silence.
        HeartbeatFile::create(&folder.path().join(rank_file(1)))
            .and_then(|file| file.write(Sign::AskedToEnd))
            .expect("written");
        assert_eq!(owner.ranks_asked_to_end().iter().map(|at| at.rank).collect::<Vec<_>>(), [1]);
        assert_eq!(owner.silent_ranks(RANK_SILENCE_MAX * 2), []);
        assert_eq!((owner.started_ranks().len(), owner.ranks().len()), (2, 3));
    }

    #[test]
    fn a_rank_is_lost_before_the_end_whose_last_sign_is_much_older_than_that_of_others() {
        let (folder, mut owner) = job(4);
        for rank in [0, 1, 2] {
            HeartbeatFile::create(&folder.path().join(rank_file(rank))).expect("written");
        }
        owner.read();
        assert_eq!(owner.silent_before_the_end(LOST_BEFORE).0, []);
        let later = Instant::now() + LOST_BEFORE * 2;
        owner.ranks[0].since = later;
        owner.ranks[2].first = later.checked_sub(LOST_BEFORE * 2 + INTERVAL);
        owner.ranks[2].last.as_mut().expect("a sign").sign = Sign::AskedToEnd;
        let (lost, silence) = owner.silent_before_the_end(LOST_BEFORE);
        assert_eq!(
            lost.iter().map(|at| at.rank).collect::<Vec<_>>(),
            [1],
            "neither who was asked nor who never began"
        );
        owner.ranks[2].gap = LOST_BEFORE * 2;
        assert_eq!(
            owner.silent_before_the_end(LOST_BEFORE).0.len(),
            2,
            "rank 2 was stopped until it was asked"
        );
        assert!(silence > LOST_BEFORE && silence < LOST_BEFORE * 3, "{silence:?}");
        // Rank 3 begins when it is asked to end, long after the others.
        owner.ranks[3] = SeenRank { since: later, first: Some(later), ..owner.ranks[2].clone() };
        owner.ranks[2].gap = Duration::ZERO;
        let lost: Vec<usize> = owner.silent_before_the_end(LOST_BEFORE).0.iter().map(|at| at.rank).collect();
        assert_eq!(lost, [1, 3]);
    }

    #[test]
    fn the_owner_gives_signs_until_it_ends_the_job() {
        let (folder, owner) = job(1);
        let path = folder.path().join(OWNER);
        let first = Heartbeat::read(&path).expect("readable").expect("complete");
        let deadline = Instant::now() + INTERVAL * 20;
        while Heartbeat::read(&path).expect("readable").is_none_or(|beat| beat == first) {
            assert!(Instant::now() < deadline, "no second sign");
            thread::sleep(INTERVAL / 20);
        }
        drop(owner);
        assert!(!path.exists());
    }
}
