//! One communicator of ours: two duplicates of the same group of ranks, and what is needed to name and free them.
//!
//! The users' messages travel on one, those of our own algorithms on the other, so no wildcard of a user ever catches a
//! message of ours. A communicator stays in the [`Registry`] until the case is closed, also when its last handle is
//! gone: that is how messages left behind on it are found, and `MPI_Comm_free` is collective, so it must happen at a
//! moment that all ranks agree on. The same holds of windows.
use std::{
    cell::{Cell, RefCell},
    ffi::c_int,
    rc::Rc,
};

use mpi::ffi::{MPI_Allgather, MPI_Barrier, MPI_Comm, MPI_Comm_dup, MPI_Comm_free, MPI_Comm_split};
use wb_comm::{Channel, Code, Error, Finding, Place, Rank, Result, Site, text};

use crate::{
    check::check,
    handles,
    session::{self, Session},
    window::Opened,
};

/// The communicators and windows of a case, in the order of their creation, and what was abandoned.
pub(crate) struct Registry {
    pub(crate) session: &'static Session,
    made: RefCell<Vec<Rc<Communicator>>>,
    windows: RefCell<Vec<Rc<Opened>>>,
    left: RefCell<Vec<Finding>>,
}

impl Registry {
    pub(crate) fn new(session: &'static Session) -> Rc<Self> {
        Rc::new(Self {
            session,
            made: RefCell::default(),
            windows: RefCell::default(),
            left: RefCell::default(),
        })
    }

    /// What is registered now.
    pub(crate) fn communicators(&self) -> Vec<Rc<Communicator>> {
        self.made.borrow().clone()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.made.borrow().is_empty() && self.windows.borrow().is_empty()
    }

    /// Keeps a window until it is freed.
    pub(crate) fn keep(&self, window: &Rc<Opened>) {
        self.windows.borrow_mut().push(Rc::clone(window));
        session::opened(1);
    }

    /// Forgets a window that was freed.
    pub(crate) fn forget(&self, window: &Rc<Opened>) {
        self.windows.borrow_mut().retain(|kept| !Rc::ptr_eq(kept, window));
        session::closed(1);
    }

    /// Notes a request that nobody waited for, or a window that nobody freed.
    pub(crate) fn leave(&self, code: Code, site: Site, details: Vec<wb_comm::Text>) {
        let rank = self.session.rank;
        let places = vec![Place::of(rank, site)];
        self.left.borrow_mut().push(Finding { code, rank, places, details });
    }

    /// What was noted since the last time.
    pub(crate) fn take_left(&self) -> Vec<Finding> {
        self.left.take()
    }

    /// Collective: frees every window, then every communicator, each in the order of creation; the first error is told
    /// after all were tried. A window that some rank still looks at stays, and with it everything.
    pub(crate) fn free_all(&self, contexts: Contexts) -> Result<()> {
        let windows = self.windows.borrow().clone();
        for window in windows {
            window.free_left()?;
        }
        let made = self.made.take();
        session::closed(made.len());
        let mut outcome = Ok(());
        for communicator in made {
            outcome = outcome.and(communicator.free(contexts));
        }
        outcome
    }
}

/// May the library give the contexts of the user's communicators to others?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contexts {
    /// Yes: the communicators are freed.
    Freed,
    /// No: messages may still be in them.
    Kept,
}

/// A communicator as this rank holds it.
pub(crate) struct Communicator {
    pub(crate) registry: Rc<Registry>,
    pub(crate) name: String,
    pub(crate) rank: Rank,
    pub(crate) size: usize,
    /// Ranks of the case's first communicator, of which this one is a part.
    pub(crate) case_size: usize,
    /// Are its members numbered as in the job?
    pub(crate) as_in_job: bool,
    user: MPI_Comm,
    internal: MPI_Comm,
    open: Cell<bool>,
    splits: Cell<usize>,
    dups: Cell<usize>,
}

impl Communicator {
    /// Collective over the job: its first `size` ranks; `None` on the others.
    pub(crate) fn of_job(registry: &Rc<Registry>, size: usize) -> Result<Option<Rc<Self>>> {
        let Session { rank, size: all, .. } = *registry.session;
        let user = if size == all {
            duplicate(handles::COMM_WORLD)?
        } else {
            let color = if rank < size { 0 } else { handles::UNDEFINED };
            part(handles::COMM_WORLD, color, rank as c_int)?
        };
        Self::register(registry, user, "world".into(), (size, true))
    }

