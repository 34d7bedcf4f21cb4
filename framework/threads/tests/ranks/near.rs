//! Which message is named as the one that almost fits, and where none is.
use std::rc::Rc;

use wb_comm::{
    Block, Code, Label, Op, Rank, Result, Site, Transport, Verb, View,
    job::Outcome,
    text::waiting::{left_out, other_tag},
};

use crate::words::{job, recv, send, user};

/// The findings, as codes and details.
fn found(outcome: &Outcome) -> Vec<(Code, Vec<String>)> {
    let details = |finding: &wb_comm::Finding| finding.details.iter().map(ToString::to_string).collect();
    outcome.findings.iter().map(|finding| (finding.code, details(finding))).collect()
}

/// Ranks other than `waiting` do this, and then return.
fn others(
    size: usize,
    waiting: (Rank, Rank),
    other: impl Fn(&dyn Transport) -> Result<()> + Send + Sync + 'static,
) -> Outcome {
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
    let outcome = others(3, (2, 1), |t| {
        if t.rank() == 1 {
            send(t, 0, 5, &[0u8])?;
            send(t, 2, 6, &[0u8])?;
        }
        Ok(())
    });
    let expected = vec![other_tag(2, 1, 6, 5).to_string()];
    assert!(found(&outcome).contains(&(Code::NearMiss, expected)), "{:?}", outcome.findings);
}

#[test]
fn a_message_of_the_library_is_no_near_miss() {
    let outcome = others(2, (0, 1), |t| {
        let op = Op::Send { to: 0, label: Label::internal(6), data: View::of(&[0u8]), synchronous: false };
        t.round(&mut [op], Site::here(Verb::Bcast))
    });
    let codes: Vec<_> = outcome.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::PartnerEnded], "{:?}", outcome.findings);
}

/// Rank 0 sends to all but the last one and then waits for that one.
fn all_but_the_last(size: usize) -> Outcome {
    others(size, (size - 1, 0), move |t| match t.rank() {
        0 => {
            (1..size - 1).try_for_each(|to| send(t, to, 5, &[0u8]))?;
            recv(t, size - 1, Some(7), &mut [0u8]).map(drop)
        }
        _ => recv(t, 0, Some(5), &mut [0u8]).map(drop),
    })
}

#[test]
fn a_rank_is_left_out_where_all_others_got_the_message_and_one_other_is_not_all() {
    let told = found(&all_but_the_last(4));
    assert!(told.contains(&(Code::NearMiss, vec![left_out(3, 5, 0, &[1, 2]).to_string()])), "{told:?}");
    let told = found(&all_but_the_last(3));
    assert!(told.iter().all(|(code, _)| *code == Code::Deadlock), "{told:?}");
}

#[test]
fn a_dropped_receive_that_took_a_message_of_another_rank_explains_nothing() {
    let outcome = job(3, |t| -> Result<()> {
        match t.rank() {
            1 => {
                drop(t.post_recv(2.into(), user(None), Block::of(vec![0u8]), Site::here(Verb::Irecv))?);
                recv(&*t, 0, Some(3), &mut [0u8]).map(drop)
            }
            2 => send(&*t, 1, 3, &[1u8]),
            _ => Ok(()),
        }
    });
    let codes: Vec<_> = outcome.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::PartnerEnded), "{:?}", outcome.findings);
}
