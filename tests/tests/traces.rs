//! Traces of real runs: every send has its receive, nothing arrives before it was sent, and the parts of every
//! rank's time are the whole.
use std::{
    any::Any,
    fs,
    path::PathBuf,
    process::Command,
    rc::Rc,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rstest::rstest;
use wb_comm::{Assertion, ThreadRanks, Transport, job::RankTermination};
use wb_record::{
    Backend, EventKind, RankTrace, Trace, TraceEvent,
    trace_analysis::{Analysis, CollectiveMatch, Timeline, analyse},
};
use wb_tests::artifacts::{BuiltTarget, executables};
use wb_world::FrameworkCalls as _;
use workbench::{ANY_SOURCE, ANY_TAG, Counts, Layout, LockKind, Operation, Result, World};

/// Longer than any run on threads takes.
const LIMIT: Duration = Duration::from_secs(60);

/// Analyses lanes of a run in which nothing was lost, and holds the laws against them.
fn assert_lawful(traces: &[RankTrace]) -> Analysis {
    let analysis = analyse(traces).expect("a sound trace");
    let matching = &analysis.matching;
    assert!(matching.unreceived.is_empty() && matching.unsent.is_empty(), "{matching:?}");
    let event = |place: wb_record::trace_analysis::EventRef| &traces[place.rank].events[place.event];
    for message in &matching.messages {
        let (sent, received) = (event(message.send).begin_ns, event(message.received).end_ns);
        assert!(sent <= received, "a message arrives {} ns before it was sent: {message:?}", sent - received);
    }
    for collective in
        matching.collectives.iter().filter(|collective| collective.members.len() == traces.len())
    {
        let verbs: Vec<&str> = collective
            .members
            .iter()
            .map(|member| {
                traces[member.entered.rank].calls[event(member.entered).call as usize].verb.as_str()
            })
            .collect();
        assert!(verbs.windows(2).all(|pair| pair[0] == pair[1]), "one collective, two verbs: {verbs:?}");
    }
    for parts in &analysis.parts {
        assert_eq!(parts.total(), analysis.total(), "the parts of a rank are the whole");
    }
    assert_eq!(analysis.critical_path.total(), analysis.total(), "the path is as long as the whole");
    analysis
}

/// The lanes of a program on threads.
fn traced(ranks: usize, program: fn(&World) -> Result<()>) -> Vec<RankTrace> {
    let local = wb_local::threads::LocalThreads::DEFAULT;
    let job = move |transport: Rc<dyn Transport>| {
        let (world, log) = World::traced(transport, 1 << 16);
        let begin = world.now();
        program(&world).expect("the program is right");
        let trace = log.rank_trace(begin, world.now());
        assert_counted(&trace, &world.counts());
        Box::new(trace) as Box<dyn Any + Send>
    };
    let ended = local.run(ranks, Some(LIMIT), Arc::new(job)).ranks.into_iter();
    let trace = |ended| match ended {
        RankTermination::Returned(trace) => *trace.downcast::<RankTrace>().expect("what the job returns"),
        other => panic!("{other:?}"),
    };
    ended.map(trace).collect()
}

/// Verbs that make communicators with a topology.
const TOPOLOGIES: [&str; 4] = ["cart_create", "cart_sub", "dist_graph_create_adjacent", "graph_create"];

/// Collective verbs that transfer nothing of the user's.
const UNCOUNTED: [&str; 5] = ["agreement", "dup", "intercomm_create", "intercomm_merge", "split"];

/// A rule on verbs is decided by their counts, so each collective call is in them.
fn assert_counted(trace: &RankTrace, counts: &Counts) {
    let is_collective = |event: &&TraceEvent| {
        matches!(event.act, EventKind::Collective { .. } | EventKind::StartCollective { .. })
    };
    let verbs =
        trace.events.iter().filter(is_collective).map(|event| &*trace.calls[event.call as usize].verb);
    let (topologies, others): (Vec<_>, Vec<_>) = verbs.partition(|verb| TOPOLOGIES.contains(verb));
    let others: Vec<_> = others.into_iter().filter(|verb| !UNCOUNTED.contains(verb)).collect();
    let found = (counts.topologies, counts.collectives);
    assert_eq!(found, (topologies.len() as u64, others.len() as u64), "{topologies:?} {others:?}");
}

fn messages(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (right, left) = ((rank + 1) % size, (rank + size - 1) % size);
    let mut got = [0u64];
    world.sendrecv(&[rank as u64], right, 1, &mut got, left, 1)?;
    // Two requests of one name, waited for in the other order; the message is longer than what is sent without asking.
    let (first, second) = (world.irecv::<u64>(1, left, 2)?, world.irecv::<u64>(2000, left, 2)?);
    let sends = [world.isend(vec![1u64], right, 2)?, world.isend(vec![2u64; 2000], right, 2)?];
    assert_eq!((second.wait()?.0.len(), first.wait()?.0.len()), (2000, 1));
    sends.into_iter().try_for_each(|send| send.wait().map(drop))?;
    // From any source, of any length.
    if rank == 0 {
        for _ in 1..size {
            world.recv_vec::<u8>(ANY_SOURCE, ANY_TAG)?;
        }
    } else {
        world.send(&vec![7u8; rank], 0, 10 + rank as i32)?;
    }
    match rank {
        0 => world.ssend(&[1.5f64], 1, 3)?,
        1 => {
            world.probe(0, 3)?;
            world.recv(&mut [0.0f64], 0, 3)?;
        }
        _ => {}
    }
    // Communicators of their own, in which ranks have other numbers.
    let half = world.split(Some(rank as u32 % 2), -(rank as i32))?.expect("every rank joins");
    let (me, others) = (half.rank(), half.size());
    half.sendrecv(&[me as u64], (me + 1) % others, 1, &mut got, (me + others - 1) % others, 1)?;
    let none = world.split((rank == 0).then_some(0), 0)?;
    assert_eq!(none.is_some(), rank == 0);
    let copy = world.dup()?;
    copy.sendrecv(&[rank as u64], left, 1, &mut got, right, 1)?;
    Ok(())
}

/// A row that does not close: at both ends the neighbour is the null process, whose messages are in no trace.
fn topologies(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let row = world.cart_create(&[size - 1], &[false], false)?;
    assert_eq!(row.is_some(), rank + 1 < size);
    if let Some(row) = row {
        let (left, right) = row.cart_shift(0, 1)?;
        let mut halo = [0; 2];
        row.sendrecv(&[rank], right, 1, &mut halo[..1], left, 1)?;
        row.send(&[rank], right, 2)?;
        row.recv(&mut halo[..1], left, 2)?;
        let receives = [row.irecv::<usize>(1, left, 3)?, row.irecv::<usize>(1, right, 3)?];
        let sends = [row.isend(vec![rank], left, 3)?, row.isend(vec![rank], right, 3)?];
        row.wait_all(receives)?;
        row.wait_all(sends)?;
        row.neighbor_alltoall(&[rank, rank], &mut halo)?;
        row.cart_sub(&[true])?.ineighbor_allgather(vec![rank])?.wait()?;
    }
    let ends = world.graph_create(&[vec![1], vec![0]], false)?;
    ends.map_or(Ok(()), |ends| ends.neighbor_allgather(&[rank], &mut [0]))?;
    let own = world.split(Some(u32::from(rank == 0)), 0)?.expect("a color");
    let other = own.intercomm_create(0, world, usize::from(rank == 0), 0)?;
    if own.rank() == 0 {
        let receive = other.irecv::<usize>(1, 0, 4)?;
        other.send(&[rank], 0, 4)?;
        receive.wait()?;
        other.sendrecv(&[rank], 0, 5, &mut [0_usize], 0, 5)?;
    }
    other.merge(rank == 0)?.barrier()?;
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    world.dist_graph_create_adjacent(&[before], &[next], false)?.neighbor_allgather(&[rank], &mut [0])
}

fn together(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let mine = [rank as u64];
    let (mut one, mut all) = ([0u64], vec![0u64; size]);
    let counts = vec![1; size];
    let root = size - 1;
    world.barrier()?;
    world.bcast(&mut one, root)?;
    world.scatter((rank == root).then_some(&all.clone()[..]), &mut one, root)?;
    world.scatterv((rank == root).then_some((&all.clone()[..], &counts[..])), &mut one, root)?;
    world.gather(&mine, (rank == root).then_some(&mut all[..]), root)?;
    world.gatherv(&mine, (rank == root).then_some((&mut all[..], &counts[..])), root)?;
    world.allgather(&mine, &mut all)?;
    world.allgatherv(&mine, &mut all, &counts)?;
    world.reduce(&mine, (rank == root).then_some(&mut one[..]), Operation::Sum, root)?;
    world.allreduce(&mine, &mut one, Operation::Sum)?;
    world.scan(&mine, &mut one, Operation::Sum)?;
    world.exscan(&mine, &mut one, Operation::Sum)?;
    world.alltoall(&all.clone(), &mut all)?;
    world.alltoallv(&all.clone(), &counts, &mut all, &counts)?;
    let blocks: Vec<_> = (0..world.size()).map(|at| Layout::contiguous(1).at(at)).collect();
    world.alltoallw(&all.clone(), &blocks, &mut all, &blocks)?;
    let mut barrier = world.barrier_by("dissemination")?;
    barrier.wait()?;
    barrier.wait()?;
    barrier.free()?;
    world.choose_barrier("tree")?;
    world.barrier()?;
    world.broadcast_bytes(0, (rank == 0).then_some(&[1, 2, 3]))?;
    Ok(())
}

fn windows(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (right, left) = ((rank + 1) % size, (rank + size - 1) % size);
    let window = world.window::<i64>(4)?;
    let epoch = window.fence()?;
    epoch.put(&[1], right, 0)?;
    epoch.end()?;
    for round in 0..3 {
        let exposure = window.post(&[left])?;
        let access = window.start(&[right])?;
        access.put(&[round], right, 1)?;
        access.complete()?;
        exposure.wait()?;
    }
    // A rank that is still exposed must not be locked.
    world.barrier()?;
    let lock = window.lock(LockKind::Shared, right)?;
    let was = lock.fetch_and_op(1, 2, Operation::Sum)?;
    lock.flush()?;
    was.value()?;
    lock.unlock()?;
    window.raw().fence(Assertion::default())?;
    window.free()
}

#[rstest]
#[case::messages(messages, 3, &["send", "ssend", "recv", "sendrecv", "isend", "irecv", "wait", "probe", "split", "dup"])]
#[case::topologies(topologies, 3, &[
    "cart_create", "cart_sub", "graph_create", "dist_graph_create_adjacent", "intercomm_create", "intercomm_merge",
    "neighbor_alltoall", "sendrecv",
])]
#[case::together(together, 3, &[
    "barrier", "bcast", "scatter", "scatterv", "gather", "gatherv", "allgather", "allgatherv", "reduce", "allreduce",
    "scan", "exscan", "alltoall", "alltoallv", "alltoallw", "agreement",
])]
#[case::windows(windows, 3, &[
    "window", "fence", "put", "post", "start", "complete", "wait", "lock", "fetch_and_op", "flush", "unlock", "free",
])]
fn every_verb_is_written_down_and_lawful(
    #[case] program: fn(&World) -> Result<()>,
    #[case] least: usize,
    #[case] verbs: &[&str],
) {
    for ranks in [least, 4, 5] {
        let traces = traced(ranks, program);
        let analysis = assert_lawful(&traces);
        let called: Vec<&str> =
            traces.iter().flat_map(|trace| &trace.calls).map(|c| c.verb.as_str()).collect();
        for verb in verbs {
            assert!(called.contains(verb), "{verb} is in no lane on {ranks} ranks");
        }
        assert!(
            traces.iter().flat_map(|trace| &trace.calls).all(|call| call.file.ends_with("tests/traces.rs"))
        );
        let collective = |trace: &RankTrace| {
            let is_one = |act: &EventKind| {
                matches!(act, EventKind::Collective { .. } | EventKind::StartCollective { .. })
            };
            trace.events.iter().filter(|event| is_one(&event.act)).count()
        };
        let met: usize =
            analysis.matching.collectives.iter().map(|collective| collective.members.len()).sum();
        assert_eq!(met, traces.iter().map(collective).sum::<usize>());
    }
}

