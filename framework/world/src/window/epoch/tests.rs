//! Every rule that one rank can check: calls that violate it, the calls that are named, and similar calls that are
//! legal.
use wb_comm::{AccessKind, Accumulation, Operation, Verb};

use super::*;

const SUM: AccessKind = AccessKind::Accumulate(Accumulation::With(Operation::Sum));
const NO_ASSERTIONS: Assertion =
    Assertion { no_check: false, no_store: false, no_put: false, no_precede: false, no_succeed: false };

/// Rank 1 of three, with short names for its calls.
struct Rank1(EpochStateMachine);

impl Rank1 {
    fn new() -> Self {
        Self(EpochStateMachine::new(1, 3, MemoryModel::Unified, CallSite::caller(Verb::WindowCreate)))
    }

    fn fence(&mut self) -> Result<()> {
        self.0.fence(NO_ASSERTIONS, CallSite::caller(Verb::Fence))
    }

    fn start(&mut self, targets: &[Rank]) -> Result<()> {
        self.0.start(targets, NO_ASSERTIONS, CallSite::caller(Verb::Start))
    }

    fn complete(&mut self) -> Result<()> {
        self.0.complete(CallSite::caller(Verb::Complete)).map(drop)
    }

    fn post(&mut self, origins: &[Rank]) -> Result<()> {
        self.0.post(origins, NO_ASSERTIONS, CallSite::caller(Verb::Post))
    }

    fn wait(&mut self) -> Result<()> {
        self.0.wait(CallSite::caller(Verb::WindowWait))?;
        self.0.wait_returned();
        Ok(())
    }

    fn lock(&mut self, target: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Lock);
        self.0.lock(target, NO_ASSERTIONS, site)?;
        self.0.locked(LockKind::Shared, target, site);
        Ok(())
    }

    fn unlock(&mut self, target: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Unlock);
        self.0.unlock(target, site)?;
        self.0.unlocked(target, site);
        Ok(())
    }

    fn lock_all(&mut self) -> Result<()> {
        let site = CallSite::caller(Verb::LockAll);
        self.0.lock_all(NO_ASSERTIONS, site)?;
        self.0.locked_all(site);
        Ok(())
    }

    fn unlock_all(&mut self) -> Result<()> {
        let site = CallSite::caller(Verb::UnlockAll);
        self.0.unlock_all(site)?;
        self.0.unlocked_all(site);
        Ok(())
    }

    fn flush(&mut self, target: Option<Rank>) -> Result<()> {
        self.0.flush(target, CallSite::caller(Verb::Flush))?;
        self.0.flushed(target);
        Ok(())
    }

    fn access(&mut self, kind: AccessKind, target: Rank, at: usize) -> Result<CompletionFlag> {
        let (elements, site) = (at..at + 2, CallSite::caller(Verb::Put));
        self.0.check_access(kind, target, &elements, site)?;
        Ok(self.0.record_access(kind, target, elements, site))
    }

    fn put(&mut self, target: Rank) -> Result<()> {
        // Different elements each time, because conflicts are another rule.
        let at = 100 * self.0.pending.len() + self.0.remote_accesses.len() + 7 * self.0.fence_count as usize;
        self.access(SUM, target, at).map(drop)
    }

    fn free(&mut self) -> Result<()> {
        self.0.check_free(CallSite::caller(Verb::WindowFree))
    }
}

/// The rule that a call violates, with the verbs of both calls.
#[track_caller]
fn violation_of(result: Result<()>) -> (usize, Verb, Option<Verb>) {
    match result {
        Err(Error::Epoch(violation)) => {
            assert_eq!(violation.call.rank, 1);
            let earlier = violation.earlier.map(|call| call.site.verb);
            (violation.rule.number(), violation.call.site.verb, earlier)
        }
        other => panic!("{other:?} where a rule is broken"),
    }
}

type Step = fn(&mut Rank1) -> Result<()>;

/// Legal calls, then one that violates a rule.
#[track_caller]
fn refuses(legal: &[Step], illegal: Step) -> (usize, Verb, Option<Verb>) {
    let mut rank = Rank1::new();
    for (at, step) in legal.iter().enumerate() {
        step(&mut rank).unwrap_or_else(|error| panic!("step {at} is legal, but: {error}"));
    }
    let (access, exposure) = (rank.0.access.clone(), rank.0.exposure.clone());
    let refused = violation_of(illegal(&mut rank));
    assert_eq!((access, exposure), (rank.0.access, rank.0.exposure), "a refused call changes nothing");
    refused
}

