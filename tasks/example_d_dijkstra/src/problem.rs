//! The problem: the lengths of the shortest paths from one vertex to all vertices.
//!
//! The oracle does not search paths. Distances are right if and only if no edge could shorten one, and each vertex with a
//! distance is reached from the source over edges that are tight: d(v) = d(u) + weight.
use workbench::{Problem, Verdict, Workload};

use crate::graph::Graph;

/// The number of edges of each vertex of a measured workload, and their largest weight.
const DEGREE: usize = 64;
const HEAVIEST: u32 = 1000;

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct PathQuery {
    /// The graph.
    pub graph: Graph,
    /// The vertex from which the paths start.
    pub source: usize,
}

/// The problem. The output is the distance of each vertex, `None` where no path leads.
pub struct ShortestPaths;

impl Problem for ShortestPaths {
    type Input = PathQuery;
    type Output = Vec<Option<u64>>;

    /// `"random"`: a graph of `size` vertices with 64 edges from each, from vertex 0.
    fn workload(request: &Workload) -> Option<PathQuery> {
        let graph = || Graph::random(request.size, DEGREE, HEAVIEST, request.seed);
        (request.name == "random").then(|| PathQuery { graph: graph(), source: 0 })
    }

    fn check(PathQuery { graph, source }: &PathQuery, distances: &Vec<Option<u64>>) -> Verdict {
        if distances.len() != graph.vertices() {
            return Verdict::Wrong(format!("{} distances, expected {}", distances.len(), graph.vertices()));
        }
        if distances[*source] != Some(0) {
            return Verdict::Wrong(format!("the source has the distance {:?}", distances[*source]));
        }
        let wrong = shortening_edge(graph, distances).or_else(|| unfounded_vertex(graph, *source, distances));
        wrong.map_or(Verdict::Right, Verdict::Wrong)
    }
}

/// An edge over which a path is shorter than the distance of its target.
fn shortening_edge(graph: &Graph, distances: &[Option<u64>]) -> Option<String> {
    let reached = (0..graph.vertices()).filter_map(|v| distances[v].map(|distance| (v, distance)));
    let mut edges =
        reached.flat_map(|(v, distance)| graph.edges(v).map(move |(to, weight)| (v, to, distance + weight)));
    let (v, to, length) = edges.find(|(_, to, length)| distances[*to].is_none_or(|known| known > *length))?;
    Some(format!("vertex {to} has {:?}, but a path over vertex {v} has the length {length}", distances[to]))
}

/// A vertex with a distance to which no path of tight edges leads.
fn unfounded_vertex(graph: &Graph, source: usize, distances: &[Option<u64>]) -> Option<String> {
    let mut is_founded = vec![false; graph.vertices()];
    let mut stack = vec![source];
    is_founded[source] = true;
    while let Some(v) = stack.pop() {
        for (to, weight) in graph.edges(v) {
            let is_tight = distances[v].map(|distance| distance + weight) == distances[to];
            if is_tight && !is_founded[to] {
                is_founded[to] = true;
                stack.push(to);
            }
        }
    }
    let v = (0..graph.vertices()).find(|v| distances[*v].is_some() && !is_founded[*v])?;
    Some(format!("vertex {v} has {:?}, but no path of this length leads there", distances[v]))
}
