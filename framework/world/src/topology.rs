//! Communicators with a topology: a [`GraphWorld`] knows the neighbours of its rank, a [`CartesianWorld`] also the coordinates of all ranks.
//!
//! Both are communicators of their own: all verbs of a [`World`] work on them.
use std::ops::Deref;

#[cfg(doc)]
use wb_comm::PROC_NULL;
use wb_comm::{
    CallSite, CartesianGrid, Error, Neighbours, NewTopology, Rank, Result, Text, Verb, limits, text::topology,
};

use crate::{World, call_text::call_text};

/// A communicator whose ranks know their neighbours (`MPI_Dist_graph_create_adjacent`, `MPI_Graph_create`).
pub struct GraphWorld {
    world: World,
    neighbours: Neighbours,
}

impl Deref for GraphWorld {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl GraphWorld {
    fn new(world: World, neighbours: Neighbours) -> Self {
        world.tracer.iter().for_each(|tracer| tracer.set_neighbours(&neighbours));
        Self { world, neighbours }
    }

    /// The ranks from which and to which this one sends in neighbourhood collectives, in the order of their blocks
    /// (`MPI_Dist_graph_neighbors`). On a Cartesian communicator: of each dimension the neighbour before and the one after this rank;
    /// [`PROC_NULL`] beyond a border.
    pub fn neighbours(&self) -> &Neighbours {
        &self.neighbours
    }

    /// Collective: the same ranks with the same neighbours, separate messages (`MPI_Comm_dup`).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn dup(&self) -> Result<Self> {
        Ok(Self::new(self.world.dup()?, self.neighbours.clone()))
    }
}

/// A communicator whose ranks are the cells of a grid (`MPI_Cart_create`).
pub struct CartesianWorld {
    graph: GraphWorld,
    grid: CartesianGrid,
}

impl Deref for CartesianWorld {
    type Target = GraphWorld;

    fn deref(&self) -> &GraphWorld {
        &self.graph
    }
}

impl World {
    /// Collective: the first ranks as a grid, in row-major order (`MPI_Cart_create`); `None` on ranks that the grid has no place for.
    /// `reorder` allows other numbers: on several nodes, neighbours are placed on one node.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if a dimension is 0, or the grid has more places than there are ranks; the errors of the backend.
    #[track_caller]
    pub fn cart_create(
        &self,
        dims: &[usize],
        periods: &[bool],
        reorder: bool,
    ) -> Result<Option<CartesianWorld>> {
        let site = CallSite::caller(Verb::CartCreate);
        let grid = CartesianGrid { dims: dims.to_vec(), periods: periods.to_vec() };
        let made = self.run(site, || {
            check_grid(&grid, self.size()).map_err(Error::CommunicatorArgument)?;
            self.create_topology(&NewTopology::Cartesian { grid: grid.clone(), reorder }, site)
        })?;
        Ok(made.map(|world| CartesianWorld::new(world, grid)))
    }

    /// Collective: a communicator of the same ranks, each of which names its neighbours (`MPI_Dist_graph_create_adjacent`). If a rank names
    /// another one as a destination, that one names it as a source, as many times. `reorder` allows other numbers.
    ///
    /// # Errors
    /// [`Error::Rank`]; the errors of the backend.
    #[track_caller]
    pub fn dist_graph_create_adjacent(
        &self,
        sources: &[Rank],
        destinations: &[Rank],
        reorder: bool,
    ) -> Result<GraphWorld> {
        let site = CallSite::caller(Verb::DistGraphCreateAdjacent);
        let (sources, destinations) = (sources.to_vec(), destinations.to_vec());
        let neighbours = Neighbours { sources, destinations, is_cartesian: false };
        let made = self.run(site, || {
            self.check_neighbours("source", &neighbours.sources)?;
            self.check_neighbours("destination", &neighbours.destinations)?;
            self.create_topology(&NewTopology::Graph { neighbours: neighbours.clone(), reorder }, site)
        })?;
        Ok(GraphWorld::new(made.expect("a graph has all ranks"), neighbours))
    }

    /// Collective: the first ranks as a graph, of which every rank passes the neighbours of all of them (`MPI_Graph_create`); `None` on ranks
    /// that the graph has no place for. Each neighbour is source and destination, so each names the other as often as it is named.
    ///
    /// # Errors
    /// [`Error::Rank`] for a neighbour that the graph does not have; [`Error::CommunicatorArgument`] if the graph has more ranks than the
    /// communicator, or an edge in one direction only; the errors of the backend.
    #[track_caller]
    pub fn graph_create(&self, neighbours: &[Vec<Rank>], reorder: bool) -> Result<Option<GraphWorld>> {
        let site = CallSite::caller(Verb::GraphCreate);
        let made = self.run(site, || {
            check_graph(neighbours, self.size())?;
            let neighbours = neighbours.to_vec();
            self.create_topology(&NewTopology::WholeGraph { neighbours, reorder }, site)
        })?;
        Ok(made.map(|world| {
            let own = neighbours[world.rank()].clone();
            let neighbours = Neighbours { sources: own.clone(), destinations: own, is_cartesian: false };
            GraphWorld::new(world, neighbours)
        }))
    }

