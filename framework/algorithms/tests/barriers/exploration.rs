//! Every order of delivery that a memory admits: what is offered is safe, and what is wrong is refused with a short trace.
use std::rc::Rc;

use crate::barriers::{
    BarrierEntry, ErasedProgram, Family, GroupConfig, Implementation, MemoryOrdering, Subset,
    catalogue::{
        self, find,
        program::{
            partial_dissemination::PartialDissemination,
            partial_pairwise::PartialPairwise,
            partial_slots::{PartialSlots, SlotReuse},
        },
        wrong::{key_value_interval_1::KeyValue, one_line_for_two_teams::TeamBarrier},
    },
    compiled_plan::SignalEncoding,
    explore::{BarrierGroup, Configuration, Episode, MemoryRefutation, SearchResult, explore, refute},
};

const LIMIT: usize = 1_500_000;

/// Searches at most [`LIMIT`] states.
fn search(configuration: &Configuration, mode: MemoryOrdering) -> SearchResult {
    explore(configuration, mode, LIMIT).expect("programs do not fail")
}

/// Programs are what they are; patterns have three encodings.
fn encodings(entry: &BarrierEntry) -> &'static [SignalEncoding] {
    let is_pattern = matches!(entry.implementation, Implementation::Pattern(_));
    if is_pattern { &SignalEncoding::ALL } else { &[SignalEncoding::Add] }
}

/// Weaker memories have all the runs of stronger ones, so the weakest that is admitted decides.
fn is_safe_where_it_should_be(
    entry: &BarrierEntry,
    config: &GroupConfig,
    encoding: SignalEncoding,
    episodes: usize,
) {
    let Some(Ok(program)) = entry.in_memory(0, config, encoding) else { return };
    let configuration = Configuration::from_entry(entry, config, encoding, episodes)
        .expect("as for PE 0")
        .expect("as for PE 0");
    let finding = search(&configuration, program.required_ordering());
    assert!(finding.is_safe(), "{} {encoding:?}, nodes {:?}: {finding}", entry.name, config.nodes);
}

#[test]
fn every_barrier_of_the_catalogue_is_safe_on_the_weakest_memory_that_it_admits() {
    for entry in catalogue::all() {
        for &encoding in encodings(entry) {
            for (size, episodes) in [(1, 3), (2, 4), (3, 3), (4, 2)] {
                is_safe_where_it_should_be(entry, &GroupConfig::new(size), encoding, episodes);
            }
        }
    }
}

#[test]
fn barriers_that_know_nodes_are_safe_on_several() {
    for entry in catalogue::all().into_iter().filter(|entry| entry.family != Family::Native) {
        for &encoding in encodings(entry) {
            for nodes in [vec![0, 1], vec![0, 0, 1], vec![0, 1, 0], vec![0, 0, 1, 1]] {
                let config = GroupConfig { size: nodes.len(), nodes, radix: None };
                is_safe_where_it_should_be(entry, &config, encoding, 2);
            }
        }
    }
}

/// With five there is room for two PEs between two others.
#[test]
fn every_barrier_of_the_catalogue_is_safe_at_5_and_6() {
    for entry in catalogue::all() {
        for &encoding in encodings(entry) {
            is_safe_where_it_should_be(entry, &GroupConfig::new(5), encoding, 2);
        }
        is_safe_where_it_should_be(entry, &GroupConfig::new(6), SignalEncoding::Add, 2);
    }
}

fn refuted(name: &str) -> MemoryRefutation {
    let entry = find(name).expect("in the catalogue");
    let found = refute(entry, SignalEncoding::Add, 200_000).expect("programs do not fail");
    found.unwrap_or_else(|| panic!("{name} is not refused"))
}

fn lines(finding: &SearchResult) -> Vec<String> {
    finding.trace().iter().map(ToString::to_string).collect()
}

#[test]
fn every_wrong_program_is_refused() {
    for entry in catalogue::wrong() {
        if matches!(entry.implementation, Implementation::Program(_)) {
            assert!(!refuted(entry.name).finding.is_safe());
        }
    }
}

