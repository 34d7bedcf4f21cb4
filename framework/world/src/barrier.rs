//! Barriers of the catalogue on a world: [`World::barrier_by`] and its handle [`NamedBarrier`].
//!
//! The kind of a barrier determines its transport: patterns run as messages, counting programs use a window of remote
//! atomics, calls of a library need that library. Each handle has its own communicator and window, so barriers of one
//! world, and of overlapping worlds, never interfere.
use std::{ops::Deref, rc::Rc};

use wb_algorithms::{
    barriers::{
        BarrierEntry, Family, GroupConfig, Implementation, Substrate,
        adapters::{MemoryBarrier, MessageBarrier},
        catalogue, rma,
        select::{self, AUTO},
    },
    collectives::Algorithms,
};
use wb_comm::{
    Assertion, Barrier, CallSite, Datatype, ErasedWindow, Error, RemoteMemory, Result, Transport, Verb, View,
    WindowKind, text::barrier,
};
use wb_record::CollectiveShape;

use crate::{
    CommStats, World,
    barrier_choice::BarrierChoice,
    call_tracer::{self, OptionalTracer},
};

/// A barrier of the catalogue, as one rank of a world holds it.
pub struct NamedBarrier {
    barrier: Box<dyn Barrier>,
    windows: Vec<BarrierWindow>,
    name: &'static str,
    stats: Rc<CommStats>,
    tracer: OptionalTracer,
}

impl NamedBarrier {
    /// The name of the barrier in the catalogue.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns once every rank has called it as many times as this rank.
    ///
    /// # Errors
    /// The errors of the backend; after one the handle is unusable.
    #[track_caller]
    pub fn wait(&mut self) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        let verb = || self.barrier.wait().inspect_err(|error| self.stats.note_error(site, error));
        call_tracer::trace_call(&self.tracer, site, verb, |recorder, ()| {
            recorder.collective(CollectiveShape::All, 0)
        })?;
        self.stats.note_collective(site);
        Ok(())
    }

    /// Collective: frees the windows that some barriers have. The windows of a handle that is dropped instead remain
    /// until the end of the job, where they are reported as leaks.
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn free(self) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        drop(self.barrier);
        self.windows.into_iter().try_for_each(|window| window.free(site))
    }
}

/// A window that a barrier uses and its handle frees.
#[derive(Clone)]
struct BarrierWindow {
    window: Rc<Box<dyn ErasedWindow>>,
    /// Whether the window is in a passive epoch.
    is_locked: bool,
}

impl BarrierWindow {
    fn free(self, site: CallSite) -> Result<()> {
        if self.is_locked {
            self.window.unlock_all(site)?;
        }
        match Rc::try_unwrap(self.window) {
            Ok(window) => window.free(site),
            Err(_) => unreachable!("the barrier is dropped, so the handle has the only one"),
        }
    }
}

impl Deref for BarrierWindow {
    type Target = dyn ErasedWindow;

    fn deref(&self) -> &Self::Target {
        &**self.window
    }
}

/// A barrier with its windows, where it has some.
type BarrierOnWindows = (Box<dyn Barrier>, Vec<BarrierWindow>);

impl World {
    /// Collective: the barrier of that name in the catalogue (`cargo wb barriers list`), for all ranks of this world;
    /// `"auto"` is the selector's choice.
    ///
    /// # Errors
    /// [`Error::Setup`]: there is no such barrier, it is not defined for this number of ranks, or this backend does not
    /// support it.
    #[track_caller]
    pub fn barrier_by(&self, name: &str) -> Result<NamedBarrier> {
        let site = CallSite::caller(Verb::Barrier);
        let barrier = self.run_collective(site, CollectiveShape::All, 0, || {
            let own = self.transport().dup(site)?;
            let setting = GroupConfig { nodes: own.nodes(site)?, ..GroupConfig::new(own.size()) };
            let entry = match name {
                AUTO => select::select(None, &setting, Substrate::Messages)?.barrier,
                name => catalogue::find(name)?,
            };
            let barrier = build_barrier(entry, own, &setting, site)?;
            self.stats().note_collective(site);
            Ok((entry.name, barrier))
        });
        let (name, (barrier, windows)) = barrier?;
        let recording = self.tracer.as_ref().map(|recorder| recorder.for_child(self.transport(), None));
        Ok(NamedBarrier { barrier, windows, name, stats: Rc::clone(self.stats()), tracer: recording })
    }

