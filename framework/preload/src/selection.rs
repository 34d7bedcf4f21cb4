//! Which calls are faster in shared memory than by the library.
use wb_comm::Verb;

/// The most ranks of a communicator whose calls are taken: the algorithms are flat.
pub(crate) const MOST_RANKS: usize = 16;

/// The longest blocks, in bytes, for which shared memory is at least as fast as the library: with two ranks, and with more.
fn longest(verb: Verb) -> [usize; 2] {
    match verb {
        Verb::Barrier => [0; 2],
        _ => [64 << 10; 2],
    }
}

/// Whether a call with blocks of so many bytes is taken. All ranks decide alike, since all have the same arguments.
#[inline]
pub(crate) fn is_faster(verb: Verb, ranks: usize, bytes: usize) -> bool {
    bytes <= longest(verb)[usize::from(ranks > 2)]
}