/// Its wait is the receive's, in the line that the user wrote.
#[test]
fn a_receive_of_any_length_is_one_receive() {
    let program = |world: &World| match world.rank() {
        0 => world.send(&[1u64; 3], 1, 0),
        _ => world.recv_vec::<u64>(0, 0).map(drop),
    };
    let traces = traced(2, program);
    let verbs: Vec<&str> = traces[1].calls.iter().map(|call| call.verb.as_str()).collect();
    assert_eq!(verbs, ["recv"]);
    let [event] = &traces[1].events[..] else { panic!("{:?}", traces[1].events) };
    assert!(matches!(event.act, EventKind::Receive { from } if from.bytes == 24), "{event:?}");
    assert_eq!(assert_lawful(&traces).matching.messages.len(), 1);
}

#[test]
fn signals_of_windows_meet_like_messages() {
    let analysis = assert_lawful(&traced(4, windows));
    // Three rounds on four ranks: post to start, post to complete, complete to wait.
    assert_eq!(analysis.matching.messages.len(), 3 * 4 * 3);
}

#[test]
fn canary_a_call_that_was_not_written_down_is_missed() {
    let mut traces = traced(4, messages);
    let is_send = |act: &EventKind| matches!(act, EventKind::Exchange { .. });
    let place = traces[2].events.iter().position(|event| is_send(&event.act)).expect("an exchange");
    traces[2].events.remove(place);
    let matching = analyse(&traces).expect("sound").matching;
    assert!(!matching.unreceived.is_empty() || !matching.unsent.is_empty());
}

