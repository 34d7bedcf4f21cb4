//! Symmetry: PEs that are alike, with the same program on the same cells of others, are indistinguishable.
//!
//! Cores that count at one leader are an example: exchanging two of them maps each run to another run, and a fault to a
//! fault. So of all states that differ only by such an exchange one is enough: the one in which their nodes are sorted.
//!
//! PEs are alike as long as they do the same after the same results, and no operation depends on their number: no read
//! of an own cell, no put or addition, which is in flight under its sender's number. That too is *assumed* until an
//! operation contradicts it.
use wb_comm::Rank;

use super::{Configuration, MemoryOp};

/// The classes of PEs that behave identically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PeSymmetry {
    classes: Vec<Vec<Rank>>,
}

impl PeSymmetry {
    /// PEs that call the same barriers.
    pub(super) fn from_configuration(configuration: &Configuration) -> Self {
        Self { classes: group_by_key((0..configuration.size).map(|pe| (pe, Some(&configuration.calls[pe])))) }
    }

    /// Each is a case of its own.
    pub(super) fn trivial(configuration: &Configuration) -> Self {
        Self { classes: (0..configuration.size).map(|pe| vec![pe]).collect() }
    }

    /// All PEs: each class ascending.
    pub(super) fn classes(&self) -> &[Vec<Rank>] {
        &self.classes
    }

    /// Splits a class whose PEs do different things after the same results.
    pub(super) fn split(&mut self, unlike: &AsymmetricClasses) {
        let first = unlike.0[0][0];
        self.classes.retain(|class| !class.contains(&first));
        self.classes.extend_from_slice(&unlike.0);
    }
}

/// The actual classes of one assumed class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AsymmetricClasses(Vec<Vec<Rank>>);

impl AsymmetricClasses {
    /// The classes of PEs that do this next, if there is more than one; `None` for a PE that is at the end of its call.
    pub(super) fn from_next_operations(next: &[(Rank, Option<MemoryOp>)]) -> Option<Self> {
        let shared = |operation: &Option<MemoryOp>| operation.is_none_or(is_anonymous);
        let parts =
            group_by_key(next.iter().map(|(pe, operation)| (*pe, shared(operation).then_some(operation))));
        (parts.len() > 1).then_some(Self(parts))
    }
}

/// The groups of PEs with the same key; a PE without a key is a group of its own.
fn group_by_key<K: PartialEq>(keyed: impl Iterator<Item = (Rank, Option<K>)>) -> Vec<Vec<Rank>> {
    let mut parts: Vec<(Option<K>, Vec<Rank>)> = vec![];
    for (pe, key) in keyed {
        match parts.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
            Some((_, members)) => members.push(pe),
            None => parts.push((key, vec![pe])),
        }
    }
    parts.into_iter().map(|(_, members)| members).collect()
}

/// Whether the operation is the same for every PE.
fn is_anonymous(operation: MemoryOp) -> bool {
    match operation {
        MemoryOp::Get { .. }
        | MemoryOp::FetchAdd { .. }
        | MemoryOp::Swap { .. }
        | MemoryOp::CompareSwap { .. }
        | MemoryOp::Poll { .. }
        | MemoryOp::Fence
        | MemoryOp::Quiet
        | MemoryOp::Nothing => true,
        MemoryOp::Load { .. }
        | MemoryOp::Store { .. }
        | MemoryOp::Wait { .. }
        | MemoryOp::Test { .. }
        | MemoryOp::Put { .. }
        | MemoryOp::Add { .. } => false,
    }
}
