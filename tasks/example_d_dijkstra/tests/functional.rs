//! Functional tests: on MPI and on threads, the distances go to the oracle and are compared with the sequential version's.
//!
//! `cargo test -p example_d_dijkstra`, or `mpirun -n 4 cargo test -p example_d_dijkstra`.
use example_d_dijkstra::{Graph, Mpi, PathQuery, Seq, ShortestPaths, mpi::Blocks};
use rstest::rstest;
use workbench::{Problem, Verdict, functional};

/// Vertex v has edges to v + 1 and v + 2 and back to 0: long paths over all ranks.
fn path(vertices: usize) -> Graph {
    let edge = |v: usize, step: usize, weight| (v + step < vertices).then_some((v + step, weight));
    let edges = |v: usize| [edge(v, 1, 1), edge(v, 2, 3), Some((0, 9))].into_iter().flatten().collect();
    Graph::from_edges(&(0..vertices).map(edges).collect::<Vec<_>>())
}

#[rstest]
#[case::one_vertex(Graph::from_edges(&[vec![]]), 0)]
#[case::a_loop(Graph::from_edges(&[vec![(0, 4)]]), 0)]
#[case::fewer_vertices_than_ranks(Graph::from_edges(&[vec![(1, 2)], vec![(0, 5)]]), 1)]
#[case::no_edges(Graph::from_edges(&vec![vec![]; 7]), 3)]
#[case::not_all_reached(Graph::from_edges(&[vec![(1, 1)], vec![], vec![(0, 1)], vec![(2, 1)]]), 0)]
#[case::equal_edges(Graph::from_edges(&[vec![(1, 5), (1, 2), (1, 9)], vec![(2, 0)], vec![]]), 0)]
#[case::zero_weights(Graph::random(30, 3, 0, 1), 4)]
#[case::a_path(path(23), 0)]
#[case::a_path_from_its_end(path(23), 22)]
#[case::sparse(Graph::random(61, 2, 10, 2), 60)]
#[case::dense(Graph::random(20, 40, 1000, 3), 7)]
#[case::heaviest_weights(Graph::from_edges(&[vec![(1, u32::MAX)], vec![(2, u32::MAX)], vec![(0, u32::MAX)]]), 0)]
fn finds_distances(#[case] graph: Graph, #[case] source: usize) {
    let input = PathQuery { graph, source };
    functional(Seq).ranks([1]).check(|_ranks| vec![input.clone()]);
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks(1..=5).check(|_ranks| vec![input.clone()]);
}

#[rstest]
#[case::no_vertices(Graph::from_edges(&[]), 0, "the source 0 is not one of the 0 vertices")]
#[case::source_outside(path(3), 3, "the source 3")]
#[case::no_starts(Graph { starts: vec![], targets: vec![], weights: vec![] }, 0, "the starts")]
#[case::falling_starts(Graph { starts: vec![0, 2, 1, 2], ..path(1) }, 0, "the starts")]
#[case::a_weight_too_few(Graph { weights: vec![], ..path(1) }, 0, "there are 0 weights for 1 edges")]
#[case::a_target_outside(Graph::from_edges(&[vec![(5, 1)]]), 0, "leads to vertex 5, but there are 1")]
fn refuses(#[case] graph: Graph, #[case] source: usize, #[case] reason: &str) {
    let input = PathQuery { graph, source };
    functional(Mpi).ranks([1, 3]).refuses(reason, |_ranks| vec![input.clone()]);
}

/// Each vertex is in the block of its owner, and the blocks are all vertices.
#[test]
fn blocks_have_every_vertex() {
    for (vertices, ranks) in (0..=20).flat_map(|vertices| (1..=7).map(move |ranks| (vertices, ranks))) {
        let blocks = Blocks { vertices, ranks };
        assert_eq!((0..ranks).map(|rank| blocks.count(rank)).sum::<usize>(), vertices);
        for vertex in 0..vertices {
            let owner = blocks.owner(vertex);
            let block = blocks.first(owner)..blocks.first(owner) + blocks.count(owner);
            assert!(block.contains(&vertex), "{blocks:?}: vertex {vertex}, owner {owner}");
        }
    }
}

/// A distance that is too long, too short, missing or invented; a cycle of weight 0 that founds itself.
#[test]
fn the_oracle_finds_wrong_distances() {
    let graph = Graph::from_edges(&[vec![(1, 2), (2, 9)], vec![(2, 3)], vec![], vec![(4, 0)], vec![(3, 0)]]);
    let input = PathQuery { graph, source: 0 };
    let check = |distances: [Option<u64>; 5]| ShortestPaths::check(&input, &distances.to_vec());
    assert_eq!(check([Some(0), Some(2), Some(5), None, None]), Verdict::Right);
    for wrong in [
        [Some(0), Some(2), Some(9), None, None],
        [Some(0), Some(2), Some(4), None, None],
        [Some(0), Some(2), None, None, None],
        [Some(1), Some(2), Some(5), None, None],
        [Some(0), Some(2), Some(5), Some(7), Some(7)],
    ] {
        assert_ne!(check(wrong), Verdict::Right, "{wrong:?}");
    }
    assert_ne!(ShortestPaths::check(&input, &vec![Some(0)]), Verdict::Right);
}
