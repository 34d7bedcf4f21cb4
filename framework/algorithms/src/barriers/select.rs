//! The selection of a group's barrier: by name, or by rules.
//!
//! The choice is a pure function of data that is equal at all members: the size, the nodes of all members, the
//! substrate, and the requested name. A selector that reads a member's own node or own number makes members choose
//! differently and hang; two of the wrong forms show it. The request is an argument of a call or an environment
//! variable, which is read elsewhere: [`requested_algorithm`] defines the variables.
//!
//! ```
//! use wb_algorithms::barriers::{GroupConfig, Substrate, select::select};
//!
//! let chosen = select(Some("dissem"), &GroupConfig::new(8), Substrate::Cells)?;
//! assert_eq!(chosen.barrier.name, "dissemination");
//! # Ok::<(), wb_comm::Error>(())
//! ```
use wb_comm::{Error, Result, Spacing, text::barrier};

use crate::barriers::{
    ArrivalScope, BarrierEntry, GroupConfig, Substrate, catalogue, compiled_plan::SignalEncoding,
    group::GroupPartition,
};

/// The selected barrier, and the encoding of a pattern if the substrate is a memory.
#[derive(Clone, Copy)]
pub struct SelectedBarrier {
    /// The barrier.
    pub barrier: &'static BarrierEntry,
    /// The encoding of its signals in cells.
    pub encoding: SignalEncoding,
    /// The layout of its cells.
    pub spacing: Spacing,
}

/// The variable of this workbench.
pub const ALGORITHM_VARIABLE: &str = "WB_BARRIER_ALGORITHM";

/// OpenSHMEM's, as Sandia's library reads it.
pub const SHMEM_VARIABLE: &str = "SHMEM_BARRIER_ALGORITHM";

/// The choice is left to us.
pub const AUTO: &str = "auto";

/// Up to `size` members on `substrate`: this barrier.
struct SelectionRule {
    substrate: Substrate,
    size: usize,
    name: &'static str,
    encoding: SignalEncoding,
    spacing: Spacing,
}

const fn rule(
    substrate: Substrate,
    size: usize,
    name: &'static str,
    encoding: SignalEncoding,
    spacing: Spacing,
) -> SelectionRule {
    SelectionRule { substrate, size, name, encoding, spacing }
}

/// The rules of `auto` by size; [`automatic`] says what is different on several nodes. The first matching rule applies; the last of each substrate matches every size.
///
/// From `cargo wb barriers bench --ranks 2,4,8` on two cores, by pairs of neighbouring visits. Two ranks: both epochs
/// in one line, one transfer of the line (on a machine whose two cores are far apart the padded form is faster). Up to
/// 16 ranks: a counter whose last arriver releases all by one word, since every further step of an exchange costs a
/// scheduler switch where ranks share cores. At 3, 4 and 8 ranks no barrier was faster; window_counter and
/// core_sync_all equal it within their intervals, an all-to-all exchange costs 1 to 11 % more. For more ranks, which
/// were not measured, it is a tree, because the cost of a counter grows with every member.
const RULES: [SelectionRule; 6] = [
    rule(Substrate::Cells, 2, "two_process", SignalEncoding::Put, Spacing::Packed),
    rule(Substrate::Cells, 16, "flat_counter", SignalEncoding::Put, Spacing::Packed),
    rule(Substrate::Cells, usize::MAX, "k_ary_tree_4", SignalEncoding::Put, Spacing::Padded),
    rule(Substrate::Messages, 2, "two_process", SignalEncoding::Add, Spacing::Padded),
    rule(Substrate::Messages, usize::MAX, "dissemination", SignalEncoding::Add, Spacing::Padded),
    rule(Substrate::Window, usize::MAX, "dissemination", SignalEncoding::Add, Spacing::Padded),
];

/// Sandia OpenSHMEM's names of our barriers.
const SHMEM_NAMES: [(&str, &str); 4] = [
    ("linear", "linear"),
    ("tree", "k_ary_tree_4"),
    ("dissem", "dissemination"),
    ("hierarchical", "hierarchical"),
];

