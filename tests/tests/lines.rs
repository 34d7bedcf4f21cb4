//! No finding names a line of the framework or of the standard library where a line of the user's led there: every verb that
//! can wait is left waiting, everything that can be left behind is, and all places lie in this file.
use std::{panic::Location, rc::Rc, sync::Arc, time::Duration};

use wb_comm::{CallLocation, Code, ThreadRanks, Transport, Verb, job::JobOutcome};
use wb_local::{sim::Simulator, threads::LocalThreads};
use wb_tests::test_machine::simulator;
use wb_world::{
    CartesianWorld, File, FileMode, InterWorld, Layout, LockKind, Operation, RecvRequest, Result,
    SendRequest, World,
};

/// A call on a world.
type OnWorld = fn(&World) -> Result<()>;

/// A call on a window.
type OnWindow = fn(&wb_world::Window<i64>) -> Result<()>;

/// A call on a file.
type OnFile = fn(File) -> Result<()>;

/// A call on an inter-communicator.
type OnInter = fn(&InterWorld) -> Result<()>;

/// A call on a ring.
type OnRing = fn(&CartesianWorld) -> Result<()>;

/// What one rank calls while the others have ended.
struct BlockingCall {
    verb: Verb,
    /// In a call that the table contains.
    line: u32,
    call: OnWorld,
}

macro_rules! wait {
    ($verb:ident, |$world:ident| $call:expr) => {
        BlockingCall { verb: Verb::$verb, line: line!(), call: |$world| $call.map(drop) }
    };
}

/// Every verb that can wait for another rank, each called by rank 0 of two; rank 1 has ended.
fn waits() -> Vec<BlockingCall> {
    [message_waits(), collective_waits()].into_iter().flatten().collect()
}

#[rustfmt::skip]
fn message_waits() -> Vec<BlockingCall> {
    vec![
        wait!(SendLayout, |world| world.send_layout(&[0_u8; 100_000], &Layout::vector(50_000, 1, 2), 1, 0)),
        wait!(RecvLayout, |world| world.recv_layout(&mut [0; 4], &Layout::vector(2, 1, 2), 1, 0)),
        wait!(SendrecvLayout, |world| world.sendrecv_layout(&mut [0; 4], &Layout::contiguous(1), 1, 0, &Layout::contiguous(1).at(2), 1, 0)),
        wait!(Wait, |world| world.irecv_layout(vec![0; 4], &Layout::vector(2, 1, 2), 1, 0)?.wait()),
        wait!(Send, |world| world.send(&[0_u8; 100_000], 1, 0)),
        wait!(Ssend, |world| world.ssend(&[1], 1, 0)),
        wait!(Recv, |world| world.recv(&mut [0], 1, 0)),
        wait!(Recv, |world| world.recv_vec::<i32>(1, 0)),
        wait!(Probe, |world| world.probe(1, 0)),
        wait!(Sendrecv, |world| world.sendrecv(&[1], 1, 0, &mut [0], 1, 0)),
        wait!(Wait, |world| world.irecv::<i32>(1, 1, 0)?.wait()),
        wait!(Wait, |world| world.isend(vec![0_u8; 100_000], 1, 0)?.wait()),
        // A verb as a value: its caller is an adapter of the standard library, or unknown.
        wait!(Wait, |world| [world.irecv::<i32>(1, 1, 0)?].into_iter().map(RecvRequest::wait).next().expect("one")),
        wait!(Wait, |world| [world.isend(vec![0_u8; 100_000], 1, 0)?].into_iter().map(SendRequest::wait).next().expect("one")),
        wait!(Wait, |world| world.issend(vec![1], 1, 0)?.wait()),
        wait!(SendrecvReplace, |world| world.sendrecv_replace(&mut [0], 1, 0, 1, 0)),
        wait!(Mprobe, |world| world.mprobe(1, 0)),
        wait!(WaitAll, |world| world.wait_all((world.irecv::<i32>(1, 1, 0)?, world.issend(vec![1], 1, 0)?))),
        wait!(WaitAny, |world| world.wait_any(&mut [Some(world.irecv::<i32>(1, 1, 0)?), None])),
        wait!(WaitSome, |world| world.wait_some(&mut [Some(world.irecv::<i32>(1, 1, 0)?), None])),
        wait!(Wait, |world| { let mut receive = world.recv_init::<i32>(1, 1, 0)?; receive.start()?; receive.wait() }),
        wait!(AllreduceInit, |world| world.allreduce_init(vec![1], Operation::Sum)),
        wait!(BufferDetach, |world| { world.buffer_attach(1000)?; world.bsend(&[1], 1, 0)?; world.buffer_detach() }),
    ]
}

