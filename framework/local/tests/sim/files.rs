//! How long accesses to files take on a simulated machine: the closed formulas of its storage.
use std::{rc::Rc, sync::Arc};

use wb_comm::{
    CallSite, Code, Datatype, FileArgs, FileMode, FilePlace, FileView, Layout, Transport, Verb, View, ViewMut,
};
use wb_world::World;

use crate::sim::{Link, Machine, Simulator, Storage};

/// From a request to its first byte.
const LATENCY: u64 = 10_000;
/// Nanoseconds a byte.
const BYTE: u64 = 2;

fn machine() -> Machine {
    let link = Link {
        latency: 100,
        overhead: 10,
        gap: 10,
        per_byte: 1000,
        processor_per_byte: 0,
        eager_limit: 1 << 20,
        segments: vec![],
    };
    let storage = Storage { latency: LATENCY, bytes_per_second: 1_000_000_000 / BYTE };
    Machine { storage, ..Machine::flat("files", link) }
}

/// By rank, how long a call takes that begins on all ranks at the same time, on a file of bytes with this layout of each rank.
fn durations(
    size: usize,
    layout: impl Fn(usize) -> Layout + Send + Sync + 'static,
    (count, is_write, is_collective): (usize, bool, bool),
) -> Vec<u64> {
    let job = Arc::new(move |world: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
        let site = CallSite::caller(Verb::ReadAt);
        let mode = FileMode::read_write().create().delete_on_close();
        let args = FileArgs { path: "sim-files".to_owned(), mode };
        let file = world.file_open(&args, site).expect("opened");
        file.set_size(1 << 16, site).expect("a size");
        let view = FileView::new(0, Datatype::U8, &layout(world.rank())).expect("it rises");
        file.set_view(&view, site).expect("a view");
        let place = FilePlace { view: &view, offset: 0, is_collective };
        let mut data = vec![0_u8; count];
        let begin = world.now();
        if is_write {
            file.write(place, View::from_slice(&data), site).expect("written");
        } else {
            assert_eq!(file.read(place, ViewMut::from_slice(&mut data), site), Ok(count));
        }
        let duration = world.now() - begin;
        file.close(site).expect("closed");
        Box::new(duration)
    });
    let simulator = Simulator { files_in_memory: true, ..Simulator::from(machine()) };
    let ended = simulator.simulate(size, None, job).outcome.ranks;
    let duration = |ended| match ended {
        wb_comm::job::RankTermination::Returned(value) => {
            *<Box<dyn std::any::Any + Send>>::downcast::<u64>(value).expect("the job returns it")
        }
        _ => panic!("a rank failed"),
    };
    ended.into_iter().map(duration).collect()
}

#[test]
fn one_rank_waits_for_each_request_and_for_its_bytes() {
    for is_write in [false, true] {
        let one = |layout: Layout, count| durations(1, move |_| layout.clone(), (count, is_write, false));
        assert_eq!(one(Layout::contiguous(1), 1000), [LATENCY + 1000 * BYTE]);
        assert_eq!(one(Layout::vector(5, 2, 4), 10), [5 * LATENCY + 10 * BYTE]);
        assert_eq!(one(Layout::contiguous(1), 0), [LATENCY], "the storage is asked");
    }
}

#[test]
fn ranks_share_the_bandwidth_and_not_the_latency() {
    let parts = |rank| Layout::contiguous(1).at(1000 * rank);
    let durations = durations(4, parts, (1000, false, false));
    let expected: Vec<u64> = (1..=4).map(|turn| LATENCY + turn * 1000 * BYTE).collect();
    assert_eq!(durations, expected);
}

/// Columns are many requests for one rank, and one for all together, which then exchange their bytes.
#[test]
fn a_collective_call_joins_the_requests_of_all_ranks() {
    const ROWS: usize = 50;
    let columns = |rank| Layout::vector(ROWS, 2, 8).at(2 * rank);
    let alone = durations(4, columns, (2 * ROWS, true, false));
    let bytes = 8 * ROWS as u64;
    assert_eq!(alone.iter().max(), Some(&(ROWS as u64 * LATENCY + bytes * BYTE)));
    let together = durations(4, columns, (2 * ROWS, true, true));
    // Two rounds of an agreement of four ranks, each of 2 o + L; a byte a nanosecond on the link, the first one free.
    let agreement = 2 * (2 * 10 + 100);
    let exchange = 2 * ROWS as u64 - 1;
    assert_eq!(together, [agreement + LATENCY + exchange + bytes * BYTE; 4]);
}

#[test]
fn two_runs_take_the_same_time() {
    let run = || durations(5, |rank| Layout::vector(3, 1 + rank, 9).at(40 * rank), (3, true, false));
    assert_eq!(run(), run());
}

/// Rank 0 reads so many bytes of a file of 8, or asks for its size; rank 1 writes 8 bytes, and nothing orders the two.
#[test]
fn what_depends_on_the_end_of_a_file_races_with_a_write_that_extends_it() {
    let findings = |length: Option<usize>, at: usize| {
        let job = Arc::new(move |transport: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
            let world = World::new(transport);
            let mode = FileMode::read_write().create().delete_on_close();
            let file = world.file_open("sim-short-read", mode).expect("opened");
            file.set_size(8).expect("a size");
            file.sync().expect("synchronised");
            world.barrier().expect("a barrier");
            file.sync().expect("synchronised");
            match (world.rank(), length) {
                (0, Some(length)) => drop(file.read_at(0, &mut vec![0_u8; length]).expect("read")),
                (0, None) => drop(file.size().expect("a size")),
                _ => file.write_at(at, &[1_u8; 8]).expect("written"),
            }
            Box::new(file.close())
        });
        let simulator = Simulator { files_in_memory: true, detect_races: true, ..Simulator::from(machine()) };
        let findings = simulator.simulate(2, None, job).outcome.findings;
        findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(findings(Some(16), 24), [Code::FileRace]);
    assert_eq!(findings(Some(8), 24), [], "a read of what is there does not depend on the end");
    assert_eq!(findings(None, 1), [Code::FileRace]);
    assert_eq!(findings(None, 0), [], "a write up to the end does not extend the file");
}