/// The name that the environment requests: [`ALGORITHM_VARIABLE`], else [`SHMEM_VARIABLE`] with OpenSHMEM's names replaced
/// by ours (its `tree` is a 4-ary one). An empty value counts as not set.
pub fn requested_algorithm(lookup: impl Fn(&str) -> Option<String>) -> Option<String> {
    let set = |name| lookup(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    set(ALGORITHM_VARIABLE).or_else(|| {
        set(SHMEM_VARIABLE).map(|name| {
            let ours = SHMEM_NAMES.iter().find(|(theirs, _)| *theirs == name);
            ours.map_or(name, |(_, ours)| (*ours).to_owned())
        })
    })
}

/// The barrier that a group of `config` runs on `substrate`: the requested one; without a request, and for `"auto"`, the one
/// of the rules.
///
/// # Errors
/// [`Error::Setup`] for an unknown name, for a barrier that this substrate cannot carry, and for a barrier of neighbours only,
/// with the allowed names; what [`GroupConfig::check`] finds; for `auto` on a substrate without a rule.
pub fn select(
    requested: Option<&str>,
    config: &GroupConfig,
    substrate: Substrate,
) -> Result<SelectedBarrier> {
    config.check()?;
    let (encoding, spacing) = match substrate {
        Substrate::Cells => (SignalEncoding::Put, Spacing::Padded),
        _ => (SignalEncoding::Add, Spacing::Padded),
    };
    match requested {
        None | Some(AUTO) => automatic(config, substrate),
        Some("dissem") => {
            Ok(SelectedBarrier { barrier: find_on("dissemination", substrate)?, encoding, spacing })
        }
        Some(name) => Ok(SelectedBarrier { barrier: find_on(name, substrate)?, encoding, spacing }),
    }
}

/// The rule for the size, and on several nodes what was measured there. On two hosts over TCP, with two ranks on each and with two and
/// one (`cargo wb barriers bench --hosts FILE --ranks 3,4`):
///
/// * Nodes first, as soon as a node has two members: fewer messages cross (2 in place of 6 of dissemination at 2 x 2). An episode over
///   messages took 0.68 and 0.79 of the time of dissemination at 2 x 2 in two runs, and 0.65 and 0.61 at 2 + 1. Where every node has
///   one member there is nothing to save, and the rule for the size applies.
/// * Over a window a signal is a put in place of an add: 0.6 of the time between two hosts.
fn automatic(config: &GroupConfig, substrate: Substrate) -> Result<SelectedBarrier> {
    let rule = RULES.iter().find(|rule| rule.substrate == substrate && config.size <= rule.size);
    let rule = rule.ok_or_else(|| Error::Setup(barrier::no_default(AUTO, substrate.name())))?;
    let name = if is_hierarchy_worthwhile(config)? { "hierarchical" } else { rule.name };
    let crosses_network = substrate == Substrate::Window && !config.is_single_node();
    let encoding = if crosses_network { SignalEncoding::Put } else { rule.encoding };
    Ok(SelectedBarrier { barrier: find_on(name, substrate)?, encoding, spacing: rule.spacing })
}

/// Several nodes, one of which has a member beside its leader: any of all nodes, not each member's own one.
fn is_hierarchy_worthwhile(config: &GroupConfig) -> Result<bool> {
    let nodes = GroupPartition::by_node(config)?.leaders().len();
    Ok(nodes > 1 && nodes < config.size)
}

fn find_on(name: &str, substrate: Substrate) -> Result<&'static BarrierEntry> {
    let fits = |entry: &&&BarrierEntry| {
        entry.guarantee.scope == ArrivalScope::Group && entry.substrates().contains(&substrate)
    };
    let all = catalogue::all();
    let found = all.iter().filter(fits).find(|entry| entry.name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().filter(fits).map(|entry| entry.name).collect();
        let allowed = format!("{AUTO}, dissem, {}", names.join(", "));
        let explain = match all.iter().any(|entry| entry.name == name) {
            true => barrier::not_on,
            false => barrier::unknown_on,
        };
        Error::Setup(explain(name.escape_debug().to_string(), substrate.name(), allowed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barriers::MessageCounts;

    fn name(requested: Option<&str>, config: &GroupConfig, substrate: Substrate) -> &'static str {
        select(requested, config, substrate).expect("there is one").barrier.name
    }

    #[test]
    fn the_own_variable_goes_before_openshmem_s() {
        let both = |variable: &str| {
            Some(if variable == ALGORITHM_VARIABLE { "double_ring" } else { "tree" }.to_owned())
        };
        assert_eq!(requested_algorithm(both).as_deref(), Some("double_ring"));
        let theirs =
            |value: &'static str| move |name: &str| (name == SHMEM_VARIABLE).then(|| value.to_owned());
        assert_eq!(requested_algorithm(theirs("tree")).as_deref(), Some("k_ary_tree_4"));
        assert_eq!(requested_algorithm(theirs("auto")).as_deref(), Some("auto"));
        assert_eq!(requested_algorithm(theirs(" ")), None);
    }

    #[test]
    fn names_are_taken_as_they_are() {
        let config = GroupConfig::new(6);
        for (asked, got) in
            [("linear", "linear"), ("tree", "tree"), ("dissem", "dissemination"), ("mcs_tree", "mcs_tree")]
        {
            assert_eq!(name(Some(asked), &config, Substrate::Messages), got);
        }
        assert_eq!(name(Some(AUTO), &config, Substrate::Cells), name(None, &config, Substrate::Cells));
    }

    fn on(nodes: &[usize]) -> GroupConfig {
        GroupConfig { nodes: nodes.to_vec(), ..GroupConfig::new(nodes.len()) }
    }

    #[test]
    fn nodes_count_as_soon_as_one_of_several_has_two_members() {
        for substrate in [Substrate::Messages, Substrate::Window] {
            for nodes in [&[0, 0, 1, 1, 1][..], &[0, 0, 1, 1, 2], &[0, 0, 1], &[0, 1, 0]] {
                assert_eq!(name(None, &on(nodes), substrate), "hierarchical", "{nodes:?}");
            }
            assert_eq!(name(None, &on(&[3; 5]), substrate), "dissemination");
            assert_eq!(name(None, &on(&[0, 1, 2]), substrate), "dissemination", "one member each");
        }
        assert_eq!(name(None, &on(&[0, 1]), Substrate::Messages), "two_process");
    }

    #[test]
    fn the_choice_for_nodes_sends_no_more_between_them_than_the_rule_for_the_size() {
        let crossing = |name: &str, config: &GroupConfig| {
            let plans = catalogue::find(name).expect("there").plans(config).expect("a pattern");
            MessageCounts::of_plans(&plans.expect("defined"), &config.nodes).between_nodes
        };
        for config in (2..=24).flat_map(crate::barriers::proof::all_sizes::layouts) {
            let chosen = name(None, &config, Substrate::Messages);
            let (own, flat) = (crossing(chosen, &config), crossing("dissemination", &config));
            assert!(own <= flat, "{chosen}: {own} > {flat} on {:?}", config.nodes);
        }
    }

    #[test]
    fn a_window_between_nodes_carries_puts() {
        let encoding =
            |nodes: &[usize]| select(None, &on(nodes), Substrate::Window).expect("there is one").encoding;
        assert_eq!(encoding(&[0, 0, 0]), SignalEncoding::Add);
        assert_eq!([encoding(&[0, 1]), encoding(&[0, 0, 1, 1])], [SignalEncoding::Put; 2]);
    }

    #[test]
    fn every_size_has_a_barrier_that_is_defined_for_it() {
        for substrate in [Substrate::Messages, Substrate::Cells, Substrate::Window] {
            for config in (1..=70).flat_map(crate::barriers::proof::all_sizes::layouts) {
                let entry = select(None, &config, substrate).expect("there is one").barrier;
                assert!(entry.plans(&config).is_none_or(|plans| plans.is_ok()), "{}", entry.name);
            }
        }
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let message_for = |name, substrate| {
            select(Some(name), &GroupConfig::new(2), substrate).err().expect("refused").to_string()
        };
        let unknown = message_for("lineal", Substrate::Cells);
        assert!(
            unknown.starts_with("there is no barrier \"lineal\"; on cells are allowed: auto,"),
            "{unknown}"
        );
        assert!(unknown.contains(", linear, "), "{unknown}");
        let elsewhere = message_for("central_counter", Substrate::Messages);
        assert!(elsewhere.starts_with("barrier \"central_counter\" does not run on messages"), "{elsewhere}");
        let wrong = message_for("short_dissemination", Substrate::Cells);
        assert!(wrong.starts_with("there is no barrier"), "{wrong}");
        let refusal = |size, substrate| select(None, &GroupConfig::new(size), substrate).err();
        assert_eq!(refusal(0, Substrate::Cells), Some(Error::Setup(barrier::nobody())));
        assert_eq!(refusal(2, Substrate::Mpi), Some(Error::Setup(barrier::no_default(AUTO, "mpi"))));
    }
}
