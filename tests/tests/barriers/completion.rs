//! I9 where it can fail: windows on which what is put stays away until something completes it. A barrier does, whatever
//! algorithm it meets by; a sync does not, and the law says so.
use std::{rc::Rc, sync::Arc, time::Duration};

use wb_collectives::{
    Algorithms, Entry,
    catalogue::{self, Setting, Substrate},
};
use wb_comm::{Barrier, Collectives, Site, Verb};
use wb_tests::{
    barrier_laws::{
        Carrier, LAWS, OnThreads, Pace, Place, Trial, Words,
        epochs::OnEpochs,
        standard::OfStd,
        symmetric::OnHeap,
        threads::{Part, on_threads},
    },
    lax::{Lax, Laxity},
};
use wb_world::World;

use crate::ways::Way;

const SIZE: usize = 3;
const LIMIT: Duration = Duration::from_secs(20);

/// Makes the carrier that is judged.
type Make = for<'a> fn(&'a OnThreads) -> Box<dyn Carrier + 'a>;

/// What the law says of the barrier, on windows where puts wait to be completed.
fn told(make: Make, entry: &'static Entry) -> String {
    let law = LAWS.iter().find(|law| law.name == "complete").expect("there is such a law");
    let part: Arc<Part> = Arc::new(move |world, ground| {
        let lax = Lax::over(Rc::clone(world.transport()), Laxity::AtFlush);
        let (world, carrier) = (World::new(Rc::new(lax)), make(ground));
        let pace = Pace::of_dear_signals(SIZE);
        let trial = Trial { world: &world, ground, carrier: &*carrier, entry, partner: entry, pace };
        assert!((law.applies)(&trial), "the law says nothing about this");
        trial.judge(law).map(drop)
    });
    on_threads(SIZE, LIMIT, &part).err().unwrap_or_default()
}

fn entry(name: &str) -> &'static Entry {
    catalogue::find(name).expect("it is in the catalogue")
}

fn in_memory() -> impl Iterator<Item = &'static Entry> {
    let setting = Setting::of(SIZE);
    catalogue::all().into_iter().filter(move |entry| OnHeap { quiet: true }.can(entry, &setting))
}

#[test]
fn quiet_and_any_sync_complete() {
    assert!(in_memory().count() > 50);
    for entry in in_memory() {
        assert_eq!(told(|_| Box::new(OnHeap { quiet: true }), entry), "", "{}", entry.name);
    }
}

/// Those that promise memory on their own are quiet for the cells they run on, and know nothing of other windows.
#[test]
fn canary_without_quiet_no_sync_completes() {
    for entry in in_memory() {
        let told = told(|_| Box::new(OnHeap { quiet: false }), entry);
        assert!(told.contains("has put is not there, but 0"), "{}: {told}", entry.name);
    }
}

/// A window's epochs, with a barrier that meets elsewhere.
struct Elsewhere;

struct MeetingElsewhere(Box<dyn Place>, World);

struct Handle<'a>(&'a World);

impl Barrier for Handle<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        Algorithms(&**self.0.transport()).barrier(Site::here(Verb::Barrier))
    }
}

impl Place for MeetingElsewhere {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Handle(&self.1))
    }
    fn words(&self) -> Option<&dyn Words> {
        self.0.words()
    }
    fn close(self: Box<Self>) -> wb_comm::Result<()> {
        self.0.close()
    }
}

impl Carrier for Elsewhere {
    fn name(&self) -> String {
        "elsewhere".into()
    }
    fn place(&self, entry: &Entry, team: &World) -> wb_comm::Result<Box<dyn Place>> {
        Ok(Box::new(MeetingElsewhere(OnEpochs.place(entry, team)?, team.dup()?)))
    }
    fn completes(&self, _: &Entry) -> bool {
        true
    }
    fn can(&self, entry: &Entry, setting: &Setting) -> bool {
        OnEpochs.can(entry, setting)
    }
}

#[test]
fn a_fence_completes_and_another_barrier_beside_it_does_not() {
    assert_eq!(told(|_| Box::new(OnEpochs), entry("rma_fence")), "");
    let told = told(|_| Box::new(Elsewhere), entry("rma_fence"));
    assert!(told.contains("has put is not there, but 0"), "{told}");
}

/// Not even the standard library's barrier would be believed: here it waits for nobody.
#[test]
fn canary_plain_stores_are_missed_without_a_barrier() {
    struct Absent<'a>(OfStd<'a>);
    struct AbsentPlace(Box<dyn Place>);
    struct Nothing;
    impl Barrier for Nothing {
        fn wait(&mut self) -> wb_comm::Result<()> {
            Ok(())
        }
    }
    impl Place for AbsentPlace {
        fn barrier(&self) -> Box<dyn Barrier + '_> {
            Box::new(Nothing)
        }
        fn words(&self) -> Option<&dyn Words> {
            self.0.words()
        }
    }
    impl Carrier for Absent<'_> {
        fn name(&self) -> String {
            "nothing".into()
        }
        fn place(&self, entry: &Entry, team: &World) -> wb_comm::Result<Box<dyn Place>> {
            Ok(Box::new(AbsentPlace(self.0.place(entry, team)?)))
        }
        fn completes(&self, entry: &Entry) -> bool {
            self.0.completes(entry)
        }
        fn can(&self, entry: &Entry, setting: &Setting) -> bool {
            self.0.can(entry, setting)
        }
    }
    assert_eq!(told(|ground| Box::new(OfStd(ground)), entry("std_barrier")), "");
    let told = told(|ground| Box::new(Absent(OfStd(ground))), entry("std_barrier"));
    assert!(told.contains("is not there"), "{told}");
}

/// The law reaches everybody who promises; the OpenSHMEM library's in its own jobs (`tests/oshmem`).
#[test]
fn whoever_promises_memory_is_judged() {
    let judged = |entry: &Entry| {
        let ground = OnThreads::default();
        Way::all(entry).into_iter().any(|way| way.on(&ground, 1).completes(entry))
    };
    let of_library = |entry: &Entry| entry.substrates() == [Substrate::Shmem];
    let promising = catalogue::all().into_iter().filter(|entry| entry.promise.memory);
    let missed: Vec<_> = promising.filter(|entry| !judged(entry) && !of_library(entry)).collect();
    assert!(missed.is_empty(), "{:?}", missed.iter().map(|entry| entry.name).collect::<Vec<_>>());
}
