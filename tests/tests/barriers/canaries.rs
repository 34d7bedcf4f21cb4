//! Each law finds the fault that it is there for: the same laws on barriers with one injected fault each.
use std::{
    cell::Cell,
    rc::Rc,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicI64},
    },
    time::Duration,
};

use wb_algorithms::barriers::{
    BarrierCost, BarrierEntry, GroupConfig, Implementation, catalogue, compiled_plan::SignalEncoding,
};
use wb_comm::{Barrier, CallSite, Memory, MessageTag, Op, SendMode, Spacing, Transport, Until, Verb, View};
use wb_tests::barrier_laws::{
    BarrierInstance, BarrierProvider, LAWS, LawEffort, LawRun, Region, TeamMemory, TeamThreadMemory,
    cells::CellBarriers,
    messages::MessageBarriers,
    threads::{LawProgram, on_threads},
};
use wb_world::{FrameworkCalls as _, World};

use crate::setups::one_node;

/// For laws that end by themselves: longer than any of them takes.
const LIMIT: Duration = Duration::from_secs(60);

/// For laws on faulty barriers, which may hang.
const HANG_LIMIT: Duration = Duration::from_secs(2);

/// The provider that a canary checks instead of a correct one.
type MakeProvider = for<'a> fn(&'a dyn TeamMemory) -> Box<dyn BarrierProvider + 'a>;

fn cells(memory: &dyn TeamMemory) -> Box<dyn BarrierProvider + '_> {
    let (encoding, spacing) = (SignalEncoding::Put, Spacing::Packed);
    Box::new(CellBarriers { memory, encoding, spacing, cores: 1, counts_signals: false, nodes: one_node })
}

fn messages(_: &dyn TeamMemory) -> Box<dyn BarrierProvider + '_> {
    Box::new(MessageBarriers { nodes: one_node })
}

/// The error of `law` on three ranks; empty when it holds.
fn law_error(law: &'static str, make: MakeProvider, entry: &'static BarrierEntry) -> String {
    law_error_on(law, make, entry, |_, threads, check| check(threads), LIMIT)
}

/// As [`law_error`], for a barrier that may hang.
fn hang_error(law: &'static str, make: MakeProvider, entry: &'static BarrierEntry) -> String {
    law_error_on(law, make, entry, |_, threads, check| check(threads), HANG_LIMIT)
}

/// Runs a check on other memory.
type MakeMemory =
    fn(&World, &TeamThreadMemory, &dyn Fn(&dyn TeamMemory) -> Result<(), String>) -> Result<(), String>;

fn law_error_on(
    law: &'static str,
    make: MakeProvider,
    entry: &'static BarrierEntry,
    make_memory: MakeMemory,
    limit: Duration,
) -> String {
    let law = LAWS.iter().find(|one| one.name == law).expect("there is such a law");
    let part: Arc<LawProgram> = Arc::new(move |world, threads| {
        make_memory(world, threads, &|memory| {
            let barrier_provider = make(memory);
            let effort = LawEffort::in_memory(world.size());
            let law_run =
                LawRun { world, memory, provider: &*barrier_provider, entry, partner: entry, effort };
            assert!((law.applies)(&law_run), "the law does not apply to this");
            law_run.check(law).map(drop)
        })
    });
    on_threads(3, limit, &part).err().unwrap_or_default()
}

fn dissemination() -> &'static BarrierEntry {
    catalogue::find("dissemination").expect("it is in the catalogue")
}

#[test]
fn without_a_fault_every_law_is_silent() {
    let completing = catalogue::find("cross_host").expect("it is in the catalogue");
    for law in LAWS.iter().filter(|law| law.name != "complete") {
        assert_eq!(law_error(law.name, messages, dissemination()), "", "{}", law.name);
    }
    for law in LAWS.iter().filter(|law| law.name != "count") {
        assert_eq!(law_error(law.name, cells, completing), "", "{}", law.name);
    }
}

