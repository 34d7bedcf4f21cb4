//! The queued vertices of a rank: those with a distance that is not final yet.
//!
//! The heap has the nearest vertex at its top. A vertex whose distance becomes smaller is put into it again. The former
//! entry remains; when it is at the top, it is removed, because its distance is not that of the vertex any more.
//!
//! The limit needs no second heap: a vertex that is farther than the limit of the nearer ones cannot lower it. So the
//! vertices are taken from the heap in the order of their distances, until the next one is farther.
use std::{cmp::Reverse, collections::BinaryHeap};

/// The distance of a vertex that was not reached.
pub const UNREACHED: u64 = u64::MAX;

/// The vertices of one rank, numbered from 0, with their distances.
pub struct Queue<'g> {
    distances: Vec<u64>,
    /// The weight of the lightest edge of each vertex; `UNREACHED` without edges.
    lightest: &'g [u64],
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    /// Vertices that were taken from the heap to find the limit, with their distances, nearest first.
    candidates: Vec<(u64, usize)>,
}

impl<'g> Queue<'g> {
    /// Vertices with these lightest edges, none of which was reached.
    pub fn new(lightest: &'g [u64]) -> Self {
        let distances = vec![UNREACHED; lightest.len()];
        Self { distances, lightest, heap: BinaryHeap::new(), candidates: vec![] }
    }

    /// A path of this length leads to vertex `v`: queues it if no shorter one is known.
    pub fn relax(&mut self, v: usize, distance: u64) {
        if distance < self.distances[v] {
            self.distances[v] = distance;
            self.heap.push(Reverse((distance, v)));
        }
    }

    /// The smallest length of a path that continues from a queued vertex; `UNREACHED` if there is none. The vertices up to
    /// it become candidates.
    pub fn limit(&mut self) -> u64 {
        let mut limit = UNREACHED;
        while let Some(Reverse((distance, v))) = self.heap.peek().copied() {
            if distance > limit {
                break;
            }
            self.heap.pop();
            if self.distances[v] == distance {
                limit = limit.min(distance.saturating_add(self.lightest[v]));
                self.candidates.push((distance, v));
            }
        }
        limit
    }

    /// Removes the candidates up to `limit` and returns them with their distances, which are final. The others are queued
    /// again.
    pub fn settle(&mut self, limit: u64) -> Vec<(u64, usize)> {
        let end = self.candidates.partition_point(|(distance, _)| *distance <= limit);
        self.heap.extend(self.candidates.drain(end..).map(Reverse));
        std::mem::take(&mut self.candidates)
    }

    /// The distances of all vertices.
    pub fn into_distances(self) -> Vec<u64> {
        self.distances
    }
}
