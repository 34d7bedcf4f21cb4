//! Barriers of the catalogue on a world: [`World::barrier_by`] and its handle [`NamedBarrier`].
//!
//! What carries them is chosen by what the barrier is: patterns go as messages, counting programs use a window of remote
//! atomics, those that are calls of a library need one. Each handle has a communicator and a window of its own, so
//! barriers of one world, and of worlds that overlap, never meet.
use std::{ops::Deref, rc::Rc};

use wb_collectives::{
    Algorithms, Entry,
    catalogue::{self, Family, Form, Setting, Substrate},
    over::{OverMemory, OverMessages},
    plan::Plan,
    rma,
    select::{self, AUTO},
};
use wb_comm::{
    Assertion, Barrier, Collectives, Error, Layout, Remote, Result, Site, Transport, Verb, View, Window,
    WindowKind, text::barrier,
};

use wb_record::Shape;

use crate::{
    Ledger, World,
    recorder::{self, Recording},
};

/// A barrier of the catalogue, as one rank of a world has it.
pub struct NamedBarrier {
    barrier: Box<dyn Barrier>,
    window: Option<Held>,
    name: &'static str,
    ledger: Rc<Ledger>,
    recording: Recording,
}

impl NamedBarrier {
    /// Its name in the catalogue.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns once everybody has called it as often.
    ///
    /// # Errors
    /// What the substrate can meet; the handle is of no use afterwards.
    #[track_caller]
    pub fn wait(&mut self) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        let verb = || self.barrier.wait().inspect_err(|_| self.ledger.refuse(site));
        recorder::around(&self.recording, site, verb, |recorder, ()| recorder.collective(Shape::All, 0))?;
        self.ledger.collective(site);
        Ok(())
    }

    /// Collective: gives back the window that some barriers have. A handle that is dropped instead leaves its window to
    /// the end of the job, and a test finds it.
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn free(self) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        drop(self.barrier);
        self.window.map_or(Ok(()), |window| window.free(site))
    }
}

/// A window that a barrier works on and its handle frees.
#[derive(Clone)]
struct Held {
    window: Rc<Box<dyn Window>>,
    /// Does it stand in a passive epoch?
    locked: bool,
}

impl Held {
    fn free(self, site: Site) -> Result<()> {
        if self.locked {
            self.window.unlock_all(site)?;
        }
        match Rc::try_unwrap(self.window) {
            Ok(window) => window.free(site),
            Err(_) => unreachable!("the barrier is dropped, so the handle has the only one"),
        }
    }
}

impl Deref for Held {
    type Target = dyn Window;

    fn deref(&self) -> &Self::Target {
        &**self.window
    }
}

/// What [`World::barrier`] runs.
#[derive(Clone)]
pub(crate) enum Chosen {
    /// The library's own, or our default where there is no library.
    Library,
    /// This pattern, as messages.
    Ours(&'static str, Rc<Plan>),
}

/// A barrier with its window, where it has one.
type Carried = (Box<dyn Barrier>, Option<Held>);

impl World {
    /// Collective: the barrier of that name in the catalogue (`cargo wb barriers list`), for all ranks of this world;
    /// `"auto"` is the selector's choice.
    ///
    /// # Errors
    /// [`Error::Setup`]: there is no such barrier, it is not defined for so many ranks, or this backend cannot carry it.
    #[track_caller]
    pub fn barrier_by(&self, name: &str) -> Result<NamedBarrier> {
        let site = Site::here(Verb::Barrier);
        let barrier = self.collectively(site, Shape::All, 0, || {
            let own = self.transport().dup(site)?;
            let setting = Setting { nodes: own.nodes(site)?, ..Setting::of(own.size()) };
            let entry = match name {
                AUTO => select::select(None, &setting, Substrate::Messages)?.entry,
                name => catalogue::find(name)?,
            };
            Ok((entry.name, carried(entry, own, &setting, site)?))
        });
        let (name, (barrier, window)) = barrier?;
        let recording = self.recording.as_ref().map(|recorder| recorder.part(self.transport(), None));
        Ok(NamedBarrier { barrier, window, name, ledger: Rc::clone(self.ledger()), recording })
    }

    /// Collective: from now on [`barrier`](Self::barrier) runs the barrier of this name over messages, in this world. All
    /// ranks must name the same; `"auto"` leaves the choice to the selector.
    ///
    /// # Errors
    /// [`Error::Setup`]: there is no such barrier, it is not defined for so many ranks, or it does not run on messages;
    /// the text lists what does.
    #[track_caller]
    pub fn choose_barrier(&self, name: &str) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        let chosen = self.collectively(site, Shape::All, 0, || self.choice(name, site))?;
        *self.chosen.borrow_mut() = Some(chosen);
        Ok(())
    }

