//! Laws of refusals: a rank that does not exist is named as its caller meant it, in the caller's line.
use wb_comm::{CallSite, Code, Finding};
use wb_world::{Error, LockKind, Operation, Rank, Result, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("ranks: every verb refuses one that does not exist, in its caller's line", no_such_rank),
    ("lines: a refusal inside a closure or an iterator names the closure's line", inside_closures),
];

/// A call with a rank that does not exist.
struct InvalidRankCall {
    role: &'static str,
    line: u32,
    call: fn(&World, Rank) -> Result<()>,
}

/// A row of the table: the role of the rank, and the call in the row's own line.
macro_rules! wrong {
    ($role:literal, |$world:ident, $rank:ident| $call:expr) => {
        InvalidRankCall { role: $role, line: line!(), call: |$world, $rank| $call.map(drop) }
    };
}

/// Every verb of a world that takes a rank.
#[rustfmt::skip]
fn verbs() -> Vec<InvalidRankCall> {
    vec![
        wrong!("destination", |world, rank| world.send(&[1], rank, 0)),
        wrong!("destination", |world, rank| world.ssend(&[1], rank, 0)),
        wrong!("destination", |world, rank| world.isend(vec![1], rank, 0)),
        wrong!("destination", |world, rank| world.sendrecv(&[1], rank, 0, &mut [0], world.rank(), 0)),
        wrong!("source", |world, rank| world.sendrecv(&[1], world.rank(), 0, &mut [0], rank, 0)),
        wrong!("source", |world, rank| world.recv(&mut [0], rank, 0)),
        wrong!("source", |world, rank| world.recv_vec::<i32>(rank, 0)),
        wrong!("source", |world, rank| world.irecv::<i32>(1, rank, 0)),
        wrong!("source", |world, rank| world.probe(rank, 0)),
        wrong!("source", |world, rank| world.iprobe(rank, 0)),
        wrong!("destination", |world, rank| world.send_init(vec![1], rank, 0)),
        wrong!("source", |world, rank| world.recv_init::<i32>(1, rank, 0)),
        wrong!("root", |world, rank| world.bcast(&mut [0], rank)),
        wrong!("root", |world, rank| world.broadcast_by("binomial", &mut [0], rank)),
        wrong!("root", |world, rank| world.scatter(Some(&[0]), &mut [0], rank)),
        wrong!("root", |world, rank| world.scatterv(Some((&[0], &[1])), &mut [0], rank)),
        wrong!("root", |world, rank| world.gather(&[0], Some(&mut [0]), rank)),
        wrong!("root", |world, rank| world.gatherv(&[0], Some((&mut [0], &[1])), rank)),
        wrong!("root", |world, rank| world.reduce(&[0], Some(&mut [0]), Operation::Sum, rank)),
    ]
}

/// Ranks that no world has: one too many, and what an unchecked subtraction gives.
fn invalid_ranks(size: usize) -> [(Rank, i64); 4] {
    let too_many = i64::try_from(size).expect("small");
    [(size, too_many), (0_usize.wrapping_sub(1), -1), (1_usize.wrapping_sub(3), -2), (1 << 33, 1 << 33)]
}

fn no_such_rank(world: &World) {
    for (given, expected) in invalid_ranks(world.size()) {
        for InvalidRankCall { role, line, call } in verbs() {
            let error = call(world, given).expect_err("there is no such rank");
            assert_names(world, &error, (role, expected), line);
        }
        windows(world, given, expected);
    }
}

/// The error contains the role and the number, and this line of this file.
fn assert_names(world: &World, error: &Error, (role, expected): (&str, i64), line: u32) {
    let size = world.size();
    assert!(
        matches!(error, Error::Rank { role: message, rank, size: of } if (*message, *rank, *of) == (role, expected, size)),
        "line {line}: {error:?} is not {role} {expected}"
    );
    assert!(error.to_string().starts_with(&format!("{role} {expected}")), "{error}");
    assert_code_here(world, error, Code::Rank, line);
}

fn assert_code_here(world: &World, error: &Error, code: Code, line: u32) {
    let site: CallSite = world.last_error_site().expect("the call is remembered");
    let found = Finding::from_error(world.rank(), Some(site), error).expect("it is a mistake");
    assert_eq!(found.code, code, "line {line}");
    let place = &found.locations[0];
    assert_eq!((place.file.as_str(), place.line), (file!(), line), "{found}");
}

/// The calls of windows that take a rank.
fn windows(world: &World, given: Rank, expected: i64) {
    let window = world.window::<i64>(1).expect("window");
    let refused = |error: Error, line| assert_names(world, &error, ("target", expected), line);
    let epoch = window.fence().expect("fence");
    refused(epoch.put(&[1], given, 0).expect_err("put"), line!());
    refused(epoch.get(1, given, 0).map(drop).expect_err("get"), line!());
    refused(epoch.accumulate(&[1], given, 0, Operation::Sum).expect_err("accumulate"), line!());
    refused(epoch.get_accumulate(&[1], given, 0, Operation::Sum).map(drop).expect_err("fetch"), line!());
    refused(epoch.fetch_and_op(1, given, 0, Operation::Sum).map(drop).expect_err("fetch"), line!());
    refused(epoch.compare_and_swap(0, 1, given, 0).map(drop).expect_err("swap"), line!());
    epoch.end().expect("end");
    let named = |error: Error, line| {
        let Error::Rank { role, .. } = &error else { panic!("line {line}: {error:?}") };
        assert_names(world, &error, (role, expected), line);
    };
    named(window.lock(LockKind::Shared, given).map(drop).expect_err("lock"), line!());
    named(window.start(&[given]).map(drop).expect_err("start"), line!());
    named(window.post(&[given]).map(drop).expect_err("post"), line!());
    let all = window.lock_all().expect("lock_all");
    named(all.flush(given).expect_err("flush"), line!());
    named(all.flush_local(given).expect_err("flush_local"), line!());
    all.unlock_all().expect("unlock_all");
    window.free().expect("free");
}

/// What lies between the caller and the verb is the compiler's and the library's own: closures, adapters of iterators.
fn inside_closures(world: &World) {
    let unknown = [world.size()];
    let each = |rank: &Rank| world.send(&[1], *rank, 0);
    let line = line!() - 1;
    let error = unknown.iter().try_for_each(each).expect_err("send");
    assert_code_here(world, &error, Code::Rank, line);
    let collected: Result<Vec<_>> = unknown.iter().map(|rank| world.isend(vec![1], *rank, 0)).collect();
    let line = line!() - 1;
    assert_code_here(world, &collected.map(drop).expect_err("isend"), Code::Rank, line);
    let boxed: Box<dyn Fn(Rank) -> Result<()> + '_> = Box::new(|root| world.bcast(&mut [0], root));
    let line = line!() - 1;
    assert_code_here(world, &boxed(world.size()).expect_err("bcast"), Code::Rank, line);
}
