//! A decorator that overrides nothing forwards every method, including those with a default implementation.
use std::{rc::Rc, sync::atomic::AtomicI64};

use wb_comm::{
    Access, AccessKind, Block, BorrowedBuffers, CallSite, CartesianGrid, CollectiveCall, CollectiveKind,
    CollectiveSchedule, Collectives, CollectivesDecorator, Datatype, ErasedWindow, Error, Layout,
    LayoutBuffers, LayoutView, NewTopology, OwnedBuffers, Pending, Rank, Result, Transport,
    TransportDecorator, Verb, View, ViewMut, WindowDecorator, WindowKind, WordUpdate,
};

use super::calls::{job, returned_values, send};

/// An error that no default returns.
const REFUSAL: Error = Error::Rank { role: "decorated", rank: 7, size: 5 };

static WORDS: [AtomicI64; 3] = [const { AtomicI64::new(0) }; 3];

/// A transport whose methods with a default return other values than the default.
struct Peculiar(Rc<dyn Transport>);

impl TransportDecorator for Peculiar {
    fn inner(&self) -> &dyn Transport {
        &*self.0
    }
    fn enter_collective(&self, _: CollectiveCall) -> Result<()> {
        Err(REFUSAL)
    }
    fn window(&self, _: WindowKind, _: Datatype, _: usize, _: CallSite) -> Result<Box<dyn ErasedWindow>> {
        Err(REFUSAL)
    }
    fn start_schedule(
        &self,
        _: CollectiveSchedule,
        _: OwnedBuffers,
        _: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Err(REFUSAL)
    }
    fn create_topology(&self, _: &NewTopology, _: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        Err(REFUSAL)
    }
    fn nodes(&self, _: CallSite) -> Result<Vec<usize>> {
        Ok(vec![7])
    }
    fn shares_address_space(&self) -> bool {
        true
    }
    fn observes_collectives(&self) -> bool {
        false
    }
    fn native_collectives(&self) -> Option<&dyn Collectives> {
        Some(&Accepting)
    }
    fn read_clock(&self) -> Option<u64> {
        None
    }
    fn work(&self, flops: u64, bytes: u64) -> u64 {
        flops + 10 * bytes
    }
    fn rounds(&self) -> Option<u64> {
        Some(7)
    }
}

/// Collectives whose every method answers in a way of its own.
struct Accepting;

impl Collectives for Accepting {
    fn run(&self, _: CollectiveKind<'_>, _: BorrowedBuffers<'_>, _: CallSite) -> Result<()> {
        Err(Error::RootBuffer { root: 7 })
    }
    fn start(&self, _: CollectiveKind<'_>, _: OwnedBuffers, _: CallSite) -> Result<Box<dyn Pending>> {
        Err(REFUSAL)
    }
    fn run_layout(&self, _: Rank, _: LayoutBuffers<'_>, _: CallSite) -> Result<()> {
        Err(Error::RootBuffer { root: 9 })
    }
    fn run_in_place(&self, _: CollectiveKind<'_>, _: ViewMut<'_>, _: CallSite) -> Result<()> {
        Err(Error::RootBuffer { root: 8 })
    }
    fn ibarrier_and_wait(&self, _: CallSite) -> Result<()> {
        Ok(())
    }
}

/// A window whose methods with a default return other values than the default.
struct PeculiarWindow(Box<dyn ErasedWindow>);

impl WindowDecorator for PeculiarWindow {
    fn inner(&self) -> &dyn ErasedWindow {
        &*self.0
    }
    fn update_word(&self, _: Rank, _: usize, _: WordUpdate, _: CallSite) -> Result<()> {
        Err(REFUSAL)
    }
    fn is_unified(&self) -> bool {
        false
    }
    fn shared_words(&self) -> Option<&[AtomicI64]> {
        Some(&WORDS)
    }
    fn observe_access(&self, access: Access) -> bool {
        access.target == 7
    }
    fn free(self: Box<Self>, site: CallSite) -> Result<()> {
        self.0.free(site)
    }
}

/// A decorator that overrides nothing. While it is blocked, its calls fail.
struct Plain<T> {
    inner: T,
    is_blocked: bool,
}

impl TransportDecorator for Plain<Rc<dyn Transport>> {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }
    fn inner_for_call(&self) -> Result<&dyn Transport> {
        if self.is_blocked { Err(REFUSAL) } else { Ok(self.inner()) }
    }
}

impl WindowDecorator for Plain<Box<dyn ErasedWindow>> {
    fn inner(&self) -> &dyn ErasedWindow {
        &*self.inner
    }
    fn free(self: Box<Self>, site: CallSite) -> Result<()> {
        self.inner.free(site)
    }
}

impl CollectivesDecorator for Plain<&dyn Collectives> {
    fn inner(&self) -> &dyn Collectives {
        self.inner
    }
}

