//! I9 where it can fail: windows on which what is put stays away until something completes it. A barrier does, whatever
//! algorithm it uses; a sync does not, and the law reports that.
use std::{rc::Rc, sync::Arc, time::Duration};

use wb_algorithms::{
    barriers::{BarrierEntry, GroupConfig, Substrate, catalogue},
    collectives::Algorithms,
};
use wb_comm::{Barrier, CallSite, Verb};
use wb_tests::{
    barrier_laws::{
        BarrierInstance, BarrierProvider, LAWS, LawEffort, LawRun, PutWords, TeamThreadMemory,
        epochs::EpochBarriers,
        standard::StdBarriers,
        symmetric::TeamBarriers,
        threads::{LawProgram, on_threads},
    },
    relaxed_rma::{CompletionPolicy, RelaxedTransport},
};
use wb_world::{FrameworkCalls as _, World};

use crate::setups::BarrierSetup;

const SIZE: usize = 3;
const LIMIT: Duration = Duration::from_secs(20);

/// Makes the provider that is checked.
type MakeProvider = for<'a> fn(&'a TeamThreadMemory) -> Box<dyn BarrierProvider + 'a>;

/// The error of the law for the barrier, on windows where puts wait to be completed.
fn law_error(make: MakeProvider, entry: &'static BarrierEntry) -> String {
    let law = LAWS.iter().find(|law| law.name == "complete").expect("there is such a law");
    let part: Arc<LawProgram> = Arc::new(move |world, memory| {
        let relaxed = RelaxedTransport::new(Rc::clone(world.transport()), CompletionPolicy::AtFlush);
        let (world, barrier_provider) = (World::new(Rc::new(relaxed)), make(memory));
        let effort = LawEffort::for_expensive_signals(SIZE);
        let law_run =
            LawRun { world: &world, memory, provider: &*barrier_provider, entry, partner: entry, effort };
        assert!((law.applies)(&law_run), "the law does not apply to this");
        law_run.check(law).map(drop)
    });
    on_threads(SIZE, LIMIT, &part).err().unwrap_or_default()
}

fn entry(name: &str) -> &'static BarrierEntry {
    catalogue::find(name).expect("it is in the catalogue")
}

fn in_memory() -> impl Iterator<Item = &'static BarrierEntry> {
    let config = GroupConfig::new(SIZE);
    catalogue::all().into_iter().filter(move |entry| TeamBarriers { quiet: true }.supports(entry, &config))
}

#[test]
fn quiet_and_any_sync_complete() {
    assert!(in_memory().count() > 50);
    for entry in in_memory() {
        assert_eq!(law_error(|_| Box::new(TeamBarriers { quiet: true }), entry), "", "{}", entry.name);
    }
}

/// Those that promise memory on their own are quiet for the cells they run on, and know nothing of other windows.
#[test]
fn canary_without_quiet_no_sync_completes() {
    for entry in in_memory() {
        let message = law_error(|_| Box::new(TeamBarriers { quiet: false }), entry);
        assert!(message.contains("has put is not there, but 0"), "{}: {message}", entry.name);
    }
}

/// A window's epochs, with a barrier that meets elsewhere.
struct SeparateSyncProvider;

struct SeparateSyncInstance(Box<dyn BarrierInstance>, World);

struct WorldBarrierHandle<'a>(&'a World);

impl Barrier for WorldBarrierHandle<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        Algorithms(&**self.0.transport()).barrier(CallSite::caller(Verb::Barrier))
    }
}

impl BarrierInstance for SeparateSyncInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(WorldBarrierHandle(&self.1))
    }
    fn put_words(&self) -> Option<&dyn PutWords> {
        self.0.put_words()
    }
    fn close(self: Box<Self>) -> wb_comm::Result<()> {
        self.0.close()
    }
}

impl BarrierProvider for SeparateSyncProvider {
    fn name(&self) -> String {
        "elsewhere".into()
    }
    fn build(&self, entry: &BarrierEntry, team: &World) -> wb_comm::Result<Box<dyn BarrierInstance>> {
        Ok(Box::new(SeparateSyncInstance(EpochBarriers.build(entry, team)?, team.dup()?)))
    }
    fn completes_memory(&self, _: &BarrierEntry) -> bool {
        true
    }
    fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool {
        EpochBarriers.supports(entry, config)
    }
}

#[test]
fn a_fence_completes_and_another_barrier_beside_it_does_not() {
    assert_eq!(law_error(|_| Box::new(EpochBarriers), entry("rma_fence")), "");
    let message = law_error(|_| Box::new(SeparateSyncProvider), entry("rma_fence"));
    assert!(message.contains("has put is not there, but 0"), "{message}");
}

/// The standard library's barrier is checked too: here it is replaced by one that does not wait.
#[test]
fn canary_plain_stores_are_missed_without_a_barrier() {
    struct NoBarrierProvider<'a>(StdBarriers<'a>);
    struct NoBarrierInstance(Box<dyn BarrierInstance>);
    struct Nothing;
    impl Barrier for Nothing {
        fn wait(&mut self) -> wb_comm::Result<()> {
            Ok(())
        }
    }
    impl BarrierInstance for NoBarrierInstance {
        fn barrier(&self) -> Box<dyn Barrier + '_> {
            Box::new(Nothing)
        }
        fn put_words(&self) -> Option<&dyn PutWords> {
            self.0.put_words()
        }
    }
    impl BarrierProvider for NoBarrierProvider<'_> {
        fn name(&self) -> String {
            "nothing".into()
        }
        fn build(&self, entry: &BarrierEntry, team: &World) -> wb_comm::Result<Box<dyn BarrierInstance>> {
            Ok(Box::new(NoBarrierInstance(self.0.build(entry, team)?)))
        }
        fn completes_memory(&self, entry: &BarrierEntry) -> bool {
            self.0.completes_memory(entry)
        }
        fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool {
            self.0.supports(entry, config)
        }
    }
    assert_eq!(law_error(|memory| Box::new(StdBarriers(memory)), entry("std_barrier")), "");
    let message = law_error(|memory| Box::new(NoBarrierProvider(StdBarriers(memory))), entry("std_barrier"));
    assert!(message.contains("is not there"), "{message}");
}

/// The law applies to every barrier that promises memory; to the OpenSHMEM library's in its own jobs (`tests/oshmem`).
#[test]
fn every_barrier_that_promises_memory_is_checked() {
    let judged = |entry: &BarrierEntry| {
        let memory = TeamThreadMemory::default();
        BarrierSetup::all(entry).into_iter().any(|setup| setup.provider(&memory, 1).completes_memory(entry))
    };
    let of_library = |entry: &BarrierEntry| entry.substrates() == [Substrate::Shmem];
    let promising = catalogue::all().into_iter().filter(|entry| entry.guarantee.memory);
    let missed: Vec<_> = promising.filter(|entry| !judged(entry) && !of_library(entry)).collect();
    assert!(missed.is_empty(), "{:?}", missed.iter().map(|entry| entry.name).collect::<Vec<_>>());
}