    /// The name of what [`barrier`](Self::barrier) runs in this world; `None`: the library's own, or nothing is chosen yet.
    pub fn chosen_barrier_name(&self) -> Option<&'static str> {
        match *self.chosen.borrow() {
            Some(Chosen::Ours(name, _)) => Some(name),
            _ => None,
        }
    }

    /// What is chosen; the first time, what the environment wishes for. It is the same for all ranks of a job.
    pub(crate) fn chosen_barrier(&self, site: Site) -> Result<Chosen> {
        if let Some(chosen) = &*self.chosen.borrow() {
            return Ok(chosen.clone());
        }
        let wish = select::wish(|variable| std::env::var(variable).ok());
        let chosen = wish.map_or(Ok(Chosen::Library), |wish| self.choice(&wish, site))?;
        *self.chosen.borrow_mut() = Some(chosen.clone());
        Ok(chosen)
    }

    fn choice(&self, name: &str, site: Site) -> Result<Chosen> {
        let setting = Setting { nodes: self.transport().nodes(site)?, ..Setting::of(self.size()) };
        let entry = select::select(Some(name), &setting, Substrate::Messages)?.entry;
        let plan = entry.plan(self.rank(), &setting).expect("what runs on messages is a pattern")?;
        Ok(Chosen::Ours(entry.name, Rc::new(plan)))
    }

    /// The barriers that [`barrier_by`](Self::barrier_by) offers on threads and on MPI alike, for so many ranks on one
    /// node, by family and name.
    pub fn barriers(ranks: usize) -> Vec<&'static str> {
        let setting = Setting::of(ranks);
        let offered = |entry: &&Entry| match entry.form {
            Form::Pattern(_) => entry.plans(&setting).is_some_and(|plans| plans.is_ok()),
            Form::Program(make) => make(&setting).is_ok(),
            Form::Native(_) => entry.family == Family::Rma,
        };
        catalogue::all().into_iter().filter(offered).map(|entry| entry.name).collect()
    }
}

/// The barrier of an entry on a transport that nobody else uses.
fn carried(entry: &'static Entry, own: Rc<dyn Transport>, setting: &Setting, site: Site) -> Result<Carried> {
    match entry.form {
        Form::Pattern(_) => {
            let barrier = OverMessages::of_entry(entry, setting, own, site);
            Ok((Box::new(barrier.expect("it is a pattern")?), None))
        }
        Form::Program(make) => {
            let program = make(setting)?;
            let window = cells(&*own, program.cells(own.size()), program.initial(), site)?;
            let memory = Remote::new(window.clone(), site);
            Ok((Box::new(OverMemory::new(program, memory)), Some(window)))
        }
        Form::Native(_) => native(entry, own, site),
    }
}

/// A window of this rank's cells, in the one epoch that it is used in.
fn cells(own: &dyn Transport, count: usize, initial: i64, site: Site) -> Result<Held> {
    let window = own.window(WindowKind::Allocate, Layout::I64, count, site)?;
    window.write(0, View::of(&vec![initial; count]))?;
    // Nobody may come before the cells hold what they begin with.
    Algorithms(own).barrier(site)?;
    window.lock_all(Assertion::default(), site)?;
    Ok(Held { window: Rc::new(window), locked: true })
}

fn native(entry: &'static Entry, own: Rc<dyn Transport>, site: Site) -> Result<Carried> {
    let name = entry.name;
    let elsewhere = || Error::Setup(barrier::not_of_world(name));
    if entry.family == Family::Rma {
        let window = own.window(WindowKind::Allocate, Layout::I64, 1, site)?;
        let window = Held { window: Rc::new(window), locked: false };
        let barrier = rma::by_name(name, window.clone(), site).ok_or_else(elsewhere)??;
        return Ok((barrier, Some(window)));
    }
    let at_once = match name {
        "mpi_barrier" => true,
        "mpi_ibarrier" => false,
        _ => return Err(elsewhere()),
    };
    let backend = own.backend();
    let none = || Error::Setup(barrier::not_in_backend(name, backend));
    own.library().ok_or_else(none)?;
    Ok((Box::new(OfLibrary { own, site, at_once }), None))
}

/// The library's own barrier.
struct OfLibrary {
    own: Rc<dyn Transport>,
    site: Site,
    at_once: bool,
}

impl Barrier for OfLibrary {
    fn wait(&mut self) -> Result<()> {
        let library = self.own.library().expect("looked at when the handle was made");
        if self.at_once { library.barrier(self.site) } else { library.ibarrier_and_wait(self.site) }
    }
}
