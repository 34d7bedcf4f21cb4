//! Virtual topologies of communicators (MPI 4.0, chapter 8): Cartesian grids and graphs of neighbours.
//!
//! ```
//! use wb_comm::{CartesianGrid, PROC_NULL};
//! let grid = CartesianGrid { dims: vec![2, 3], periods: vec![false, true] };
//! assert_eq!(grid.coords(5), [1, 2]);
//! assert_eq!(grid.shift(5, 0, 1), (2, PROC_NULL));
//! assert_eq!(grid.shift(5, 1, 1), (4, 3));
//! ```
mod placement;

use serde::{Deserialize, Serialize};

use crate::{PROC_NULL, Rank, Text, text::collective};

/// A grid of ranks, numbered in row-major order: the last coordinate changes fastest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CartesianGrid {
    /// The number of ranks in each dimension.
    pub dims: Vec<usize>,
    /// Whether each dimension is closed to a ring.
    pub periods: Vec<bool>,
}

impl CartesianGrid {
    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.dims.iter().fold(1, |size: usize, extent| size.saturating_mul(*extent))
    }

    /// The coordinates of a rank of the grid.
    pub fn coords(&self, rank: Rank) -> Vec<usize> {
        coords_of(&self.dims, rank)
    }

    /// The rank at these coordinates, which wrap in a periodic dimension; `None` if there is none.
    pub fn rank(&self, coords: &[isize]) -> Option<Rank> {
        let wrapped = coords.iter().zip(self.dims.iter().zip(&self.periods));
        let wrapped = wrapped.map(|(&coord, (&extent, &is_periodic))| match is_periodic {
            true => Some(coord.rem_euclid(extent as isize) as usize),
            false => usize::try_from(coord).ok().filter(|coord| *coord < extent),
        });
        wrapped.collect::<Option<Vec<_>>>().map(|coords| index_of(&self.dims, &coords))
    }

    /// The ranks from which and to which `rank` transfers in a shift along a dimension; [`PROC_NULL`] beyond a border.
    pub fn shift(&self, rank: Rank, dimension: usize, displacement: isize) -> (Rank, Rank) {
        let moved = |distance: isize| {
            let mut coords: Vec<isize> = self.coords(rank).iter().map(|coord| *coord as isize).collect();
            coords[dimension] = coords[dimension].saturating_add(distance);
            self.rank(&coords).unwrap_or(PROC_NULL)
        };
        (moved(displacement.saturating_neg()), moved(displacement))
    }

    /// The neighbours before and after `rank` in each dimension, both as sources and as destinations.
    pub fn neighbours(&self, rank: Rank) -> Neighbours {
        let both = |dimension| <[Rank; 2]>::from(self.shift(rank, dimension, 1));
        let ranks: Vec<Rank> = (0..self.dims.len()).flat_map(both).collect();
        Neighbours { sources: ranks.clone(), destinations: ranks, is_cartesian: true }
    }

    /// The grid of the kept dimensions.
    #[must_use]
    pub fn part(&self, keep: &[bool]) -> Self {
        Self { dims: kept(&self.dims, keep, true), periods: kept(&self.periods, keep, true) }
    }
}

/// The neighbours of a rank, in the order of their blocks in neighbourhood collectives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbours {
    /// The ranks from which this one receives.
    pub sources: Vec<Rank>,
    /// The ranks to which this one sends.
    pub destinations: Vec<Rank>,
    /// Whether they are those of a grid: what goes to the neighbour before comes there from the neighbour after.
    pub is_cartesian: bool,
}

impl Neighbours {
    /// The source whose message is sent first, second, and so on, by its index: of several from the same rank, the first one sent must be
    /// received first.
    pub fn receive_order(&self) -> impl Iterator<Item = usize> {
        let flip = usize::from(self.is_cartesian);
        (0..self.sources.len()).map(move |at| at ^ flip)
    }

    fn edges(ranks: &[Rank], peer: Rank) -> usize {
        ranks.iter().filter(|rank| **rank == peer).count()
    }
}

