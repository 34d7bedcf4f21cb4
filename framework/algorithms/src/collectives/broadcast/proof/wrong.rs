//! Programs that look like broadcasts but are not: the proof must refute each, for the right reason.
use wb_comm::{Rank, Result, Text, ViewMut};

use super::{BroadcastCase, BroadcastRefutation, prove_all};
use crate::collectives::{
    CollectiveContext,
    broadcast::{Broadcast, Extent, virtual_rank},
};

fn row(form: fn(&CollectiveContext<'_>, ViewMut<'_>, Rank, usize) -> Result<()>) -> Broadcast {
    let summary = Text { en: "", ru: "" };
    let (messages, rounds) = (|extent: Extent| extent.size - 1, |_| None);
    Broadcast { name: "wrong", source: "", section: "", summary, messages, rounds, body: form }
}

#[track_caller]
fn refutation_of(broadcast: &Broadcast) -> (BroadcastCase, BroadcastRefutation) {
    *prove_all(broadcast, 8).expect_err("it is no broadcast")
}

/// A ring in which every rank sends its data, and then receives.
fn early_ring(comm: &CollectiveContext<'_>, data: ViewMut<'_>, root: Rank, _: usize) -> Result<()> {
    let (p, v) = (comm.size(), virtual_rank(comm, root));
    let (right, left) = ((v + 1 + root) % p, (v + p - 1 + root) % p);
    comm.send(right, data.as_view())?;
    comm.receive(left, data)
}

#[test]
fn who_sends_before_it_has_anything_spreads_nothing() {
    let (case, why) = refutation_of(&Broadcast { messages: |extent| extent.size, ..row(early_ring) });
    assert_eq!((case.extent.size, case.synchronous), (2, false));
    assert!(matches!(why, BroadcastRefutation::MissingElement { rank: 0, .. }), "{why}");
}

/// Right if sends complete immediately; else every rank blocks: the swap of pairs by a send and a receive.
#[test]
fn a_swap_that_needs_buffers_is_refused_with_synchronous_sends_only() {
    let form: fn(&CollectiveContext<'_>, ViewMut<'_>, Rank, usize) -> Result<()> =
        |port, mut data, root, _| {
            let p = port.size();
            crate::collectives::broadcast::catalogue::linear::linear(port, data.reborrow(), root)?;
            if p != 2 {
                return Ok(());
            }
            port.send(1 - port.rank(), data.as_view())?;
            port.receive(1 - port.rank(), data)
        };
    let swaps =
        Broadcast { messages: |extent| if extent.size == 2 { 3 } else { extent.size - 1 }, ..row(form) };
    let (case, why) = refutation_of(&swaps);
    assert!(case.synchronous && case.extent.size == 2, "{case}");
    assert_eq!(why, BroadcastRefutation::Deadlock { rank: 0, round: 1, peer: 1 });
}

#[test]
fn who_forgets_the_last_rank_is_refused() {
    let form: fn(&CollectiveContext<'_>, ViewMut<'_>, Rank, usize) -> Result<()> = |comm, data, root, _| {
        let (p, v) = (comm.size(), virtual_rank(comm, root));
        match v {
            0 => (1..p - 1).try_for_each(|v| comm.send((v + root) % p, data.as_view())),
            v if v == p - 1 => Ok(()),
            _ => comm.receive(root, data),
        }
    };
    let (_, why) =
        refutation_of(&Broadcast { messages: |extent| extent.size.saturating_sub(2), ..row(form) });
    assert_eq!(why, BroadcastRefutation::MissingElement { rank: 1, element: 0 });
}

#[test]
fn who_sends_to_itself_or_to_nobody_is_refused() {
    let to_itself = row(|comm, data, root, _| match comm.rank() == root {
        true => (0..comm.size()).try_for_each(|rank| comm.send(rank, data.as_view())),
        false => comm.receive(root, data),
    });
    assert_eq!(refutation_of(&to_itself).1, BroadcastRefutation::InvalidPeer { rank: 0, round: 0, peer: 0 });
    let too_far = row(|comm, data, root, _| match comm.rank() == root {
        true => (1..comm.size()).try_for_each(|step| comm.send(root + step, data.as_view())),
        false => comm.receive(root, data),
    });
    let (case, why) = refutation_of(&too_far);
    assert_eq!((case.root, why), (1, BroadcastRefutation::InvalidPeer { rank: 1, round: 0, peer: 2 }));
}

#[test]
fn lengths_that_differ_and_messages_that_nobody_receives_are_refused() {
    let short = row(|comm, data, root, _| match comm.rank() == root {
        true => {
            let others = (0..comm.size()).filter(|rank| *rank != root);
            let half = data.as_view().part(0, data.count() / 2);
            others.into_iter().try_for_each(|rank| comm.send(rank, half))
        }
        false => comm.receive(root, data),
    });
    assert!(matches!(
        refutation_of(&short).1,
        BroadcastRefutation::LengthMismatch { sent: 0, capacity: 1, .. }
    ));
    let twice = row(|comm, data, root, _| match comm.rank() == root {
        true => {
            let others = (0..comm.size()).filter(|rank| *rank != root).flat_map(|rank| [rank, rank]);
            others.into_iter().try_for_each(|rank| comm.send(rank, data.as_view()))
        }
        false => comm.receive(root, data),
    });
    assert_eq!(refutation_of(&twice).1, BroadcastRefutation::UnmatchedMessage { from: 0, to: 1 });
}

#[test]
fn a_formula_that_counts_wrong_is_refused() {
    let linear = *crate::collectives::broadcast::find("linear").expect("a row");
    let (case, why) = refutation_of(&Broadcast { messages: |extent| extent.size, ..linear });
    assert_eq!((case.extent.size, why), (2, BroadcastRefutation::MessageCount { sent: 1, formula: 2 }));
    let (case, why) = refutation_of(&Broadcast { rounds: |_| Some(1), ..linear });
    assert_eq!((case.extent.size, why), (3, BroadcastRefutation::RoundCount { actual: 2, formula: 1 }));
}

#[test]
fn what_cannot_be_written_down_is_refused() {
    let probes = row(|comm, data, root, _| match comm.rank() == root {
        true => Ok(()),
        false => Err(wb_comm::Error::Setup(wb_comm::Text::verbatim(format!(
            "{} elements to wait for",
            data.count()
        )))),
    });
    assert_eq!(
        refutation_of(&probes).1,
        BroadcastRefutation::NotRecordable { rank: 1, error: "1 elements to wait for".to_owned() }
    );
}
