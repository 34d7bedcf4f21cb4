//! PSCW epochs of one window: which rank has opened its part to which, as plain data under the state's lock.
//!
//! Posts and completes are counted per pair of ranks. So none is lost if a rank runs ahead, for example posts for the
//! next epoch while another has not started this one. They count once they have arrived: sending and receiving a notice
//! are two calls here.
use wb_comm::{Error, Rank, Result, text::window};

/// The PSCW epochs of one window.
#[derive(Debug)]
pub(crate) struct PscwState {
    size: usize,
    /// `[target * size + origin]`: posts of target that origin has received and not started on yet.
    posts: Vec<usize>,
    /// `[target * size + origin]`: completes of origin that target has received and not waited for yet.
    completes: Vec<usize>,
    /// The group of each rank's open start.
    started: Vec<Option<Box<[Rank]>>>,
    /// The group of each rank's open post.
    posted: Vec<Option<Box<[Rank]>>>,
}

impl PscwState {
    /// The state of `size` ranks without an open epoch.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            size,
            posts: vec![0; size * size],
            completes: vec![0; size * size],
            started: vec![None; size],
            posted: vec![None; size],
        }
    }

    /// `target` opens its part to `origins`.
    pub(crate) fn post(&mut self, target: Rank, origins: &[Rank]) -> Result<()> {
        if self.posted[target].is_some() {
            return Err(Error::Setup(window::post_not_waited(target)));
        }
        self.posted[target] = Some(origins.into());
        Ok(())
    }

    /// `origin` receives the post of `target`.
    pub(crate) fn receive_post(&mut self, target: Rank, origin: Rank) {
        self.posts[target * self.size + origin] += 1;
    }

    /// The first of `targets` that has not posted to `origin` yet.
    pub(crate) fn missing_post(&self, origin: Rank, targets: &[Rank]) -> Option<Rank> {
        targets.iter().copied().find(|target| self.posts[target * self.size + origin] == 0)
    }

    /// Whether `origin` may start.
    pub(crate) fn check_start(&self, origin: Rank) -> Result<()> {
        match self.started[origin] {
            None => Ok(()),
            Some(_) => Err(Error::Setup(window::start_not_completed(origin))),
        }
    }

    /// `origin` begins its access epoch, once no post is missing.
    pub(crate) fn start(&mut self, origin: Rank, targets: &[Rank]) {
        for target in targets {
            self.posts[target * self.size + origin] -= 1;
        }
        self.started[origin] = Some(targets.into());
    }

    /// `origin` ends its access epoch; returns the targets.
    pub(crate) fn complete(&mut self, origin: Rank) -> Result<Box<[Rank]>> {
        let none = || Error::Setup(window::not_started(origin));
        self.started[origin].take().ok_or_else(none)
    }

    /// `target` receives the complete of `origin`.
    pub(crate) fn receive_complete(&mut self, target: Rank, origin: Rank) {
        self.completes[target * self.size + origin] += 1;
    }

    /// Whether `target` may wait for the end of its exposure epoch.
    pub(crate) fn check_wait(&self, target: Rank) -> Result<()> {
        match self.posted[target] {
            Some(_) => Ok(()),
            None => Err(Error::Setup(window::not_posted(target))),
        }
    }

    /// The first rank of `target`'s group that has not completed yet.
    pub(crate) fn missing_complete(&self, target: Rank) -> Option<Rank> {
        let origins = self.posted[target].iter().flatten().copied();
        origins.into_iter().find(|origin| self.completes[target * self.size + origin] == 0)
    }

    /// `target`'s exposure epoch ends, once no complete is missing; returns the origins.
    pub(crate) fn end_exposure(&mut self, target: Rank) -> Box<[Rank]> {
        let origins = self.posted[target].take().unwrap_or_default();
        for origin in &origins {
            self.completes[target * self.size + origin] -= 1;
        }
        origins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posts_and_completes_are_counted_for_each_pair() {
        let mut epochs = PscwState::new(3);
        assert_eq!(epochs.missing_post(0, &[1, 2]), Some(1));
        epochs.post(1, &[0]).expect("first");
        assert_eq!(epochs.missing_post(0, &[1, 2]), Some(1), "not heard of yet");
        epochs.receive_post(1, 0);
        assert_eq!(epochs.missing_post(0, &[1, 2]), Some(2));
        epochs.receive_post(2, 0);
        epochs.start(0, &[1, 2]);
        assert_eq!((epochs.missing_post(0, &[1]), epochs.missing_complete(1)), (Some(1), Some(0)));
        assert_eq!(&*epochs.complete(0).expect("started"), [1, 2]);
        assert_eq!(epochs.missing_complete(1), Some(0), "not heard of yet");
        epochs.receive_complete(1, 0);
        assert_eq!(epochs.missing_complete(1), None);
        epochs.end_exposure(1);
        epochs.post(1, &[0]).expect("closed before");
        assert_eq!(epochs.missing_complete(1), Some(0), "the last epoch's complete is used up");
    }

    #[test]
    fn who_runs_ahead_loses_no_post_and_no_complete() {
        let mut epochs = PscwState::new(3);
        for _ in 0..2 {
            epochs.receive_post(1, 0);
            epochs.receive_complete(1, 2);
        }
        for expected in [None, Some(1)] {
            epochs.start(0, &[1]);
            assert_eq!(epochs.missing_post(0, &[1]), expected);
            epochs.post(1, &[2]).expect("the last one was waited for");
            assert_eq!((epochs.missing_complete(1), &*epochs.end_exposure(1)), (None, &[2][..]));
        }
        epochs.post(1, &[2]).expect("the last one was waited for");
        assert_eq!(epochs.missing_complete(1), Some(2), "both are used up");
    }

    #[test]
    fn what_ends_must_have_begun() {
        let mut epochs = PscwState::new(1);
        assert_eq!(epochs.check_wait(0), Err(Error::Setup(window::not_posted(0))));
        assert_eq!(epochs.complete(0), Err(Error::Setup(window::not_started(0))));
        epochs.post(0, &[]).expect("an empty group");
        assert_eq!(epochs.post(0, &[]), Err(Error::Setup(window::post_not_waited(0))));
        assert_eq!(epochs.check_wait(0), Ok(()));
        epochs.start(0, &[]);
        assert_eq!(
            epochs.check_start(0).expect_err("inside").to_string(),
            "rank 0 starts on a window, but its last start was not completed"
        );
    }
}