#[rustfmt::skip]
fn collective_waits() -> Vec<BlockingCall> {
    vec![
        wait!(Barrier, |world| [world].into_iter().try_for_each(World::barrier)),
        wait!(Recv, |world| { let recv: fn(&World, usize, i32) -> Result<_> = World::recv_vec::<i32>; recv(world, 1, 0) }),
        wait!(Barrier, |world| world.barrier()),
        wait!(FileOpen, |world| world.file_open("wb_lines", FileMode::read_only())),
        wait!(Barrier, |world| world.barrier_by("dissemination")),
        wait!(Bcast, |world| world.bcast(&mut [0], 1)),
        wait!(Bcast, |world| world.broadcast_by("binomial", &mut [0], 1)),
        wait!(Scatter, |world| world.scatter(None, &mut [0], 1)),
        wait!(Scatterv, |world| world.scatterv(None, &mut [0], 1)),
        wait!(Gather, |world| world.gather(&[0], Some(&mut [0, 0]), 0)),
        wait!(Gatherv, |world| world.gatherv(&[0], Some((&mut [0, 0], &[1, 1])), 0)),
        wait!(Allgather, |world| world.allgather(&[0], &mut [0, 0])),
        wait!(Allgatherv, |world| world.allgatherv(&[0], &mut [0, 0], &[1, 1])),
        wait!(Reduce, |world| world.reduce(&[0], Some(&mut [0]), Operation::Sum, 0)),
        wait!(Allreduce, |world| world.allreduce(&[0], &mut [0], Operation::Sum)),
        wait!(Alltoall, |world| world.alltoall(&[0, 0], &mut [0, 0])),
        wait!(ReduceScatter, |world| world.reduce_scatter(&[0, 0], &mut [0], &[1, 1], Operation::Sum)),
        wait!(ReduceScatterBlock, |world| world.reduce_scatter_block(&[0, 0], &mut [0], Operation::Sum)),
        wait!(Wait, |world| world.ibarrier()?.wait()),
        wait!(Wait, |world| world.iallreduce(vec![1], Operation::Sum)?.wait()),
        wait!(Alltoallv, |world| world.alltoallv(&[0, 0], &[1, 1], &mut [0, 0], &[1, 1])),
        wait!(Alltoallw, |world| { let blocks = [0, 1].map(|at| Layout::contiguous(1).at(at)); world.alltoallw(&[0, 0], &blocks, &mut [0, 0], &blocks) }),
        wait!(Split, |world| world.split(Some(0), 0)),
        wait!(Dup, |world| world.dup()),
        wait!(CommCreate, |world| world.comm_create(&world.group()?)),
        wait!(CommCreateGroup, |world| world.comm_create_group(&world.group()?, 0)),
        wait!(SplitTypeShared, |world| world.split_type_shared(0)),
        wait!(CartCreate, |world| world.cart_create(&[2], &[true], false)),
        wait!(GraphCreate, |world| world.graph_create(&[vec![1], vec![0]], false)),
        wait!(IntercommCreate, |world| world.comm_create_group(&world.group()?.incl(&[0])?, 0)?.intercomm_create(0, world, 1, 0)),
        wait!(DistGraphCreateAdjacent, |world| world.dist_graph_create_adjacent(&[1], &[1], false)),
        wait!(WindowCreate, |world| world.window::<i32>(1)),
        wait!(WindowCreate, |world| world.window_of(vec![1])),
        wait!(WindowCreate, |world| world.window_shared::<i64>(1)),
    ]
}

