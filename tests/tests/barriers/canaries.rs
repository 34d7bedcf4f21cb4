//! Each law finds the fault that it is there for: the same laws on barriers that are spoilt in one way each.
use std::{
    cell::Cell,
    rc::Rc,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicI64},
    },
    time::Duration,
};

use wb_collectives::{
    Entry,
    catalogue::{self, Cost, Form, Setting},
    script::Style,
};
use wb_comm::{Barrier, Label, Memory, Op, Site, Spacing, Transport, Until, Verb, View};
use wb_tests::barrier_laws::{
    Carrier, Ground, LAWS, OnThreads, Pace, Place, Region, Trial,
    cells::OnCells,
    messages::OnMessages,
    threads::{Part, on_threads},
};
use wb_world::World;

use crate::ways::one_node;

const LIMIT: Duration = Duration::from_secs(2);

/// What a canary judges in the place of a right carrier.
type Make = for<'a> fn(&'a dyn Ground) -> Box<dyn Carrier + 'a>;

fn cells(ground: &dyn Ground) -> Box<dyn Carrier + '_> {
    let (style, spacing) = (Style::Put, Spacing::Packed);
    Box::new(OnCells { ground, style, spacing, cores: 1, counted: false, nodes: one_node })
}

fn messages(_: &dyn Ground) -> Box<dyn Carrier + '_> {
    Box::new(OnMessages { nodes: one_node })
}

/// What `law` says on three ranks.
fn told(law: &'static str, make: Make, entry: &'static Entry) -> String {
    told_on(law, make, entry, |_, threads, judge| judge(threads))
}

/// Lays other ground for a judgement.
type Lay = fn(&World, &OnThreads, &dyn Fn(&dyn Ground) -> Result<(), String>) -> Result<(), String>;

fn told_on(law: &'static str, make: Make, entry: &'static Entry, lay: Lay) -> String {
    let law = LAWS.iter().find(|one| one.name == law).expect("there is such a law");
    let part: Arc<Part> = Arc::new(move |world, threads| {
        lay(world, threads, &|ground| {
            let carrier = make(ground);
            let pace = Pace::in_memory(world.size());
            let trial = Trial { world, ground, carrier: &*carrier, entry, partner: entry, pace };
            assert!((law.applies)(&trial), "the law says nothing about this");
            trial.judge(law).map(drop)
        })
    });
    on_threads(3, LIMIT, &part).err().unwrap_or_default()
}

fn dissemination() -> &'static Entry {
    catalogue::find("dissemination").expect("it is in the catalogue")
}

#[test]
fn without_a_fault_every_law_is_silent() {
    let completing = catalogue::find("cross_host").expect("it is in the catalogue");
    for law in LAWS.iter().filter(|law| law.name != "complete") {
        assert_eq!(told(law.name, messages, dissemination()), "", "{}", law.name);
    }
    for law in LAWS.iter().filter(|law| law.name != "count") {
        assert_eq!(told(law.name, cells, completing), "", "{}", law.name);
    }
}

/// What is put in the place of a right one, given its number in the carrier's life and its team.
type Other = fn(Box<dyn Place>, usize, &World) -> Box<dyn Place>;

/// Puts something else in the place of a carrier's barriers.
struct Spoilt<'a> {
    right: Box<dyn Carrier + 'a>,
    places: Cell<usize>,
    with: Other,
}

impl Spoilt<'_> {
    fn on<'a>(right: Box<dyn Carrier + 'a>, with: Other) -> Box<dyn Carrier + 'a> {
        Box::new(Spoilt { right, places: Cell::new(0), with })
    }
}

impl Carrier for Spoilt<'_> {
    fn name(&self) -> String {
        format!("spoilt {}", self.right.name())
    }
    fn place(&self, entry: &Entry, team: &World) -> wb_comm::Result<Box<dyn Place>> {
        self.places.set(self.places.get() + 1);
        Ok((self.with)(self.right.place(entry, team)?, self.places.get(), team))
    }
    fn can(&self, entry: &Entry, setting: &Setting) -> bool {
        self.right.can(entry, setting)
    }
}

/// Does not wait at all.
struct Absent;

impl Barrier for Absent {
    fn wait(&mut self) -> wb_comm::Result<()> {
        Ok(())
    }
}

impl Place for Absent {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Self)
    }
}

#[test]
fn stamps_and_plain_memory_find_a_barrier_that_does_not_wait() {
    let absent: Make = |ground| Spoilt::on(cells(ground), |_, _, _| Box::new(Absent));
    let early = told("stamps", absent, dissemination());
    assert!(early.contains("dissemination on spoilt cells (put, packed), P = 3, law stamps"), "{early}");
    let either = ["before the last rank entered", "another rank left before all had entered"];
    assert!(either.iter().any(|text| early.contains(text)), "{early}");
    let stale = told("visible", absent, dissemination());
    assert!(stale.contains("holds"), "{stale}");
}

