//! Every pattern is proved at every size, on every layout of nodes and with every radix; costs equal the formulas; and
//! every wrong form is refuted, with the smallest counterexample.
use crate::barriers::{
    BarrierCost, BarrierEntry, GroupConfig, Implementation, PlanStep, catalogue,
    logarithm::{ceil_log, ceil_log2},
    proof::{Counterexample, PatternRefutation, ProofResult, all_sizes::layouts, prove, prove_all_sizes},
};

const MAX_SIZE: usize = 257;

fn patterns(rows: Vec<&'static BarrierEntry>) -> impl Iterator<Item = &'static BarrierEntry> {
    rows.into_iter().filter(|entry| matches!(entry.implementation, Implementation::Pattern(_)))
}

fn cost(name: &str, config: &GroupConfig) -> BarrierCost {
    let plans = catalogue::find(name).expect("a row").plans(config).expect("a pattern").expect("defined");
    prove(&plans).unwrap_or_else(|why| panic!("{name}, {config:?}: {why}"))
}

#[test]
fn every_pattern_is_a_barrier_at_every_size_on_every_layout() {
    for entry in patterns(catalogue::all()) {
        let sizes = if entry.name == "two_process" { 2 } else { MAX_SIZE };
        match prove_all_sizes(entry, MAX_SIZE, None) {
            Some(ProofResult::Proved { sizes: defined, proofs }) => {
                let expected = (sizes, count_of_proofs(entry.name, sizes));
                assert_eq!((defined, proofs), expected, "{}", entry.name);
            }
            other => panic!("{}: {other:?}", entry.name),
        }
    }
}

/// The number of different groups of plans, of six layouts of nodes at each size up to [`MAX_SIZE`]: one a size where
/// nodes do not matter.
fn count_of_proofs(name: &str, sizes: usize) -> usize {
    match name {
        "hierarchical" | "barrier_sys" | "cross_host_dissemination" | "cache_groups_2" => 1530,
        // Two of the layouts of small sizes are equal for groups of four.
        "cache_groups_4" => 1528,
        // Two algorithms: linear on one node, another one elsewhere from 32 ranks on.
        "adaptive" => sizes + (MAX_SIZE - 31),
        _ => sizes,
    }
}

#[test]
fn every_size_is_proved_on_six_layouts_of_nodes() {
    let nodes: Vec<_> = layouts(7).into_iter().map(|config| config.nodes).collect();
    let expected = [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 1, 2, 3, 4, 5, 6],
        [0, 0, 0, 1, 1, 1, 2],
        [0, 1, 2, 0, 1, 2, 0],
        [0, 1, 4, 2, 2, 4, 1],
        [3, 3, 2, 2, 1, 1, 0],
    ];
    assert_eq!(nodes, expected);
}

#[test]
fn every_radix_is_a_barrier() {
    let with_radix = patterns(catalogue::all()).filter(|entry| {
        let refused = GroupConfig { radix: Some(1), ..GroupConfig::new(4) };
        entry.plans(&refused).is_some_and(|plans| plans.is_err())
    });
    let mut rows: Vec<_> = with_radix.map(|entry| entry.name).collect();
    rows.retain(|name| *name != "two_process");
    assert!(rows.len() >= 10, "{rows:?}");
    for name in rows {
        let entry = catalogue::find(name).expect("a row");
        for radix in (2..=9).chain([16, 32, usize::MAX]) {
            let verdict = prove_all_sizes(entry, 40, Some(radix));
            assert!(
                matches!(verdict, Some(ProofResult::Proved { sizes: 40, .. })),
                "{name}, {radix}: {verdict:?}"
            );
        }
    }
}

