//! One PE of an OpenSHMEM-like program, on any transport that has windows.
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use wb_algorithms::{
    barriers::{
        GroupConfig, Subset, Substrate, catalogue,
        select::{self, select},
    },
    collectives::Algorithms,
};
use wb_comm::{
    Assertion, CallSite, Datatype, ErasedWindow, Memory, Rank, RemoteMemory, Transport, Verb, View,
    WindowKind,
};

use crate::{
    Error, Result, StridedSet, Team,
    heap::HeapArray,
    partial_barrier::{pair_cells, partial_barrier},
    team_slots::{PROPOSAL, SLOTS},
    teams::Teams,
};

/// The layout of each PE's part of the control window.
///
/// Pair counters, then a PE's proposal for a split of a team, then the state of each team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ControlLayout {
    n_pes: usize,
    pub(crate) cells_per_team: usize,
}

impl ControlLayout {
    /// The first cell of this PE's proposal.
    pub(crate) fn proposal(self) -> usize {
        pair_cells(self.n_pes)
    }

    /// The first cell of a team's state.
    pub(crate) fn team(self, slot: usize) -> usize {
        self.proposal() + PROPOSAL + slot * self.cells_per_team
    }

    fn cells(self) -> usize {
        self.team(SLOTS)
    }
}

/// One PE of an OpenSHMEM program, on any transport that has windows. Every call that other PEs take part in is marked *collective*.
///
/// A put or an add completes some time later, at the latest when [`quiet`](Self::quiet) or a barrier returns, or while
/// this PE waits. Every wait lets the library make progress, so no PE blocks a waiting PE.
pub struct Shmem {
    pub(crate) transport: Rc<dyn Transport>,
    pub(crate) control: Box<dyn ErasedWindow>,
    pub(crate) layout: ControlLayout,
    /// The node of each PE.
    pub(crate) nodes: Vec<usize>,
    /// The barrier of teams for which none is named.
    pub(crate) requested_algorithm: Option<String>,
    pub(crate) heap: RefCell<Vec<Option<HeapArray>>>,
    pub(crate) teams: RefCell<Teams>,
    /// Whether puts may be pending.
    pub(crate) has_pending: Cell<bool>,
}

impl Shmem {
    /// Collective: starts the library on a copy of `transport` (`shmem_init`). The environment selects the barrier of
    /// teams (`WB_BARRIER_ALGORITHM`, `SHMEM_BARRIER_ALGORITHM`); the default is the one that suits them.
    ///
    /// # Errors
    /// As [`init_with`](Self::init_with).
    #[track_caller]
    pub fn init(transport: &dyn Transport) -> Result<Self> {
        let choice = select::requested_algorithm(|variable| std::env::var(variable).ok());
        Self::init_with(transport, choice.as_deref())
    }

    /// Collective: as [`init`](Self::init), with the barrier that teams use, by its name in the catalogue or `"auto"`.
    ///
    /// # Errors
    /// [`wb_comm::Error::Setup`] for names of no barrier that runs on windows, and when the transport has none;
    /// [`Error::AlgorithmMismatch`] when PEs request different ones; the errors of the transport.
    #[track_caller]
    pub fn init_with(transport: &dyn Transport, choice: Option<&str>) -> Result<Self> {
        let site = CallSite::caller(Verb::WindowCreate);
        let transport = transport.dup(site)?;
        let n_pes = transport.size();
        check_requested_algorithm(&*transport, choice, site)?;
        let layout = ControlLayout { n_pes, cells_per_team: 512 + 16 * n_pes };
        let control = transport.window(WindowKind::Allocate, Datatype::I64, layout.cells(), site)?;
        control.write(0, View::from_slice(&vec![0i64; layout.cells()]))?;
        control.lock_all(Assertion::default(), site)?;
        control.sync(site)?;
        // No PE writes here before it is zero.
        Algorithms(&*transport).barrier(site)?;
        let nodes = transport.nodes(site)?;
        let teams = RefCell::new(Teams::with_world(n_pes)?);
        let (heap, pending, choice) = (RefCell::new(vec![]), Cell::new(false), choice.map(str::to_owned));
        Ok(Self {
            transport,
            control,
            layout,
            nodes,
            requested_algorithm: choice,
            heap,
            teams,
            has_pending: pending,
        })
    }

