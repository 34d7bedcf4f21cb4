//! A rank's node of a tree: its parent and its children, all as virtual ranks, of which the root is 0.
//!
//! A node is computed from its rank and the size, without a table of all nodes ([`RootedTree`](crate::barriers::RootedTree) is such a
//! table).
use wb_comm::Rank;

/// One rank's parent and children in a tree, as virtual ranks: the root is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The parent; `None` for the root.
    pub parent: Option<Rank>,
    /// The order is that of the constructor.
    pub children: Vec<Rank>,
}

impl TreeNode {
    /// The root is the parent of all other ranks.
    pub fn star(v: Rank, size: usize) -> Self {
        match v {
            0 => Self { parent: None, children: (1..size).collect() },
            _ => Self { parent: Some(0), children: vec![] },
        }
    }

    /// The k-nomial tree: the parent of v is v with its lowest non-zero digit of base k cleared. The child with the largest
    /// subtree comes first.
    ///
    /// # Panics
    /// For k below 2.
    pub fn nomial(v: Rank, size: usize, k: usize) -> Self {
        assert!(k >= 2, "digits of base {k}");
        // A base above the size makes the same tree.
        let (k, mut unit) = (k.min(size.max(2)), 1);
        while unit < size && v.is_multiple_of(k * unit) {
            unit *= k;
        }
        let parent = (v > 0).then(|| v / (k * unit) * (k * unit));
        let mut children = vec![];
        while unit > 1 {
            unit /= k;
            children.extend((1..k).map(|digit| v + digit * unit).filter(|child| *child < size));
        }
        Self { parent, children }
    }

    /// P - 1 ranks in `fan_out` chains of neighbours that begin at the root; the first (P - 1) mod `fan_out` chains are one
    /// rank longer.
    pub fn chains(v: Rank, size: usize, fan_out: usize) -> Self {
        let chains = fan_out.min(size - 1).max(1);
        let (length, longer) = ((size - 1) / chains, (size - 1) % chains);
        let head = |chain: usize| 1 + chain * length + chain.min(longer);
        if v == 0 {
            let heads = (0..chains).map(head).filter(|head| *head < size);
            return Self { parent: None, children: heads.collect() };
        }
        let is_head = |v: Rank| (0..chains).any(|chain| head(chain) == v);
        let parent = Some(if is_head(v) { 0 } else { v - 1 });
        let children = (v + 1 < size && !is_head(v + 1)).then_some(v + 1).into_iter().collect();
        Self { parent, children }
    }

    /// The k-ary heap: the children of v are k v + 1 .. k v + k.
    ///
    /// # Panics
    /// For k = 0.
    pub fn heap(v: Rank, size: usize, k: usize) -> Self {
        // A heap of more children than there are ranks is the same tree.
        let k = k.min(size);
        Self {
            parent: v.checked_sub(1).map(|before| before / k),
            children: (k * v + 1..=k * v + k).take_while(|child| *child < size).collect(),
        }
    }

    /// Open MPI's binary tree, level by level: v on level l, which begins at 2^l - 1, has the children v + 2^l and
    /// v + 2 * 2^l. All of the left subtree are odd, all of the right one even.
    pub fn levels(v: Rank, size: usize) -> Self {
        let width = 1 << (v + 1).ilog2();
        let children = [v + width, v + 2 * width];
        let before = width / 2;
        let above = |v: Rank| if v - before < width - 1 { v - before } else { v - 2 * before };
        Self {
            parent: (v > 0).then(|| above(v)),
            children: children.into_iter().filter(|child| *child < size).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every rank but the root is the child of one node, which is its parent.
    #[test]
    fn every_shape_is_a_tree() {
        let shapes: [fn(Rank, usize) -> TreeNode; 11] = [
            TreeNode::star,
            |v, size| TreeNode::nomial(v, size, 2),
            |v, size| TreeNode::nomial(v, size, 3),
            |v, size| TreeNode::nomial(v, size, 4),
            |v, size| TreeNode::nomial(v, size, 8),
            |v, size| TreeNode::chains(v, size, 1),
            |v, size| TreeNode::chains(v, size, 2),
            |v, size| TreeNode::chains(v, size, 4),
            |v, size| TreeNode::heap(v, size, 2),
            |v, size| TreeNode::heap(v, size, 5),
            TreeNode::levels,
        ];
        for (number, shape) in shapes.iter().enumerate() {
            for size in 1..200 {
                let mut parents = vec![None; size];
                for v in 0..size {
                    for child in shape(v, size).children {
                        assert_eq!(
                            parents[child].replace(v),
                            None,
                            "shape {number}, P = {size}: {child} twice"
                        );
                        assert!(child > v, "shape {number}, P = {size}: a circle");
                    }
                }
                for (v, parent) in parents.into_iter().enumerate() {
                    assert_eq!(shape(v, size).parent, parent, "shape {number}, P = {size}, v = {v}");
                }
            }
        }
    }

    #[test]
    fn levels_part_odd_from_even() {
        for v in 3..200 {
            let parent = TreeNode::levels(v, 200).parent.expect("not the root");
            assert_eq!(parent % 2, v % 2, "{v}");
        }
    }

    #[test]
    fn chains_are_as_even_as_they_can_be() {
        assert_eq!(TreeNode::chains(0, 12, 4).children, [1, 4, 7, 10]);
        assert_eq!(
            (TreeNode::chains(3, 12, 4).children.len(), TreeNode::chains(11, 12, 4).parent),
            (0, Some(10))
        );
    }
}
