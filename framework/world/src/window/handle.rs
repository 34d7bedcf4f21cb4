//! A window without its element type: every verb asks the rules first, then the backend, then tells the rules.
//!
//! The order matters where calls block. What this rank opens is told before the backend is called, since others may act on
//! it as soon as the backend knows; what it gives up under a lock is told before as well, since the next holder comes
//! while the call returns; what a lock or a wait brings is told after it.
use std::{
    cell::{Ref, RefCell, RefMut},
    mem,
    ops::Range,
    rc::Rc,
    sync::atomic::AtomicI64,
};

use wb_collectives::Algorithms;
use wb_comm::{
    Assertion, Call, Collectives, Error, LockKind, Rank, Result, Rule, Site, Text, Touch, Touched, Transport,
    View, ViewMut, Violation, text::epoch,
};

use super::{
    balance::{self, Balance},
    board::Shared,
    epoch::{Done, Dropped, Machine, Model, Under},
};
use wb_record::{Act, Shape};

use crate::{
    Ledger,
    recorder::{self, Recorder, Recording, number, numbers},
};

/// To whom a window tells what is done on it.
pub(crate) struct Told {
    pub(crate) ledger: Rc<Ledger>,
    pub(crate) recording: Recording,
    /// Size of an element.
    pub(crate) element_bytes: usize,
}

/// See the module.
pub(crate) struct Handle {
    backend: RefCell<Option<Box<dyn wb_comm::Window>>>,
    machine: RefCell<Machine>,
    board: Option<Shared>,
    transport: Rc<dyn Transport>,
    pub(crate) told: Told,
    pub(crate) rank: Rank,
    pub(crate) size: usize,
    /// Elements of each rank's part.
    counts: Vec<usize>,
}

impl Handle {
    /// Takes a backend's window over. Collective: the ranks of one process find a common board.
    pub(crate) fn new(
        backend: Box<dyn wb_comm::Window>,
        transport: Rc<dyn Transport>,
        told: Told,
        site: Site,
    ) -> Result<Self> {
        let (rank, size) = (transport.rank(), transport.size());
        let board = if transport.one_process() { Some(common_board(&*transport, site)?) } else { None };
        let model = if backend.unified() { Model::Unified } else { Model::Separate };
        let counts = (0..size).map(|rank| backend.count(rank)).collect();
        let machine = RefCell::new(Machine::new(rank, size, model, site));
        let backend = RefCell::new(Some(backend));
        Ok(Self { backend, machine, board, transport, told, rank, size, counts })
    }

    /// Runs a verb; if it fails, its call is remembered.
    pub(crate) fn at<R>(&self, site: Site, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        verb().inspect_err(|_| self.told.ledger.refuse(site))
    }

    /// The same; where the world is traced, the verb is written down as `act`.
    fn noted<R>(
        &self,
        site: Site,
        verb: impl FnOnce() -> Result<R>,
        act: impl FnOnce(&Recorder, &R) -> Act,
    ) -> Result<R> {
        recorder::around(&self.told.recording, site, || self.at(site, verb), act)
    }

    /// The same for a verb that concerns no call of another rank.
    fn alone<R>(&self, site: Site, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        self.noted(site, verb, |_, _| Act::Local)
    }

    /// The same for a verb of all ranks.
    fn together(&self, site: Site, verb: impl FnOnce() -> Result<()>) -> Result<()> {
        self.noted(site, verb, |recorder, ()| recorder.collective(Shape::All, 0))
    }

