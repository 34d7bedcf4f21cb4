//! Frees the communicators that all their ranks have dropped.
//!
//! `MPI_Comm_free` is collective, and ranks drop at different times and in different orders. So they agree where they make a later
//! communicator, which is collective, too: they exchange how many each has dropped and, once these are many, which. A communicator that all
//! its ranks name is freed, on each of them in the order of the identities. One on which more messages were sent than receives were begun
//! is kept: the search at the end of the case finds the messages that are left on it.
use std::rc::Rc;

use wb_comm::Result;

use crate::communicator::{MpiCommunicator, all_gather, all_gather_lists};

/// The ranks agree once one of them has dropped this number of communicators.
const MIN_DROPPED: usize = 16;

/// The bits of the number of dropped communicators beside an identity.
const COUNT_BITS: u32 = 16;

impl MpiCommunicator {
    /// Collective: frees what all have dropped. Returns by rank the identity of the communicator that is made next, if the rank is the first
    /// in it.
    pub(crate) fn release_dropped(&self) -> Result<Vec<u64>> {
        let registry = &self.registry;
        let created = registry.creations.get() + 1;
        registry.creations.set(created);
        let identity = (registry.session.rank as u64) << 24 | created & 0xff_ffff;
        let (dropped, max) = (registry.dropped(), (1 << COUNT_BITS) - 1);
        let all = all_gather(self, identity << COUNT_BITS | dropped.len().min(max) as u64)?;
        let most = all.iter().map(|one| *one as usize & max).max().unwrap_or_default();
        if most >= MIN_DROPPED {
            self.free_agreed(dropped, most)?;
        }
        Ok(all.into_iter().map(|one| one >> COUNT_BITS).collect())
    }

    /// Collective: frees those that all their ranks name, where a rank names up to `most`.
    fn free_agreed(&self, mut dropped: Vec<Rc<Self>>, most: usize) -> Result<()> {
        dropped.sort_by_key(|made| made.identity.get());
        let name = |made: &Rc<Self>| [made.identity.get(), made.open_messages.get().cast_unsigned()];
        let mut mine: Vec<u64> = dropped.iter().flat_map(name).collect();
        mine.resize(2 * most, 0);
        let named = all_gather_lists(self, &mine)?;
        let is_agreed = |made: &&Rc<Self>| is_agreed(&named, made.identity.get(), made.size);
        dropped.iter().filter(is_agreed).try_for_each(|made| self.registry.free_dropped(made))
    }
}

/// Whether all ranks of a communicator name it, and no message is left on it: `named` are pairs of an identity and a number of messages.
fn is_agreed(named: &[u64], identity: u64, size: usize) -> bool {
    let of_this = named.chunks_exact(2).filter(|one| one[0] == identity);
    let open_messages = of_this.clone().map(|one| one[1].cast_signed()).sum::<i64>();
    identity != 0 && (of_this.count(), open_messages) == (size, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_all_ranks_name_and_has_no_message_is_freed() {
        let named = [5, 1, 7, 0, 5, 1_u64.wrapping_neg(), 0, 0, 9, 1, 9, 0, 0, 0];
        let freed = [(5, 2), (5, 3), (7, 1), (9, 2), (0, 2)].map(|(one, size)| is_agreed(&named, one, size));
        assert_eq!(freed, [true, false, true, false, false]);
    }
}
