//! The replay of traces of known programs: its findings, and programs without findings.
use wb_comm::{Error, RankFunction, Result, Source};
use wb_local::threads::LocalThreads;
use wb_world::World;

use super::*;
use crate::replay::call_trace::{trace::TraceBuffer, transport::TracingTransport};

const BUFFERING: ReplayThreads =
    |eager_limit| Box::new(LocalThreads { eager_limit, ..LocalThreads::WITH_RACE_DETECTION });

/// What a program's ranks recorded, on threads; a rank that got a deadlock error there still waits.
fn entries(ranks: usize, program: fn(&World) -> Result<()>) -> BTreeMap<Rank, RankReport> {
    let job: RankFunction = Arc::new(move |transport| {
        let notes = TraceBuffer::default();
        let (rank, world) = (transport.rank(), World::new(TracingTransport::world(transport, &notes)));
        let waits = matches!(program(&world), Err(Error::Deadlock { .. }));
        drop(world);
        let outcome = if waits { RankOutcome::Unresponsive } else { RankOutcome::Returned };
        let reports = notes.encode(true).expect("it is short");
        let reports = if waits { reports.replace("\"Refused\"", "\"Open\"").into() } else { reports };
        Box::new(RankReport { trace: Some(reports), ..RankReport::new(rank, outcome) })
    });
    let ended = LocalThreads::DEFAULT.run(ranks, None, job).ranks.into_iter().enumerate();
    let entry = |(rank, ended)| match ended {
        RankTermination::Returned(entry) => {
            (rank, *entry.downcast::<RankReport>().expect("the job returns this"))
        }
        other => panic!("{other:?}"),
    };
    ended.map(entry).collect()
}

fn codes(entries: &BTreeMap<Rank, RankReport>) -> Vec<(Code, Vec<Rank>)> {
    let found = findings(entries.len(), entries, BUFFERING);
    let ranks = |found: &Finding| found.locations.iter().map(|place| place.rank).collect();
    found.iter().map(|found| (found.code, ranks(found))).collect()
}

fn awaits_another_tag(world: &World) -> Result<()> {
    match world.rank() {
        0 => world.send(&[1.0], 1, 7),
        _ => world.recv(&mut [0.0], 0, 8).map(drop),
    }
}

#[test]
fn a_message_is_nearly_the_one_awaited_and_a_transcript_that_says_otherwise_changes_that() {
    let reports = entries(2, awaits_another_tag);
    assert_eq!(codes(&reports), [(Code::NearMiss, vec![1, 0])]);
    let changed = |entry: &RankReport| {
        let text = entry.trace.as_deref().expect("a transcript").replace("\"tag\":7", "\"tag\":6000");
        RankReport { trace: Some(text.replace("\"peer\":1", "\"peer\":0").into()), ..entry.clone() }
    };
    let changed: BTreeMap<_, _> = reports.iter().map(|(rank, entry)| (*rank, changed(entry))).collect();
    assert_eq!(codes(&changed), [(Code::PartnerEnded, vec![1])]);
}

#[test]
fn a_lost_transcript_or_a_rank_that_computes_leaves_nothing_to_say() {
    let reports = entries(2, awaits_another_tag);
    let without = RankReport { trace: None, ..reports[&0].clone() };
    assert_eq!(codes(&[(0, without), (1, reports[&1].clone())].into()), []);
    let computes = RankReport { outcome: RankOutcome::Unresponsive, ..reports[&0].clone() };
    assert_eq!(codes(&[(0, computes), (1, reports[&1].clone())].into()), []);
}

fn rank_1_is_not_listened_to(world: &World) -> Result<()> {
    let part = world.split(Some(0), 0)?.expect("everybody is in it");
    if world.rank() == 1 {
        part.send(&[3_u8; 5], 0, 13)?;
    }
    part.barrier()
}

#[test]
fn a_message_that_nobody_received_has_the_line_of_its_sender() {
    let reports = entries(3, rank_1_is_not_listened_to);
    let found = findings(3, &reports, BUFFERING);
    assert_eq!(codes(&reports), [(Code::UnreceivedMessage, vec![1])]);
    assert!(
        found[0].details[0].to_string().contains("tag 13, 5 bytes, communicator split 1 of world"),
        "{found:?}"
    );
}

fn sends_through_a_buffer(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.buffer_attach(8 + World::BSEND_OVERHEAD)?;
        world.bsend(&[1_u8; 5], 1, 13)?;
        world.buffer_detach()?;
    }
    Ok(())
}

/// On threads the detach waits for ever; a library that has sent the short message lets it return.
#[test]
fn a_message_of_a_detached_buffer_has_the_line_of_its_sender() {
    let mut reports = entries(2, sends_through_a_buffer);
    for report in reports.values_mut() {
        report.trace = report.trace.take().map(|trace| trace.replace("\"Open\"", "\"Done\"").into());
        report.outcome = RankOutcome::Returned;
    }
    assert_eq!(codes(&reports), [(Code::UnreceivedMessage, vec![0])]);
}

fn takes_from_anybody(world: &World) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[world.rank()], 0, 1);
    }
    let (mut first, mut second) = ([0], [0]);
    let one = world.irecv::<usize>(1, Source::Any, 1)?;
    world.recv(&mut second, Source::Any, 1)?;
    first.copy_from_slice(&one.wait()?.0);
    assert_eq!(first[0] + second[0], 3);
    Ok(())
}

#[test]
fn wildcards_take_what_they_took_and_what_is_right_is_left_alone() {
    for _ in 0..20 {
        let reports = entries(3, takes_from_anybody);
        assert_eq!((codes(&reports), unbuffered(3, &reports, BUFFERING)), (vec![], vec![]));
    }
}