/// The same on a ring of both ranks; rank 1 has ended then.
#[rustfmt::skip]
fn ring_waits() -> Vec<(Verb, u32, OnRing)> {
    vec![
        (Verb::CartSub, line!(), |ring| ring.cart_sub(&[true]).map(drop)),
        (Verb::NeighborAllgather, line!(), |ring| ring.neighbor_allgather(&[0], &mut [0, 0])),
        (Verb::NeighborAllgatherv, line!(), |ring| ring.neighbor_allgatherv(&[0], &mut [0, 0], &[1, 1])),
        (Verb::NeighborAlltoall, line!(), |ring| ring.neighbor_alltoall(&[0, 0], &mut [0, 0])),
        (Verb::NeighborAlltoallv, line!(), |ring| ring.neighbor_alltoallv(&[0, 0], &[1, 1], &mut [0, 0], &[1, 1])),
        (Verb::Wait, line!(), |ring| ring.ineighbor_allgather(vec![0])?.wait().map(drop)),
    ]
}

/// The same on an inter-communicator between both ranks; rank 1 has ended then.
#[rustfmt::skip]
fn inter_waits() -> Vec<(Verb, u32, OnInter)> {
    vec![
        (Verb::Send, line!(), |other| other.send(&[0_u8; 100_000], 0, 0)),
        (Verb::Recv, line!(), |other| other.recv(&mut [0], 0, 0).map(drop)),
        (Verb::Recv, line!(), |other| other.recv_vec::<i32>(0, 0).map(drop)),
        (Verb::Sendrecv, line!(), |other| other.sendrecv(&[1], 0, 0, &mut [0], 0, 0).map(drop)),
        (Verb::Probe, line!(), |other| other.probe(0, 0).map(drop)),
        (Verb::Wait, line!(), |other| other.irecv::<i32>(1, 0, 0)?.wait().map(drop)),
        (Verb::Wait, line!(), |other| other.isend(vec![0_u8; 100_000], 0, 0)?.wait().map(drop)),
        (Verb::IntercommMerge, line!(), |other| other.merge(false).map(drop)),
    ]
}

/// The same on a window that both ranks have; rank 1 has ended then, or holds a lock of rank 0's part.
#[rustfmt::skip]
fn window_waits() -> Vec<(Verb, u32, OnWindow)> {
    vec![
        (Verb::Fence, line!(), |window| window.fence().map(drop)),
        (Verb::Fence, line!(), |window| window.raw().fence(wb_world::Assertion::default())),
        (Verb::Start, line!(), |window| window.start(&[1]).map(drop)),
        (Verb::WindowWait, line!(), |window| window.post(&[1])?.wait()),
        (Verb::WindowWait, line!(), |window| Some(window.post(&[1])?).map_or(Ok(()), wb_world::ExposureEpoch::wait)),
        (Verb::Lock, line!(), |window| window.lock(LockKind::Exclusive, 0).map(drop)),
        (Verb::LockAll, line!(), |window| window.lock_all().map(drop)),
    ]
}

/// The same on a file that both ranks have opened.
#[rustfmt::skip]
fn file_waits() -> Vec<(Verb, u32, OnFile)> {
    vec![
        (Verb::SetView, line!(), |file| file.set_view::<f64>(0, &Layout::contiguous(1))),
        (Verb::ReadAtAll, line!(), |file| file.read_at_all(0, &mut [0]).map(drop)),
        (Verb::WriteAtAll, line!(), |file| file.write_at_all(0, &[0])),
        (Verb::SetSize, line!(), |file| file.set_size(0)),
        (Verb::FileSync, line!(), |file| file.sync()),
        (Verb::FileClose, line!(), |file| file.close()),
        (Verb::FileClose, line!(), |file| Some(file).map_or(Ok(()), File::close)),
    ]
}

/// Each leftover, and the code that it is reported with.
#[rustfmt::skip]
fn leftovers() -> Vec<(Code, u32, OnWorld)> {
    vec![
        (Code::UnreceivedMessage, line!(), |world| world.send(&[1], 1, 0)),
        (Code::RequestLeak, line!(), |world| world.irecv::<i32>(1, 1, 0).map(drop)),
        (Code::RequestLeak, line!(), |world| world.ibarrier().map(drop)),
        (Code::RequestLeak, line!(), |world| Some(world.irecv::<i32>(1, 1, 0)).map_or(Ok(()), |request| request.map(drop))),
    ]
}

