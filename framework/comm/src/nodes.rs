//! Which ranks share a node: the numbering that all backends use, and its short form.
//!
//! Nodes are numbered from 0 in the order of their lowest rank. `2x3,1x2` is two nodes of three ranks and then one of two, ranks in
//! order, for a job of eight.
//!
//! ```
//! use wb_comm::nodes;
//! assert_eq!(nodes::parse("2x3,1x2", 8)?, [0, 0, 0, 1, 1, 1, 2, 2]);
//! assert!(nodes::parse("2x3", 8).is_err());
//! # Ok::<(), wb_comm::Error>(())
//! ```
use crate::{Error, Result, text::setup};

/// The node of each of `size` ranks, by rank, out of a text like `2x3,1x2` (nodes x ranks on each).
///
/// # Errors
/// [`Error::Setup`] if the text has another form or contains a zero, or if the number of ranks is not `size`.
pub fn parse(text: &str, size: usize) -> Result<Vec<usize>> {
    let mut nodes = vec![];
    let mut next = 0usize;
    for part in text.split(',') {
        let (count, ranks) = parse_group(part).ok_or_else(|| malformed(text, part))?;
        for node in next..next.saturating_add(count) {
            if ranks > size - nodes.len() {
                return Err(Error::Setup(setup::nodes_of_more(text, size)));
            }
            nodes.extend(std::iter::repeat_n(node, ranks));
        }
        next = next.saturating_add(count);
    }
    if nodes.len() == size {
        return Ok(nodes);
    }
    Err(Error::Setup(setup::nodes_of_fewer(text, size)))
}

/// Renumbers nodes, given under any names by rank, in the order of their lowest rank.
pub fn renumber(names: &[usize]) -> Vec<usize> {
    let mut seen: Vec<usize> = vec![];
    let number = |name: &usize| {
        seen.iter().position(|other| other == name).unwrap_or_else(|| {
            seen.push(*name);
            seen.len() - 1
        })
    };
    names.iter().map(number).collect()
}

/// `2x3`: nodes and the ranks on each, both at least 1.
fn parse_group(part: &str) -> Option<(usize, usize)> {
    let (count, ranks) = part.trim().split_once('x')?;
    let (count, ranks) = (count.trim().parse().ok()?, ranks.trim().parse().ok()?);
    (count > 0 && ranks > 0).then_some((count, ranks))
}

fn malformed(text: &str, part: &str) -> Error {
    Error::Setup(setup::nodes_form(text, part.escape_debug().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other() {
        assert_eq!(parse("1x1", 1), Ok(vec![0]));
        assert_eq!(parse(" 1x2 , 2x1", 4), Ok(vec![0, 0, 1, 2]));
        assert_eq!(parse("2x3,1x2", 8), Ok(vec![0, 0, 0, 1, 1, 1, 2, 2]));
    }

    #[test]
    fn a_text_that_does_not_fit_says_so() {
        let refused = |text, size| parse(text, size).expect_err("refused").to_string();
        assert_eq!(refused("2x3,1x2", 7), "the nodes `2x3,1x2` have more ranks than the 7 that there are");
        assert_eq!(refused("2x3", 8), "the nodes `2x3` have fewer ranks than the 8 that there are");
        for text in ["", "3", "2x", "x2", "0x3", "2x0", "2x3,", "-1x2", "2*3", "99999999999999999999x1"] {
            assert!(refused(text, 8).contains("is not of the form"), "{text:?}");
        }
        assert!(refused("9999999999999x1,9999999999x99999999", 8).contains("more ranks"));
        assert!(refused("1x18446744073709551615", 8).contains("more ranks"));
    }

    #[test]
    fn numbers_follow_the_lowest_ranks() {
        assert_eq!(renumber(&[7, 3, 7, 0, 3]), [0, 1, 0, 2, 1]);
        assert_eq!(renumber(&[]), [0usize; 0]);
    }
}
