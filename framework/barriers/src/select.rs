//! The selection of a group's barrier: by name, or by rules.
//!
//! The choice is a pure function of data that is equal at all members: the size, the nodes of all members, the
//! substrate, and the requested name. A selector that reads a member's own node or own number makes members choose
//! differently and hang; two of the wrong forms show it. The request is an argument of a call or an environment
//! variable, which is read elsewhere: [`requested_algorithm`] defines the variables.
//!
//! ```
//! use wb_barriers::{GroupConfig, Substrate, select::select};
//!
//! let chosen = select(Some("dissem"), &GroupConfig::new(8), Substrate::Cells)?;
//! assert_eq!(chosen.barrier.name, "dissemination");
//! # Ok::<(), wb_comm::Error>(())
//! ```
use wb_comm::{Error, Result, Spacing, text::barrier};

use crate::{
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

/// The rules of `auto` on one node. The first matching rule applies; the last of each substrate matches every size.
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

fn automatic(config: &GroupConfig, substrate: Substrate) -> Result<SelectedBarrier> {
    let rule = RULES.iter().find(|rule| rule.substrate == substrate && config.size <= rule.size);
    let rule = rule.ok_or_else(|| Error::Setup(barrier::no_default(AUTO, substrate.name())))?;
    let name = if is_hierarchy_worthwhile(config)? { "hierarchical" } else { rule.name };
    Ok(SelectedBarrier { barrier: find_on(name, substrate)?, encoding: rule.encoding, spacing: rule.spacing })
}

/// Several nodes, each with a member beside its leader: the minimum over all nodes, not each member's own node.
fn is_hierarchy_worthwhile(config: &GroupConfig) -> Result<bool> {
    let nodes = GroupPartition::by_node(config)?;
    let smallest = nodes.leaders().iter().map(|&leader| nodes.members_of(leader).len()).min();
    Ok(nodes.leaders().len() > 1 && smallest > Some(1))
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

    #[test]
    fn nodes_count_only_if_all_of_them_have_two_members() {
        let on = |nodes: [usize; 5]| GroupConfig { nodes: nodes.to_vec(), ..GroupConfig::new(5) };
        assert_eq!(name(None, &on([0, 0, 1, 1, 1]), Substrate::Messages), "hierarchical");
        assert_eq!(name(None, &on([0, 0, 1, 1, 2]), Substrate::Messages), "dissemination");
        assert_eq!(name(None, &on([3; 5]), Substrate::Messages), "dissemination");
    }

    #[test]
    fn every_size_has_a_barrier_that_is_defined_for_it() {
        for substrate in [Substrate::Messages, Substrate::Cells, Substrate::Window] {
            for config in (1..=70).flat_map(crate::proof::all_sizes::layouts) {
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