fn run(
    backend: &dyn ThreadRanks,
    program: impl Fn(&World) -> Result<()> + Send + Sync + 'static,
) -> JobOutcome {
    let job = move |transport: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
        Box::new(program(&World::new(transport)).err())
    };
    let outcome = backend.run(2, Some(Duration::from_secs(10)), Arc::new(job));
    assert!(!outcome.timed_out);
    outcome
}

fn on_backends(check: impl Fn(&str, &dyn ThreadRanks)) {
    check("threads", &LocalThreads { files_in_memory: true, ..LocalThreads::DEFAULT });
    check("virtual time", &Simulator { files_in_memory: true, ..simulator(4096) });
}

/// All places lie in this file, and one of them is rank 0's call of the row.
fn assert_here(what: &str, outcome: &JobOutcome, (verb, line): (Verb, u32)) {
    let message: Vec<&CallLocation> =
        outcome.findings.iter().flat_map(|finding| &finding.locations).collect();
    let blocked: Vec<CallLocation> = outcome.blocked.iter().map(wb_comm::BlockedCall::location).collect();
    let here = Location::caller().file();
    for place in message.iter().copied().chain(&blocked) {
        assert_eq!(place.file, here, "{what}, line {line}: {place}");
    }
    let row = CallLocation { rank: 0, call: verb.name().into(), file: here.into(), line, made: None };
    assert!(blocked.contains(&row), "{what}: rank 0 waits in {blocked:?}, not in {row}");
    assert!(message.contains(&&row), "{what}: {message:?} do not name {row}");
}

#[test]
fn every_wait_is_found_in_its_callers_line() {
    on_backends(|backend, threads| {
        for BlockingCall { verb, line, call } in waits() {
            let outcome = run(threads, move |world| if world.rank() == 0 { call(world) } else { Ok(()) });
            assert_here(backend, &outcome, (verb, line));
        }
    });
}

/// On threads only the limit of the job ends it.
#[test]
fn a_test_that_is_repeated_in_virtual_time_is_found_in_its_callers_line() {
    let outcome = run(&simulator(4096), |world| {
        let mut receive = world.irecv::<i32>(1, 1, 0)?;
        while world.rank() == 0 && !receive.test()? {}
        Ok(())
    });
    let row =
        CallLocation { rank: 0, call: "test".into(), file: file!().into(), line: line!() - 4, made: None };
    let blocked: Vec<CallLocation> = outcome.blocked.iter().map(wb_comm::BlockedCall::location).collect();
    assert_eq!(blocked, [row]);
}

#[test]
fn every_wait_on_a_ring_is_found_in_its_callers_line() {
    on_backends(|backend, threads| {
        for (verb, line, call) in ring_waits() {
            let outcome = run(threads, move |world| {
                let ring = world.cart_create(&[2], &[true], false)?.expect("a place for both ranks");
                if ring.rank() == 0 { call(&ring) } else { Ok(()) }
            });
            assert_here(backend, &outcome, (verb, line));
        }
    });
}

#[test]
fn every_wait_between_groups_is_found_in_its_callers_line() {
    on_backends(|backend, threads| {
        for (verb, line, call) in inter_waits() {
            let outcome = run(threads, move |world| {
                let alone = world.split(Some(world.rank() as u32), 0)?.expect("a color");
                let other = alone.intercomm_create(0, world, 1 - world.rank(), 0)?;
                if world.rank() == 0 { call(&other) } else { Ok(()) }
            });
            assert_here(backend, &outcome, (verb, line));
        }
    });
}

#[test]
fn every_wait_on_a_window_is_found_in_its_callers_line() {
    on_backends(|backend, threads| {
        for (verb, line, call) in window_waits() {
            let outcome = run(threads, move |world| {
                let window = world.window::<i64>(1)?;
                if world.rank() == 0 {
                    world.recv(&mut [0], 1, 0)?;
                    return call(&window);
                }
                // A lock that is never given back, and only it keeps a lock waiting.
                let _held = matches!(verb, Verb::Lock | Verb::LockAll)
                    .then(|| window.lock(LockKind::Exclusive, 0))
                    .transpose()?;
                world.send(&[0], 0, 0)
            });
            assert_here(backend, &outcome, (verb, line));
        }
    });
}