/// Makes what replaces a correct instance, given its number among the provider's and its team.
type ReplaceInstance = fn(Box<dyn BarrierInstance>, usize, &World) -> Box<dyn BarrierInstance>;

/// Replaces the barriers of another provider.
struct FaultyProvider<'a> {
    inner: Box<dyn BarrierProvider + 'a>,
    instances: Cell<usize>,
    with: ReplaceInstance,
}

impl FaultyProvider<'_> {
    fn boxed<'a>(
        right: Box<dyn BarrierProvider + 'a>,
        with: ReplaceInstance,
    ) -> Box<dyn BarrierProvider + 'a> {
        Box::new(FaultyProvider { inner: right, instances: Cell::new(0), with })
    }
}

impl BarrierProvider for FaultyProvider<'_> {
    fn name(&self) -> String {
        format!("faulty {}", self.inner.name())
    }
    fn build(&self, entry: &BarrierEntry, team: &World) -> wb_comm::Result<Box<dyn BarrierInstance>> {
        self.instances.set(self.instances.get() + 1);
        Ok((self.with)(self.inner.build(entry, team)?, self.instances.get(), team))
    }
    fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool {
        self.inner.supports(entry, config)
    }
}

/// Does not wait at all.
struct NoBarrier;

impl Barrier for NoBarrier {
    fn wait(&mut self) -> wb_comm::Result<()> {
        Ok(())
    }
}

impl BarrierInstance for NoBarrier {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Self)
    }
}

#[test]
fn stamps_and_plain_memory_find_a_barrier_that_does_not_wait() {
    let absent: MakeProvider = |memory| FaultyProvider::boxed(cells(memory), |_, _, _| Box::new(NoBarrier));
    let early = law_error("stamps", absent, dissemination());
    assert!(early.contains("dissemination on faulty cells (put, packed), P = 3, law stamps"), "{early}");
    let either = ["before the last rank entered", "another rank left before all had entered"];
    assert!(either.iter().any(|text| early.contains(text)), "{early}");
    let stale = law_error("visible", absent, dissemination());
    assert!(stale.contains("holds"), "{stale}");
}

/// Forgets to wait each 100th time, on rank 0.
struct SkippingBarrier<'a>(Box<dyn Barrier + 'a>, usize, bool);

impl Barrier for SkippingBarrier<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        self.1 += 1;
        if self.2 && self.1.is_multiple_of(100) { Ok(()) } else { self.0.wait() }
    }
}

struct SkippingInstance(Box<dyn BarrierInstance>, bool);

impl BarrierInstance for SkippingInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(SkippingBarrier(self.0.barrier(), 0, self.1))
    }
}

#[test]
fn the_storm_finds_a_barrier_that_sometimes_does_not_wait() {
    let skipping: MakeProvider = |memory| {
        FaultyProvider::boxed(cells(memory), |place, _, team| {
            Box::new(SkippingInstance(place, team.rank() == 0))
        })
    };
    assert_eq!(law_error("stamps", skipping, dissemination()), "", "the other law must not see it");
    assert_ne!(hang_error("storm", skipping, dissemination()), "");
}

/// Sends one message more than is received.
struct LeakingBarrier<'a>(Box<dyn Barrier + 'a>, Rc<dyn Transport>);

impl Barrier for LeakingBarrier<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        self.0.wait()?;
        let to = (self.1.rank() + 1) % self.1.size();
        let data = View::from_slice::<u8>(&[]);
        let op = Op::Send { to, tag: MessageTag::internal(999), data, mode: SendMode::Standard };
        self.1.post_and_wait(&mut [op], CallSite::caller(Verb::Barrier))
    }
}

struct LeakingInstance(Box<dyn BarrierInstance>, Rc<dyn Transport>);

