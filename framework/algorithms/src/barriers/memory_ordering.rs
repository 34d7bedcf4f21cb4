//! The order in which a memory performs the operations of its PEs.

/// The order in which puts and adds arrive, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Delivery {
    /// Any, apart from the guarantees of fences and quiets.
    Unordered,
    /// Puts of one PE to one PE arrive in the order in which they were issued.
    Fifo,
    /// Immediately: shared memory.
    Immediate,
}

/// The guarantees of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryOrdering {
    /// The order of arrivals.
    pub delivery: Delivery,
    /// A get from a PE returns only after all earlier puts of the same PE to it.
    pub ordered_get: bool,
}

impl MemoryOrdering {
    /// The guarantees of [`Memory`](wb_comm::Memory), and no more.
    pub const UNORDERED: Self = Self { delivery: Delivery::Unordered, ordered_get: false };
    /// Gets complete the own puts before them.
    pub const ORDERED_GET: Self = Self { delivery: Delivery::Unordered, ordered_get: true };
    /// One channel between any two PEs.
    pub const FIFO: Self = Self { delivery: Delivery::Fifo, ordered_get: false };
    /// Shared memory.
    pub const IMMEDIATE: Self = Self { delivery: Delivery::Immediate, ordered_get: false };
    /// All orderings, from weak to strong.
    pub const ALL: [Self; 4] = [Self::UNORDERED, Self::FIFO, Self::ORDERED_GET, Self::IMMEDIATE];

    /// Whether this memory has all guarantees of `needed`.
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
