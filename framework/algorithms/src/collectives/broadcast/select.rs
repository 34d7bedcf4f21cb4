//! The selection of a broadcast: by name, or by size.
//!
//! As for [barriers](crate::barriers::select), the choice is a pure function of values that all members share: the size and
//! the bytes.
use wb_comm::Result;

use super::{Broadcast, find};
use crate::barriers::select::AUTO;

/// Up to this number of bytes one tree is faster than a scatter and an allgather (MPICH).
const SHORT_BYTES: usize = 12_288;

/// Up to this number of bytes an allgather by recursive doubling is faster than a ring, where it is defined (MPICH).
const MEDIUM_BYTES: usize = 524_288;

/// Below this number of ranks a scatter gains nothing (MPICH).
const FEW_RANKS: usize = 8;

/// The broadcast of that name; `"auto"` is MPICH's rule: a binomial tree for few ranks or bytes, else a scatter and an
/// allgather, by recursive doubling for a power of two of ranks and medium bytes, else by a ring. (Published, not measured
/// here.)
///
/// # Errors
/// [`wb_comm::Error::Setup`] with the list of the catalogue.
pub fn select(name: &str, size: usize, bytes: usize) -> Result<&'static Broadcast> {
    let name = match name {
        AUTO if size < FEW_RANKS || bytes <= SHORT_BYTES => "binomial",
        AUTO if size.is_power_of_two() && bytes <= MEDIUM_BYTES => "scatter_doubling",
        AUTO => "scatter_ring",
        name => name,
    };
    find(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_mpich_s_and_names_are_taken_as_they_are() {
        let chosen = |name, size, bytes| select(name, size, bytes).expect("there is one").name;
        assert_eq!(chosen(AUTO, 7, 1 << 20), "binomial");
        assert_eq!(chosen(AUTO, 64, 12_288), "binomial");
        assert_eq!(chosen(AUTO, 64, 12_289), "scatter_doubling");
        assert_eq!(chosen(AUTO, 63, 12_289), "scatter_ring");
        assert_eq!(chosen(AUTO, 64, 524_289), "scatter_ring");
        assert_eq!(chosen("pipeline", 2, 0), "pipeline");
        let message = select("pipelin", 2, 0).err().expect("refused").to_string();
        assert!(
            message.starts_with("there is no broadcast \"pipelin\"; there are ")
                && message.contains(", pipeline"),
            "{message}"
        );
    }
}