#[test]
fn what_does_not_fit_is_counted() {
    let local = wb_local::threads::LocalThreads::DEFAULT;
    let job = |transport: Rc<dyn Transport>| {
        let (world, log) = World::traced(transport, 3);
        (0..10).try_for_each(|_| world.barrier()).expect("barriers");
        let trace = log.rank_trace(0, world.now());
        assert_eq!((trace.events.len(), trace.left_out), (3, 7));
        Box::new(()) as Box<dyn Any + Send>
    };
    let ended = local.run(2, Some(LIMIT), Arc::new(job)).ranks;
    assert!(ended.iter().all(|ended| matches!(ended, RankTermination::Returned(_))), "{ended:?}");
}

/// The benchmarks of all tasks, which trace a run when they are asked to.
fn benchmark(task: &str) -> PathBuf {
    static BUILT: OnceLock<Vec<BuiltTarget>> = OnceLock::new();
    let built = BUILT.get_or_init(|| executables(&["--bench", "performance"]));
    let of_task = built.iter().find(|built| built.folder.ends_with(task));
    of_task.unwrap_or_else(|| panic!("{task} has no benchmark")).path.clone()
}

fn backends() -> Vec<Backend> {
    let mpi = workbench::backends().processes.map(|_| Backend::Mpi);
    [Backend::Threads].into_iter().chain(mpi).collect()
}

