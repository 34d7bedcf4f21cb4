//! The faults of the texts from which the barriers are taken, row by row, and the wrong form that shows each.
//!
//! A wrong form lists the rows that it shows in its [`section`](crate::BarrierEntry::section) (`"8, rows 21, 27"`). A
//! row that no barrier can show, because it is about words, numbers or another operation, has the reason here, and the
//! check of the right form.
use crate::{BarrierEntry, catalogue};

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceFault {
    /// The barrier or text.
    pub location: &'static str,
    /// The mistake.
    pub description: &'static str,
    /// Why no wrong form shows it; `None` if some do.
    pub without_form: Option<&'static str>,
}

const fn with_form(place: &'static str, what: &'static str) -> SourceFault {
    SourceFault { location: place, description: what, without_form: None }
}

const fn without_form(place: &'static str, what: &'static str, why: &'static str) -> SourceFault {
    SourceFault { location: place, description: what, without_form: Some(why) }
}

/// All of them; row n is `FAULTS[n - 1]`.
pub static FAULTS: [SourceFault; 36] = [
    with_form("double ring", "rank 0's two receives are left out"),
    with_form("double ring", "a second tag for the synchronous message"),
    with_form("recursive doubling of messages", "the extra ranks are not released"),
    without_form(
        "recursive doubling of messages",
        "called a binary tree",
        "a name: the hypercube is the same; the proof of `recursive_doubling` has its guard r < p2",
    ),
    with_form("tree", "the depth is undefined, and neither floor nor log2 will do"),
    without_form(
        "linear",
        "receives in the order of ranks, blocking",
        "still a barrier, only slower; `linear` names its sources, as overlapping groups need",
    ),
    with_form("`shmem_barrier`, `shmem_barrier_all`", "the quiet is left out"),
    with_form("central counter", "no mark for each PE, no quiet"),
    with_form("tournament", "the champion's release is left out"),
    with_form("recursive doubling of one slot", "the base does not wait for its extra"),
    with_form("dissemination on one slot", "the store of 0 is left out"),
    with_form(
        "dissemination on one slot",
        "rounds up to floor(log2 P): one too many for powers of two; without it too few",
    ),
    with_form("one slot, put and get", "needs gets that push puts, or a quiet"),
    with_form("adaptive", "a member's index is taken for its PE number"),
    without_form("one slot", "\"1 byte\"", "a size: cells are words of 8 bytes"),
    without_form(
        "Ascend, memory",
        "64 * 5 * 8 is called 320",
        "a number: `forty_slots_are_enough_for_every_size_that_is_promised` counts them",
    ),
    without_form(
        "Ascend, pull",
        "\"shared counter\", and the own flag is raised when its turn comes",
        "still a barrier, but a chain of P hops: `all_to_all_in_turn` is in the catalogue, to be measured",
    ),
    with_form("Ascend, counter", "read after the first core barrier"),
    with_form("Ascend, groups", "a radix of 1; the remainder of a negative number"),
    without_form(
        "Ascend, membership",
        "only the divisibility by the stride is tested",
        "no barrier: `Strided` of wb-shmem tests range, stride and divisibility",
    ),
    with_form(
        "Ascend, a team's slot",
        "each member takes its own first free one, and two teams may share it",
    ),
    without_form(
        "Ascend, across hosts",
        "a slot for each PE number, and 40 lines",
        "begins with 41 PEs, too many to search; `cross_host` has a slot for each round",
    ),
    without_form("Ascend, `barrier_sys`", "an empty stub", "nothing to run: `barrier_sys` is our proposal"),
    without_form(
        "barrier over a key-value store",
        "\"first rank\" for the first to arrive, and what happens after a time-out is left open",
        "words; the rules are tests of wb-control, and a wrong interval is `key_value_interval_1`",
    ),
    with_form("partial barrier", "slots are cleared, then all meet"),
    with_form("Sandia OpenSHMEM, phase 2", "a flag that its reader sets back"),
    with_form("Sandia OpenSHMEM, psync", "one for all teams"),
    with_form("Sandia OpenSHMEM, root of a node", "the lowest PE, member or not"),
    with_form("Sandia OpenSHMEM, AUTO", "a threshold that each PE looks at for itself"),
    without_form("Sandia OpenSHMEM, text", "\"sense\" for an epoch", "words"),
    without_form("RMA, post", "\"creates a window\"", "words: it exposes one, see `docs/rma.md`"),
    without_form("RMA, locks", "\"one lock a process at a time\"", "a rule of MPI 2: see `docs/rma.md`"),
    without_form(
        "RMA, fence",
        "taken for a barrier in all cases",
        "MPI leaves open whether it waits where assertions are given: `rma_fence` gives none",
    ),
    without_form(
        "costs of a broadcast",
        "\"O(log p) transfers\"",
        "no barrier: p - 1 messages in ceil(log2 p) rounds",
    ),
    without_form("measurements of a broadcast", "numbers that contradict each other", "no barrier"),
    without_form(
        "protocol of a broadcast",
        "tag 0 on the world's communicator",
        "no barrier: libraries use one of their own",
    ),
];

/// The wrong forms that show row `row`, counted from 1.
pub fn forms(row: usize) -> Vec<&'static BarrierEntry> {
    catalogue::wrong().into_iter().filter(|entry| rows(entry).contains(&row)).collect()
}

/// The rows that a wrong form shows; none for a fault that no text has, but existing code has.
pub fn rows(entry: &BarrierEntry) -> Vec<usize> {
    let rows = entry.section.strip_prefix("8, row").map(|rows| rows.trim_start_matches('s'));
    rows.map_or(vec![], |rows| rows.split(',').filter_map(|row| row.trim().parse().ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_wrong_form_or_says_why_not() {
        for (row, fault) in (1..).zip(&FAULTS) {
            let names: Vec<_> = forms(row).iter().map(|entry| entry.name).collect();
            assert_ne!(
                names.is_empty(),
                fault.without_form.is_none(),
                "row {row}, {}: {names:?}",
                fault.location
            );
        }
    }

    #[test]
    fn every_wrong_form_names_rows_that_there_are_or_another_section() {
        for entry in catalogue::wrong() {
            let rows = rows(entry);
            assert!(rows.iter().all(|row| (1..=FAULTS.len()).contains(row)), "{}: {rows:?}", entry.name);
            assert_eq!(
                rows.is_empty(),
                !entry.section.starts_with("8,"),
                "{}: {}",
                entry.name,
                entry.section
            );
        }
    }

    /// The faults that the benchmark was required to show, and the barrier that shows each.
    #[test]
    fn every_fault_that_was_asked_for_has_its_form() {
        let asked = [
            ("double ring without rank 0's receives", "double_ring_printed"),
            ("recursive doubling without release", "recursive_doubling_without_release"),
            ("short dissemination", "short_dissemination"),
            ("central counter without marks", "central_without_marks"),
            ("tournament without release", "tournament_without_release"),
            ("dissemination without its initial store", "dissemination_without_store"),
            ("pull with exact equality", "pull_exact"),
            ("counter read after the core barrier", "counter_after_meeting"),
            ("clear, then barrier", "partial_clear_first"),
            ("key-value store with interval 1", "key_value_interval_1"),
            ("hierarchical barrier with boolean slots among the roots", "boolean_rounds"),
            ("one psync for two teams", "one_line_for_two_teams"),
            ("AUTO with a threshold of each PE", "hierarchical_by_own_node"),
            ("quiet left out", "barrier_without_quiet"),
        ];
        for (fault, name) in asked {
            assert!(catalogue::wrong().iter().any(|entry| entry.name == name), "{fault}: no {name}");
        }
    }
}
