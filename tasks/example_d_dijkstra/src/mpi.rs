//! The parallel version: a block of vertices for each rank, and rounds in which all ranks settle vertices.
//!
//! | stage | operations | communication (n vertices, m edges, P ranks, r rounds) |
//! |---|---|---|
//! | preprocessing | each rank gets its vertices with their outgoing edges | n + 2 m numbers |
//! | run | r times: find the limit, settle the vertices up to it, relax their edges, exchange distances | r (allreduce of one number, alltoall, alltoallv); in all two numbers for up to (P - 1) / P m edges |
//! | postprocessing | the root gathers the distances | n numbers |
//!
//! A rank relaxes edges to its own vertices directly. Distances of other ranks' vertices are collected for the end of the
//! round, and only if they are smaller than those that it has sent for the same vertex.
//!
//! **What limits the efficiency**: on P ranks (P - 1) / P of the edges lead to other ranks in a random graph, and what is one
//! comparison in the sequential version becomes an entry of a message, its transfer and the comparison on the other rank.
//! And each round has three collective calls, which take longer than its work where the
//! graph is small. So E(2) is below 80 % for a graph of a hundred thousand vertices; it rises with the number of edges of a
//! vertex, of which only the short paths are sent, and with graphs whose edges seldom leave a block.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    graph::Graph,
    problem::{PathQuery, ShortestPaths},
    queue::{Queue, UNREACHED},
    seq::{OPERATIONS_OF_A_VERTEX, OPERATIONS_OF_AN_EDGE, Seq, reached},
};

/// The rank that has the graph at the beginning and the distances at the end.
const ROOT: Rank = 0;

/// Searches on all ranks.
pub struct Mpi;

/// The division of the vertices into blocks of equal length; the last blocks may be shorter or empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The number of all vertices.
    pub vertices: usize,
    /// The number of ranks.
    pub ranks: usize,
}

impl Blocks {
    /// The number of vertices in each full block.
    fn length(self) -> usize {
        self.vertices.div_ceil(self.ranks).max(1)
    }

    /// The first vertex of a rank's block.
    pub fn first(self, rank: Rank) -> usize {
        self.vertices.min(rank * self.length())
    }

    /// The number of vertices in a rank's block.
    pub fn count(self, rank: Rank) -> usize {
        self.first(rank + 1) - self.first(rank)
    }

    /// The rank that has this vertex.
    pub fn owner(self, vertex: usize) -> Rank {
        vertex / self.length()
    }

    /// The number of vertices of each rank.
    fn counts(self) -> Vec<usize> {
        (0..self.ranks).map(|rank| self.count(rank)).collect()
    }
}

/// The input of one rank's `run`.
pub struct Share {
    /// This rank's vertices, numbered from 0. The targets are numbered in the whole graph.
    graph: Graph,
    /// The weight of the lightest edge of each of these vertices.
    lightest: Vec<u64>,
    blocks: Blocks,
    source: usize,
}

/// The distances of one rank's vertices.
pub struct Found {
    distances: Vec<u64>,
    blocks: Blocks,
}

