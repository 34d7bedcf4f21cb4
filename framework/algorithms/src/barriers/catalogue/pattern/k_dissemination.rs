//! k-dissemination (n-way dissemination): in a round signal k - 1 ranks instead of one.
//!
//! Source: Hoefler, Mehlan, Mietke, Rehm, "Fast barrier synchronization for InfiniBand", 2006; MPICH's "dissem" with k.
//!
//! k := max(2, min(k, P)). Phase ph has the distances i k^ph for i = 1..k-1 that are below P: signal (r + i k^ph) mod P
//! for all, then wait for (r - i k^ph) mod P for all. After it r knows of the k^(ph+1) - 1 ranks before it.
//!
//! Messages P sum over ph < ceil(log_k P) of min(k - 1, ceil(P / k^ph) - 1); with one port as many rounds as each rank
//! sends signals, with k - 1 ports ceil(log_k P), which is the number of hops. MPICH keeps the distances of P and more
//! and so signals a rank twice, or itself; here they are left out. With a radix of 1 the distance would not grow, so it
//! is an error. The preceding rank is (r + P - d) mod P: `(r - d) % P` is negative in many languages. Safe back to
//! back: each of the P - 1 distances has one signal at most.
use wb_comm::{Rank, Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GroupConfig, Guarantee, Implementation, PlanBuilder, Slot,
    logarithm::ceil_log,
};

/// The k-dissemination: each rank signals up to k - 1 ranks in each of ceil(log_k P) rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KDissemination {
    radix: usize,
}

impl KDissemination {
    /// The dissemination of that radix.
    ///
    /// # Panics
    /// For a radix below 2.
    pub fn new(radix: usize) -> Self {
        assert!(radix >= 2, "radix {radix}");
        Self { radix }
    }

    /// The requested radix, else `radix`.
    ///
    /// # Errors
    /// See [`GroupConfig::radix_or`].
    pub(crate) fn for_group(config: &GroupConfig, radix: usize) -> Result<Self> {
        config.radix_or(radix).map(Self::new)
    }

    /// k among `p` ranks.
    fn effective_radix(self, p: usize) -> usize {
        self.radix.min(p).max(2)
    }

    /// The number of phases.
    pub(crate) fn phases(self, p: usize) -> usize {
        ceil_log(self.effective_radix(p), p)
    }

    /// The number of slots of all phases.
    pub(crate) fn slots(self, p: usize) -> usize {
        self.phases(p) * (self.effective_radix(p) - 1)
    }

    /// The distance of the signals and waits of a phase, and their slot.
    pub(crate) fn distances(self, p: usize, phase: usize) -> impl Iterator<Item = (Rank, usize)> + Clone {
        let k = self.effective_radix(p);
        let unit = k.pow(phase as u32);
        (1..k).map(move |i| (i * unit, phase * (k - 1) + i - 1)).take_while(move |(d, _)| *d < p)
    }
}

impl crate::barriers::Pattern for KDissemination {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        for phase in 0..self.phases(p) {
            let mut distances = self.distances(p, phase);
            distances.clone().try_for_each(|(d, slot)| plan.signal((r + d) % p, slot as Slot))?;
            distances.try_for_each(|(d, slot)| plan.wait_signal((r + p - d) % p, slot as Slot))?;
        }
        Ok(())
    }
}

/// The cost with radix `k`.
pub(crate) fn cost(k: usize, p: usize) -> BarrierCost {
    let k = k.min(p).max(2);
    let phases = ceil_log(k, p);
    let signalled: usize = (0..phases).map(|phase| (k - 1).min(p.div_ceil(k.pow(phase as u32)) - 1)).sum();
    BarrierCost { messages: p * signalled, rounds: Some(signalled), hops: Some(phases) }
}

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "k_dissemination_3",
    family: Family::TwoSided,
    source: "Hoefler et al. 2006 (n-way dissemination); MPICH barrier \"k_dissemination\"",
    section: "1.7",
    summary: Text {
        en: "dissemination that signals 2 ranks a round, in ceil(log3 P) phases",
        ru: "рассеивание с 2 получателями за шаг, ceil(log3 P) шагов",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| cost(3, p)),
    implementation: Implementation::Pattern(|config| Ok(Box::new(KDissemination::for_group(config, 3)?))),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "k_dissemination_4",
        summary: Text {
            en: "dissemination that signals 3 ranks a round, in ceil(log4 P) phases",
            ru: "рассеивание с 3 получателями за шаг, ceil(log4 P) шагов",
        },
        cost: Some(|p| cost(4, p)),
        implementation: Implementation::Pattern(|config| Ok(Box::new(KDissemination::for_group(config, 4)?))),
        ..ROW
    },
    BarrierEntry {
        name: "k_dissemination_8",
        summary: Text {
            en: "dissemination that signals 7 ranks a round, in ceil(log8 P) phases",
            ru: "рассеивание с 7 получателями за шаг, ceil(log8 P) шагов",
        },
        cost: Some(|p| cost(8, p)),
        implementation: Implementation::Pattern(|config| Ok(Box::new(KDissemination::for_group(config, 8)?))),
        ..ROW
    },
];