#[track_caller]
fn allows(steps: &[Step]) {
    let mut rank = Rank1::new();
    for (at, step) in steps.iter().enumerate() {
        step(&mut rank).unwrap_or_else(|error| panic!("step {at} is legal, but: {error}"));
    }
}

#[test]
fn rule_1_no_access_outside_an_epoch_nor_to_a_target_outside_it() {
    use Verb::*;
    assert_eq!(refuses(&[], |r| r.put(0)), (1, Put, Some(WindowCreate)));
    assert_eq!(refuses(&[|r| r.start(&[0])], |r| r.put(2)), (1, Put, Some(Start)));
    assert_eq!(refuses(&[|r| r.lock(0)], |r| r.put(2)), (1, Put, Some(Lock)));
    assert_eq!(refuses(&[|r| r.post(&[0])], |r| r.put(0)), (1, Put, Some(WindowCreate)));
    assert_eq!(refuses(&[|r| r.start(&[0]), Rank1::complete], |r| r.put(0)), (1, Put, Some(Complete)));
    allows(&[|r| r.start(&[0, 2]), |r| r.put(2), |r| r.put(0), Rank1::complete]);
    allows(&[Rank1::lock_all, |r| r.put(1), |r| r.put(2), Rank1::unlock_all]);
    assert!(matches!(Rank1::new().access(AccessKind::Get, 3, 0), Err(Error::Rank { role: "target", .. })));
}

#[test]
fn rule_1_a_fence_that_says_nosucceed_opens_nothing() {
    let mut rank = Rank1::new();
    let last = Assertion { no_succeed: true, ..NO_ASSERTIONS };
    rank.0.fence(last, CallSite::caller(Verb::Fence)).expect("legal");
    assert_eq!(violation_of(rank.put(0)), (1, Verb::Put, Some(Verb::Fence)));
}

#[test]
fn rule_2_access_epochs_are_disjoint() {
    use Verb::*;
    assert_eq!(refuses(&[|r| r.start(&[0])], |r| r.start(&[2])), (2, Start, Some(Start)));
    assert_eq!(refuses(&[|r| r.start(&[0])], |r| r.lock(2)), (2, Lock, Some(Start)));
    assert_eq!(refuses(&[Rank1::fence, |r| r.put(0)], |r| r.lock(2)), (2, Lock, Some(Put)));
    assert_eq!(refuses(&[Rank1::fence, |r| r.put(0)], |r| r.start(&[0])), (2, Start, Some(Put)));
    assert_eq!(refuses(&[|r| r.lock(0)], |r| r.lock(0)), (2, Lock, Some(Lock)));
    assert_eq!(refuses(&[|r| r.lock(0)], Rank1::lock_all), (2, LockAll, Some(Lock)));
    assert_eq!(refuses(&[Rank1::lock_all], |r| r.lock(0)), (2, Lock, Some(LockAll)));
    // MPI 3: locks of different targets may be held together (MPI 2 forbade it).
    allows(&[|r| r.lock(0), |r| r.lock(2), |r| r.put(0), |r| r.unlock(0), |r| r.put(2), |r| r.unlock(2)]);
}

#[test]
fn rule_3_exposure_epochs_are_disjoint() {
    use Verb::*;
    assert_eq!(refuses(&[|r| r.post(&[0])], |r| r.post(&[2])), (3, Post, Some(Post)));
    assert_eq!(refuses(&[Rank1::fence, |r| r.put(0)], |r| r.post(&[2])), (3, Post, Some(Fence)));
    allows(&[|r| r.post(&[0]), Rank1::wait, |r| r.post(&[2]), Rank1::wait]);
}

#[test]
fn rule_4_access_and_exposure_overlap() {
    allows(&[|r| r.post(&[0]), |r| r.start(&[2]), |r| r.put(2), Rank1::complete, Rank1::wait]);
    allows(&[|r| r.start(&[2]), |r| r.post(&[0]), Rank1::wait, |r| r.put(2), Rank1::complete]);
    allows(&[|r| r.post(&[0]), |r| r.lock(2), |r| r.put(2), |r| r.unlock(2), Rank1::wait]);
}