/// A communicator with a topology that is to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NewTopology {
    /// A grid of the first ranks of a communicator (`MPI_Cart_create`).
    Cartesian {
        /// The grid.
        grid: CartesianGrid,
        /// Whether ranks may get other numbers.
        reorder: bool,
    },
    /// A part of a communicator with this grid: the ranks that differ in the kept dimensions only (`MPI_Cart_sub`).
    CartesianPart {
        /// The whole grid.
        grid: CartesianGrid,
        /// Whether each dimension is kept.
        keep: Vec<bool>,
    },
    /// Every rank names its neighbours (`MPI_Dist_graph_create_adjacent`).
    Graph {
        /// The neighbours of this rank.
        neighbours: Neighbours,
        /// Whether ranks may get other numbers.
        reorder: bool,
    },
    /// A graph of the first ranks, of which every rank knows all neighbours of all of them (`MPI_Graph_create`).
    WholeGraph {
        /// The neighbours of each rank; each is named by its neighbours as often as it names them.
        neighbours: Vec<Vec<Rank>>,
        /// Whether ranks may get other numbers.
        reorder: bool,
    },
    /// No topology: the ranks of a group, in its order (`MPI_Comm_create`).
    Group {
        /// The members, as ranks of the communicator.
        ranks: Vec<Rank>,
    },
}

impl NewTopology {
    /// The numbers of sources and destinations of a rank of the new communicator; `None` without a topology. Of a
    /// [`Graph`](Self::Graph) only those of this rank are known.
    pub fn degrees(&self, rank: Rank) -> Option<(usize, usize)> {
        match self {
            Self::Cartesian { grid, .. } => Some((2 * grid.dims.len(), 2 * grid.dims.len())),
            Self::CartesianPart { keep, .. } => {
                let both = 2 * keep.iter().filter(|keep| **keep).count();
                Some((both, both))
            }
            Self::Graph { neighbours, .. } => Some((neighbours.sources.len(), neighbours.destinations.len())),
            Self::WholeGraph { neighbours, .. } => {
                let both = neighbours.get(rank)?.len();
                Some((both, both))
            }
            Self::Group { .. } => None,
        }
    }

    /// Whether the nodes of the ranks may decide which numbers the ranks get.
    pub fn depends_on_nodes(&self) -> bool {
        matches!(self, Self::Cartesian { reorder: true, .. })
    }

    /// The color and the key of `rank` in a split that makes the communicator; the nodes of all ranks matter if it
    /// [depends on them](Self::depends_on_nodes).
    pub fn place(&self, rank: Rank, nodes: &[usize]) -> (Option<u32>, i32) {
        let (color, key) = match self {
            Self::Cartesian { grid, .. } => {
                let placed = placement::reordered(grid, nodes);
                let key = placed.and_then(|ranks| ranks.iter().position(|placed| *placed == rank));
                ((rank < grid.size()).then_some(0), key.unwrap_or(rank))
            }
            Self::CartesianPart { grid, keep } => {
                let index = |is_kept| {
                    let coords = kept(&grid.coords(rank), keep, is_kept);
                    index_of(&kept(&grid.dims, keep, is_kept), &coords)
                };
                (Some(index(false)), index(true))
            }
            Self::Graph { .. } => (Some(0), rank),
            Self::WholeGraph { neighbours, .. } => ((rank < neighbours.len()).then_some(0), rank),
            Self::Group { ranks } => match ranks.iter().position(|member| *member == rank) {
                Some(position) => (Some(ranks[0]), position),
                None => (None, 0),
            },
        };
        (color.map(|color| color as u32), key as i32)
    }

    /// Whether the arguments of two ranks match.
    pub(crate) fn matches(&self, rank: Rank, other: &Self, other_rank: Rank) -> bool {
        match (self, other) {
            (
                Self::Graph { neighbours: mine, reorder },
                Self::Graph { neighbours: theirs, reorder: other_reorder },
            ) => {
                let agree = |from: &Neighbours, from_rank, to: &Neighbours, to_rank| {
                    Neighbours::edges(&from.destinations, to_rank)
                        == Neighbours::edges(&to.sources, from_rank)
                };
                reorder == other_reorder
                    && agree(mine, rank, theirs, other_rank)
                    && agree(theirs, other_rank, mine, rank)
            }
            (Self::Group { ranks: mine }, Self::Group { ranks: theirs }) => {
                mine == theirs || !mine.contains(&other_rank) && !theirs.contains(&rank)
            }
            _ => self == other,
        }
    }