/// A search that finds a fault in every barrier would also find the faults above.
#[test]
fn no_right_program_is_refused() {
    for name in ["central_slot", "dissemination_slot", "sos_dissemination", "npu_pull", "partial_slots"] {
        let found = refute(find(name).expect("in the catalogue"), SignalEncoding::Add, 50_000);
        assert_eq!(found.expect("programs do not fail"), None, "{name}");
    }
}

/// Name, PEs, episodes, memory, steps of the trace, result.
type Smallest = (&'static str, usize, usize, &'static str, usize, &'static str);

const SMALLEST: &[Smallest] = &[
    (
        "barrier_without_quiet",
        2,
        1,
        "ordered get",
        9,
        "deadlock: PE 1 in episode 1: wait [3] = -9223372036854775808, which is 0",
    ),
    ("boolean_rounds", 2, 2, "immediate", 13, "deadlock: PE 1 in episode 2: wait [0] != 0, which is 0"),
    (
        "central_without_marks",
        3,
        1,
        "immediate",
        7,
        "violation: PE 0 leaves episode 1, PE [2] has not entered",
    ),
    ("central_without_quiet", 2, 2, "fifo", 5, "violation: PE 0 leaves episode 2, PE [1] has not entered"),
    (
        "counter_after_meeting",
        4,
        1,
        "immediate",
        18,
        "deadlock: PE 0 in episode 1: poll 0[2] >= 4, which is 3; PE 1 in episode 1: poll 2[1] in {2, 3}, \
         which is 1; PE 2 in episode 1: poll 0[1] in {2, 3}, which is 1; PE 3 in episode 1: poll 2[2] >= 4, \
         which is 3",
    ),
    (
        "dissemination_epoch_unordered",
        2,
        2,
        "ordered get",
        11,
        "deadlock: PE 0 in episode 2: wait [0] >= 2, which is 1",
    ),
    (
        "dissemination_without_quiet",
        2,
        2,
        "fifo",
        22,
        "deadlock: PE 0 in episode 2: wait [0] >= 1, which is 0",
    ),
    (
        "dissemination_without_store",
        2,
        1,
        "immediate",
        0,
        "deadlock: PE 0 in episode 1: poll 1[0] = 0, which is -1; PE 1 in episode 1: poll 0[0] = 0, which is -1",
    ),
    (
        "key_value_interval_1",
        2,
        2,
        "immediate",
        7,
        "deadlock: PE 0 in episode 2: poll 0[5] = 1, which is 0; PE 1 in episode 1: poll 0[3] = 1, which is 0",
    ),
    (
        "partial_clear_first",
        2,
        2,
        "immediate",
        6,
        "deadlock: PE 0 in episode 2: poll 1[2] >= 1, which is 0; PE 1 in episode 1: poll 0[0] >= 1, which is 0",
    ),
    (
        "pull_exact",
        2,
        2,
        "immediate",
        4,
        "deadlock: PE 0 in episode 2: poll 1[0] = 2, which is 1; PE 1 in episode 1: poll 0[0] = 1, which is 2",
    ),
    (
        "recursive_doubling_without_quiet",
        2,
        2,
        "fifo",
        22,
        "deadlock: PE 0 in episode 2: wait [0] >= 1, which is 0",
    ),
    ("root_no_member", 2, 1, "immediate", 1, "deadlock: PE 1 in episode 1: wait [1] >= 1, which is 0"),
    ("selection_per_pe", 2, 1, "immediate", 3, "deadlock: PE 1 in episode 1: wait [0] >= 1, which is 0"),
    (
        "sos_dissemination_without_quiet",
        2,
        2,
        "ordered get",
        8,
        "violation: PE 1 leaves episode 2, PE [0] has not entered",
    ),
    (
        "tournament_slot_without_release",
        2,
        1,
        "immediate",
        7,
        "deadlock: PE 1 in episode 1: wait [0] = -3, which is -2",
    ),
];

#[test]
fn the_smallest_traces_are_these() {
    for &(name, size, episodes, mode, steps, end) in SMALLEST {
        let found = refuted(name);
        let met = (name, found.size, found.episodes, found.mode.name(), found.finding.trace().len());
        assert_eq!(met, (name, size, episodes, mode, steps), "{:#?}", lines(&found.finding));
        assert_eq!(found.finding.to_string(), end, "{name}");
    }
}

/// A trace explains the fault.
#[test]
fn traces_are_lines_that_one_can_follow() {
    assert_eq!(
        lines(&refuted("central_without_quiet").finding),
        [
            "PE 1: enters 1: store [0] = -2",
            "PE 0: enters 1: poll 1[0] = -2 sees -2",
            "PE 0: put 1[0] = -3: leaves 1",
            "PE 0: enters 2: poll 1[0] = -2 sees -2",
            "PE 0: put 1[0] = -3: leaves 2",
        ]
    );
    assert_eq!(
        lines(&refuted("pull_exact").finding),
        [
            "PE 0: enters 1: store [0] = 1",
            "PE 1: enters 1: store [0] = 1",
            "PE 0: poll 1[0] = 1 sees 1: leaves 1",
            "PE 0: enters 2: store [0] = 2",
        ]
    );
    let lines = lines(&refuted("dissemination_epoch_unordered").finding);
    let at = |line: &str| lines.iter().position(|found| found == line).expect("it arrives");
    let (newer, older) = ("PE 0: put of PE 1 arrives: [0] = 2", "PE 0: put of PE 1 arrives: [0] = 1");
    assert!(at(newer) < at(older), "{lines:#?}");
}

fn two_episodes(entry: &BarrierEntry, size: usize) -> Configuration {
    Configuration::from_entry(entry, &GroupConfig::new(size), SignalEncoding::Add, 2)
        .expect("a program")
        .expect("any size")
}

/// Single-slot forms need a quiet, or a get that completes the puts before it; ordered delivery alone is not enough.
#[test]
fn the_slot_forms_without_quiet_are_right_where_gets_push_puts() {
    for name in ["dissemination_without_quiet", "recursive_doubling_without_quiet"] {
        let entry = find(name).expect("in the catalogue");
        for size in 2..=4 {
            let configuration = two_episodes(entry, size);
            let verdict = |mode| search(&configuration, mode).name();
            assert_eq!(verdict(MemoryOrdering::ORDERED_GET), "safe", "{name}, P = {size}");
            let weak = if name.starts_with("diss") && size == 3 { "safe" } else { "deadlock" };
            assert_eq!(verdict(MemoryOrdering::UNORDERED), weak, "{name}, P = {size}");
        }
    }
}

/// Epochs that are put fail where two rounds of different episodes belong to one PE; with three PEs this does not
/// happen.
#[test]
fn put_epochs_fail_without_order_at_2_and_4() {
    let entry = find("dissemination_epoch_unordered").expect("in the catalogue");
    for (size, verdict) in [(2, "deadlock"), (3, "safe"), (4, "deadlock")] {
        let configuration = two_episodes(entry, size);
        let found = |mode| search(&configuration, mode).name();
        assert_eq!(
            (found(MemoryOrdering::UNORDERED), found(MemoryOrdering::FIFO)),
            (verdict, "safe"),
            "P = {size}"
        );
    }
}

fn same(program: impl ErasedProgram + 'static, ranks: usize) -> Vec<Rc<dyn ErasedProgram>> {
    let program: Rc<dyn ErasedProgram> = Rc::new(program);
    vec![program; ranks]
}

/// The barrier of a team of all, twice, then that of {0, 1}, which has had one episode before: on the same words it
/// accepts the signals that the larger team has left there.
#[test]
fn overlapping_teams_need_words_of_their_own() {
    let configuration = |first_cell| {
        let all = BarrierGroup::for_team(&[0, 1, 2], same(TeamBarrier { team: 3 }, 3), 0);
        let fewer = BarrierGroup::for_team(&[0, 1], same(TeamBarrier { team: 2 }, 2), first_cell);
        Configuration::from_sequence(3, vec![all, BarrierGroup { epoch: 1, ..fewer }], &[0, 0, 1])
    };
    let SearchResult::Violation { episode, .. } = search(&configuration(0), MemoryOrdering::IMMEDIATE) else {
        panic!("one psync serves two teams");
    };
    assert_eq!(episode, Episode { group: 1, number: 1 });
    assert!(search(&configuration(2), MemoryOrdering::UNORDERED).is_safe());
}

/// Barriers of subsets one after the other on the same counters.
fn subsets(
    size: usize,
    subsets: &[&[usize]],
    program: impl Fn(Subset) -> Rc<dyn ErasedProgram>,
) -> Configuration {
    let group = |members: &&[usize]| {
        BarrierGroup::from_programs(vec![
            program(Subset::from_list(members, size).expect("a right list"));
            size
        ])
    };
    Configuration::from_sequence(
        size,
        subsets.iter().map(group).collect(),
        &(0..subsets.len()).collect::<Vec<_>>(),
    )
}

#[test]
fn pairwise_counters_serve_any_overlapping_subsets() {
    let sequences: [(usize, &[&[usize]]); 6] = [
        (3, &[&[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]]),
        (3, &[&[0, 1, 2], &[0, 1], &[0, 1, 2]]),
        (3, &[&[0, 1], &[1, 2], &[0, 2], &[0, 1, 2], &[0, 1, 2]]),
        (4, &[&[0, 1, 2, 3], &[0, 1, 2], &[1, 2, 3]]),
        (4, &[&[0, 2], &[0, 1, 2, 3], &[1, 3]]),
        (5, &[&[0, 1, 2], &[2, 3, 4], &[0, 4]]),
    ];
    for (size, sequence) in sequences {
        let pairwise = subsets(size, sequence, |subset| Rc::new(PartialPairwise(subset)));
        let dissemination = subsets(size, sequence, |subset| Rc::new(PartialDissemination(subset)));
        for configuration in [pairwise, dissemination] {
            let finding = search(&configuration, MemoryOrdering::UNORDERED);
            assert!(finding.is_safe(), "{sequence:?}: {finding}");
        }
    }
}

/// Calls in another order at two common members are the user's deadlock, and are found.
#[test]
fn overlapping_subsets_in_opposite_orders_deadlock() {
    let mut configuration = subsets(2, &[&[0, 1], &[0, 1]], |subset| Rc::new(PartialPairwise(subset)));
    assert!(search(&configuration, MemoryOrdering::UNORDERED).is_safe());
    configuration.groups[1].first_cell = 4;
    configuration.calls[1].reverse();
    assert_eq!(search(&configuration, MemoryOrdering::UNORDERED).name(), "deadlock");
}

/// A listed subset on slots: PEs that are not listed call as well, and are not waited for.
#[test]
fn slots_are_reused_by_epochs_or_between_two_meetings() {
    for (reuse, verdict) in [
        (SlotReuse::Epochs, "safe"),
        (SlotReuse::BarrierClearBarrier, "safe"),
        (SlotReuse::ClearBarrier, "deadlock"),
    ] {
        for (size, listed, calls) in [(2, vec![0, 1], 4), (3, vec![0, 1, 2], 3), (3, vec![0, 2], 3)] {
            let slots = PartialSlots::new(Subset::from_list(&listed, size).expect("a right list"), 2, reuse);
            let (ranks, programs) = ((0..size).collect(), same(slots, size));
            let group = BarrierGroup { ranks, members: listed, programs, first_cell: 0, epoch: 0 };
            let configuration =
                Configuration { size, groups: vec![group], calls: vec![vec![0; calls]; size] };
            let finding = search(&configuration, MemoryOrdering::UNORDERED);
            assert_eq!(finding.name(), verdict, "{reuse:?}, P = {size}: {finding}");
        }
    }
}

#[test]
fn keys_may_be_removed_after_two_episodes_but_not_after_one() {
    for (interval, verdict) in [(1, "deadlock"), (2, "safe"), (3, "safe")] {
        for (size, episodes) in [(2, 4), (3, 4), (4, 3)] {
            let boxed = |_| Box::new(KeyValue { interval }) as Box<dyn ErasedProgram>;
            let configuration = Configuration::with_episodes((0..size).map(boxed).collect(), episodes);
            let finding = search(&configuration, MemoryOrdering::UNORDERED);
            assert_eq!(finding.name(), verdict, "interval {interval}, P = {size}: {finding}");
        }
    }
}

/// An undecided result is not safe.
#[test]
fn a_search_that_gives_up_says_so() {
    let entry = find("dissemination_slot").expect("in the catalogue");
    let configuration = two_episodes(entry, 4);
    assert_eq!(explore(&configuration, MemoryOrdering::UNORDERED, 100).expect("no failure").name(), "limit");
}