    pub(crate) fn machine(&self) -> RefMut<'_, Machine> {
        self.machine.borrow_mut()
    }

    pub(crate) fn count(&self, rank: Rank) -> usize {
        self.counts.get(rank).copied().unwrap_or(0)
    }

    fn call(&self, site: Site) -> Call {
        Call { rank: self.rank, site }
    }

    fn backend<R>(&self, verb: impl FnOnce(&dyn wb_comm::Window) -> Result<R>) -> Result<R> {
        let backend = self.backend.borrow();
        verb(&**backend.as_ref().expect("the rules refuse every verb of a window that is gone"))
    }

    /// Runs an access that the rules allow.
    pub(crate) fn access<R>(
        &self,
        site: Site,
        kind: Touch,
        target: Rank,
        elements: Range<usize>,
        access: impl FnOnce(&dyn wb_comm::Window) -> Result<R>,
    ) -> Result<(R, Done)> {
        let bytes = (elements.len() * self.told.element_bytes) as u64;
        let verb = || {
            self.machine().exists(site)?;
            if target < self.size {
                self.inside(site, target, &elements)?;
            }
            let under = self.machine().may_touch(kind, target, &elements, site)?;
            self.show(site, target, under, kind, elements.clone())?;
            let done = self.machine().touch(kind, target, elements, site);
            Ok((self.backend(access)?, done))
        };
        self.noted(site, verb, |_, _| Act::Access { target: number(target), bytes })
    }

    fn show(
        &self,
        site: Site,
        target: Rank,
        under: Under,
        kind: Touch,
        elements: Range<usize>,
    ) -> Result<()> {
        let Some(board) = &self.board else { return Ok(()) };
        let locked = under == Under::Lock;
        let touched = Touched { how: kind, target, elements: elements.clone(), whole: false, locked, site };
        if self.backend(|backend| Ok(backend.witness(touched)))? && locked {
            return Ok(());
        }
        board.look().touch(self.call(site), target, under, kind, elements)
    }

    fn inside(&self, site: Site, target: Rank, elements: &Range<usize>) -> Result<()> {
        let (opened, verb) = (self.count(target), site.verb);
        if elements.end <= opened {
            return Ok(());
        }
        Err(Error::Range { verb, target, at: elements.start, count: elements.len(), opened })
    }

    pub(crate) fn fence(&self, assertion: Assertion, site: Site) -> Result<()> {
        self.together(site, || {
            let (own, model, number) = {
                let mut machine = self.machine();
                let own = machine.own.clone();
                machine.fence(assertion, site)?;
                (own, machine.model, machine.fences)
            };
            if let Some(board) = &self.board {
                board.look().fence(self.call(site), number, assertion);
            }
            self.backend(|backend| backend.fence(assertion, site))?;
            self.told.ledger.collective(site);
            let Some(board) = &self.board else { return Ok(()) };
            board.look().fenced(self.call(site), number, &own, model)
        })
    }

    pub(crate) fn post(&self, origins: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        let verb = || {
            let before = self.machine().exposure.clone();
            self.machine().post(origins, assertion, site)?;
            if let Some(board) = &self.board {
                let told = board.look().post(self.call(site), origins, assertion);
                told.inspect_err(|_| self.machine().exposure = before)?;
            }
            self.machine().posted_to(origins);
            self.backend(|backend| backend.post(origins, assertion, site))
        };
        self.noted(site, verb, |_, ()| Act::Post { peers: numbers(origins) })
    }

    pub(crate) fn start(&self, targets: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        let verb = || {
            let before = self.machine().access.clone();
            self.machine().start(targets, assertion, site)?;
            if let Some(board) = &self.board {
                let told = board.look().start(self.call(site), targets, assertion.no_check);
                told.inspect_err(|_| self.machine().access = before)?;
            }
            self.machine().started_to(targets);
            self.backend(|backend| backend.start(targets, assertion, site))
        };
        self.noted(site, verb, |_, ()| Act::Start { peers: numbers(targets) })
    }

    pub(crate) fn complete(&self, site: Site) -> Result<()> {
        let verb = || {
            let targets = self.machine().complete(site)?;
            self.backend(|backend| backend.complete(site))?;
            Ok(targets)
        };
        self.noted(site, verb, |_, targets| Act::Complete { peers: numbers(targets) }).map(drop)
    }

    pub(crate) fn wait(&self, site: Site) -> Result<()> {
        let verb = || {
            let origins = self.machine().wait(site)?;
            self.backend(|backend| backend.wait(site))?;
            self.exposed_no_more(&origins, site)?;
            Ok(origins)
        };
        self.noted(site, verb, |_, origins| Act::Wait { peers: numbers(origins) }).map(drop)
    }

    pub(crate) fn test(&self, site: Site) -> Result<bool> {
        let verb = || {
            let origins = self.machine().wait(site)?;
            let over = self.backend(|backend| backend.test(site))?;
            if over {
                self.exposed_no_more(&origins, site)?;
            }
            Ok(over.then_some(origins))
        };
        let act = |_: &Recorder, over: &Option<Vec<Rank>>| {
            over.as_ref().map_or(Act::Local, |origins| Act::Wait { peers: numbers(origins) })
        };
        Ok(self.noted(site, verb, act)?.is_some())
    }

    fn exposed_no_more(&self, origins: &[Rank], site: Site) -> Result<()> {
        let (own, model) = {
            let mut machine = self.machine();
            let own = mem::take(&mut machine.own);
            machine.waited();
            (own, machine.model)
        };
        let Some(board) = &self.board else { return Ok(()) };
        board.look().waited(self.call(site), origins, &own, model)
    }

    pub(crate) fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: Site) -> Result<()> {
        self.alone(site, || {
            self.machine().lock(target, assertion, site)?;
            let (call, targets) = (self.call(site), target..target + 1);
            if let Some(board) = &self.board {
                board.look().may_lock(call, targets.clone(), kind, assertion.no_check)?;
            }
            self.backend(|backend| backend.lock(kind, target, assertion, site))?;
            if let Some(board) = &self.board {
                let told = board.look().locked(call, targets, kind);
                told.or_else(|refused| {
                    self.backend(|backend| backend.unlock(target, site))?;
                    Err(refused)
                })?;
            }
            self.machine().locked(kind, target, site);
            Ok(())
        })
    }

    pub(crate) fn unlock(&self, target: Rank, site: Site) -> Result<()> {
        self.alone(site, || {
            self.machine().unlock(target, site)?;
            if let Some(board) = &self.board {
                board.look().unlocking(self.rank, target..target + 1);
            }
            self.backend(|backend| backend.unlock(target, site))?;
            self.machine().unlocked(target, site);
            Ok(())
        })
    }

    pub(crate) fn lock_all(&self, assertion: Assertion, site: Site) -> Result<()> {
        self.alone(site, || {
            self.machine().lock_all(assertion, site)?;
            let (call, all, kind) = (self.call(site), 0..self.size, LockKind::Shared);
            if let Some(board) = &self.board {
                board.look().may_lock(call, all.clone(), kind, assertion.no_check)?;
            }
            self.backend(|backend| backend.lock_all(assertion, site))?;
            if let Some(board) = &self.board {
                let told = board.look().locked(call, all, kind);
                told.or_else(|refused| {
                    self.backend(|backend| backend.unlock_all(site))?;
                    Err(refused)
                })?;
            }
            self.machine().locked_all(site);
            Ok(())
        })
    }

    pub(crate) fn unlock_all(&self, site: Site) -> Result<()> {
        self.alone(site, || {
            self.machine().unlock_all(site)?;
            if let Some(board) = &self.board {
                board.look().unlocking(self.rank, 0..self.size);
            }
            self.backend(|backend| backend.unlock_all(site))?;
            self.machine().unlocked_all(site);
            Ok(())
        })
    }

    pub(crate) fn flush(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.alone(site, || {
            self.machine().flush(target, site)?;
            self.backend(|backend| backend.flush(target, site))?;
            self.machine().flushed(target);
            if let Some(board) = &self.board {
                board.look().completed(self.rank, target);
            }
            Ok(())
        })
    }

    pub(crate) fn flush_local(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.alone(site, || {
            self.machine().flush(target, site)?;
            self.backend(|backend| backend.flush_local(target, site))?;
            self.machine().returned(target);
            Ok(())
        })
    }

    pub(crate) fn sync(&self, site: Site) -> Result<()> {
        self.alone(site, || {
            self.machine().sync(site)?;
            self.backend(|backend| backend.sync(site))
        })
    }

    pub(crate) fn read(&self, at: usize, into: ViewMut<'_>, site: Site) -> Result<()> {
        self.by_hand(Touch::Load, at..at + into.count(), site)?;
        self.alone(site, || self.backend(|backend| backend.read(at, into)))
    }

    pub(crate) fn write(&self, at: usize, from: View<'_>, site: Site) -> Result<()> {
        self.by_hand(Touch::Store, at..at + from.count(), site)?;
        self.alone(site, || self.backend(|backend| backend.write(at, from)))
    }

    fn by_hand(&self, kind: Touch, elements: Range<usize>, site: Site) -> Result<()> {
        self.at(site, || {
            self.inside(site, self.rank, &elements)?;
            let whole = kind == Touch::Store && self.machine().model == Model::Separate;
            let (target, locked) = (self.rank, false);
            let touched = Touched { how: kind, target, elements: elements.clone(), whole, locked, site };
            self.machine().exists(site)?;
            let watched = self.backend(|backend| Ok(backend.witness(touched)))?;
            if let Some(board) = self.board.as_ref().filter(|_| !watched) {
                board.look().free_of_locked(self.call(site), self.rank, kind, &elements)?;
            }
            self.machine().by_hand(kind, elements, site)
        })
    }

    pub(crate) fn dropped(&self, what: Dropped) {
        self.machine().dropped(what);
    }

    /// Collective: gives the window up if all ranks may.
    pub(crate) fn free(&self, site: Site) -> Result<()> {
        self.together(site, || {
            let mine = self.machine().may_free(site);
            let all = self.balances(mine.is_ok(), site)?;
            mine?;
            if let Some(rank) = all.iter().position(|balance| !balance.outside) {
                let situation = epoch::may_not_free(rank);
                return Err(self.refused(Rule::Free, site, situation, epoch::free_outside()));
            }
            let backend = self.backend.borrow_mut().take().expect("the rules refuse a second free");
            self.machine().freed(site);
            backend.free(site)?;
            self.told.ledger.collective(site);
            self.pairs_match(&all, site)
        })
    }

    /// Everybody's account at the end.
    fn balances(&self, outside: bool, site: Site) -> Result<Vec<Balance>> {
        let mine = self.machine().balance(outside).numbers();
        let mut all = vec![0u64; mine.len() * self.size];
        Algorithms(&*self.transport).allgather(View::of(&mine), ViewMut::of(&mut all), site)?;
        Ok(all.chunks_exact(mine.len()).map(Balance::of).collect())
    }

    /// Rules 11 and 12, as far as the end shows them.
    fn pairs_match(&self, all: &[Balance], site: Site) -> Result<()> {
        if let Some(situation) = balance::unmatched(all) {
            return Err(self.refused(Rule::Matched, site, situation, epoch::post_for_start()));
        }
        let Some(situation) = balance::fences_differ(all) else { return Ok(()) };
        let allowed = epoch::fence_assertions_equal();
        Err(self.refused(Rule::Assertions, site, situation, allowed))
    }

    fn refused(&self, rule: Rule, site: Site, situation: Text, allowed: Text) -> Error {
        let earlier = Some(self.call(self.machine().access_site()));
        Error::Epoch(Box::new(Violation { rule, call: self.call(site), earlier, situation, allowed }))
    }

    pub(crate) fn shared(&self) -> Option<Ref<'_, [AtomicI64]>> {
        Ref::filter_map(self.backend.borrow(), |backend| backend.as_ref()?.shared()).ok()
    }
}

/// The first rank hangs it up and tells the others where.
fn common_board(transport: &dyn Transport, site: Site) -> Result<Shared> {
    let mut made = None;
    let mut id = [0u64];
    if transport.rank() == 0 {
        let (board, number) = Shared::hang_up(transport.size());
        (made, id) = (Some(board), [number]);
    }
    Algorithms(transport).bcast(ViewMut::of(&mut id), 0, site)?;
    let board = made.or_else(|| Shared::find(id[0])).expect("the backend's ranks are threads of one process");
    // Rank 0 must keep it until everybody has it.
    Algorithms(transport).barrier(site)?;
    Ok(board)
}