impl Task for Mpi {
    type Problem = ShortestPaths;
    type Prepared = Share;
    type Raw = Found;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &PathQuery, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<PathQuery>) -> Result<Share> {
        let query = input.here();
        let mut numbers = query.as_ref().map_or([0; 2], |query| [query.graph.vertices(), query.source]);
        world.bcast(&mut numbers, ROOT)?;
        let [vertices, source] = numbers;
        let blocks = Blocks { vertices, ranks: world.size() };
        let graph = scatter(world, query.as_ref().map(|query| &query.graph), blocks)?;
        let lightest = |v| graph.edges(v).map(|(_, weight)| weight).min().unwrap_or(UNREACHED);
        let lightest = (0..graph.vertices()).map(lightest).collect();
        Ok(Share { graph, lightest, blocks, source })
    }

    fn run(&self, world: &World, share: &Share) -> Result<Found> {
        let Share { lightest, blocks, source, .. } = share;
        let mut queue = Queue::new(lightest);
        if blocks.owner(*source) == world.rank() {
            queue.relax(source - blocks.first(world.rank()), 0);
        }
        // The smallest distance that this rank has sent for each vertex.
        let mut sent = vec![UNREACHED; blocks.vertices];
        loop {
            let mut limit = [UNREACHED];
            world.allreduce(&[queue.limit()], &mut limit, Operation::Min)?;
            // Without an edge from a queued vertex no distance can change any more.
            if limit == [UNREACHED] {
                return Ok(Found { distances: queue.into_distances(), blocks: *blocks });
            }
            let found = round(world, share, &mut queue, limit[0], &mut sent);
            let received = exchange(world, &found)?;
            world.work(OPERATIONS_OF_AN_EDGE * (received.len() / 2) as u64, 0);
            for [vertex, distance] in received.as_chunks().0 {
                queue.relax(*vertex as usize - blocks.first(world.rank()), *distance);
            }
        }
    }

    fn postprocessing(
        &self,
        world: &World,
        Found { distances, blocks }: Found,
    ) -> Result<Rooted<Vec<Option<u64>>>> {
        let counts = blocks.counts();
        let mut all = (world.rank() == ROOT).then(|| vec![0; blocks.vertices]);
        world.gatherv(&distances, all.as_mut().map(|all| (&mut all[..], &counts[..])), ROOT)?;
        Ok(all.map(|all| all.into_iter().map(reached).collect()).into())
    }
}

/// Settles this rank's vertices up to the limit. Returns the distances that were found for the vertices of each other rank:
/// a vertex, its distance, a vertex, its distance, ...
fn round(world: &World, share: &Share, queue: &mut Queue<'_>, limit: u64, sent: &mut [u64]) -> Vec<Vec<u64>> {
    let Share { graph, blocks, .. } = share;
    let mine = blocks.first(world.rank())..blocks.first(world.rank() + 1);
    let mut found = vec![vec![]; world.size()];
    let (mut vertices, mut edges) = (0, 0);
    for (distance, v) in queue.settle(limit) {
        vertices += 1;
        edges += graph.positions(v).len() as u64;
        for (to, weight) in graph.edges(v) {
            let length = distance + weight;
            if mine.contains(&to) {
                queue.relax(to - mine.start, length);
            } else if length < sent[to] {
                sent[to] = length;
                found[blocks.owner(to)].extend([to as u64, length]);
            }
        }
    }
    world.work(OPERATIONS_OF_A_VERTEX * vertices + OPERATIONS_OF_AN_EDGE * edges, 0);
    found
}

/// Sends each rank its numbers; returns those for this rank.
fn exchange(world: &World, found: &[Vec<u64>]) -> Result<Vec<u64>> {
    let counts: Vec<usize> = found.iter().map(Vec::len).collect();
    let mut from = vec![0; world.size()];
    world.alltoall(&counts, &mut from)?;
    let mut received = vec![0; from.iter().sum()];
    world.alltoallv(&found.concat(), &counts, &mut received, &from)?;
    Ok(received)
}

/// Scatters the root's graph in blocks of vertices.
fn scatter(world: &World, graph: Option<&Graph>, blocks: Blocks) -> Result<Graph> {
    let counts = blocks.counts();
    let degrees =
        graph.map(|graph| graph.starts.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>());
    let mut mine = vec![0; counts[world.rank()]];
    world.scatterv(degrees.as_ref().map(|all| (&all[..], &counts[..])), &mut mine, ROOT)?;
    let edges = graph.map(|graph| {
        let of = |rank| graph.starts[blocks.first(rank + 1)] - graph.starts[blocks.first(rank)];
        (0..world.size()).map(of).collect::<Vec<_>>()
    });
    let mut starts = vec![0];
    starts.extend(mine.iter().scan(0, |end, degree| {
        *end += degree;
        Some(*end)
    }));
    let count = starts[starts.len() - 1];
    let (mut targets, mut weights) = (vec![0; count], vec![0; count]);
    world.scatterv(graph.map(|graph| &graph.targets[..]).zip(edges.as_deref()), &mut targets, ROOT)?;
    world.scatterv(graph.map(|graph| &graph.weights[..]).zip(edges.as_deref()), &mut weights, ROOT)?;
    Ok(Graph { starts, targets, weights })
}