    /// Collective: makes [`barrier`](Self::barrier) run the barrier of this name over messages in this world.
    /// All ranks must pass the same name; `"auto"` leaves the choice to the selector.
    ///
    /// # Errors
    /// [`Error::Setup`]: there is no such barrier, it is not defined for this number of ranks, or it does not run on
    /// messages; the text lists those that do.
    #[track_caller]
    pub fn choose_barrier(&self, name: &str) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        let chosen =
            self.run_collective(site, CollectiveShape::All, 0, || self.resolve_choice(name, site))?;
        self.stats().note_collective(site);
        *self.barrier_choice.borrow_mut() = Some(chosen);
        Ok(())
    }

    /// The name of the barrier that [`barrier`](Self::barrier) runs in this world; `None`: the library's own, or no
    /// choice yet.
    pub fn chosen_barrier_name(&self) -> Option<&'static str> {
        match *self.barrier_choice.borrow() {
            Some(BarrierChoice::Pattern(name, _)) => Some(name),
            _ => None,
        }
    }

    /// The chosen barrier; the first call reads the choice from the environment. It is the same for all ranks of a job.
    pub(crate) fn selected_barrier(&self, site: CallSite) -> Result<BarrierChoice> {
        if let Some(chosen) = &*self.barrier_choice.borrow() {
            return Ok(chosen.clone());
        }
        let choice = select::requested_algorithm(|variable| std::env::var(variable).ok());
        let chosen =
            choice.map_or(Ok(BarrierChoice::Library), |choice| self.resolve_choice(&choice, site))?;
        *self.barrier_choice.borrow_mut() = Some(chosen.clone());
        Ok(chosen)
    }

    fn resolve_choice(&self, name: &str, site: CallSite) -> Result<BarrierChoice> {
        let setting = GroupConfig { nodes: self.transport().nodes(site)?, ..GroupConfig::new(self.size()) };
        let entry = select::select(Some(name), &setting, Substrate::Messages)?.barrier;
        let plan = entry.plan(self.rank(), &setting).expect("what runs on messages is a pattern")?;
        Ok(BarrierChoice::Pattern(entry.name, Rc::new(plan)))
    }

    /// The barriers that [`barrier_by`](Self::barrier_by) offers both on threads and on MPI, for this number of ranks
    /// on one node, by family and name.
    pub fn barriers(ranks: usize) -> Vec<&'static str> {
        let setting = GroupConfig::new(ranks);
        let offered = |entry: &&BarrierEntry| match entry.implementation {
            Implementation::Pattern(_) => entry.plans(&setting).is_some_and(|plans| plans.is_ok()),
            Implementation::Program(make) => make(&setting).is_ok(),
            Implementation::Native(_) => entry.family == Family::Rma,
        };
        catalogue::all().into_iter().filter(offered).map(|entry| entry.name).collect()
    }
}

/// The barrier of an entry, on a transport of its own.
fn build_barrier(
    entry: &'static BarrierEntry,
    own: Rc<dyn Transport>,
    setting: &GroupConfig,
    site: CallSite,
) -> Result<BarrierOnWindows> {
    match entry.implementation {
        Implementation::Pattern(_) => {
            let barrier = MessageBarrier::for_entry(entry, setting, own, site);
            Ok((Box::new(barrier.expect("it is a pattern")?), vec![]))
        }
        Implementation::Program(make) => {
            let program = make(setting)?;
            let window = create_cells(&*own, program.cells(own.size()), program.initial(), site)?;
            let memory = RemoteMemory::new(window.clone(), site);
            Ok((Box::new(MemoryBarrier::new(program, memory)), vec![window]))
        }
        Implementation::Native(_) => native_barrier(entry, own, site),
    }
}

/// A window of this rank's cells, in the only epoch that it is used in.
fn create_cells(own: &dyn Transport, count: usize, initial: i64, site: CallSite) -> Result<BarrierWindow> {
    let window = own.window(WindowKind::Allocate, Datatype::I64, count, site)?;
    window.write(0, View::from_slice(&vec![initial; count]))?;
    // No rank may access the cells before they are initialised.
    Algorithms(own).barrier(site)?;
    window.lock_all(Assertion::default(), site)?;
    Ok(BarrierWindow { window: Rc::new(window), is_locked: true })
}

fn native_barrier(
    entry: &'static BarrierEntry,
    own: Rc<dyn Transport>,
    site: CallSite,
) -> Result<BarrierOnWindows> {
    let name = entry.name;
    let elsewhere = || Error::Setup(barrier::not_of_world(name));
    if entry.family == Family::Rma {
        let open = |_| -> Result<BarrierWindow> {
            let window = own.window(WindowKind::Allocate, Datatype::I64, 1, site)?;
            Ok(BarrierWindow { window: Rc::new(window), is_locked: false })
        };
        let windows: Vec<_> = (0..rma::window_count(name, own.size())).map(open).collect::<Result<_>>()?;
        let barrier = rma::by_name(name, windows.clone(), site).ok_or_else(elsewhere)??;
        return Ok((barrier, windows));
    }
    let is_nonblocking = match name {
        "mpi_barrier" => false,
        "mpi_ibarrier" => true,
        _ => return Err(elsewhere()),
    };
    let backend = own.backend();
    let none = || Error::Setup(barrier::not_in_backend(name, backend));
    own.native_collectives().ok_or_else(none)?;
    Ok((Box::new(LibraryBarrier { transport: own, site, is_nonblocking }), vec![]))
}

/// The library's own barrier.
struct LibraryBarrier {
    transport: Rc<dyn Transport>,
    site: CallSite,
    is_nonblocking: bool,
}

impl Barrier for LibraryBarrier {
    fn wait(&mut self) -> Result<()> {
        let library = self.transport.native_collectives().expect("looked at when the handle was made");
        if self.is_nonblocking { library.ibarrier_and_wait(self.site) } else { library.barrier(self.site) }
    }
}