    /// Collective: completes everything and frees all arrays and teams (`shmem_finalize`).
    ///
    /// # Errors
    /// The errors of the transport.
    #[track_caller]
    pub fn finalize(self) -> Result<()> {
        let site = CallSite::caller(Verb::WindowFree);
        self.complete(site)?;
        self.world_barrier(site)?;
        for array in self.heap.into_inner().into_iter().flatten() {
            array.free(site)?;
        }
        self.control.unlock_all(site)?;
        Ok(self.control.free(site)?)
    }

    /// This PE's number (`shmem_my_pe`).
    pub fn my_pe(&self) -> Rank {
        self.transport.rank()
    }

    /// The number of PEs (`shmem_n_pes`).
    pub fn n_pes(&self) -> usize {
        self.transport.size()
    }

    /// The team of all PEs (`SHMEM_TEAM_WORLD`).
    pub fn world(&self) -> Team {
        let shape = StridedSet::all(self.n_pes()).expect("a transport has at least one rank");
        Team::new(shape, (0, 1), Some(self.my_pe()))
    }

    /// Orders the puts and adds of this PE before its later ones, for each target PE separately (`shmem_fence`).
    ///
    /// Windows have no weaker operation than completion for this, so it is a [`quiet`](Self::quiet).
    ///
    /// # Errors
    /// The errors of the transport.
    #[track_caller]
    pub fn fence(&self) -> Result<()> {
        self.complete(CallSite::caller(Verb::Flush))
    }

    /// Returns once all puts and adds of this PE are complete (`shmem_quiet`).
    ///
    /// # Errors
    /// The errors of the transport.
    #[track_caller]
    pub fn quiet(&self) -> Result<()> {
        self.complete(CallSite::caller(Verb::Flush))
    }

    pub(crate) fn complete(&self, site: CallSite) -> Result<()> {
        Ok(self.flush_all(site)?)
    }

    pub(crate) fn flush_all(&self, site: CallSite) -> wb_comm::Result<()> {
        if self.has_pending.replace(false) {
            for array in self.heap.borrow().iter().flatten() {
                array.window.flush(None, site)?;
            }
        }
        Ok(())
    }

    /// A barrier of all PEs, without any team's barrier.
    pub(crate) fn world_barrier(&self, site: CallSite) -> Result<()> {
        Ok(partial_barrier(&mut self.memory(site), &Subset::all(self.n_pes())?)?)
    }

    /// The control window, called at `site`.
    pub(crate) fn memory(&self, site: CallSite) -> impl Memory + '_ {
        RemoteMemory::new(&*self.control, site)
    }

    pub(crate) fn check_pe(&self, pe: Rank) -> Result<()> {
        match pe < self.n_pes() {
            true => Ok(()),
            false => Err(Error::Pe { pe: i64::try_from(pe).unwrap_or(i64::MAX), n_pes: self.n_pes() }),
        }
    }
}

/// Checks that the requested name is a barrier and is the same at all PEs. All PEs receive all requests before one is
/// refused.
fn check_requested_algorithm(transport: &dyn Transport, choice: Option<&str>, site: CallSite) -> Result<()> {
    let number = |name| catalogue::all().iter().position(|entry| entry.name == name);
    let chosen = select(choice, &GroupConfig::new(transport.size()), Substrate::Window);
    let mine = chosen.as_ref().ok().and_then(|choice| number(choice.barrier.name)).unwrap_or(usize::MAX);
    let mut all = vec![0; transport.size()];
    Algorithms(transport).allgather(&[mine], &mut all, site)?;
    chosen?;
    match all.iter().position(|theirs| *theirs != mine) {
        None => Ok(()),
        Some(pe) => {
            let name =
                |number: usize| catalogue::all().get(number).map_or("none that there is", |entry| entry.name);
            let (theirs, mine) = (name(all[pe]).to_owned(), name(mine).to_owned());
            Err(Error::AlgorithmMismatch { pe, theirs, me: transport.rank(), mine })
        }
    }
}
