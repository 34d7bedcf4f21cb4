//! Which message is reported as a near miss, and when none is.
use std::rc::Rc;

use wb_comm::{
    Block, CallSite, Code, MessageTag, Op, Rank, Result, SendMode, Transport, Verb, View,
    job::JobOutcome,
    text::waiting::{left_out, other_tag},
};

use super::calls::{job, recv, send, sendrecv, user_pattern};

/// The findings, as codes and details.
fn findings(outcome: &JobOutcome) -> Vec<(Code, Vec<String>)> {
    let details = |finding: &wb_comm::Finding| finding.details.iter().map(ToString::to_string).collect();
    outcome.findings.iter().map(|finding| (finding.code, details(finding))).collect()
}

/// Ranks other than `waiting` run this, and then return.
fn run_others(
    size: usize,
    waiting: (Rank, Rank),
    other: impl Fn(&dyn Transport) -> Result<()> + Send + Sync + 'static,
) -> JobOutcome {
    let (rank, from) = waiting;
    job(
        size,
        move |t: Rc<dyn Transport>| {
            if t.rank() == rank { recv(&*t, from, Some(5), &mut [0u8]).map(drop) } else { other(&*t) }
        },
    )
}

#[test]
fn a_message_with_another_tag_is_nearer_than_one_to_another_rank() {
    let outcome = run_others(3, (2, 1), |t| {
        if t.rank() == 1 {
            send(t, 0, 5, &[0u8])?;
            send(t, 2, 6, &[0u8])?;
        }
        Ok(())
    });
    let expected = vec![other_tag(2, 1, 6, 5).to_string()];
    assert!(findings(&outcome).contains(&(Code::NearMiss, expected)), "{:?}", outcome.findings);
}

#[test]
fn a_message_of_the_library_is_no_near_miss() {
    let outcome = run_others(2, (0, 1), |t| {
        let op = Op::Send {
            to: 0,
            tag: MessageTag::internal(6),
            data: View::from_slice(&[0u8]),
            mode: SendMode::Standard,
        };
        t.post_and_wait(&mut [op], CallSite::caller(Verb::Bcast))
    });
    let codes: Vec<_> = outcome.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::PartnerEnded], "{:?}", outcome.findings);
}

/// Rank 0 sends to all ranks but the last one and then waits for that one.
fn skip_last_receiver(size: usize) -> JobOutcome {
    run_others(size, (size - 1, 0), move |t| match t.rank() {
        0 => {
            (1..size - 1).try_for_each(|to| send(t, to, 5, &[0u8]))?;
            recv(t, size - 1, Some(7), &mut [0u8]).map(drop)
        }
        _ => recv(t, 0, Some(5), &mut [0u8]).map(drop),
    })
}

#[test]
fn a_rank_is_left_out_where_all_others_got_the_message_and_one_other_is_not_all() {
    let found = findings(&skip_last_receiver(4));
    assert!(found.contains(&(Code::NearMiss, vec![left_out(3, 5, 0, &[1, 2]).to_string()])), "{found:?}");
    let found = findings(&skip_last_receiver(3));
    assert!(found.iter().all(|(code, _)| *code == Code::Deadlock), "{found:?}");
}

/// The second communicator takes the place of the first one, which all have dropped.
#[test]
fn what_was_sent_on_a_dropped_communicator_leaves_nobody_out_on_another() {
    let outcome = job(2, |t| -> Result<()> {
        let dup = || t.dup(CallSite::caller(Verb::Dup)).expect("all call it");
        let first = dup();
        if t.rank() == 0 {
            sendrecv(&*first, 0, &[0u8], 0, &mut [0u8])?;
        }
        drop(first);
        let second = dup();
        if t.rank() == 0 { Ok(()) } else { recv(&*second, 0, Some(0), &mut [0u8]).map(drop) }
    });
    let codes: Vec<_> = outcome.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::PartnerEnded], "{:?}", outcome.findings);
}

#[test]
fn a_dropped_receive_that_took_a_message_of_another_rank_explains_nothing() {
    let outcome = job(3, |t| -> Result<()> {
        match t.rank() {
            1 => {
                drop(t.post_recv(
                    2.into(),
                    user_pattern(None),
                    Block::from_vec(vec![0u8]),
                    CallSite::caller(Verb::Irecv),
                )?);
                recv(&*t, 0, Some(3), &mut [0u8]).map(drop)
            }
            2 => send(&*t, 1, 3, &[1u8]),
            _ => Ok(()),
        }
    });
    let codes: Vec<_> = outcome.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::PartnerEnded), "{:?}", outcome.findings);
}
