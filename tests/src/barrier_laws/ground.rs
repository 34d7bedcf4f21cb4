//! Memory that the ranks of a team share, wherever they run: [`Ground`]; for threads [`OnThreads`], for processes [`OnWindows`].
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed},
    },
};

use wb_comm::{Error, Layout, Result, Site, Verb, Window, WindowKind};
use wb_world::World;

/// What ranks share beside messages.
pub trait Ground {
    /// Collective over `team`: `count` atomics that all its ranks see, each with that value.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn region(&self, team: &World, count: usize, initial: i64) -> Result<Box<dyn Region>>;

    /// Set when waiting has become vain: a rank has failed, or the time is over.
    fn given_up(&self) -> &Arc<AtomicBool>;
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

/// A vector, and how many ranks have taken it.
type Laid = (Arc<[AtomicI64]>, usize);

/// Ranks are threads: a region is a vector that they share.
#[derive(Debug, Default)]
pub struct OnThreads {
    regions: Mutex<HashMap<u64, Laid>>,
    next: AtomicU64,
    given_up: Arc<AtomicBool>,
}

impl OnThreads {
    /// Collective over `team`: a vector that all its ranks share.
    ///
    /// # Errors
    /// What the transport can meet.
    ///
    /// # Panics
    /// When another rank has panicked while it held the list of vectors.
    pub fn vector(&self, team: &World, count: usize, initial: i64) -> Result<Arc<[AtomicI64]>> {
        let mut number = [if team.rank() == 0 { self.lay(count, initial) } else { 0 }];
        team.bcast(&mut number, 0)?;
        let mut regions = self.regions.lock().expect("nobody panics with it");
        let (region, takers) = regions.get_mut(&number[0]).expect("laid before its number was told");
        let region = Arc::clone(region);
        *takers += 1;
        if *takers == team.size() {
            regions.remove(&number[0]);
        }
        Ok(region)
    }

    fn lay(&self, count: usize, initial: i64) -> u64 {
        let number = self.next.fetch_add(1, Relaxed);
        let region = (0..count).map(|_| AtomicI64::new(initial)).collect();
        self.regions.lock().expect("nobody panics with it").insert(number, (region, 0));
        number
    }
}

impl Ground for OnThreads {
    fn region(&self, team: &World, count: usize, initial: i64) -> Result<Box<dyn Region>> {
        Ok(Box::new(self.vector(team, count, initial)?))
    }

    fn given_up(&self) -> &Arc<AtomicBool> {
        &self.given_up
    }
}

impl Region for Arc<[AtomicI64]> {
    fn atoms(&self) -> &[AtomicI64] {
        self
    }
}

/// Ranks are threads or processes of one node: a region is a window that all of them map.
#[derive(Debug, Default)]
pub struct OnWindows {
    given_up: Arc<AtomicBool>,
}

impl Ground for OnWindows {
    fn region(&self, team: &World, count: usize, initial: i64) -> Result<Box<dyn Region>> {
        // All of it lies with rank 0: how the parts of several ranks lie to each other is the library's business.
        let own = if team.rank() == 0 { count } else { 0 };
        let site = Site::here(Verb::Barrier);
        let window = team.transport().window(WindowKind::Shared, Layout::I64, own, site)?;
        let atoms = window.shared().ok_or_else(|| Error::Setup("the window is not shared".into()))?;
        if team.rank() == 0 {
            atoms[..count].iter().for_each(|atom| atom.store(initial, Relaxed));
        }
        team.barrier()?;
        Ok(Box::new(SharedWindow(window)))
    }

    fn given_up(&self) -> &Arc<AtomicBool> {
        &self.given_up
    }
}

struct SharedWindow(Box<dyn Window>);

impl Region for SharedWindow {
    fn atoms(&self) -> &[AtomicI64] {
        self.0.shared().expect("looked at when it was made")
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.0.free(Site::here(Verb::Barrier))
    }
}