#[rstest]
#[case::broadcast("nalitov_d_broadcast", &[2, 4])]
#[case::integral("example_p_integral", &[4])]
fn a_real_run_is_lawful_on_every_backend(#[case] task: &str, #[case] ranks: &[usize]) {
    let folder = tempfile::tempdir().expect("a folder");
    for backend in backends() {
        for &ranks in ranks {
            let file = folder.path().join(format!("{}-{ranks}.json", backend.name()));
            let mut command = Command::new(benchmark(task));
            wb_process::remove_launcher_variables(&mut command);
            command.args([
                "--wb-lang",
                "en",
                "--wb-ranks",
                &ranks.to_string(),
                "--wb-backend",
                backend.name(),
            ]);
            // Other tests check whether this machine is slow.
            command.env("WB_PERF_MAX_TIME", "60").arg("--wb-trace").arg(&file);
            let output = command.output().expect("the benchmark starts");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{task}, {backend:?}, {ranks} ranks: {stderr}");
            let line = fs::read_to_string(&file).expect("it leaves a trace");
            let trace = Trace::parse_line(line.trim_end()).expect("a trace");
            assert_eq!(trace.environment.message_passing.backend, backend);
            assert_eq!((trace.ranks.len(), trace.subject.task.as_str()), (ranks, task));
            check_real(task, ranks, &trace);
        }
    }
}

