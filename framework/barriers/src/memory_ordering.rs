//! How strongly a memory orders the operations of its PEs.

/// The order in which puts and adds arrive, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Delivery {
    /// Any, apart from what fences and quiets say.
    Unordered,
    /// Those of one PE to one PE in the order in which they were issued.
    Fifo,
    /// At once: shared memory.
    Immediate,
}

/// How strong the memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryOrdering {
    /// The order of arrivals.
    pub delivery: Delivery,
    /// A get from a PE returns only after all that was put there before by the same PE.
    pub ordered_get: bool,
}

impl MemoryOrdering {
    /// As weak as [`Memory`](wb_comm::Memory) promises.
    pub const UNORDERED: Self = Self { delivery: Delivery::Unordered, ordered_get: false };
    /// Gets push the own puts before them.
    pub const ORDERED_GET: Self = Self { delivery: Delivery::Unordered, ordered_get: true };
    /// One channel between each two PEs.
    pub const FIFO: Self = Self { delivery: Delivery::Fifo, ordered_get: false };
    /// Shared memory.
    pub const IMMEDIATE: Self = Self { delivery: Delivery::Immediate, ordered_get: false };
    /// From weak to strong.
    pub const ALL: [Self; 4] = [Self::UNORDERED, Self::FIFO, Self::ORDERED_GET, Self::IMMEDIATE];

    /// Does this memory promise all that `needed` promises?
    pub fn covers(self, needed: Self) -> bool {
        let pushes = self.ordered_get || self.delivery == Delivery::Immediate;
        self.delivery >= needed.delivery && (pushes || !needed.ordered_get)
    }

    /// `"unordered"`, `"fifo"`, `"ordered get"`, `"immediate"`.
    pub fn name(self) -> &'static str {
        match (self.delivery, self.ordered_get) {
            (Delivery::Immediate, _) => "immediate",
            (Delivery::Fifo, false) => "fifo",
            (Delivery::Fifo, true) => "fifo, ordered get",
            (Delivery::Unordered, false) => "unordered",
            (Delivery::Unordered, true) => "ordered get",
        }
    }
}
