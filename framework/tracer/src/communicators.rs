//! The communicators of a rank.
//!
//! Communicators are made by collective calls, so all ranks of one count the same children of it, and a communicator gets the same name on all its
//! ranks without a message: `world.0` is the first child of `world`. A part gets its colour as well, or the rank in `MPI_COMM_WORLD`
//! of its first member.
use std::{
    ffi::c_int,
    sync::{Mutex, PoisonError},
};

use wb_mpi::{
    ffi::{self, MPI_Comm, MPI_Group},
    handles,
};
use wb_record::{LogEntry, TraceCommunicator};

use crate::{log_file::LogFile, recorder::Word, trampoline::Words};

/// The handles of communicators that were freed in calls without a record: by functions which the library calls when an attribute is deleted, and by
/// other threads. A library may give a handle to a new communicator later.
static FREED: Mutex<Vec<Word>> = Mutex::new(Vec::new());

/// Notes a call without a record.
pub(crate) fn note_unrecorded(function: &str, arguments: &Words) {
    if ["MPI_Comm_free", "MPI_Comm_disconnect"].contains(&function) {
        let handle: MPI_Comm = Word(arguments[0]).at(0);
        FREED.lock().unwrap_or_else(PoisonError::into_inner).push(Word::from_handle(handle));
    }
}

/// A communicator inside of one group.
pub(crate) struct Communicator {
    handle: MPI_Comm,
    /// The number in the log.
    pub(crate) number: u32,
    name: String,
    pub(crate) rank: u32,
    pub(crate) size: u32,
    collectives: u32,
    children: u32,
}

impl Communicator {
    /// The number of the next collective call.
    pub(crate) fn next_collective(&mut self) -> u32 {
        self.collectives += 1;
        self.collectives - 1
    }
}

/// The communicators that are known, those of two groups excluded.
#[derive(Default)]
pub(crate) struct Communicators {
    known: Vec<Communicator>,
    made: u32,
    logged: u32,
    /// The names of groups that have made communicators without the other ranks, once for each.
    groups: Vec<String>,
}

impl Communicators {
    /// The communicator with this handle.
    pub(crate) fn find(&mut self, handle: MPI_Comm) -> Option<&mut Communicator> {
        self.known.iter_mut().find(|known| known.handle == handle)
    }

    /// Adds a communicator.
    pub(crate) fn add(&mut self, handle: MPI_Comm, name: String) -> &Communicator {
        let (mut rank, mut size) = (0, 0);
        // SAFETY: the handle is that of a communicator, and the addresses are those of variables.
        unsafe {
            ffi::MPI_Comm_rank(handle, &raw mut rank);
            ffi::MPI_Comm_size(handle, &raw mut size);
        }
        let (rank, size, number) = (rank as u32, size as u32, self.made);
        self.made += 1;
        self.known.push(Communicator { handle, number, name, rank, size, collectives: 0, children: 0 });
        &self.known[self.known.len() - 1]
    }

    /// Adds the next child of `parent`; `made` is `MPI_COMM_NULL` on a rank that does not belong to it.
    pub(crate) fn add_child(&mut self, parent: MPI_Comm, made: MPI_Comm, color: Option<c_int>) {
        let Some(parent) = self.find(parent) else { return };
        let (mut name, size) = (format!("{}.{}", parent.name, parent.children), parent.size);
        parent.children += 1;
        if made == handles::COMM_NULL {
            return;
        }
        let members = members(made);
        match color {
            Some(color) => name += &format!(":{color}"),
            None if members.len() < size as usize => name += &format!(":{}", members[0]),
            None => {}
        }
        self.add(made, name);
    }

    /// Adds a communicator that the members of a group have made without the other ranks of `parent`.
    pub(crate) fn add_group(&mut self, parent: MPI_Comm, made: MPI_Comm, tag: c_int) {
        let Some(parent) = self.find(parent) else { return };
        if made == handles::COMM_NULL {
            return;
        }
        let group = format!("{}.{:?}:{tag}", parent.name, members(made));
        let number = self.groups.iter().filter(|known| **known == group).count();
        self.add(made, format!("{group}.{number}"));
        self.groups.push(group);
    }

    /// Forgets those that were freed in calls without a record.
    pub(crate) fn forget_freed(&mut self) {
        for freed in FREED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            self.remove(freed.comm());
        }
    }

    /// Forgets a communicator and returns its number.
    pub(crate) fn remove(&mut self, handle: MPI_Comm) -> Option<u32> {
        let place = self.known.iter().position(|known| known.handle == handle)?;
        Some(self.known.remove(place).number)
    }

    /// Writes the communicators that are not in the log yet.
    pub(crate) fn log_new(&mut self, log: &mut LogFile) {
        for Communicator { name, rank, size, .. } in
            self.known.iter().filter(|known| known.number >= self.logged)
        {
            let (name, sources) = (name.clone(), vec![]);
            log.write(&LogEntry::Communicator(TraceCommunicator { name, rank: *rank, size: *size, sources }));
        }
        self.logged = self.made;
    }
}

/// The ranks in `MPI_COMM_WORLD` of the members of a communicator.
fn members(handle: MPI_Comm) -> Vec<c_int> {
    let (mut group, mut world): (MPI_Group, MPI_Group) = (handles::GROUP_NULL, handles::GROUP_NULL);
    let mut size = 0;
    // SAFETY: the handles are those of communicators, and the addresses are those of variables and of arrays of this size.
    unsafe {
        ffi::MPI_Comm_group(handle, &raw mut group);
        ffi::MPI_Comm_group(handles::COMM_WORLD, &raw mut world);
        ffi::MPI_Group_size(group, &raw mut size);
        let ranks: Vec<c_int> = (0..size).collect();
        let mut members = ranks.clone();
        ffi::MPI_Group_translate_ranks(group, size, ranks.as_ptr(), world, members.as_mut_ptr());
        ffi::MPI_Group_free(&raw mut group);
        ffi::MPI_Group_free(&raw mut world);
        members
    }
}
