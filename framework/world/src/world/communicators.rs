//! Communicators that are made of groups or of the ranks of a node, their comparison and their names.
use std::rc::Rc;

use wb_comm::{CallSite, Error, NewTopology, Result, Verb, limits, panic_place::RankStop, text};
use wb_record::{CollectiveShape, EventKind};

use super::World;
use crate::{Group, GroupComparison};

impl World {
    /// Collective: a communicator of the ranks of a group, in its order; `None` on the ranks that are not in it (`MPI_Comm_create`).
    /// All ranks of a group name the same group; ranks may name groups that have no rank in common.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if a process of the group is not in this communicator; the errors of the backend.
    #[track_caller]
    pub fn comm_create(&self, group: &Group) -> Result<Option<World>> {
        let site = CallSite::caller(Verb::CommCreate);
        self.run(site, || {
            let ranks = group.ranks_in(&self.group()?, "comm_create")?;
            self.create_topology(&NewTopology::Group { ranks }, site)
        })
    }

    /// A communicator of the ranks of a group, in its order (`MPI_Comm_create_group`). It is collective among the ranks of the group: no
    /// other rank calls it. Calls with other tags are separate.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if a process of the group is not in this communicator, or this rank is not in the group;
    /// [`Error::Tag`]; the errors of the backend.
    #[track_caller]
    pub fn comm_create_group(&self, group: &Group, tag: i32) -> Result<World> {
        let site = CallSite::caller(Verb::CommCreateGroup);
        let create = || {
            limits::check_tag(Some(tag))?;
            let ranks = group.ranks_in(&self.group()?, "comm_create_group")?;
            if !ranks.contains(&self.rank()) {
                return Err(Error::CommunicatorArgument(text::group::not_a_member("comm_create_group")));
            }
            let made = self.transport.create_group(&ranks, tag, site)?;
            Ok((made, ranks))
        };
        let (made, ranks) = self.run_traced(site, create, |_, _| EventKind::Local)?;
        let tracer = self.tracer.as_ref().map(|recorder| recorder.for_group(&made, &ranks, tag));
        self.derived(made, tracer, site)
    }

    /// Collective: the ranks that can share memory form a communicator, ordered by `key`, then by rank here (`MPI_Comm_split_type` with
    /// `MPI_COMM_TYPE_SHARED`).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn split_type_shared(&self, key: i32) -> Result<World> {
        let site = CallSite::caller(Verb::SplitTypeShared);
        let mut node = None;
        let split = || {
            node = self.transport.nodes(site)?.get(self.rank()).map(|node| *node as u32);
            self.transport.split(node, key, site)
        };
        let part = self.run_collective(site, CollectiveShape::All, 0, split)?;
        self.child(part.expect("every rank is on a node"), node, site)
    }

    /// How two communicators relate (`MPI_Comm_compare`); it does not communicate.
    ///
    /// # Errors
    /// The errors of the backend.
    pub fn compare(&self, other: &World) -> Result<GroupComparison> {
        if Rc::ptr_eq(&self.transport, &other.transport) {
            return Ok(GroupComparison::Ident);
        }
        Ok(match self.group()?.compare(&other.group()?) {
            GroupComparison::Ident => GroupComparison::Congruent,
            unlike => unlike,
        })
    }

    /// Ends the job (`MPI_Abort`): this rank panics at the caller's line, and the harness ends the other ranks and reports rank, stage, line
    /// and code.
    ///
    /// # Panics
    /// Always.
    #[track_caller]
    pub fn abort(&self, code: i32) -> ! {
        RankStop::Abort { rank: self.rank(), code }.panic()
    }

    /// Names the communicator, on this rank; messages about it show the name (`MPI_Comm_set_name`).
    ///
    /// # Errors
    /// The errors of the backend.
    pub fn set_name(&self, name: &str) -> Result<()> {
        self.transport.set_name(name)?;
        self.name.replace(name.to_owned());
        Ok(())
    }

    /// The name of the communicator; empty if it was given none (`MPI_Comm_get_name`).
    pub fn name(&self) -> String {
        self.name.borrow().clone()
    }
}