    /// The arguments of `rank` as far as they concern `other`.
    pub(crate) fn describe(&self, rank: Rank, other: Rank) -> Text {
        match self {
            Self::Cartesian { grid, reorder } => {
                let CartesianGrid { dims, periods } = grid;
                Text::verbatim(format!("dims {dims:?}, periods {periods:?}, reorder {reorder}"))
            }
            Self::CartesianPart { keep, .. } => Text::verbatim(format!("keep {keep:?}")),
            Self::Group { ranks } => Text::verbatim(format!("group {ranks:?}")),
            Self::WholeGraph { neighbours, reorder } => {
                Text::verbatim(format!("neighbours {neighbours:?}, reorder {reorder}"))
            }
            Self::Graph { neighbours: Neighbours { sources, destinations, .. }, reorder } => {
                let (to, from) = (Neighbours::edges(destinations, other), Neighbours::edges(sources, other));
                collective::edges(to, other, from, rank, reorder.to_string())
            }
        }
    }
}

/// The values of the dimensions that are kept, or of the others.
fn kept<T: Copy>(values: &[T], keep: &[bool], is_kept: bool) -> Vec<T> {
    values.iter().zip(keep).filter(|(_, keep)| **keep == is_kept).map(|(value, _)| *value).collect()
}

/// The coordinates of the cell of this number in row-major order.
fn coords_of(dims: &[usize], index: usize) -> Vec<usize> {
    let mut rest = index;
    let mut coords: Vec<usize> = dims
        .iter()
        .rev()
        .map(|extent| {
            let coord = rest % extent;
            rest /= extent;
            coord
        })
        .collect();
    coords.reverse();
    coords
}

/// The number of a cell in row-major order.
fn index_of(dims: &[usize], coords: &[usize]) -> usize {
    dims.iter().zip(coords).fold(0, |index, (extent, coord)| index * extent + coord)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(dims: &[usize], periods: &[bool]) -> CartesianGrid {
        CartesianGrid { dims: dims.to_vec(), periods: periods.to_vec() }
    }

    #[test]
    fn coordinates_and_ranks_are_inverse() {
        let grid = grid(&[2, 3, 4], &[false, true, false]);
        for rank in 0..24 {
            let coords: Vec<isize> = grid.coords(rank).iter().map(|coord| *coord as isize).collect();
            assert_eq!(grid.rank(&coords), Some(rank));
        }
        assert_eq!(grid.coords(23), [1, 2, 3]);
        assert_eq!((grid.rank(&[1, -1, 0]), grid.rank(&[1, 5, 0])), (Some(20), Some(20)));
        assert_eq!((grid.rank(&[2, 0, 0]), grid.rank(&[0, 0, -1])), (None, None));
    }

    #[test]
    fn a_part_has_the_ranks_that_differ_in_the_kept_dimensions() {
        let keep = vec![false, true];
        let topology = NewTopology::CartesianPart { grid: grid(&[2, 3], &[true, false]), keep: keep.clone() };
        let places: Vec<_> = (0..6).map(|rank| topology.place(rank, &[])).collect();
        assert_eq!(places, [0, 1].map(|row| [0, 1, 2].map(|column| (Some(row), column))).concat());
        assert_eq!(grid(&[2, 3], &[true, false]).part(&keep), grid(&[3], &[false]));
    }

    #[test]
    fn ranks_beyond_the_grid_get_no_color() {
        let topology = NewTopology::Cartesian { grid: grid(&[2, 2], &[false; 2]), reorder: false };
        assert_eq!([3, 4].map(|rank| topology.place(rank, &[]).0), [Some(0), None]);
    }

    #[test]
    fn disjoint_groups_match_and_overlapping_ones_do_not() {
        let group = |ranks: &[Rank]| NewTopology::Group { ranks: ranks.to_vec() };
        assert!(group(&[2, 0]).matches(0, &group(&[2, 0]), 1), "who is not in the group may name it");
        assert!(group(&[2, 0]).matches(0, &group(&[3, 1]), 1));
        assert!(!group(&[2, 0]).matches(0, &group(&[0, 2]), 2), "another order is another group");
        assert!(!group(&[2, 0]).matches(0, &group(&[]), 2) && !group(&[]).matches(2, &group(&[2, 0]), 0));
        let places = [0, 1, 2].map(|rank| group(&[2, 0]).place(rank, &[]));
        assert_eq!(places, [(Some(2), 1), (None, 0), (Some(2), 0)]);
    }
}
