//! One selector for a world's barrier, and one for its other collective operations: by call and by environment, from data that all ranks have alike.
use std::{
    fs,
    process::Command,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use wb_algorithms::{
    barriers::select::ALGORITHM_VARIABLE,
    collectives::{selection, shared_memory},
};
use wb_comm::{
    CallSite, Operation, RankFunction, ThreadRanks, Transport, TransportDecorator, Verb, job::RankTermination,
};
use wb_local::threads::LocalThreads;
use workbench::{Result, World};

/// Runs `name` of this binary again, with these variables.
fn rerun(name: &str, variables: &[(&str, &str)]) -> String {
    let binary = std::env::current_exe().expect("this binary");
    let output =
        Command::new(binary).args([name, "--exact", "--nocapture"]).envs(variables.iter().copied()).output();
    let output = output.expect("it starts");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_world_runs_the_barrier_that_it_is_told() {
    let names = workbench::threads(5, |world| {
        let mut names = vec![world.chosen_barrier_name()];
        for name in ["double_ring", "tree", "auto"] {
            world.choose_barrier(name).expect("runs on messages");
            world.barrier().expect("all ranks take part");
            names.push(world.chosen_barrier_name());
        }
        names
    });
    assert!(
        names.iter().all(|name| *name == [None, Some("double_ring"), Some("tree"), Some("dissemination")])
    );
}

#[test]
fn what_cannot_be_run_is_refused_with_what_can() {
    let message = workbench::threads(3, |world| {
        ["no_such_barrier", "central_counter", "two_process", "partial_pairwise"]
            .map(|name| world.choose_barrier(name).expect_err("refused").to_string())
    });
    let [unknown, counts, pair, neighbours] = &message[0];
    assert!(unknown.contains("there is no barrier") && unknown.contains("recursive_doubling"), "{unknown}");
    assert!(counts.contains("does not run on messages"), "{counts}");
    assert!(pair.contains("two_process is a barrier of 1..=2 ranks"), "{pair}");
    assert!(neighbours.contains("does not run on messages"), "{neighbours}");
}

#[test]
fn the_environment_chooses_where_no_call_does() {
    let name = "selection::the_environment_chooses_where_no_call_does";
    if let Ok(value) = std::env::var(ALGORITHM_VARIABLE) {
        let message = workbench::threads(3, |world| {
            let barrier = world.barrier().map_err(|error| error.to_string());
            (barrier, world.chosen_barrier_name())
        });
        println!("{value}: {:?}", message[1]);
        return;
    }
    assert!(
        rerun(name, &[(ALGORITHM_VARIABLE, "double_ring")])
            .contains("double_ring: (Ok(()), Some(\"double_ring\"))")
    );
    let refused = rerun(name, &[(ALGORITHM_VARIABLE, "trie")]);
    assert!(refused.contains("there is no barrier \\\"trie\\\""), "{refused}");
}

/// What every verb that can be chosen gives, by its `_by` form if there is a name, else by the verb itself.
fn results(world: &World, by: Option<&dyn Fn(&str) -> &'static str>) -> Result<Vec<Vec<u64>>> {
    let (rank, size, sum) = (world.rank() as u64, world.size(), Operation::Sum);
    let blocks: Vec<u64> = (0..2 * size as u64).map(|at| at * 10 + rank).collect();
    let (own, root) = (&blocks[..2], size - 1);
    let is_root = world.rank() == root;
    let mut all = vec![];
    macro_rules! run {
        ($verb:ident, $by:ident, $room:expr, |$into:ident| ($($argument:expr),*)) => {{
            let mut room = vec![0_u64; $room];
            let $into = &mut room[..];
            match by {
                Some(name) => world.$by(name(stringify!($verb)), $($argument),*)?,
                None => world.$verb($($argument),*)?,
            }
            all.push(room);
        }};
    }
    run!(scatter, scatter_by, 2, |into| (is_root.then_some(&blocks[..]), into, root));
    run!(gather, gather_by, 2 * size, |into| (own, is_root.then_some(into), root));
    run!(allgather, allgather_by, 2 * size, |into| (own, into));
    run!(reduce, reduce_by, 2, |into| (own, is_root.then_some(into), sum, root));
    run!(allreduce, allreduce_by, 2, |into| (own, into, sum));
    run!(reduce_scatter, reduce_scatter_by, 2, |into| (&blocks, into, &vec![2; size], sum));
    run!(reduce_scatter_block, reduce_scatter_block_by, 2, |into| (&blocks, into, sum));
    run!(scan, scan_by, 2, |into| (own, into, sum));
    run!(exscan, exscan_by, 2, |into| (own, into, sum));
    run!(alltoall, alltoall_by, 2 * size, |into| (&blocks, into));
    let mut data = own.to_vec();
    match by {
        Some(name) => world.bcast_by(name("bcast"), &mut data, root)?,
        None => world.bcast(&mut data, root)?,
    }
    all.push(data);
    Ok(all)
}

/// The algorithm in shared memory of a verb.
fn algorithm_of(verb: &str) -> &'static str {
    let verb = Verb::from_name(verb).expect(verb);
    shared_memory::of_verb(verb).next().expect("an algorithm").name
}

#[test]
fn every_choice_of_a_collective_gives_the_result_of_the_verb() {
    let equal = workbench::threads(3, |world| {
        let expected = results(world, None).expect("the verbs");
        let forms: [&dyn Fn(&str) -> &'static str; 3] = [&algorithm_of, &|_| "auto", &|_| "library"];
        for form in forms {
            assert_eq!(results(world, Some(form)), Ok(expected.clone()));
        }
        for names in ["auto", "allreduce_two_hops,gather_flat", "auto,bcast_flat,scan_one_hop", "library"] {
            world.choose_collectives(names).expect("known names");
            world.barrier().expect("all ranks call it");
            assert_eq!(results(world, None), Ok(expected.clone()), "{names}");
            let counts: Vec<usize> = (1..=world.size()).collect();
            let mut ragged = vec![0; 6];
            world
                .allgatherv(&vec![7; world.rank() + 1], &mut ragged, &counts)
                .expect("blocks of several lengths");
            assert_eq!(ragged, [7; 6], "{names}");
            let mut data = [world.rank() as u64];
            world.allreduce_in_place(&mut data, Operation::Sum).expect("in place");
            assert_eq!(data, [3], "{names}");
        }
        world.split(Some(world.rank() as u32), 0).expect("a world of one").is_some_and(|alone| {
            alone.choose_collectives("auto,allreduce_one_hop").is_ok() && results(&alone, None).is_ok()
        })
    });
    assert_eq!(equal, [true; 3]);
}

/// Ranks of one node that say that they are on several.
struct OnNodes(Rc<dyn Transport>, &'static [usize]);

impl TransportDecorator for OnNodes {
    fn inner(&self) -> &dyn Transport {
        &*self.0
    }

    fn nodes(&self, _: CallSite) -> Result<Vec<usize>> {
        Ok(self.1.to_vec())
    }
}

/// What `body` returns on the ranks of these nodes.
fn on_nodes<R: Send + 'static>(
    nodes: &'static [usize],
    body: impl Fn(&World) -> R + Send + Sync + 'static,
) -> Vec<R> {
    let job: RankFunction =
        Arc::new(move |transport| Box::new(body(&World::new(Rc::new(OnNodes(transport, nodes))))));
    let ended = LocalThreads::DEFAULT.run(nodes.len(), Some(Duration::from_secs(60)), job).ranks;
    let returned = ended.into_iter().map(|ended| match ended {
        RankTermination::Returned(value) => *value.downcast().expect("its value"),
        other => panic!("{other:?}"),
    });
    returned.collect()
}

/// x -> a x + b, as two halves of a word: their composition is associative, and does not commute.
fn compose() -> Operation {
    Operation::User(Operation::user(false, |f: u64, g: u64| {
        let ([a, b], [c, d]) = ([f >> 32, f & 0xffff_ffff], [g >> 32, g & 0xffff_ffff]);
        ((a * c) & 0xffff_ffff) << 32 | (c * b + d) & 0xffff_ffff
    }))
}

/// What the operations with a form for several nodes give, from and to each root.
fn results_of_rooted(world: &World, operations: &[Operation], count: usize) -> Vec<Vec<u64>> {
    let own: Vec<u64> = (0..count).map(|at| ((at + 3) << 32 | (at * 10 + world.rank())) as u64).collect();
    let mut all = vec![];
    for operation in operations {
        let mut into = vec![0; count];
        world.allreduce(&own, &mut into, *operation).expect("all ranks call it");
        all.push(into);
        for root in 0..world.size() {
            let mut into = vec![0; count];
            let result = (world.rank() == root).then_some(&mut into[..]);
            world.reduce(&own, result, *operation, root).expect("all ranks call it");
            all.push(into);
        }
    }
    for root in 0..world.size() {
        let mut data = own.clone();
        world.bcast(&mut data, root).expect("all ranks call it");
        world.barrier().expect("all ranks call it");
        all.push(data);
    }
    all
}

#[test]
fn on_several_nodes_a_part_is_in_memory_and_the_results_are_those_of_the_verbs() {
    for nodes in [&[0, 0, 1, 1][..], &[0, 1, 1, 1, 0], &[0, 0, 0, 1], &[0, 1, 1, 2, 2], &[0, 1, 2, 0, 1, 2]] {
        on_nodes(nodes, move |world| {
            let operations = [Operation::Sum, compose()];
            // Operands keep their order only where the ranks of a node are consecutive.
            let operations = &operations[..1 + usize::from(nodes.is_sorted())];
            for count in [0, 1, 5000] {
                world.choose_collectives("library").expect("a known name");
                let expected = results_of_rooted(world, operations, count);
                for names in ["bcast_flat,reduce_flat,allreduce_two_hops,barrier_one_hop", "auto"] {
                    world.choose_collectives(names).expect("known names");
                    assert!(
                        results_of_rooted(world, operations, count) == expected,
                        "{nodes:?} {count} {names}"
                    );
                }
            }
        });
    }
}

#[test]
fn a_barrier_of_several_nodes_waits_for_a_late_rank_of_any_node() {
    let entered = Arc::new(AtomicUsize::new(0));
    on_nodes(&[0, 0, 1, 1], move |world| {
        world.choose_collectives("barrier_one_hop").expect("a known name");
        for late in 0..world.size() {
            if world.rank() == late {
                thread::sleep(Duration::from_millis(20));
            }
            entered.fetch_add(1, SeqCst);
            world.barrier().expect("all ranks call it");
            let all = world.size() * (late + 1);
            assert!(entered.load(SeqCst) >= all, "rank {} left before rank {late} entered", world.rank());
        }
    });
}

#[test]
fn what_has_no_form_for_several_nodes_is_the_library_s_or_refused() {
    let sum =
        |world: &World| world.allreduce(&[1_u64], &mut [0], compose()).map_err(|error| error.to_string());
    let refused = on_nodes(&[0, 1, 0], move |world| {
        ["allreduce_one_hop", "auto"].map(|names| {
            world.choose_collectives(names).expect("known names");
            sum(world)
        })
    });
    let of_lone_ranks = on_nodes(&[0, 1], move |world| {
        world.choose_collectives("allreduce_one_hop").expect("a known name");
        [sum(world), Ok(())]
    });
    for [named, auto] in refused.into_iter().chain(of_lone_ranks) {
        assert!(named.as_ref().is_err_and(|text| text.contains("on several nodes")), "{named:?}");
        assert_eq!(auto, Ok(()));
    }
}

#[test]
fn a_name_that_does_not_perform_the_verb_is_refused_with_those_that_do() {
    let messages = workbench::threads(2, |world| {
        let mut into = [0.0];
        ["bcast_flat", "allreduce_one_hops"].map(|name| {
            world.allreduce_by(name, &[1.0], &mut into, Operation::Sum).expect_err(name).to_string()
        })
    });
    let [other, unknown] = &messages[0];
    let expected = "\"bcast_flat\" does not perform allreduce; these do: auto, library, allreduce_one_hop, allreduce_two_hops";
    assert_eq!(other, expected);
    assert!(unknown.contains("there is no algorithm \"allreduce_one_hops\""), "{unknown}");
}

#[test]
fn the_environment_chooses_the_collectives_and_their_table() {
    let name = "selection::the_environment_chooses_the_collectives_and_their_table";
    if let Ok(value) = std::env::var(selection::ALGORITHM_VARIABLE) {
        let result = workbench::threads(2, |world| {
            let mut into = [0.0];
            let done = world.allreduce(&[1.0], &mut into, Operation::Sum);
            done.map(|()| into[0]).map_err(|error| error.to_string())
        });
        println!("{value}: {result:?}");
        return;
    }
    let run = |names, table: &str| {
        rerun(name, &[(selection::ALGORITHM_VARIABLE, names), (selection::TABLE_VARIABLE, table)])
    };
    assert!(run("auto", "").contains("auto: [Ok(2.0), Ok(2.0)]"));
    assert!(run("allreduce_two_hops", "").contains("allreduce_two_hops: [Ok(2.0), Ok(2.0)]"));
    assert!(run("allredce", "").contains("there is no algorithm \\\"allredce\\\""));
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("table");
    fs::write(&table, "allreduce 2 own max allreduce_one_hop\n").expect("written");
    let path = table.to_str().expect("plain");
    assert!(run("auto", path).contains("auto: [Ok(2.0), Ok(2.0)]"));
    fs::write(&table, "allreduce 2 own\n").expect("written");
    let refused = run("auto", path);
    assert!(refused.matches("line 1 of the table").count() == 2, "{refused}");
    let missing = run("auto", "/no/such/table");
    assert!(missing.matches("rank 0 cannot read").count() == 2, "{missing}");
}