#[test]
fn costs_are_what_the_formulas_say() {
    // A pattern may have no formula, since its plan is counted; most have the formula of their source.
    let with_formula = || patterns(catalogue::all()).filter_map(|entry| Some((entry, entry.cost?)));
    assert!(with_formula().count() >= 20, "formulas were lost: {}", with_formula().count());
    for (entry, formula) in with_formula() {
        for size in 1..=199 {
            let config = GroupConfig::new(size);
            let Ok(plans) = entry.plans(&config).expect("a pattern") else { continue };
            let (cost, formula) = (prove(&plans).expect("proved elsewhere"), formula(size));
            assert_eq!(cost.messages, formula.messages, "{}, P = {size}: messages", entry.name);
            let agree = |formula: Option<usize>, cost| formula.is_none() || formula == cost;
            assert!(
                agree(formula.rounds, cost.rounds),
                "{}, P = {size}: {cost:?}, not {formula:?}",
                entry.name
            );
            assert!(agree(formula.hops, cost.hops), "{}, P = {size}: {cost:?}, not {formula:?}", entry.name);
            // Lower bounds for all ranks: gossip needs 2 (P - 1) messages, and one port doubles the number of known
            // ranks in a round.
            assert!(
                cost.messages >= 2 * (size - 1) && cost.rounds >= Some(ceil_log2(size)),
                "{}",
                entry.name
            );
        }
    }
}

/// ceil(log_k(P (k - 1) + 1)) - 1.
fn heap_depth(k: usize, p: usize) -> usize {
    ceil_log(k, p * (k - 1) + 1) - 1
}

#[test]
fn bounds_hold_where_there_is_no_formula() {
    for size in 1..=199 {
        let mcs = cost("mcs_tree", &GroupConfig::new(size));
        assert!(mcs.hops <= Some(heap_depth(4, size) + size.ilog2() as usize), "P = {size}: {mcs:?}");
        let doubling = cost("recursive_doubling", &GroupConfig::new(size));
        assert!(doubling.hops <= doubling.rounds, "P = {size}: {doubling:?}");
        for (name, k) in [("recursive_k_nomial_4", 4), ("recursive_k_nomial_8", 8)] {
            let cost = cost(name, &GroupConfig::new(size));
            let within = size.ilog(k);
            let full = k.pow(within);
            let (blocks, extras) = (size / full, size % full);
            let bound = within as usize + usize::from(blocks > 1) + if extras > 0 { 2 } else { 0 };
            assert!(cost.hops <= Some(bound), "{name}, P = {size}: {cost:?}");
        }
        for k in [2, 4] {
            let cost = cost(&format!("k_ary_tree_{k}"), &GroupConfig::new(size));
            assert_eq!(cost.hops, Some(2 * heap_depth(k, size)), "{k}-ary tree, P = {size}");
        }
    }
}

/// The number of members of each node.
fn node_sizes(config: &GroupConfig) -> Vec<usize> {
    let mut nodes = config.nodes.clone();
    nodes.sort_unstable();
    nodes.chunk_by(|a, b| a == b).map(<[_]>::len).collect()
}

#[test]
fn costs_on_several_nodes_are_what_the_formulas_say() {
    for config in (1..=70).flat_map(layouts) {
        let sizes = node_sizes(&config);
        let (nodes, most) = (sizes.len(), sizes.iter().copied().max().unwrap_or_default());
        let messages = 2 * (config.size - nodes) + nodes * ceil_log2(nodes);
        let bits = (0..most).map(usize::count_ones).max().unwrap_or_default() as usize;
        let flat = usize::from(most > 1);
        for (name, depth) in
            [("hierarchical", heap_depth(4, most)), ("cross_host_dissemination", bits), ("barrier_sys", flat)]
        {
            let cost = cost(name, &config);
            assert_eq!(cost.messages, messages, "{name}, {config:?}");
            let bound = 2 * depth + ceil_log2(nodes);
            let even = sizes.iter().all(|size| *size == most);
            assert!(cost.hops <= Some(bound), "{name}, {config:?}: {cost:?}");
            assert!(!even || cost.hops == Some(bound), "{name}, {config:?}: {cost:?}");
        }
    }
}

fn counterexample(name: &str) -> Counterexample {
    match prove_all_sizes(catalogue::find(name).expect("a row"), MAX_SIZE, None) {
        Some(ProofResult::Refuted(counterexample)) => counterexample,
        other => panic!("{name} is not refused: {other:?}"),
    }
}

#[test]
fn canaries_every_wrong_pattern_is_refused() {
    for entry in patterns(catalogue::wrong()) {
        counterexample(entry.name);
    }
}

