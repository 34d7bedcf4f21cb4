//! The clocks that the ranks of a job read: one, or several that are compared with messages.
//!
//! Where all ranks read one clock, nothing here sends a message or changes a number. Otherwise clocks are compared at the begin and
//! at the end of a job, and about once a second between what is timed, never in it. Stamps are corrected afterwards.
use std::{
    cell::RefCell,
    hash::{DefaultHasher, Hash, Hasher},
};

use wb_comm::{Rank, Result};
use wb_record::ComparedClock;
use wb_world::World;

use crate::{
    clock,
    clocks::{CommonClock, CorrectedStamp, HostClocks, RoundTrip, compare_clocks},
};

/// The time between two comparisons of one series. The drift of a clock changes within minutes; a change of 1 ppm within a
/// second makes an error of up to 0.25 µs.
const INTERVAL_NS: u64 = 1_000_000_000;

/// The clock of a job.
#[derive(Debug)]
pub struct JobClock(Option<RefCell<SeveralClocks>>);

#[derive(Debug)]
struct SeveralClocks {
    common: CommonClock,
    compared_at_ns: u64,
}

/// The number by which ranks find out whether they read one clock.
pub fn clock_key() -> u64 {
    identity_key(&clock::clock_identity())
}

/// The number by which ranks find out whether they share the cores of one kernel.
pub fn kernel_key() -> u64 {
    identity_key(&clock::kernel_identity())
}

fn identity_key(identity: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    identity.hash(&mut hasher);
    hasher.finish()
}

impl JobClock {
    /// All ranks read one clock.
    pub const SHARED: Self = Self(None);

    /// The clocks of the ranks with these keys, by rank.
    pub fn from_keys(keys: &[u64], resolution_ns: u64) -> Self {
        let clocks = HostClocks::from_identities(keys);
        if clocks.count() == 1 {
            return Self::SHARED;
        }
        let common = CommonClock::new(clocks, resolution_ns);
        Self(Some(RefCell::new(SeveralClocks { common, compared_at_ns: 0 })))
    }

    /// Whether all ranks read one clock.
    pub fn is_shared(&self) -> bool {
        self.0.is_none()
    }

    /// Collective: compares the clocks, if there are several.
    ///
    /// # Errors
    /// The errors of the backend.
    pub fn compare(&self, world: &World) -> Result<()> {
        let Some(several) = &self.0 else { return Ok(()) };
        let clocks = several.borrow().common.clocks().clone();
        let trips = compare_clocks(world, &clocks, &clock::now)?;
        self.add(&trips);
        Ok(())
    }

    /// Adds the results of a comparison, the same on all ranks; nothing where all ranks read one clock.
    ///
    /// # Panics
    /// If there is not one round trip for each pair of clocks.
    pub fn add(&self, trips: &[RoundTrip]) {
        let Some(several) = &self.0 else { return };
        let mut several = several.borrow_mut();
        several.common.add(trips);
        // The near clock of the first pair is the reference. All ranks have the same round trips.
        several.compared_at_ns = trips[0].received_ns;
    }

    /// Collective: compares the clocks if the last comparison is too long ago at `now_ns`, a time of the reference that
    /// all ranks know.
    ///
    /// # Errors
    /// The errors of the backend.
    pub fn compare_if_due(&self, world: &World, now_ns: u64) -> Result<()> {
        let is_due = |several: &RefCell<SeveralClocks>| {
            now_ns.saturating_sub(several.borrow().compared_at_ns) >= INTERVAL_NS
        };
        if self.0.as_ref().is_some_and(is_due) { self.compare(world) } else { Ok(()) }
    }

    /// The time of the reference at this reading of a rank's clock.
    pub fn reference_ns(&self, rank: Rank, stamp_ns: u64) -> u64 {
        self.correct(rank, stamp_ns).reference_ns
    }

    /// A rank's stamp on the reference clock; certain where all ranks read one clock.
    pub fn correct(&self, rank: Rank, stamp_ns: u64) -> CorrectedStamp {
        let shared = CorrectedStamp { reference_ns: stamp_ns, uncertainty_ns: 0 };
        self.0.as_ref().map_or(shared, |several| several.borrow().common.correct(rank, stamp_ns))
    }

    /// The reading of a rank's clock at this time of the reference, which is after the last comparison.
    pub fn local_ns(&self, rank: Rank, reference_ns: u64) -> u64 {
        let local =
            |several: &RefCell<SeveralClocks>| several.borrow().common.local_ns_after(rank, reference_ns);
        self.0.as_ref().map_or(reference_ns, local)
    }

    /// The bound of the error of the difference of two corrected stamps; 0 where all ranks read one clock.
    pub fn uncertainty_ns(&self) -> u64 {
        let uncertainty =
            |several: &RefCell<SeveralClocks>| 2 * several.borrow().common.largest_uncertainty_ns();
        self.0.as_ref().map_or(0, uncertainty)
    }

    /// What the comparisons found about each clock; nothing where all ranks read one. The names of the hosts are not known here.
    pub fn compared(&self) -> Vec<ComparedClock> {
        let Some(several) = &self.0 else { return vec![] };
        let common = &several.borrow().common;
        let clocks = common.clocks();
        let of_clock = |number: usize| {
            let estimate = common.estimate(number);
            ComparedClock {
                host: String::new(),
                first_rank: clocks.first_rank(number) as u32,
                ranks: clocks.ranks_of(number).len() as u32,
                offset_ns: estimate.offset_ns as f64,
                drift_ppm: estimate.drift_ppm,
                uncertainty_ns: estimate.uncertainty_ns as f64,
                step_ns: estimate.step_ns as f64,
            }
        };
        (0..clocks.count()).map(of_clock).collect()
    }
}
