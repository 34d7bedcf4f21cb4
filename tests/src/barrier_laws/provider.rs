//! What builds a barrier for a team: [`BarrierProvider`]; one barrier's belongings: [`BarrierInstance`]; what others have put: [`PutWords`].
use wb_algorithms::barriers::{BarrierEntry, GroupConfig};
use wb_comm::{Barrier, Rank, Result};
use wb_world::World;

/// A way to run barriers: messages, cells of one style and spacing, a window, a library.
pub trait BarrierProvider {
    /// For people: `"messages"`, `"cells (put, packed)"`.
    fn name(&self) -> String;

    /// Collective over `team`: a fresh barrier of that entry, with nothing in common with any other.
    ///
    /// # Errors
    /// Where the barrier is not defined for the team; what the substrate can meet.
    fn build(&self, entry: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>>;

    /// The number of signals that one episode of `size` ranks must have, if they are counted and there is a formula.
    fn signals(&self, _entry: &BarrierEntry, _size: usize) -> Option<usize> {
        None
    }

    /// Do its barriers of this entry complete what was put into their [`PutWords`] before?
    fn completes_memory(&self, _entry: &BarrierEntry) -> bool {
        false
    }

    /// Whether it can run a barrier of a part of the ranks.
    fn has_teams(&self) -> bool {
        true
    }

    /// Whether it can run such a barrier with `config`.
    fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool;
}

/// Words of all members, two for each of them, which their barrier completes where its provider promises it.
pub trait PutWords {
    /// Sets a word of `to`, as late as the substrate likes.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()>;

    /// An own word, as it is.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn own(&self, word: usize) -> Result<i64>;
}

/// All that one barrier of one team needs on one rank.
pub trait BarrierInstance {
    /// The handle; to be taken once.
    fn barrier(&self) -> Box<dyn Barrier + '_>;

    /// The number of signals that this rank has sent to others and has left in memory of its own, where they are counted.
    fn signals(&self) -> Option<[usize; 2]> {
        None
    }

    /// Words that the barrier completes; there are some where the provider promises it.
    fn put_words(&self) -> Option<&dyn PutWords> {
        None
    }

    /// Messages to this rank that were not received. Called when all ranks have left the last episode.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn leftovers(&self) -> Result<Vec<String>> {
        Ok(vec![])
    }

    /// The values of all ranks' cells; empty where there are none. Called when all ranks are out of the last episode.
    fn values(&self) -> Vec<i64> {
        vec![]
    }

    /// Collective: gives back what the place has.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn close(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