    fn check_neighbours(&self, role: &'static str, ranks: &[Rank]) -> Result<()> {
        ranks.iter().try_for_each(|rank| Error::check_rank(role, *rank, self.size()))
    }
}

impl CartesianWorld {
    fn new(world: World, grid: CartesianGrid) -> Self {
        let neighbours = grid.neighbours(world.rank());
        Self { graph: GraphWorld::new(world, neighbours), grid }
    }

    /// Collective: the same ranks at the same coordinates, separate messages (`MPI_Comm_dup`).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn dup(&self) -> Result<Self> {
        Ok(Self { graph: self.graph.dup()?, grid: self.grid.clone() })
    }

    /// The number of ranks in each dimension, and whether the dimension is periodic (`MPI_Cart_get`).
    pub fn grid(&self) -> &CartesianGrid {
        &self.grid
    }

    /// The coordinates of a rank (`MPI_Cart_coords`).
    ///
    /// # Errors
    /// [`Error::Rank`].
    pub fn cart_coords(&self, rank: Rank) -> Result<Vec<usize>> {
        match rank < self.size() {
            true => Ok(self.grid.coords(rank)),
            false => Err(Error::invalid_rank("rank", rank, self.size())),
        }
    }

    /// The rank at these coordinates (`MPI_Cart_rank`); they wrap in periodic dimensions.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if a coordinate of another dimension is outside of the grid.
    #[track_caller]
    pub fn cart_rank(&self, coords: &[isize]) -> Result<Rank> {
        check_dimensions("cart_rank", "coords", coords.len(), &self.grid)
            .map_err(Error::CommunicatorArgument)?;
        let call = call_text("cart_rank");
        self.grid.rank(coords).ok_or_else(|| {
            let CartesianGrid { dims, periods } = &self.grid;
            let is_outside = |at: &usize| !periods[*at] && !(0..dims[*at] as isize).contains(&coords[*at]);
            let at = (0..dims.len()).find(is_outside).unwrap_or_default();
            let coords: Vec<String> = coords.iter().map(isize::to_string).collect();
            Error::CommunicatorArgument(topology::outside(call, coords.join(", "), at, dims[at] - 1))
        })
    }

    /// The source and the destination of this rank in a shift by `displacement` along a dimension (`MPI_Cart_shift`); [`PROC_NULL`] beyond
    /// the border of a dimension that is not periodic.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if the dimension does not exist.
    #[track_caller]
    pub fn cart_shift(&self, dimension: usize, displacement: isize) -> Result<(Rank, Rank)> {
        let dimensions = self.grid.dims.len();
        if dimension < dimensions {
            return Ok(self.grid.shift(self.rank(), dimension, displacement));
        }
        let last = dimensions as isize - 1;
        Err(Error::CommunicatorArgument(topology::other_dimension(
            call_text("cart_shift"),
            dimension,
            last.to_string(),
        )))
    }

    /// Collective: the ranks that differ from this one in the kept dimensions only, as a grid of these dimensions (`MPI_Cart_sub`).
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if `keep` has another length; the errors of the backend.
    #[track_caller]
    pub fn cart_sub(&self, keep: &[bool]) -> Result<CartesianWorld> {
        let site = CallSite::caller(Verb::CartSub);
        let made = self.run(site, || {
            check_dimensions("cart_sub", "keep", keep.len(), &self.grid)
                .map_err(Error::CommunicatorArgument)?;
            let (grid, keep) = (self.grid.clone(), keep.to_vec());
            self.create_topology(&NewTopology::CartesianPart { grid, keep }, site)
        })?;
        Ok(CartesianWorld::new(made.expect("every rank is in one part"), self.grid.part(keep)))
    }
}

fn check_graph(neighbours: &[Vec<Rank>], ranks: usize) -> Result<()> {
    let nodes = neighbours.len();
    if nodes > ranks {
        return Err(Error::CommunicatorArgument(topology::too_many_ranks(nodes, ranks)));
    }
    let edges = |from: Rank, to: Rank| neighbours[from].iter().filter(|named| **named == to).count();
    for (rank, of_one) in neighbours.iter().enumerate() {
        for &neighbour in of_one {
            Error::check_rank("neighbour", neighbour, nodes)?;
            let (there, back) = (edges(rank, neighbour), edges(neighbour, rank));
            if there != back {
                let reason = topology::one_way(rank, neighbour, there, back);
                return Err(Error::CommunicatorArgument(reason));
            }
        }
    }
    Ok(())
}

fn check_grid(grid: &CartesianGrid, ranks: usize) -> std::result::Result<(), Text> {
    let CartesianGrid { dims, periods } = grid;
    if dims.is_empty() || dims.iter().any(|extent| !(1..=limits::COUNT_MAX).contains(extent)) {
        return Err(topology::no_dimension(&dims[..]));
    }
    check_dimensions("cart_create", "periods", periods.len(), grid)?;
    if grid.size() > ranks {
        return Err(topology::too_large(&dims[..], grid.size() as u64, ranks));
    }
    Ok(())
}

fn check_dimensions(
    verb: &'static str,
    name: &'static str,
    got: usize,
    grid: &CartesianGrid,
) -> std::result::Result<(), Text> {
    match grid.dims.len() {
        expected if expected == got => Ok(()),
        expected => Err(topology::lengths(verb, name, got, expected)),
    }
}
