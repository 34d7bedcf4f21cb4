//! What a call of this crate can be told.
use thiserror::Error;
use wb_comm::Layout;

/// The result of every call.
pub type Result<T> = std::result::Result<T, Error>;

/// What a call can meet.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A PE that does not exist.
    #[error("PE {pe} does not exist: there are {n_pes}, numbered 0..={}", n_pes.saturating_sub(1))]
    Pe {
        /// The number, as the caller wrote it.
        pe: i64,
        /// How many there are.
        n_pes: usize,
    },
    /// Elements outside a symmetric array.
    #[error("{call}: elements {at}..{} of a symmetric array of {len}", at.saturating_add(*count))]
    Bounds {
        /// The call.
        call: &'static str,
        /// The first element.
        at: usize,
        /// How many.
        count: usize,
        /// How many there are.
        len: usize,
    },
    /// PEs ask for different arrays in one collective allocation.
    #[error("the PEs allocate different arrays together: PE {pe} {theirs}, PE {me} {mine}")]
    Asymmetric {
        /// The lowest PE that asks for something else than this one.
        pe: usize,
        /// What it asks for.
        theirs: Shape,
        /// This PE.
        me: usize,
        /// What it asks for.
        mine: Shape,
    },
    /// An array that has been freed, or that belongs to another heap.
    #[error("{call}: this symmetric array is not allocated (any more)")]
    NotAllocated {
        /// The call.
        call: &'static str,
    },
    /// A stride with which members would coincide or run backwards.
    #[error("a team's stride must be at least 1, not {stride}")]
    Stride {
        /// What was given.
        stride: i64,
    },
    /// A team of nobody.
    #[error("a team has at least 1 member, not {size}")]
    Size {
        /// What was given.
        size: i64,
    },
    /// A team that reaches beyond its parent.
    #[error(
        "a team of PEs {start}, {start} + {stride}, ... with {size} member(s) does not fit: its parent has PEs 0..={}",
        parent.saturating_sub(1)
    )]
    Outside {
        /// First member.
        start: i64,
        /// From one member to the next.
        stride: i64,
        /// How many.
        size: i64,
        /// Members of the parent.
        parent: usize,
    },
    /// Members of a parent ask for different teams in one collective call.
    #[error("the PEs split a team differently: PE {pe} asks for {theirs}, PE {me} for {mine}")]
    Disagreement {
        /// The lowest PE that asks for something else than this one.
        pe: usize,
        /// What it asks for.
        theirs: String,
        /// This PE.
        me: usize,
        /// What it asks for.
        mine: String,
    },
    /// PEs that wish for different barriers.
    #[error("the PEs wish for different barriers: PE {pe} for {theirs}, PE {me} for {mine}")]
    Wishes {
        /// The lowest PE that wishes for something else than this one.
        pe: usize,
        /// The name of what it gets.
        theirs: String,
        /// This PE.
        me: usize,
        /// The name of what it gets.
        mine: String,
    },
    /// A call on a team by somebody who does not belong to it.
    #[error("{call}: PE {pe} is no member of the team {team}")]
    NotMember {
        /// The call.
        call: &'static str,
        /// Who calls.
        pe: usize,
        /// Which team.
        team: String,
    },
    /// A team that was destroyed before.
    #[error("{call}: the team {team} has been destroyed")]
    Destroyed {
        /// The call.
        call: &'static str,
        /// Which team.
        team: String,
    },
    /// The team of all PEs lives as long as they do.
    #[error("the world team cannot be destroyed")]
    World,
    /// No index of the parent's members is free everywhere.
    #[error("no team slot is free at all members: at most {slots} teams exist at a time; destroy some")]
    NoSlot {
        /// How many there are.
        slots: usize,
    },
    /// A slot that is free already.
    #[error("team slot {slot} is freed twice")]
    FreedTwice {
        /// Which.
        slot: usize,
    },
    /// A barrier that needs more cells than a team has left.
    #[error("the barrier {name} needs {needed} cells, the team {team} has {left} of {room} left")]
    Room {
        /// The barrier's catalogue name.
        name: String,
        /// Which team.
        team: String,
        /// What it needs.
        needed: usize,
        /// What is left.
        left: usize,
        /// What a team has.
        room: usize,
    },
    /// A barrier that runs elsewhere, not on a team's memory.
    #[error("the barrier {name} is {}: it runs on no team", if *wrong { "wrong on purpose" } else { "a library's own" })]
    NotInMemory {
        /// Its catalogue name.
        name: String,
        /// Is it one of the wrong ones?
        wrong: bool,
    },
    /// A list of PEs with one of them twice.
    #[error("PE {pe} stands twice in the list of a partial barrier")]
    Duplicate {
        /// Which.
        pe: usize,
    },
    /// A list of PEs without its caller.
    #[error("PE {pe} calls a partial barrier of {pes:?}, to which it does not belong")]
    NotListed {
        /// The caller.
        pe: usize,
        /// The list.
        pes: Vec<usize>,
    },
    /// A partial barrier of nobody.
    #[error("the list of a partial barrier is empty")]
    Empty,
    /// What the substrate met.
    #[error(transparent)]
    Comm(#[from] wb_comm::Error),
}

/// What an allocation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many elements.
    pub count: usize,
    /// Of which type.
    pub layout: Layout,
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.count, self.layout)
    }
}
