//! The value by which a participant announces an episode: the episode's number, or one alternating bit (the sense).
//!
//! With numbers a wait is for *at least* this one, and no signal is lost. With the sense it is for *this* bit: right
//! where the writer cannot write the next one before this one has been seen, and then a byte is enough.
use wb_comm::Until;

/// The mark of an episode, and how to wait for it.
#[inline]
pub(crate) fn epoch_flag<const SENSE: bool>(epoch: i64) -> (i64, Until) {
    if SENSE { (epoch & 1, Until::Equal(epoch & 1)) } else { (epoch, Until::AtLeast(epoch)) }
}
