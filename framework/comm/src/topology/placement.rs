//! Which rank gets which coordinates of a grid, if ranks may be reordered: neighbouring coordinates are placed on one node.
//!
//! All nodes have equally many ranks, and the grid has all of them. Then the grid is cut into equal blocks, one for each node. Of all
//! such blocks the one with the fewest edges to other nodes is taken. Where there is no such block, ranks keep their order.
use super::{CartesianGrid, coords_of, index_of};
use crate::Rank;

/// The rank that is placed at each position of the grid; `None` if ranks keep their order.
pub(super) fn reordered(grid: &CartesianGrid, nodes: &[usize]) -> Option<Vec<Rank>> {
    let members = members_by_node(nodes)?;
    if grid.size() != nodes.len() || members.len() == 1 {
        return None;
    }
    let block =
        blocks(&grid.dims, members[0].len()).into_iter().min_by_key(|block| crossing_edges(grid, block))?;
    let blocks: Vec<usize> = grid.dims.iter().zip(&block).map(|(extent, length)| extent / length).collect();
    let placed = |position| {
        let coords = coords_of(&grid.dims, position);
        let (node, inside): (Vec<usize>, Vec<usize>) =
            coords.iter().zip(&block).map(|(coord, length)| (coord / length, coord % length)).unzip();
        members[index_of(&blocks, &node)][index_of(&block, &inside)]
    };
    Some((0..nodes.len()).map(placed).collect())
}

/// The ranks of each node; `None` if nodes have different numbers of ranks.
fn members_by_node(nodes: &[usize]) -> Option<Vec<Vec<Rank>>> {
    let count = nodes.iter().max()? + 1;
    let mut members = vec![vec![]; count];
    for (rank, node) in nodes.iter().enumerate() {
        members[*node].push(rank);
    }
    let is_uniform = members.iter().all(|node| node.len() == members[0].len());
    is_uniform.then_some(members)
}

/// All blocks of `size` cells whose extents divide those of the grid.
fn blocks(dims: &[usize], size: usize) -> Vec<Vec<usize>> {
    let Some((extent, rest)) = dims.split_first() else {
        return if size == 1 { vec![vec![]] } else { vec![] };
    };
    let lengths =
        (1..=*extent).filter(|length| extent.is_multiple_of(*length) && size.is_multiple_of(*length));
    lengths
        .flat_map(|length| {
            blocks(rest, size / length).into_iter().map(move |block| [vec![length], block].concat())
        })
        .collect()
}

/// The number of edges of the grid whose ends are in different blocks.
fn crossing_edges(grid: &CartesianGrid, block: &[usize]) -> usize {
    let dimensions = grid.dims.iter().zip(&grid.periods).zip(block);
    let of_dimension = |((extent, is_periodic), length): ((&usize, &bool), &usize)| {
        let blocks = extent / length;
        let cuts = if blocks == 1 { 0 } else { blocks - usize::from(!is_periodic) };
        grid.size() / extent * cuts
    };
    dimensions.map(of_dimension).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(dims: &[usize]) -> CartesianGrid {
        CartesianGrid { dims: dims.to_vec(), periods: vec![false; dims.len()] }
    }

    /// How many pairs of neighbours are on different nodes.
    fn crossings(grid: &CartesianGrid, ranks: &[Rank], nodes: &[usize]) -> usize {
        let pairs = (0..grid.size()).flat_map(|rank| {
            (0..grid.dims.len()).map(move |dimension| (rank, grid.shift(rank, dimension, 1).1))
        });
        pairs.filter(|(a, b)| *b < ranks.len() && nodes[ranks[*a]] != nodes[ranks[*b]]).count()
    }

    #[test]
    fn neighbours_are_on_one_node_where_they_can_be() {
        let nodes: Vec<usize> = (0..16).map(|rank| rank / 4).collect();
        let (grid, order): (_, Vec<Rank>) = (grid(&[4, 4]), (0..16).collect());
        let ranks = reordered(&grid, &nodes).expect("four nodes of four ranks");
        assert_eq!(ranks[..8], [0, 1, 4, 5, 2, 3, 6, 7]);
        assert_eq!((crossings(&grid, &order, &nodes), crossings(&grid, &ranks, &nodes)), (12, 8));
        let round_robin: Vec<usize> = (0..16).map(|rank| rank % 4).collect();
        let ranks = reordered(&grid, &round_robin).expect("four nodes of four ranks");
        assert_eq!(crossings(&grid, &ranks, &round_robin), 8);
        let mut sorted = ranks;
        sorted.sort_unstable();
        assert_eq!(sorted, order, "every rank has one place");
    }

    #[test]
    fn ranks_keep_their_order_where_blocks_do_not_fit() {
        assert_eq!(reordered(&grid(&[4]), &[0, 0, 0, 1]), None, "nodes of different sizes");
        assert_eq!(reordered(&grid(&[3]), &[0, 0, 1, 1]), None, "a rank is not in the grid");
        assert_eq!(reordered(&grid(&[2, 2]), &[0; 4]), None, "one node");
        assert_eq!(reordered(&grid(&[3, 3]), &[0, 0, 0, 0, 0, 0, 0, 0, 0]), None);
        let pairs: Vec<usize> = (0..18).map(|rank| rank / 2).collect();
        assert_eq!(reordered(&grid(&[9, 1, 2]), &pairs), Some((0..18).collect()), "rows of two");
        assert_eq!(reordered(&grid(&[3, 3]), &[]), None, "nodes are unknown");
    }
}