#[test]
fn a_collective_over_messages_opens_into_its_rounds() {
    let traces = traced(8, |world| {
        let mut data = [world.rank() as u64];
        world.bcast(&mut data, 3)?;
        world.allreduce(&[1u64], &mut data, Operation::Sum)?;
        world.barrier()
    });
    let analysis = assert_lawful(&traces);
    let timeline = Timeline::new(&traces).expect("a sound trace");
    let inside: Vec<_> = analysis.matching.collectives.iter().map(|one| one.inside(&timeline)).collect();
    let names = analysis.matching.collectives.iter().map(|one| one.algorithm(&timeline));
    assert_eq!(names.collect::<Vec<_>>(), ["binomial", "recursive_doubling", "dissemination"]);
    let [tree, doubling, barrier] = &inside[..] else { panic!("{inside:?}") };
    // A binomial tree; recursive doubling and dissemination: three rounds of all ranks.
    assert_eq!((tree.len(), doubling.len(), barrier.len()), (7, 24, 24));
    let mut receivers: Vec<usize> = tree.iter().map(|message| message.to).collect();
    receivers.sort_unstable();
    assert_eq!(receivers, [0, 1, 2, 4, 5, 6, 7], "each rank but the root receives once");
    let in_round = |round| tree.iter().filter(|message| message.round == round).count();
    assert_eq!([0, 1, 2].map(in_round), [1, 2, 4], "each round doubles the ranks that have the value");
    for message in inside.iter().flatten() {
        assert!(message.from != message.to && message.sent_ns <= message.received_ns, "{message:?}");
    }
    assert!(doubling.iter().all(|message| message.bytes == 8 && message.round < 3));
}

#[test]
fn a_collective_in_shared_memory_has_its_algorithm_and_no_messages() {
    let traces = traced(4, |world| {
        world.choose_collectives("bcast_flat")?;
        let mut data = [world.rank() as u64];
        world.bcast(&mut data, 3)?;
        world.allreduce_by("allreduce_one_hop", &[1u64], &mut data, Operation::Sum)?;
        world.allreduce(&[1u64], &mut data, Operation::Sum)
    });
    let analysis = assert_lawful(&traces);
    let timeline = Timeline::new(&traces).expect("a sound trace");
    let found = |one: &CollectiveMatch| (one.algorithm(&timeline), one.inside(&timeline).len());
    let found: Vec<_> = analysis.matching.collectives.iter().map(found).collect();
    assert_eq!(found, [("bcast_flat", 0), ("allreduce_one_hop", 0), ("recursive_doubling", 8)]);
}

#[rstest]
#[case::broadcast("nalitov_d_broadcast", &[2, 4])]
#[case::integral("example_p_integral", &[4])]
fn a_run_in_virtual_time_is_lawful_and_the_same_again(#[case] task: &str, #[case] ranks: &[usize]) {
    let folder = tempfile::tempdir().expect("a folder");
    for &ranks in ranks {
        let once = |file: &str| {
            let file = folder.path().join(file);
            let mut command = Command::new(benchmark(task));
            wb_process::remove_launcher_variables(&mut command);
            command.args([
                "--wb-lang",
                "en",
                "--wb-ranks",
                &ranks.to_string(),
                "--wb-simulate",
                "cluster-ib",
            ]);
            let output = command.arg("--wb-trace").arg(&file).output().expect("the benchmark starts");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{task}, {ranks} ranks: {stderr}");
            let line = fs::read_to_string(&file).expect("it leaves a trace");
            Trace::parse_line(line.trim_end()).expect("a trace")
        };
        let trace = once("a.json");
        assert_eq!((trace.ranks.len(), trace.simulated.as_deref()), (ranks, Some("cluster-ib")));
        check_real(task, ranks, &trace);
        assert_eq!(trace.ranks, once("b.json").ranks, "virtual time is the same every time");
    }
}

fn check_real(task: &str, ranks: usize, trace: &Trace) {
    let analysis = assert_lawful(&trace.ranks);
    for trace in &trace.ranks {
        let stages: Vec<&str> = trace.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!(stages, ["validation", "preprocessing", "run", "postprocessing"]);
        assert_eq!(trace.left_out, 0);
    }
    let sent = analysis.matching.messages.len();
    let in_run = |trace: &RankTrace| {
        let run = &trace.stages[2];
        trace.events.iter().filter(|e| e.begin_ns >= run.begin_ns && e.end_ns <= run.end_ns).count()
    };
    let in_run: usize = trace.ranks.iter().map(in_run).sum();
    match task {
        // Each message of the tree is one call at either end.
        "nalitov_d_broadcast" => assert!(sent >= ranks - 1 && in_run == 2 * (ranks - 1), "{sent}, {in_run}"),
        _ => assert_eq!(in_run, ranks, "one reduction"),
    }
    for lang in wb_messages::Lang::ALL {
        wb_report::trace::html(trace, &wb_report::trace::Sources::new(), lang).expect("a page");
    }
}
