//! Files in the state: opening and closing them, and the transfers between storage and ranks.
use std::sync::Arc;

use wb_comm::{CallSite, FileArgs, Rank, Result};

use crate::fabric::{
    agreement::{Decision, NewMembership, Proposal},
    communicator::CommunicatorState,
    delivery::{DeliveryModel, Event, StorageTransfer},
    files::{file_state::FileState, file_store::FileStore},
    job_state::JobState,
};

impl<P: DeliveryModel> JobState<P> {
    /// Keeps the content of files in memory and writes nothing to the disk. Call it before the ranks start.
    pub fn keep_files_in_memory(&mut self) {
        self.file_store = FileStore::Memory(Default::default());
    }

    /// What all members of a file get, or of a communicator on which they open one; `None` for other proposals.
    pub(crate) fn decide_on_file(
        &mut self,
        communicator: usize,
        proposal: Proposal,
        site: CallSite,
    ) -> Option<Decision> {
        match proposal {
            Proposal::FileOpen => Some(self.open_file(communicator, site).map(Some)),
            Proposal::FileSize { bytes } => {
                let file = self.files.get_mut(&communicator).expect("only files have sizes");
                Some(file.set_size(bytes).map(|()| None))
            }
            Proposal::FileCall => Some(Ok(None)),
            Proposal::FileClose => Some(self.close_file(communicator).map(|()| None)),
            _ => None,
        }
    }

    /// All members have named the file that they open.
    fn open_file(&mut self, communicator: usize, site: CallSite) -> Result<NewMembership> {
        let args = self.communicators[communicator].opening.take().expect("every member has named it");
        let storage = self.file_store.open(&args)?;
        let members = self.communicators[communicator].members.to_vec();
        let (name, count) = (format!("file {:?}", args.path), members.len());
        let made = self.add_communicator(CommunicatorState::new(name, Some(site), members));
        self.files.insert(made, FileState::new(args, storage, count));
        Ok(NewMembership { index: made, rank: 0 })
    }

    /// All members close a file.
    fn close_file(&mut self, communicator: usize) -> Result<()> {
        let FileArgs { path, mode } = self.files.remove(&communicator).expect("it is open").args;
        if mode.deletes_on_close { self.file_store.delete(&path) } else { Ok(()) }
    }

    /// A rank transfers bytes by itself: its wait ends with the transfer.
    pub(crate) fn start_transfer(&mut self, rank: Rank, requests: usize, bytes: u64) {
        self.ranks[rank].awaits_storage = true;
        let transfer = StorageTransfer { requests, bytes, exchanged_bytes: 0 };
        let now = self.delivery.access_storage(&[rank], transfer, Event::StorageReply(rank));
        self.process_events(now);
    }

    pub(crate) fn transfer_over(&mut self, rank: Rank) {
        self.ranks[rank].awaits_storage = false;
        self.unblock_if_satisfied(rank);
    }

    /// All members have asked for their parts of a collective transfer.
    pub(crate) fn start_collective_transfer(&mut self, communicator: usize) {
        let file = self.files.get_mut(&communicator).expect("only files have transfers");
        let transfer = file.take_transfer();
        let members = Arc::clone(&self.communicators[communicator].members);
        self.delivery.synchronize(&members);
        let reply = Event::CollectiveTransfer { communicator };
        let now = self.delivery.access_storage(&members, transfer, reply);
        self.process_events(now);
    }

    /// The transfer of all members is over.
    pub(crate) fn collective_transfer_over(&mut self, communicator: usize) {
        let group = &mut self.communicators[communicator];
        let members = Arc::clone(&group.members);
        group.agreement.decide(vec![Ok(None); members.len()]);
        members.iter().for_each(|member| self.unblock_if_satisfied(*member));
    }
}