#[test]
fn every_wait_on_a_file_is_found_in_its_callers_line() {
    on_backends(|backend, threads| {
        for (verb, line, call) in file_waits() {
            let outcome = run(threads, move |world| {
                let file = world.file_open("wb_lines", FileMode::read_write().create())?;
                if world.rank() == 0 { call(file) } else { Ok(()) }
            });
            assert_here(backend, &outcome, (verb, line));
        }
    });
}

#[test]
fn a_file_that_is_left_open_is_found_in_the_line_that_opened_it() {
    on_backends(|backend, threads| {
        let mode = FileMode::write_only().create();
        let line = line!() + 1;
        let outcome = run(threads, move |world| world.file_open("wb_lines", mode).map(drop));
        let mut found: Vec<_> = outcome.findings.iter().map(|finding| (finding.code, finding.rank)).collect();
        found.sort_by_key(|(_, rank)| *rank);
        assert_eq!(found, [(Code::FileLeak, 0), (Code::FileLeak, 1)], "{backend}");
        let place = &outcome.findings[0].locations[0];
        assert_eq!((place.file.as_str(), place.line), (file!(), line), "{backend}: {place}");
    });
}

#[test]
fn what_is_left_behind_is_found_in_its_callers_line() {
    on_backends(|backend, threads| {
        for (code, line, call) in leftovers() {
            let outcome = run(threads, move |world| if world.rank() == 0 { call(world) } else { Ok(()) });
            let found = outcome.findings.iter().find(|finding| finding.code == code);
            let place = &found
                .unwrap_or_else(|| panic!("{backend}: no {code} in {:?}", outcome.findings))
                .locations[0];
            assert_eq!((place.file.as_str(), place.line), (file!(), line), "{backend}: {place}");
        }
    });
}

/// Verbs that can wait and are in no row above: none of a world's or a window's own.
#[test]
fn every_verb_that_can_wait_has_a_row() {
    let rows: Vec<Verb> =
        waits().iter().map(|row| row.verb).chain(ring_waits().iter().map(|row| row.0)).collect();
    let of_windows: Vec<Verb> = window_waits().iter().map(|row| row.0).collect();
    let of_files: Vec<Verb> = file_waits().iter().map(|row| row.0).collect();
    let of_groups: Vec<Verb> = inter_waits().iter().map(|row| row.0).collect();
    let rows = [rows, of_windows, of_files, of_groups].concat();
    let elsewhere = |verb: Verb| {
        use Verb::*;
        match verb {
            // These return without another rank, at least here, and a request's wait is reported instead of its start.
            Bsend | Rsend | Isend | IsendLayout | IrecvLayout | Issend | Ibsend | Irsend | Irecv | Iprobe
            | Improbe | BufferAttach | ReduceLocal => true,
            SendInit | SsendInit | BsendInit | RsendInit | RecvInit | StartPersistent | StartAll => true,
            PersistentData => true,
            Test | TestAll | TestAny | TestSome => true,
            // The message is there already, or its sender sends the rest of it.
            Mrecv | Cancel => true,
            // As `AllreduceInit`: all of them make a communicator.
            verb if (BarrierInit as u8..=NeighborAlltoallvInit as u8).contains(&(verb as u8)) => true,
            Put | Get | Accumulate | GetAccumulate | FetchAndOp | CompareAndSwap => true,
            verb if verb.starts_collective() => true,
            Post | Complete | WindowTest | Unlock | UnlockAll | Flush | FlushLocal => true,
            WindowSync | WindowRead | WindowWrite => true,
            // A rank that frees a window, scans, or waits in OpenSHMEM's model: the laws of each.
            WindowFree | Scan | Exscan | WaitUntil => true,
            // These need no other rank.
            ReadAt | WriteAt | FileSize => true,
            // The framework's own.
            Agreement | Nodes => true,
            _ => false,
        }
    };
    let missing: Vec<_> =
        Verb::ALL.iter().copied().filter(|verb| !rows.contains(verb) && !elsewhere(*verb)).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}
