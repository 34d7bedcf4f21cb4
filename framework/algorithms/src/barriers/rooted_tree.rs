//! Rooted trees as tables of all nodes, so that an episode contains no division and no allocation.
use wb_comm::Rank;

use crate::barriers::TreeNode;

/// A tree of ranks `0..size` with root 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootedTree {
    nodes: Vec<TreeNode>,
}

impl RootedTree {
    /// The `radix`-ary heap, see [`TreeNode::heap`].
    ///
    /// # Panics
    /// For a radix of 0.
    pub fn heap(size: usize, radix: usize) -> Self {
        Self { nodes: (0..size).map(|rank| TreeNode::heap(rank, size, radix)).collect() }
    }

    /// The `radix`-nomial tree, see [`TreeNode::nomial`].
    ///
    /// # Panics
    /// For a radix below 2.
    pub fn nomial(size: usize, radix: usize) -> Self {
        let mut nodes: Vec<_> = (0..size).map(|rank| TreeNode::nomial(rank, size, radix)).collect();
        nodes.iter_mut().for_each(|node| node.children.sort_unstable());
        Self { nodes }
    }

    /// The parent; the root's is itself.
    #[inline]
    pub fn parent(&self, rank: Rank) -> Rank {
        self.nodes[rank].parent.unwrap_or(rank)
    }

    /// The children, ascending.
    #[inline]
    pub fn children(&self, rank: Rank) -> &[Rank] {
        &self.nodes[rank].children
    }

    /// The largest number of edges between the root and a rank.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for rank in 1..self.nodes.len() {
            depths[rank] = depths[self.parent(rank)] + 1;
        }
        depths.into_iter().max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_and_nomial_trees_have_the_shapes_of_their_definitions() {
        let heap = RootedTree::heap(10, 4);
        assert_eq!(
            (heap.children(0), heap.children(1), heap.parent(9)),
            (&[1, 2, 3, 4][..], &[5, 6, 7, 8][..], 2)
        );
        let binomial = RootedTree::nomial(8, 2);
        assert_eq!(
            (binomial.children(0), binomial.children(4), binomial.parent(7)),
            (&[1, 2, 4][..], &[5, 6][..], 6)
        );
        assert_eq!(RootedTree::nomial(16, 4).children(0), [1, 2, 3, 4, 8, 12]);
        assert_eq!((heap.depth(), binomial.depth(), RootedTree::heap(1, 4).depth()), (2, 3, 0));
    }

    #[test]
    fn depths_of_heaps_follow_the_formula() {
        for (radix, size) in (2..6_usize).flat_map(|radix| (1..200).map(move |size| (radix, size))) {
            // ceil(log_k(P (k - 1) + 1)) - 1
            let mut depth = 0;
            while radix.pow(depth + 1) < size * (radix - 1) + 1 {
                depth += 1;
            }
            assert_eq!(RootedTree::heap(size, radix).depth(), depth as usize, "radix {radix}, P = {size}");
        }
    }
}