#[test]
fn rule_5_no_fence_inside_another_epoch() {
    use Verb::*;
    assert_eq!(refuses(&[|r| r.start(&[0])], Rank1::fence), (5, Fence, Some(Start)));
    assert_eq!(refuses(&[|r| r.post(&[0])], Rank1::fence), (5, Fence, Some(Post)));
    assert_eq!(refuses(&[|r| r.lock(0)], Rank1::fence), (5, Fence, Some(Lock)));
    assert_eq!(refuses(&[Rank1::lock_all], Rank1::fence), (5, Fence, Some(LockAll)));
    allows(&[Rank1::fence, Rank1::fence, |r| r.put(0), Rank1::fence]);
}

#[test]
fn rule_6_another_epoch_takes_the_place_of_a_fence_s() {
    use Verb::*;
    let locked: [Step; 4] = [Rank1::fence, |r| r.lock(0), |r| r.put(0), |r| r.unlock(0)];
    assert_eq!(refuses(&locked, |r| r.put(0)), (6, Put, Some(Lock)));
    let started: [Step; 3] = [Rank1::fence, |r| r.start(&[0]), Rank1::complete];
    assert_eq!(refuses(&started, |r| r.put(0)), (6, Put, Some(Start)));
    allows(&[Rank1::fence, |r| r.lock(0), |r| r.unlock(0), Rank1::fence, |r| r.put(0), Rank1::fence]);
    allows(&[Rank1::fence, |r| r.post(&[0]), Rank1::wait, |r| r.start(&[0]), Rank1::complete]);
}

/// MPI 4.1, 12.5.1: two fences with accesses between them make an epoch, and it must not enclose another one (12.5).
#[test]
fn rule_6_two_fences_do_not_enclose_another_epoch_with_accesses() {
    use Verb::*;
    let no_precede = Assertion { no_precede: true, ..NO_ASSERTIONS };
    let no_succeed = Assertion { no_succeed: true, ..NO_ASSERTIONS };
    let locked: [Step; 4] = [Rank1::fence, |r| r.lock(0), |r| r.put(0), |r| r.unlock(0)];
    let started: [Step; 4] = [Rank1::fence, |r| r.start(&[0]), |r| r.put(0), Rank1::complete];
    let all: [Step; 4] = [Rank1::fence, Rank1::lock_all, |r| r.put(0), Rank1::unlock_all];
    for steps in [&locked, &started, &all] {
        assert_eq!(refuses(steps, Rank1::fence), (6, Fence, Some(Put)));
        // A fence is not refused if an assertion says that there is no such epoch, or that no fence ends it.
        let mut rank = Rank1::new();
        steps.iter().for_each(|step| step(&mut rank).expect("legal"));
        rank.0.fence(no_precede, CallSite::caller(Fence)).expect("NOPRECEDE: this fence completes nothing");
        rank.put(0).expect("it has opened an epoch");
        let mut rank = Rank1::new();
        rank.0.fence(no_succeed, CallSite::caller(Fence)).expect("NOSUCCEED: that fence opens nothing");
        steps[1..].iter().for_each(|step| step(&mut rank).expect("legal"));
        rank.fence().expect("there is no epoch around the other one");
        let free: Step = Rank1::free;
        allows(&[&steps[..], &[free]].concat());
    }
    allows(&[Rank1::fence, |r| r.post(&[0]), Rank1::wait, Rank1::fence]);
}

#[test]
fn rule_7_a_rank_that_has_locked_itself_is_not_posted_and_the_reverse() {
    use Verb::*;
    assert_eq!(refuses(&[|r| r.lock(1)], |r| r.post(&[0])), (7, Post, Some(Lock)));
    assert_eq!(refuses(&[Rank1::lock_all], |r| r.post(&[0])), (7, Post, Some(LockAll)));
    assert_eq!(refuses(&[|r| r.post(&[0])], |r| r.lock(1)), (7, Lock, Some(Post)));
    assert_eq!(refuses(&[|r| r.post(&[0])], Rank1::lock_all), (7, LockAll, Some(Post)));
}