/// Runs `test` on the only rank of a job.
fn on_one_rank(test: impl Fn(Rc<dyn Transport>) + Send + Sync + 'static) {
    returned_values::<()>(job(1, test));
}

#[test]
fn a_transport_decorator_forwards_every_method() {
    on_one_rank(|world| {
        let plain = Plain { inner: Rc::new(Peculiar(world)) as Rc<dyn Transport>, is_blocked: false };
        let transport: &dyn Transport = &plain;
        let site = CallSite::caller(Verb::Barrier);
        assert_eq!((transport.rank(), transport.size(), transport.backend()), (0, 1, "threads"));
        assert_eq!(transport.enter_collective(CollectiveCall::new(site)), Err(REFUSAL));
        assert_eq!(transport.window(WindowKind::Create, Datatype::I64, 1, site).err(), Some(REFUSAL));
        let grid = CartesianGrid { dims: vec![1], periods: vec![true] };
        let topology = NewTopology::Cartesian { grid, reorder: false };
        assert_eq!(transport.create_topology(&topology, site).err(), Some(REFUSAL));
        assert_eq!(transport.nodes(site), Ok(vec![7]));
        assert!(transport.shares_address_space() && !transport.observes_collectives());
        assert_eq!(transport.work(1, 2), 21);
        assert_eq!((transport.rounds(), transport.read_clock()), (Some(7), None));
        let native = transport.native_collectives().expect("those of the decorated transport");
        assert_eq!(native.ibarrier_and_wait(site), Ok(()));
        let buffers = || OwnedBuffers { send: Block::from_vec(vec![0]), recv: Block::from_vec(vec![0]) };
        let started = transport.start_schedule(CollectiveSchedule::default(), buffers(), site);
        assert_eq!(started.err(), Some(REFUSAL));
        assert_eq!(native.start(CollectiveKind::Barrier, buffers(), site).err(), Some(REFUSAL));
    });
}

#[test]
fn a_window_decorator_forwards_every_method() {
    on_one_rank(|world| {
        let site = CallSite::caller(Verb::WindowCreate);
        let inner = world.window(WindowKind::Create, Datatype::I64, 3, site).expect("threads have windows");
        let inner: Box<dyn ErasedWindow> = Box::new(PeculiarWindow(inner));
        let window: Box<dyn ErasedWindow> = Box::new(Plain { inner, is_blocked: false });
        assert_eq!((window.rank(), window.size(), window.count(0)), (0, 1, 3));
        assert_eq!((window.datatype(), window.kind()), (Datatype::I64, WindowKind::Create));
        assert_eq!(window.update_word(0, 0, WordUpdate::Add(1), site), Err(REFUSAL));
        assert!(!window.is_unified());
        assert_eq!(window.shared_words().map(<[AtomicI64]>::len), Some(WORDS.len()));
        let (elements, kind) = (0..1, AccessKind::Put);
        let access = Access { kind, target: 7, elements, covers_whole_part: false, is_locked: false, site };
        assert!(window.observe_access(access));
        window.free(site).expect("no epoch is open");
    });
}

#[test]
fn a_decorator_of_collectives_forwards_every_method() {
    let site = CallSite::caller(Verb::Barrier);
    let plain = Plain { inner: &Accepting as &dyn Collectives, is_blocked: false };
    let plain: &dyn Collectives = &plain;
    assert_eq!(plain.ibarrier_and_wait(site), Ok(()));
    assert_eq!(plain.barrier(site), Err(Error::RootBuffer { root: 7 }));
    let (send, recv) = (View::from_slice(&[0]), ViewMut::from_slice::<i32>(&mut []));
    let layout = Layout::contiguous(0);
    let buffers = LayoutBuffers::Scatter(LayoutView::new(send, &layout).expect("nothing"), recv);
    assert_eq!(plain.run_layout(0, buffers, site), Err(Error::RootBuffer { root: 9 }));
    let in_place = plain.run_in_place(CollectiveKind::Barrier, ViewMut::from_slice(&mut [0]), site);
    assert_eq!(in_place, Err(Error::RootBuffer { root: 8 }));
    let buffers = OwnedBuffers { send: Block::from_vec(vec![0]), recv: Block::from_vec(vec![0]) };
    assert_eq!(plain.start(CollectiveKind::Barrier, buffers, site).err(), Some(REFUSAL));
}

#[test]
fn what_a_decorator_does_before_a_call_comes_before_every_call() {
    on_one_rank(|world| {
        let plain = Plain { inner: world, is_blocked: true };
        let transport: &dyn Transport = &plain;
        assert_eq!(send(transport, 0, 0, &[1_u8]), Err(REFUSAL));
        assert_eq!(transport.dup(CallSite::caller(Verb::Dup)).err(), Some(REFUSAL));
        assert_eq!(transport.rank(), 0, "a property is no call");
    });
}
