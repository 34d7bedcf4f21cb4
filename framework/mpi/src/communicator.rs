//! A communicator of this crate: two duplicates of the same group of ranks, and the data to name and free them.
//!
//! The users' messages use one duplicate, those of our own algorithms the other, so no wildcard of a user matches a
//! message of ours. A communicator stays in the [`Registry`] when its last handle is dropped: so its unreceived messages
//! can be found, and `MPI_Comm_free`, which is collective, happens at a time that all ranks agree on: when a later
//! communicator is made ([`release`](crate::release)), or when the case ends. Windows and files stay until the case ends.
use std::{
    cell::{Cell, RefCell},
    ffi::{CString, c_int},
    ptr,
    rc::Rc,
};

use mpi::ffi::{
    MPI_Allgather, MPI_Barrier, MPI_Comm, MPI_Comm_dup, MPI_Comm_free, MPI_Comm_set_name, MPI_Comm_split,
};
use wb_comm::{
    CallLocation, CallSite, Code, Context, Error, Finding, NewTopology, Rank, Result, limits, text,
};

use crate::{
    check::{check, to_count},
    group, handles,
    session::{self, Session},
    topology,
};

/// A window or a file that the registry keeps until it is freed.
pub(crate) trait RegisteredResource {
    /// Frees what no user handle can free any more. Collective.
    ///
    /// # Errors
    /// When a rank still uses it, and the errors of the library.
    fn free_leaked(self: Rc<Self>) -> Result<()>;
}

/// The communicators, windows and files of a case, in the order of their creation, and the leaks found so far.
pub(crate) struct Registry {
    pub(crate) session: &'static Session,
    communicators: RefCell<Vec<Rc<MpiCommunicator>>>,
    resources: RefCell<Vec<Rc<dyn RegisteredResource>>>,
    leaks: RefCell<Vec<Finding>>,
    /// Whether an operation has failed since the leaks were taken last.
    has_failed: Cell<bool>,
    /// The number of calls of this rank that made a communicator.
    pub(crate) creations: Cell<u64>,
}

impl Registry {
    pub(crate) fn new(session: &'static Session) -> Rc<Self> {
        Rc::new(Self {
            session,
            communicators: RefCell::default(),
            resources: RefCell::default(),
            leaks: RefCell::default(),
            has_failed: Cell::default(),
            creations: Cell::default(),
        })
    }

    /// The registered communicators.
    pub(crate) fn communicators(&self) -> Vec<Rc<MpiCommunicator>> {
        self.communicators.borrow().clone()
    }

    /// The registered communicators that nothing else holds: no handle, request, window or file.
    pub(crate) fn dropped(&self) -> Vec<Rc<MpiCommunicator>> {
        self.communicators.borrow().iter().filter(|made| Rc::strong_count(made) == 1).cloned().collect()
    }

    /// Collective over its ranks: frees a communicator that all of them have dropped.
    pub(crate) fn free_dropped(&self, dropped: &Rc<MpiCommunicator>) -> Result<()> {
        self.communicators.borrow_mut().retain(|kept| !Rc::ptr_eq(kept, dropped));
        session::communicators_closed(1);
        dropped.free(Contexts::Freed)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.communicators.borrow().is_empty() && self.resources.borrow().is_empty()
    }

    /// Keeps a window or a file until it is freed.
    pub(crate) fn register(&self, resource: Rc<dyn RegisteredResource>) {
        self.resources.borrow_mut().push(resource);
        session::communicators_opened(1);
    }

    /// Removes what was freed.
    pub(crate) fn unregister(&self, resource: &dyn RegisteredResource) {
        self.resources.borrow_mut().retain(|kept| !ptr::addr_eq(&raw const **kept, resource));
        session::communicators_closed(1);
    }

    /// Records that an operation has failed: what is dropped from then on is a consequence.
    pub(crate) fn note_failure(&self) {
        self.has_failed.set(true);
    }

    /// Records a request without a wait, or a window or a file that was not freed, unless an operation has failed.
    pub(crate) fn note_leak(&self, code: Code, site: CallSite, details: Vec<wb_comm::Text>) {
        if self.has_failed.get() {
            return;
        }
        let rank = self.session.rank;
        let places = vec![CallLocation::new(rank, site)];
        self.leaks.borrow_mut().push(Finding { code, rank, locations: places, details });
    }

    /// The leaks recorded since the last call.
    pub(crate) fn take_leaks(&self) -> Vec<Finding> {
        self.has_failed.set(false);
        self.leaks.take()
    }

    /// Collective: frees every window and file, then every communicator, each in the order of creation. The first error
    /// of a communicator is returned after all were tried. If a rank still uses a window or a file, that one and all
    /// communicators stay.
    pub(crate) fn free_all(&self, contexts: Contexts) -> Result<()> {
        self.session.attached_buffer.end_case(contexts == Contexts::Kept)?;
        let resources = self.resources.borrow().clone();
        for resource in resources {
            resource.free_leaked()?;
        }
        let made = self.communicators.take();
        session::communicators_closed(made.len());
        let mut outcome = Ok(());
        for communicator in made {
            outcome = outcome.and(communicator.free(contexts));
        }
        outcome
    }
}