fn both_send(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    world.send(&[1], partner, 0)?;
    world.recv(&mut [0], partner, 0).map(drop)
}

#[test]
fn what_only_buffering_let_pass_is_found_without_it() {
    let reports = entries(2, both_send);
    assert_eq!(codes(&reports), []);
    let found = unbuffered(2, &reports, BUFFERING);
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::BufferDependence]);
}

fn gathers_without_the_root(world: &World) -> Result<()> {
    let copy = world.dup()?;
    if world.rank() > 0 {
        copy.gather(&[world.rank()], None, 0)?;
    }
    Ok(())
}

#[test]
fn a_collective_that_a_rank_never_calls_is_found_though_all_came_back() {
    let reports = entries(3, gathers_without_the_root);
    assert_eq!(codes(&reports), [(Code::CollectiveIncomplete, vec![1, 2])]);
    let details = findings(3, &reports, BUFFERING).remove(0).details;
    let details: Vec<_> = details.iter().map(ToString::to_string).collect();
    assert!(details[0].starts_with("gather on communicator dup 1 of world (dup at "), "{details:?}");
    assert!(details[0].ends_with("): called by ranks 1, 2, not by rank 0"), "{details:?}");
}

fn root_broadcasts_where_the_others_reduce(world: &World) -> Result<()> {
    // Another rank's call may be refused for this one's.
    let _refused = match world.rank() {
        0 => world.bcast(&mut [1], 0),
        _ => world.reduce(&[1], None, wb_world::Operation::Sum, 0),
    };
    Ok(())
}

/// A library that copies small messages lets all ranks of it return.
#[test]
fn another_order_of_collectives_is_found_though_all_came_back() {
    let as_in_mpi = |entry: RankReport| {
        let text = entry.trace.as_deref().expect("it is short").replace("\"Refused\"", "\"Done\"");
        RankReport { trace: Some(text.into()), ..entry }
    };
    let reports = entries(3, root_broadcasts_where_the_others_reduce);
    let reports: BTreeMap<_, _> = reports.into_iter().map(|(rank, entry)| (rank, as_in_mpi(entry))).collect();
    let found = codes(&reports);
    assert!(!found.is_empty() && found.iter().all(|(code, _)| *code == Code::CollectiveOrder), "{found:?}");
}

fn root_broadcasts_before_it_sends(world: &World) -> Result<()> {
    if world.rank() == 0 {
        world.bcast(&mut [1], 0)?;
        return world.send(&[1], 1, 0);
    }
    world.recv(&mut [0], 0, 0)?;
    world.bcast(&mut [1], 0)
}

/// The library's record has no messages of the broadcast: the root had called it and had returned.
fn without_rounds_of_collectives(entry: RankReport) -> RankReport {
    let mut trace = CallTrace::parse(entry.trace.as_deref().expect("it is short")).expect("read");
    trace.calls.retain(|record| {
        !(record.site.verb.is_collective() && matches!(record.action, CallAction::Round(_)))
    });
    RankReport { trace: Some(trace.to_text()), ..entry }
}

#[test]
fn a_collective_that_let_its_root_go_may_wait_for_all() {
    let reports = entries(2, root_broadcasts_before_it_sends);
    let reports: BTreeMap<_, _> =
        reports.into_iter().map(|(rank, entry)| (rank, without_rounds_of_collectives(entry))).collect();
    assert_eq!(codes(&reports), []);
    let found = unbuffered(2, &reports, BUFFERING);
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::CollectiveIncomplete]);
}

fn takes_two_from_anybody(world: &World) -> Result<()> {
    let mut number = [0];
    match world.rank() {
        0 => {
            world.recv(&mut number, Source::Any, 0)?;
            world.recv(&mut number, Source::Any, 0)?;
            world.send(&[0], 1, 1)
        }
        1 => {
            world.send(&[1], 0, 0)?;
            world.send(&[1], 2, 0)?;
            world.recv(&mut number, 0, 1).map(drop)
        }
        _ => {
            world.recv(&mut number, 1, 0)?;
            world.send(&[2], 0, 0)
        }
    }
}

/// With buffers rank 2 may be first, though it sends after rank 1 was released.
#[test]
fn what_a_wildcard_took_with_buffers_says_nothing_of_a_run_without() {
    let mut reports = entries(3, takes_two_from_anybody);
    assert_eq!(unbuffered(3, &reports, BUFFERING), []);
    let first = reports.get_mut(&0).expect("rank 0");
    let text = first.trace.as_deref().expect("it is short");
    let swapped = text.replace("[1,0]", "[9,0]").replace("[2,0]", "[1,0]").replace("[9,0]", "[2,0]");
    assert_ne!(swapped, text);
    *first = RankReport { trace: Some(swapped.into()), ..first.clone() };
    assert_eq!((codes(&reports), unbuffered(3, &reports, BUFFERING)), (vec![], vec![]));
}

fn long_message_to_a_dropped_receive(world: &World) -> Result<()> {
    let long = vec![0_u8; 100_000];
    match world.rank() {
        0 => world.send(&long, 1, 3),
        _ => world.irecv::<u8>(long.len(), 0, 3).map(drop),
    }
}

/// As MPI leaves it: the sender is blocked, since no call makes the library progress the receive that was dropped.
#[test]
fn a_dropped_receive_is_why_a_long_send_stands() {
    let mut reports = entries(2, long_message_to_a_dropped_receive);
    let sender = reports.get_mut(&0).expect("rank 0");
    let text = sender.trace.as_deref().expect("it is short").replace("\"Done\"", "\"Open\"");
    *sender = RankReport { trace: Some(text.into()), ..RankReport::new(0, RankOutcome::Unresponsive) };
    assert_eq!(codes(&reports), [(Code::RequestLeak, vec![1])]);
}