impl BarrierInstance for LeakingInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(LeakingBarrier(self.0.barrier(), Rc::clone(&self.1)))
    }
    fn leftovers(&self) -> wb_comm::Result<Vec<String>> {
        wb_tests::barrier_laws::messages::unreceived(&*self.1)
    }
}

/// Its cells contain the number of earlier instances.
struct ChangingInstance(Box<dyn BarrierInstance>, usize);

impl BarrierInstance for ChangingInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        self.0.barrier()
    }
    fn values(&self) -> Vec<i64> {
        vec![self.1 as i64]
    }
}

#[test]
fn cleanliness_finds_a_message_that_is_left_and_cells_that_differ() {
    let leaky: MakeProvider = |memory| {
        FaultyProvider::boxed(messages(memory), |place, _, team| {
            Box::new(LeakingInstance(place, Rc::clone(team.dup().expect("dup").transport())))
        })
    };
    let left = law_error("clean", leaky, dissemination());
    assert!(left.contains("a message is left") && left.contains("tag 999"), "{left}");
    let changing: MakeProvider =
        |memory| FaultyProvider::boxed(cells(memory), |place, nth, _| Box::new(ChangingInstance(place, nth)));
    let differ = law_error("clean", changing, dissemination());
    assert!(differ.contains("the cells differ"), "{differ}");
}

#[test]
fn the_count_finds_a_formula_that_is_wrong() {
    static WRONG: LazyLock<BarrierEntry> = LazyLock::new(|| BarrierEntry {
        cost: Some(|p| BarrierCost { messages: 2 * p + 1, rounds: None, hops: None }),
        ..*dissemination()
    });
    let message = law_error("count", messages, &WRONG);
    assert!(
        message.contains("240 signals in 40 episodes (0 to itself), and the formula gives 280"),
        "{message}"
    );
}

/// Memory where every request gets the same region.
struct SharedRegionMemory<'a>(&'a TeamThreadMemory, Arc<[AtomicI64]>);

impl TeamMemory for SharedRegionMemory<'_> {
    fn region(&self, _: &World, count: usize, _: i64) -> wb_comm::Result<Box<dyn Region>> {
        assert!(count <= self.1.len(), "{count} atomics of {}", self.1.len());
        Ok(Box::new(Arc::clone(&self.1)))
    }
    fn stop_flag(&self) -> &Arc<AtomicBool> {
        self.0.stop_flag()
    }
}

#[test]
fn mixing_and_overlap_find_state_that_is_shared() {
    let shared: MakeMemory = |world, threads, check| {
        let region = threads.vector(world, 64, 0).map_err(|why| why.to_string())?;
        check(&SharedRegionMemory(threads, region))
    };
    let error = law_error_on("stamps", cells, dissemination(), shared, LIMIT);
    assert_eq!(error, "", "one barrier alone is right there");
    for law in ["mixing", "overlap"] {
        assert_ne!(law_error_on(law, cells, dissemination(), shared, HANG_LIMIT), "", "{law}");
    }
}

/// Rank 1 never signals.
struct SilentRankBarrier;

impl wb_algorithms::barriers::BarrierProgram for SilentRankBarrier {
    fn cells(&self, _: usize) -> usize {
        1
    }
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> wb_comm::Result<()> {
        match m.rank() {
            0 => m.wait(0, Until::AtLeast(epoch)),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_hang_ends_and_names_rank_barrier_size_and_substrate() {
    static SILENT_RANK: LazyLock<BarrierEntry> = LazyLock::new(|| BarrierEntry {
        name: "silent_rank",
        implementation: Implementation::Program(|_| Ok(Box::new(SilentRankBarrier))),
        ..*dissemination()
    });
    let message = hang_error("storm", cells, &SILENT_RANK);
    assert!(message.contains("silent_rank on cells (put, packed), P = 3, law storm, rank 0"), "{message}");
    assert!(message.contains("PE 0 waits for cell 0 of PE 0 to be >= 1; it is 0"), "{message}");
}