#[test]
fn canaries_counterexamples_are_the_smallest() {
    let cases = [
        ("double_ring_printed", 2, "rank 0 leaves after 2 steps without having heard of rank 1"),
        (
            "double_ring_sync_tag",
            2,
            "deadlock\n  rank 0, step 2: waits until rank 1 receives signal 1\n  rank 1, step 2: waits for signal 0 of rank 0",
        ),
        ("recursive_doubling_without_release", 3, "deadlock\n  rank 2, step 1: waits for signal 0 of rank 0"),
        ("recursive_doubling_deaf", 3, "rank 0 leaves after 3 steps without having heard of rank 2"),
        ("short_dissemination", 3, "rank 0 leaves after 2 steps without having heard of rank 1"),
        ("tournament_without_release", 2, "deadlock\n  rank 1, step 1: waits for signal 0 of rank 0"),
        ("tree_depth_floor", 3, "rank 0 leaves after 2 steps without having heard of rank 2"),
        ("tree_depth_log", 2, "rank 0 leaves after 0 steps without having heard of rank 1"),
        ("group_dissemination_negative", 9, "rank 0, step 22: there is no rank "),
    ];
    for (name, size, refusal) in cases {
        let Counterexample { group: config, refutation } = counterexample(name);
        assert_eq!(config, GroupConfig::new(size), "{name}");
        let found = refutation.to_string();
        assert!(found.starts_with(refusal), "{name}: {found}");
    }
    assert!(matches!(
        counterexample("group_dissemination_of_one").refutation,
        PatternRefutation::NonTerminating { .. }
    ));
    for (name, size) in [("hierarchical_by_own_node", 3), ("adaptive_by_index", 4)] {
        let uneven = counterexample(name);
        assert!(uneven.group.size == size && !uneven.group.is_single_node(), "{uneven:?}");
        assert!(matches!(uneven.refutation, PatternRefutation::Deadlock(_)), "{uneven:?}");
    }
}

/// Patterns that wait until their last message is received: recursive doubling releases its extra ranks in this way,
/// and each rank of the double ring its neighbour. No other pattern does.
#[test]
fn synchronous_steps_are_those_of_the_sources() {
    for entry in patterns(catalogue::all()) {
        for config in (1..=40).flat_map(layouts) {
            let Ok(plans) = entry.plans(&config).expect("a pattern") else { continue };
            let size = config.size;
            let extras = size - (1 << size.ilog2());
            for plan in plans {
                let synchronous = |(at, step): (usize, &PlanStep)| match *step {
                    PlanStep::Signal { to, synchronous: true, .. } => Some((at, to)),
                    _ => None,
                };
                let found: Vec<_> = plan.steps.iter().enumerate().filter_map(synchronous).collect();
                let (rank, steps) = (plan.rank, plan.steps.len());
                let doubles = entry.name == "recursive_doubling"
                    || entry.name == "adaptive" && size >= 32 && !config.is_single_node();
                let expected = match entry.name {
                    _ if doubles && rank < extras => vec![(steps - 1, rank + size - extras)],
                    "double_ring" if size > 1 => vec![(double_ring_last(rank, steps), (rank + 1) % size)],
                    _ => vec![],
                };
                assert_eq!(found, expected, "{}, {config:?}, rank {rank}", entry.name);
            }
        }
    }
}

/// Rank 0 begins the last lap and waits for its end; each other rank passes it on last.
fn double_ring_last(rank: usize, steps: usize) -> usize {
    if rank == 0 { steps - 2 } else { steps - 1 }
}

#[test]
fn bad_settings_are_errors() {
    let refusal = |name: &str, config: &GroupConfig| {
        let plans = catalogue::find(name).expect("a row").plans(config).expect("a pattern");
        plans.expect_err("refused").to_string()
    };
    for radix in [0, 1] {
        let config = GroupConfig { radix: Some(radix), ..GroupConfig::new(8) };
        assert_eq!(
            refusal("k_dissemination_4", &config),
            format!("radix {radix} is not allowed: at least 2")
        );
    }
    assert_eq!(refusal("linear", &GroupConfig::new(0)), "a barrier needs at least 1 participant");
    assert_eq!(
        refusal("two_process", &GroupConfig::new(3)),
        "two_process is a barrier of 1..=2 ranks, not of 3"
    );
    let nodes = GroupConfig { nodes: vec![0; 3], ..GroupConfig::new(4) };
    assert_eq!(refusal("hierarchical", &nodes), "4 participants, but the nodes of 3");
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> =
        catalogue::all().iter().chain(&catalogue::wrong()).map(|entry| entry.name).collect();
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