    /// Collective: see [`wb_comm::Transport::split`].
    pub(crate) fn split(&self, color: Option<u32>, key: i32) -> Result<Option<Rc<Self>>> {
        let color = match color {
            None => handles::UNDEFINED,
            Some(color) => {
                c_int::try_from(color).map_err(|_| Error::Setup(text::setup::color(color, c_int::MAX)))?
            }
        };
        self.splits.set(self.splits.get() + 1);
        let user = part(self.channel(Channel::User)?, color, key)?;
        let name = format!("split {} of {}", self.splits.get(), self.name);
        Self::register(&self.registry, user, name, (self.case_size, false))
    }

    /// Collective: see [`wb_comm::Transport::dup`].
    pub(crate) fn dup(&self) -> Result<Rc<Self>> {
        self.dups.set(self.dups.get() + 1);
        let user = duplicate(self.channel(Channel::User)?)?;
        let name = format!("dup {} of {}", self.dups.get(), self.name);
        let made = Self::register(&self.registry, user, name, (self.case_size, self.as_in_job))?;
        Ok(made.expect("MPI_Comm_dup gives every rank a communicator"))
    }

    fn register(
        registry: &Rc<Registry>,
        user: MPI_Comm,
        name: String,
        (case_size, as_in_job): (usize, bool),
    ) -> Result<Option<Rc<Self>>> {
        if user == handles::COMM_NULL {
            return Ok(None);
        }
        session::return_errors(user)?;
        let internal = duplicate(user)?;
        session::return_errors(internal)?;
        let (rank, size) = session::place_in(user)?;
        let made = Rc::new(Self {
            registry: Rc::clone(registry),
            name,
            rank,
            size,
            case_size,
            as_in_job,
            user,
            internal,
            open: Cell::new(true),
            splits: Cell::new(0),
            dups: Cell::new(0),
        });
        registry.made.borrow_mut().push(Rc::clone(&made));
        session::opened(1);
        Ok(Some(made))
    }

    /// The MPI handle of a channel.
    #[inline]
    pub(crate) fn channel(&self, channel: Channel) -> Result<MPI_Comm> {
        if !self.open.get() {
            return Err(self.is_closed());
        }
        Ok(match channel {
            Channel::User => self.user,
            Channel::Internal => self.internal,
        })
    }

    #[cold]
    fn is_closed(&self) -> Error {
        Error::Setup(text::setup::communicator_closed(&self.name))
    }

    fn free(&self, contexts: Contexts) -> Result<()> {
        self.open.set(false);
        let user = match contexts {
            Contexts::Freed => release(self.user),
            Contexts::Kept => Ok(()),
        };
        user.and(release(self.internal))
    }
}

fn duplicate(comm: MPI_Comm) -> Result<MPI_Comm> {
    let mut made = handles::COMM_NULL;
    // SAFETY: a live communicator, one handle for the answer.
    check("MPI_Comm_dup", unsafe { MPI_Comm_dup(comm, &mut made) })?;
    Ok(made)
}

fn part(comm: MPI_Comm, color: c_int, key: c_int) -> Result<MPI_Comm> {
    let mut made = handles::COMM_NULL;
    // SAFETY: a live communicator, one handle for the answer; MPI checks the color.
    check("MPI_Comm_split", unsafe { MPI_Comm_split(comm, color, key, &mut made) })?;
    Ok(made)
}

fn release(mut comm: MPI_Comm) -> Result<()> {
    // SAFETY: made by us and freed once: its owner is marked closed before.
    check("MPI_Comm_free", unsafe { MPI_Comm_free(&mut comm) })
}

/// Collective, on our own channel: one number of every rank, by rank.
pub(crate) fn all_gather(communicator: &Communicator, mine: u64) -> Result<Vec<u64>> {
    let mut all = vec![0; communicator.size];
    let comm = communicator.channel(Channel::Internal)?;
    let (datatype, send) = (handles::UINT64, (&raw const mine).cast());
    // SAFETY: one number to send and room for one of each rank.
    let code = unsafe { MPI_Allgather(send, 1, datatype, all.as_mut_ptr().cast(), 1, datatype, comm) };
    check("MPI_Allgather", code)?;
    Ok(all)
}

/// Collective, on our own channel: nobody leaves before everybody has entered.
pub(crate) fn meet(communicator: &Communicator) -> Result<()> {
    // SAFETY: a live communicator.
    check("MPI_Barrier", unsafe { MPI_Barrier(communicator.channel(Channel::Internal)?) })
}
