//! Tests every barrier of a world in virtual time, whose clocks are exact: no rank exits before the last one has
//! entered, and the clocks are the same in every run.
use std::{collections::BTreeSet, sync::Arc};

use wb_comm::{Barrier, Result};
use wb_world::World;

use crate::sim::{Link, Machine};

const EPISODES: usize = 4;

/// Groups of two, nodes of four.
fn uneven() -> Machine {
    let link = |latency| Link {
        latency,
        overhead: 100,
        gap: 20,
        per_byte: 100,
        processor_per_byte: 10,
        eager_limit: 4096,
        segments: Vec::new(),
    };
    Machine {
        cores_per_group: 2,
        groups_per_node: 2,
        core: link(100),
        node: link(300),
        poll: 50,
        ..Machine::flat("uneven", link(1500))
    }
}

/// When a rank entered an episode and when it left.
type EntryExit = (u64, u64);

/// Runs episodes in each of which another rank is late, while the others wait or have run ahead.
fn run_episodes(world: &World, barrier: &mut dyn Barrier) -> Result<Vec<EntryExit>> {
    let stay = |episode: usize| {
        world.work((world.rank() * 7919 + episode * 104_729) as u64 % 20_011, 0);
        let entered = world.now();
        barrier.wait().map(|()| (entered, world.now()))
    };
    (0..EPISODES).map(stay).collect()
}

/// The largest violation in any episode: the last entry after the first exit, nanoseconds.
fn violation_ns(by_rank: &[Vec<EntryExit>]) -> u64 {
    let of_episode = |episode: usize| {
        let entered = by_rank.iter().map(|stays| stays[episode].0).max().expect("somebody");
        let left = by_rank.iter().map(|stays| stays[episode].1).min().expect("somebody");
        entered.saturating_sub(left)
    };
    (0..EPISODES).map(of_episode).max().expect("some episodes")
}

/// A barrier of the catalogue as one rank runs it, from creation to release.
struct CatalogueBarrier(wb_world::NamedBarrier);

impl Barrier for CatalogueBarrier {
    fn wait(&mut self) -> Result<()> {
        self.0.wait()
    }
}

/// Runs all barriers of `size` ranks, one after the other: the entries and exits by name and rank.
fn run_all(size: usize) -> Vec<(&'static str, Vec<Vec<EntryExit>>)> {
    let names = Arc::new(World::barriers(size));
    let theirs = Arc::clone(&names);
    let ran = crate::sim::run(uneven(), size, move |transport| {
        let world = World::new(transport);
        let of = |name: &&str| {
            let mut barrier = CatalogueBarrier(world.barrier_by(name)?);
            let stays = run_episodes(&world, &mut barrier)?;
            barrier.0.free()?;
            Ok(stays)
        };
        let all: Result<Vec<_>> = theirs.iter().map(of).collect();
        all.unwrap_or_else(|error| panic!("P = {size}: {error}"))
    });
    let by_name = |(at, name): (usize, &&'static str)| {
        (*name, ran.iter().map(|(stays, _)| stays[at].clone()).collect())
    };
    names.iter().enumerate().map(by_name).collect()
}

#[test]
fn nobody_leaves_before_the_last_one_has_entered() {
    let mut seen = BTreeSet::new();
    for size in 1..=9 {
        for (name, by_rank) in run_all(size) {
            assert_eq!(violation_ns(&by_rank), 0, "{name}, P = {size}: {by_rank:?}");
            seen.insert(name);
        }
    }
    assert!(seen.len() > 30, "the catalogue is there: {seen:?}");
}

#[test]
fn clocks_are_the_same_in_every_run() {
    for size in [2, 5, 8] {
        let first = run_all(size);
        assert!((0..20).all(|_| run_all(size) == first), "P = {size}");
    }
}

#[test]
fn canary_what_does_not_wait_is_found_out() {
    struct Nothing;
    impl Barrier for Nothing {
        fn wait(&mut self) -> Result<()> {
            Ok(())
        }
    }
    let ran = crate::sim::run(uneven(), 3, |transport| {
        run_episodes(&World::new(transport), &mut Nothing).expect("nothing")
    });
    let by_rank: Vec<_> = ran.into_iter().map(|(stays, _)| stays).collect();
    assert!(violation_ns(&by_rank) > 0);
}