fn access(rank: &mut Rank1, kind: AccessKind, at: usize) -> Result<()> {
    rank.access(kind, 0, at).map(drop)
}

#[test]
fn rule_8_overlapping_accesses_of_one_epoch() {
    use Verb::*;
    const KINDS: [AccessKind; 4] = [AccessKind::Put, AccessKind::Get, SUM, AccessKind::CompareAndSwap];
    for (first, second) in KINDS.iter().flat_map(|a| KINDS.map(|b| (*a, b))) {
        let mut rank = Rank1::new();
        rank.fence().expect("legal");
        access(&mut rank, first, 4).expect("the first access conflicts with nothing");
        access(&mut rank, second, 6).expect("elsewhere");
        access(&mut rank, second, 2).expect("elsewhere");
        let again = access(&mut rank, second, 5);
        match first.is_compatible_with(second) && second.is_compatible_with(second) {
            true => assert_eq!(again, Ok(())),
            false => assert_eq!(violation_of(again), (8, Put, Some(Put)), "{first:?}, {second:?}"),
        }
        rank.fence().expect("legal");
        access(&mut rank, second, 4).expect("another epoch");
    }
}

#[test]
fn rule_8_a_flush_separates_and_a_local_flush_does_not() {
    let mut rank = Rank1::new();
    rank.lock(0).expect("legal");
    access(&mut rank, AccessKind::Put, 0).expect("the first");
    rank.0.complete_locally(Some(0));
    assert_eq!(violation_of(access(&mut rank, AccessKind::Get, 0)).0, 8);
    rank.flush(Some(0)).expect("legal");
    access(&mut rank, AccessKind::Get, 0).expect("the put is complete");
}

#[test]
fn rule_8_own_hands_and_own_calls() {
    let mut rank = Rank1::new();
    let (store, load) = (CallSite::caller(Verb::WindowWrite), CallSite::caller(Verb::WindowRead));
    rank.0.local_access(AccessKind::Store, 0..2, store).expect("before the epoch");
    rank.fence().expect("legal");
    rank.access(AccessKind::Put, 1, 0).expect("the store lies before the fence");
    assert_eq!(
        violation_of(rank.0.local_access(AccessKind::Load, 1..2, load)),
        (8, Verb::WindowRead, Some(Verb::Put))
    );
    rank.0.local_access(AccessKind::Store, 2..4, store).expect("elsewhere");
    let own = rank.access(AccessKind::Get, 1, 3).map(drop);
    assert_eq!(violation_of(own), (8, Verb::Put, Some(Verb::WindowWrite)));
}

#[test]
fn rule_9_what_ends_must_have_begun() {
    use Verb::*;
    assert_eq!(refuses(&[], Rank1::complete), (9, Complete, Some(WindowCreate)));
    assert_eq!(refuses(&[], Rank1::wait), (9, WindowWait, Some(WindowCreate)));
    assert_eq!(refuses(&[], |r| r.unlock(0)), (9, Unlock, Some(WindowCreate)));
    assert_eq!(refuses(&[|r| r.lock(0)], |r| r.unlock(2)), (9, Unlock, Some(Lock)));
    assert_eq!(refuses(&[Rank1::lock_all], |r| r.unlock(2)), (9, Unlock, Some(LockAll)));
    assert_eq!(refuses(&[|r| r.lock(0)], Rank1::unlock_all), (9, UnlockAll, Some(Lock)));
    assert_eq!(refuses(&[|r| r.lock(0)], Rank1::complete), (9, Complete, Some(Lock)));
    assert_eq!(refuses(&[Rank1::fence, |r| r.put(0)], |r| r.flush(None)), (9, Flush, Some(Put)));
    assert_eq!(refuses(&[|r| r.lock(0)], |r| r.flush(Some(2))), (9, Flush, Some(Lock)));
    let twice: [Step; 2] = [|r| r.start(&[0]), Rank1::complete];
    assert_eq!(refuses(&twice, Rank1::complete), (9, Complete, Some(Complete)));
    allows(&[Rank1::lock_all, |r| r.flush(Some(2)), |r| r.flush(None), Rank1::unlock_all]);
}

