//! Memory that the ranks of a team share, wherever they run: [`TeamMemory`]; for threads [`TeamThreadMemory`], for processes [`TeamWindowMemory`].
use std::{
    any::Any,
    cell::Cell,
    collections::HashMap,
    ops::Range,
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed},
    },
};

use wb_comm::{CallSite, Datatype, ErasedWindow, Error, Result, Verb, WindowKind, text};
use wb_world::{FrameworkCalls as _, World};

/// The memory that ranks share.
pub trait TeamMemory {
    /// Collective over `team`: `count` atomics that all its ranks see, each with that value.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn region(&self, team: &World, count: usize, initial: i64) -> Result<Box<dyn Region>>;

    /// Set when waiting has become vain: a rank has failed, or the time is over.
    fn stop_flag(&self) -> &Arc<AtomicBool>;

    /// The process that all ranks are threads of, if they are.
    fn one_process(&self) -> Option<&TeamThreadMemory> {
        None
    }
}

/// Shared atomics.
pub trait Region {
    /// All of them.
    fn atoms(&self) -> &[AtomicI64];

    /// Collective: gives them up.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn close(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// A shared value, and the number of ranks that have taken it.
type SharedValue = (Arc<dyn Any + Send + Sync>, usize);

/// Ranks are threads: a region is a vector that they share.
#[derive(Debug, Default)]
pub struct TeamThreadMemory {
    shared: Mutex<HashMap<u64, SharedValue>>,
    next: AtomicU64,
    stop_flag: Arc<AtomicBool>,
}

impl TeamThreadMemory {
    /// Collective over `team`: a vector that all its ranks share.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn vector(&self, team: &World, count: usize, initial: i64) -> Result<Arc<[AtomicI64]>> {
        let vector = || (0..count).map(|_| AtomicI64::new(initial)).collect::<Arc<[_]>>();
        Ok(Arc::clone(&*self.share(team, vector)?))
    }

    /// Collective over `team`: what rank 0 makes is all ranks'.
    ///
    /// # Errors
    /// What the transport can meet.
    ///
    /// # Panics
    /// When another rank has panicked while it held the list of what is shared, or ranks share different types.
    pub fn share<T: Send + Sync + 'static>(&self, team: &World, make: impl FnOnce() -> T) -> Result<Arc<T>> {
        let mut number = [if team.rank() == 0 { self.store(Arc::new(make())) } else { 0 }];
        team.bcast(&mut number, 0)?;
        let mut shared = self.shared.lock().expect("no thread panics with the lock");
        let (stored, fetched_by) = shared.get_mut(&number[0]).expect("inserted before its number was sent");
        let taken = Arc::clone(stored);
        *fetched_by += 1;
        if *fetched_by == team.size() {
            shared.remove(&number[0]);
        }
        Ok(taken.downcast().unwrap_or_else(|_| panic!("all ranks share the same")))
    }

    fn store(&self, what: Arc<dyn Any + Send + Sync>) -> u64 {
        let number = self.next.fetch_add(1, Relaxed);
        self.shared.lock().expect("no thread panics with the lock").insert(number, (what, 0));
        number
    }
}

impl TeamMemory for TeamThreadMemory {
    fn region(&self, team: &World, count: usize, initial: i64) -> Result<Box<dyn Region>> {
        Ok(Box::new(self.vector(team, count, initial)?))
    }

    fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop_flag
    }

    fn one_process(&self) -> Option<&TeamThreadMemory> {
        Some(self)
    }
}

impl Region for Arc<[AtomicI64]> {
    fn atoms(&self) -> &[AtomicI64] {
        self
    }
}

/// Ranks are threads or processes of one node: regions lie in one window that all of them map. To create a window takes
/// far longer than a law does, and each law wants regions of its own.
pub struct TeamWindowMemory {
    window: Rc<Box<dyn ErasedWindow>>,
    rank: usize,
    /// Atomics that a rank may allocate for the teams whose first member it is.
    capacity: usize,
    /// How many of them it has.
    allocated: Cell<usize>,
    stop_flag: Arc<AtomicBool>,
}

impl TeamWindowMemory {
    /// Collective: a window with room for regions of `each` atomics of the teams that a rank leads.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn new(world: &World, each: usize) -> Result<Self> {
        // All of it lies with rank 0: how the parts of several ranks lie to each other is the library's business.
        let own = if world.rank() == 0 { each * world.size() } else { 0 };
        let window = world.transport().window(
            WindowKind::Shared,
            Datatype::I64,
            own,
            CallSite::caller(Verb::Barrier),
        )?;
        window.shared_words().ok_or_else(|| Error::Setup(text::window::not_shared()))?;
        let (window, rank) = (Rc::new(window), world.rank());
        Ok(Self { window, rank, capacity: each, allocated: Cell::new(0), stop_flag: Arc::default() })
    }

    /// Collective over all that have regions here, none of which is used again.
    ///
    /// # Errors
    /// What the transport can meet.
    pub fn clear(&self, world: &World) -> Result<()> {
        self.allocated.set(0);
        world.barrier()
    }

    /// Collective: gives the window back.
    ///
    /// # Errors
    /// What the transport can meet.
    ///
    /// # Panics
    /// When a region is still held.
    pub fn free(self) -> Result<()> {
        let window = Rc::try_unwrap(self.window).unwrap_or_else(|_| panic!("a region is still held"));
        window.free(CallSite::caller(Verb::Barrier))
    }

    /// Where the next `count` atomics of this rank begin; they are aligned to a cache line, and hold `initial`.
    fn allocate(&self, count: usize, initial: i64) -> usize {
        let first = self.allocated.get();
        self.allocated.set((first + count).next_multiple_of(16));
        assert!(
            self.allocated.get() <= self.capacity,
            "{} atomics of {}",
            self.allocated.get(),
            self.capacity
        );
        let first = self.rank * self.capacity + first;
        let atoms = self.window.shared_words().expect("looked at when it was made");
        atoms[first..first + count].iter().for_each(|atom| atom.store(initial, Relaxed));
        first
    }
}

impl TeamMemory for TeamWindowMemory {
    fn region(&self, team: &World, count: usize, initial: i64) -> Result<Box<dyn Region>> {
        let mut first = [if team.rank() == 0 { self.allocate(count, initial) } else { 0 }];
        team.bcast(&mut first, 0)?;
        Ok(Box::new(WindowRegion { window: Rc::clone(&self.window), atoms: first[0]..first[0] + count }))
    }

    fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop_flag
    }
}

struct WindowRegion {
    window: Rc<Box<dyn ErasedWindow>>,
    atoms: Range<usize>,
}

impl Region for WindowRegion {
    fn atoms(&self) -> &[AtomicI64] {
        &self.window.shared_words().expect("looked at when it was made")[self.atoms.clone()]
    }
}
