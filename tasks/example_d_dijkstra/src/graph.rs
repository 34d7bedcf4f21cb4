//! A directed graph with weights, in compressed row storage.
//!
//! ```text
//!   0 --5--> 1      starts    0     2  3  3     vertex v has the edges starts[v]..starts[v + 1]
//!   0 --7--> 2      targets   1  2  0
//!   1 --1--> 0      weights   5  7  1
//! ```
use std::ops::Range;

use workbench::noise;

/// A directed graph. Weights are not negative, so Dijkstra's algorithm is right.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The position of the first edge of each vertex, and the number of all edges behind them.
    pub starts: Vec<usize>,
    /// The vertex that each edge leads to.
    pub targets: Vec<usize>,
    /// The weight of each edge.
    pub weights: Vec<u32>,
}

impl Graph {
    /// The graph with these edges (target, weight) of each vertex.
    pub fn from_edges(edges: &[Vec<(usize, u32)>]) -> Self {
        let mut graph = Self { starts: vec![0], targets: vec![], weights: vec![] };
        for edges in edges {
            graph.targets.extend(edges.iter().map(|(target, _)| target));
            graph.weights.extend(edges.iter().map(|(_, weight)| weight));
            graph.starts.push(graph.targets.len());
        }
        graph
    }

    /// A pseudo-random graph with `degree` edges from each vertex, of weights from 1 to `heaviest`.
    pub fn random(vertices: usize, degree: usize, heaviest: u32, seed: u64) -> Self {
        let mut bits = noise::bits(seed);
        let mut draw = |below: usize| (bits.next().expect("endless") % below.max(1) as u64) as usize;
        let mut edge = || (draw(vertices), 1 + draw(heaviest as usize) as u32);
        let edges: Vec<Vec<_>> = (0..vertices).map(|_| (0..degree).map(|_| edge()).collect()).collect();
        Self::from_edges(&edges)
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The positions of the edges of vertex `v`.
    pub fn positions(&self, v: usize) -> Range<usize> {
        self.starts[v]..self.starts[v + 1]
    }

    /// The edges (target, weight) of vertex `v`.
    pub fn edges(&self, v: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let edges = self.positions(v);
        self.targets[edges.clone()].iter().copied().zip(self.weights[edges].iter().map(|w| u64::from(*w)))
    }

    /// What is wrong with the storage, if anything.
    pub fn mistake(&self) -> Option<String> {
        let (edges, vertices) = (self.targets.len(), self.vertices());
        if self.starts.first() != Some(&0) || self.starts.last() != Some(&edges) || !self.starts.is_sorted() {
            return Some(format!("the starts do not rise from 0 to {edges}, the number of edges"));
        }
        if self.weights.len() != edges {
            return Some(format!("there are {} weights for {edges} edges", self.weights.len()));
        }
        let outside = self.targets.iter().find(|target| **target >= vertices);
        outside.map(|target| format!("an edge leads to vertex {target}, but there are {vertices}"))
    }
}
