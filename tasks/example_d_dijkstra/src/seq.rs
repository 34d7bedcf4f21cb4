//! The sequential version: Dijkstra's algorithm with a binary heap. It is the reference for the parallel version's output, and
//! the baseline of its speed-up.
use std::{cmp::Reverse, collections::BinaryHeap};

use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    problem::{PathQuery, ShortestPaths},
    queue::UNREACHED,
};

/// The time of one edge, in floating-point operations: its target is anywhere in memory, so it is that of a cache miss.
pub const OPERATIONS_OF_AN_EDGE: u64 = 240;

/// The time of one vertex, in floating-point operations: that of entering the heap a few times and leaving it.
pub const OPERATIONS_OF_A_VERTEX: u64 = 4000;

/// Searches on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = ShortestPaths;
    type Prepared = PathQuery;
    type Raw = Vec<Option<u64>>;

    const OUTPUT: Place = Place::Home;

    fn validation(
        &self,
        PathQuery { graph, source }: &PathQuery,
        _ranks: usize,
    ) -> std::result::Result<(), Invalid> {
        graph.mistake().map_or(Ok(()), |mistake| Err(Invalid::because(mistake)))?;
        let vertices = graph.vertices();
        Invalid::unless(
            *source < vertices,
            format!("the source {source} is not one of the {vertices} vertices"),
        )
    }

    fn preprocessing(&self, _world: &World, input: Rooted<PathQuery>) -> Result<PathQuery> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, PathQuery { graph, source }: &PathQuery) -> Result<Vec<Option<u64>>> {
        let mut distances = vec![UNREACHED; graph.vertices()];
        distances[*source] = 0;
        let mut queue = BinaryHeap::from([Reverse((0, *source))]);
        let (mut vertices, mut edges) = (0, 0);
        while let Some(Reverse((distance, v))) = queue.pop() {
            // An entry of a longer path, which was found before.
            if distance > distances[v] {
                continue;
            }
            vertices += 1;
            edges += graph.positions(v).len() as u64;
            for (to, weight) in graph.edges(v) {
                if distance + weight < distances[to] {
                    distances[to] = distance + weight;
                    queue.push(Reverse((distance + weight, to)));
                }
            }
        }
        world.work(OPERATIONS_OF_A_VERTEX * vertices + OPERATIONS_OF_AN_EDGE * edges, 0);
        Ok(distances.into_iter().map(reached).collect())
    }

    fn postprocessing(
        &self,
        _world: &World,
        distances: Vec<Option<u64>>,
    ) -> Result<Rooted<Vec<Option<u64>>>> {
        Ok(Rooted::Here(distances))
    }
}

/// The distance of a vertex that was reached.
pub fn reached(distance: u64) -> Option<u64> {
    (distance != UNREACHED).then_some(distance)
}