/// Whether the library may reuse the contexts of the user's communicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contexts {
    /// The communicators are freed.
    Freed,
    /// The communicators are kept: messages may still be in them.
    Kept,
}

/// A communicator as this rank holds it.
pub(crate) struct MpiCommunicator {
    pub(crate) registry: Rc<Registry>,
    pub(crate) name: RefCell<String>,
    pub(crate) rank: Rank,
    pub(crate) size: usize,
    /// The number of ranks of the case's first communicator, of which this one is a part.
    pub(crate) case_size: usize,
    /// Whether its members have the same ranks as in the job.
    pub(crate) has_job_ranks: bool,
    /// The numbers of sources and destinations in its topology.
    pub(crate) degrees: Option<(usize, usize)>,
    user: MPI_Comm,
    internal: MPI_Comm,
    is_open: Cell<bool>,
    splits: Cell<usize>,
    dups: Cell<usize>,
    /// A number that its ranks have and no other communicator of them has; 0 if it ends with the case.
    pub(crate) identity: Cell<u64>,
    /// The messages that this rank has sent on it, less the receives that it has begun and not cancelled.
    pub(crate) open_messages: Cell<i64>,
}

impl MpiCommunicator {
    /// Collective over the job: its first `size` ranks; `None` on the others.
    pub(crate) fn from_job(registry: &Rc<Registry>, size: usize) -> Result<Option<Rc<Self>>> {
        let Session { rank, size: all, .. } = *registry.session;
        let user = if size == all {
            dup_comm(handles::COMM_WORLD)?
        } else {
            let color = if rank < size { 0 } else { handles::UNDEFINED };
            split_comm(handles::COMM_WORLD, color, rank as c_int)?
        };
        Self::register(registry, user, "world".into(), (size, true), &|_| None)
    }

    /// Collective: see [`wb_comm::Transport::split`].
    pub(crate) fn split(&self, color: Option<u32>, key: i32) -> Result<Option<Rc<Self>>> {
        let color = match color {
            None => handles::UNDEFINED,
            Some(color) => limits::check_color(color)?,
        };
        self.splits.set(self.splits.get() + 1);
        let identities = self.release_dropped()?;
        let user = split_comm(self.comm_of(Context::User)?, color, key)?;
        let name = format!("split {} of {}", self.splits.get(), self.name.borrow());
        self.register_child((user, &identities), name, false, &|_| None)
    }

    /// Collective: see [`wb_comm::Transport::create_topology`].
    pub(crate) fn create_topology(&self, topology: &NewTopology) -> Result<Option<Rc<Self>>> {
        self.splits.set(self.splits.get() + 1);
        let identities = self.release_dropped()?;
        let user = topology::create_comm(self.comm_of(Context::User)?, self.size, topology)?;
        let name = format!("split {} of {}", self.splits.get(), self.name.borrow());
        self.register_child((user, &identities), name, false, &|rank| topology.degrees(rank))
    }

    /// Collective among the members only: see [`wb_comm::Transport::create_group`].
    pub(crate) fn create_group(&self, members: &[Rank], tag: i32) -> Result<Rc<Self>> {
        let user = group::create_group(self.comm_of(Context::User)?, members, tag)?;
        let name = format!("group {members:?} of {}", self.name.borrow());
        let made = Self::register(&self.registry, user, name, (self.case_size, false), &|_| None)?;
        let made = made.expect("every caller is a member");
        // Only the members make this call, so only they can agree, on the new communicator.
        made.identity.set(made.release_dropped()?[0]);
        Ok(made)
    }

    /// Names the communicator in messages of this rank.
    pub(crate) fn set_name(&self, name: &str) -> Result<()> {
        let text = CString::new(name.replace('\0', "")).expect("it has no zero byte");
        // SAFETY: a live communicator, a string that ends with a zero byte.
        let code = unsafe { MPI_Comm_set_name(self.comm_of(Context::User)?, text.as_ptr()) };
        check("MPI_Comm_set_name", code)?;
        self.name.replace(name.to_owned());
        Ok(())
    }

    /// Collective: see [`wb_comm::Transport::dup`].
    pub(crate) fn dup(&self) -> Result<Rc<Self>> {
        self.dups.set(self.dups.get() + 1);
        let identities = self.release_dropped()?;
        let user = dup_comm(self.comm_of(Context::User)?)?;
        let name = format!("dup {} of {}", self.dups.get(), self.name.borrow());
        let made = self.register_child((user, &identities), name, self.has_job_ranks, &|_| self.degrees)?;
        Ok(made.expect("MPI_Comm_dup gives every rank a communicator"))
    }