#[test]
fn rule_9_a_dropped_guard_is_told_at_the_next_call_until_its_end_is_called() {
    let mut rank = Rank1::new();
    rank.start(&[0]).expect("legal");
    rank.0.guard_dropped(DroppedEpoch::Access);
    assert_eq!(violation_of(rank.put(0)), (9, Verb::Put, Some(Verb::Start)));
    assert_eq!(violation_of(rank.free()), (9, Verb::WindowFree, Some(Verb::Start)));
    rank.complete().expect("the end of the epoch");
    rank.free().expect("nothing is open");
    rank.lock(2).expect("legal");
    rank.0.guard_dropped(DroppedEpoch::Lock(2));
    assert_eq!(violation_of(rank.fence()), (9, Verb::Fence, Some(Verb::Lock)));
    rank.unlock(2).expect("the end of the epoch");
    rank.post(&[2]).expect("legal");
    rank.0.guard_dropped(DroppedEpoch::Exposure);
    assert_eq!(violation_of(rank.start(&[0])), (9, Verb::Start, Some(Verb::Post)));
    rank.wait().expect("the end of the epoch");
    // The drop of a guard whose epoch has already ended records nothing.
    rank.0.guard_dropped(DroppedEpoch::Exposure);
    rank.fence().expect("nothing is open");
}

#[test]
fn rule_10_no_free_inside_an_epoch() {
    use Verb::*;
    assert_eq!(refuses(&[|r| r.start(&[0])], Rank1::free), (10, WindowFree, Some(Start)));
    assert_eq!(refuses(&[|r| r.post(&[0])], Rank1::free), (10, WindowFree, Some(Post)));
    assert_eq!(refuses(&[|r| r.lock(0)], Rank1::free), (10, WindowFree, Some(Lock)));
    assert_eq!(refuses(&[Rank1::lock_all], Rank1::free), (10, WindowFree, Some(LockAll)));
    assert_eq!(refuses(&[Rank1::fence, |r| r.put(0)], Rank1::free), (10, WindowFree, Some(Put)));
    allows(&[Rank1::fence, Rank1::free]);
    let mut rank = Rank1::new();
    rank.0.set_freed(CallSite::caller(Verb::WindowFree));
    let calls: [Step; 5] = [Rank1::fence, |r| r.put(0), Rank1::complete, |r| r.unlock(0), Rank1::free];
    assert!(calls.iter().all(|call| violation_of(call(&mut rank)).0 == 10));
}

#[test]
fn rule_12_assertions_that_this_rank_knows_to_be_false() {
    let mut rank = Rank1::new();
    let no_precede = Assertion { no_precede: true, ..NO_ASSERTIONS };
    let no_store = Assertion { no_store: true, ..NO_ASSERTIONS };
    rank.0.fence(no_precede, CallSite::caller(Verb::Fence)).expect("nothing came before");
    rank.put(0).expect("legal");
    let fence = rank.0.fence(no_precede, CallSite::caller(Verb::Fence));
    assert_eq!(violation_of(fence), (12, Verb::Fence, Some(Verb::Put)));
    rank.fence().expect("legal");
    rank.0.local_access(AccessKind::Store, 0..1, CallSite::caller(Verb::WindowWrite)).expect("legal");
    let post = rank.0.post(&[0], no_store, CallSite::caller(Verb::Post));
    assert_eq!(violation_of(post), (12, Verb::Post, Some(Verb::WindowWrite)));
    let lock = rank.0.lock(0, no_store, CallSite::caller(Verb::Lock));
    assert_eq!(violation_of(lock), (12, Verb::Lock, None), "a lock takes NOCHECK only");
    rank.fence().expect("legal");
    rank.0.post(&[0], no_store, CallSite::caller(Verb::Post)).expect("nothing stored since the fence");
}

#[test]
fn tickets_are_good_after_the_end_or_a_flush() {
    let mut rank = Rank1::new();
    rank.lock(0).expect("legal");
    rank.lock(2).expect("legal");
    let (here, there) = (
        rank.access(AccessKind::Get, 0, 0).expect("legal"),
        rank.access(AccessKind::Get, 2, 0).expect("legal"),
    );
    assert!(!here.get() && !there.get());
    rank.flush(Some(0)).expect("legal");
    assert!(here.get() && !there.get());
    rank.unlock(2).expect("legal");
    assert!(there.get());
}