/// Forgets to wait each 100th time, on rank 0.
struct Tired<'a>(Box<dyn Barrier + 'a>, usize, bool);

impl Barrier for Tired<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        self.1 += 1;
        if self.2 && self.1.is_multiple_of(100) { Ok(()) } else { self.0.wait() }
    }
}

struct TiredPlace(Box<dyn Place>, bool);

impl Place for TiredPlace {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Tired(self.0.barrier(), 0, self.1))
    }
}

#[test]
fn the_storm_finds_a_barrier_that_tires() {
    let tired: Make =
        |ground| Spoilt::on(cells(ground), |place, _, team| Box::new(TiredPlace(place, team.rank() == 0)));
    assert_eq!(told("stamps", tired, dissemination()), "", "the other law must not see it");
    assert_ne!(told("storm", tired, dissemination()), "");
}

/// Sends one message more than is received.
struct Leaky<'a>(Box<dyn Barrier + 'a>, Rc<dyn Transport>);

impl Barrier for Leaky<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        self.0.wait()?;
        let to = (self.1.rank() + 1) % self.1.size();
        let data = View::of::<u8>(&[]);
        let op = Op::Send { to, label: Label::internal(999), data, synchronous: false };
        self.1.round(&mut [op], Site::here(Verb::Barrier))
    }
}

struct LeakyPlace(Box<dyn Place>, Rc<dyn Transport>);

impl Place for LeakyPlace {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Leaky(self.0.barrier(), Rc::clone(&self.1)))
    }
    fn leftovers(&self) -> wb_comm::Result<Vec<String>> {
        wb_tests::barrier_laws::messages::unreceived(&*self.1)
    }
}

/// Its cells say how many places there were before.
struct Changing(Box<dyn Place>, usize);

impl Place for Changing {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        self.0.barrier()
    }
    fn values(&self) -> Vec<i64> {
        vec![self.1 as i64]
    }
}

#[test]
fn cleanliness_finds_a_message_that_is_left_and_cells_that_differ() {
    let leaky: Make = |ground| {
        Spoilt::on(messages(ground), |place, _, team| {
            Box::new(LeakyPlace(place, Rc::clone(team.dup().expect("dup").transport())))
        })
    };
    let left = told("clean", leaky, dissemination());
    assert!(left.contains("a message is left") && left.contains("tag 999"), "{left}");
    let changing: Make = |ground| Spoilt::on(cells(ground), |place, nth, _| Box::new(Changing(place, nth)));
    let differ = told("clean", changing, dissemination());
    assert!(differ.contains("the cells differ"), "{differ}");
}

#[test]
fn the_count_finds_a_formula_that_is_wrong() {
    static WRONG: LazyLock<Entry> = LazyLock::new(|| Entry {
        cost: Some(|p| Cost { messages: 2 * p + 1, rounds: None, hops: None }),
        ..*dissemination()
    });
    let told = told("count", messages, &WRONG);
    assert!(told.contains("240 signals in 40 episodes (0 at home), where the formula says 280"), "{told}");
}

/// Ground where everybody always gets the same region.
struct OneRegion<'a>(&'a OnThreads, Arc<[AtomicI64]>);

impl Ground for OneRegion<'_> {
    fn region(&self, _: &World, count: usize, _: i64) -> wb_comm::Result<Box<dyn Region>> {
        assert!(count <= self.1.len(), "{count} atomics of {}", self.1.len());
        Ok(Box::new(Arc::clone(&self.1)))
    }
    fn given_up(&self) -> &Arc<AtomicBool> {
        self.0.given_up()
    }
}

#[test]
fn mixing_and_overlap_find_state_that_is_shared() {
    let lay: Lay = |world, threads, judge| {
        let region = threads.vector(world, 64, 0).map_err(|why| why.to_string())?;
        judge(&OneRegion(threads, region))
    };
    assert_eq!(told_on("stamps", cells, dissemination(), lay), "", "one barrier alone is right there");
    for law in ["mixing", "overlap"] {
        assert_ne!(told_on(law, cells, dissemination(), lay), "", "{law}");
    }
}

/// Rank 1 never tells anybody.
struct Mute;

impl wb_collectives::Program for Mute {
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
    static MUTE: LazyLock<Entry> = LazyLock::new(|| Entry {
        name: "mute",
        form: Form::Program(|_| Ok(Box::new(Mute))),
        ..*dissemination()
    });
    let told = told("storm", cells, &MUTE);
    assert!(told.contains("mute on cells (put, packed), P = 3, law storm, rank 0"), "{told}");
    assert!(told.contains("PE 0 waits for cell 0 of PE 0 to be >= 1; it is 0"), "{told}");
}