    /// Registers a communicator that was made from this one, whose ranks have these identities for it.
    fn register_child(
        &self,
        (user, identities): (MPI_Comm, &[u64]),
        name: String,
        has_job_ranks: bool,
        degrees: &dyn Fn(Rank) -> Option<(usize, usize)>,
    ) -> Result<Option<Rc<Self>>> {
        let made = Self::register(&self.registry, user, name, (self.case_size, has_job_ranks), degrees)?;
        if let Some(made) = &made {
            let first = group::translate_ranks(user, &[0], self.comm_of(Context::User)?)?[0];
            made.identity.set(identities[first]);
        }
        Ok(made)
    }

    fn register(
        registry: &Rc<Registry>,
        user: MPI_Comm,
        name: String,
        (case_size, as_in_job): (usize, bool),
        degrees: &dyn Fn(Rank) -> Option<(usize, usize)>,
    ) -> Result<Option<Rc<Self>>> {
        if user == handles::COMM_NULL {
            return Ok(None);
        }
        session::return_errors(user)?;
        let internal = dup_comm(user)?;
        session::return_errors(internal)?;
        let (rank, size) = session::rank_and_size(user)?;
        let made = Rc::new(Self {
            registry: Rc::clone(registry),
            name: RefCell::new(name),
            rank,
            size,
            case_size,
            has_job_ranks: as_in_job,
            degrees: degrees(rank),
            user,
            internal,
            is_open: Cell::new(true),
            splits: Cell::new(0),
            dups: Cell::new(0),
            identity: Cell::new(0),
            open_messages: Cell::new(0),
        });
        registry.communicators.borrow_mut().push(Rc::clone(&made));
        session::communicators_opened(1);
        Ok(Some(made))
    }

    /// The MPI handle of a context.
    #[inline]
    pub(crate) fn comm_of(&self, channel: Context) -> Result<MPI_Comm> {
        if !self.is_open.get() {
            return Err(self.closed_error());
        }
        Ok(match channel {
            Context::User => self.user,
            Context::Internal => self.internal,
        })
    }

    /// Counts messages sent, and receives with a minus.
    #[inline]
    pub(crate) fn count_messages(&self, sent: i64) {
        self.open_messages.set(self.open_messages.get() + sent);
    }

    #[cold]
    fn closed_error(&self) -> Error {
        Error::Setup(text::setup::communicator_closed(&*self.name.borrow()))
    }

    fn free(&self, contexts: Contexts) -> Result<()> {
        self.is_open.set(false);
        let user = match contexts {
            Contexts::Freed => free_comm(self.user),
            Contexts::Kept => Ok(()),
        };
        user.and(free_comm(self.internal))
    }
}

fn dup_comm(comm: MPI_Comm) -> Result<MPI_Comm> {
    let mut made = handles::COMM_NULL;
    // SAFETY: a live communicator, one handle for the answer.
    check("MPI_Comm_dup", unsafe { MPI_Comm_dup(comm, &mut made) })?;
    Ok(made)
}

fn split_comm(comm: MPI_Comm, color: c_int, key: c_int) -> Result<MPI_Comm> {
    let mut made = handles::COMM_NULL;
    // SAFETY: a live communicator, one handle for the answer; MPI checks the color.
    check("MPI_Comm_split", unsafe { MPI_Comm_split(comm, color, key, &mut made) })?;
    Ok(made)
}

fn free_comm(mut comm: MPI_Comm) -> Result<()> {
    // SAFETY: made by us and freed once: its owner is marked closed before.
    check("MPI_Comm_free", unsafe { MPI_Comm_free(&mut comm) })
}

/// Collective, on our own context: one number of every rank, by rank.
pub(crate) fn all_gather(communicator: &MpiCommunicator, mine: u64) -> Result<Vec<u64>> {
    all_gather_lists(communicator, &[mine])
}

/// The same for lists, which have one length on all ranks: all lists, by rank.
pub(crate) fn all_gather_lists(communicator: &MpiCommunicator, mine: &[u64]) -> Result<Vec<u64>> {
    let mut all = vec![0; communicator.size * mine.len()];
    let comm = communicator.comm_of(Context::Internal)?;
    let (datatype, send, count) = (handles::UINT64, mine.as_ptr().cast(), to_count(mine.len())?);
    // SAFETY: `count` numbers to send and room for as many of each rank.
    let code =
        unsafe { MPI_Allgather(send, count, datatype, all.as_mut_ptr().cast(), count, datatype, comm) };
    check("MPI_Allgather", code)?;
    Ok(all)
}

/// Collective, on our own context: no rank leaves before every rank has entered.
pub(crate) fn barrier(communicator: &MpiCommunicator) -> Result<()> {
    // SAFETY: a live communicator.
    check("MPI_Barrier", unsafe { MPI_Barrier(communicator.comm_of(Context::Internal)?) })
}
