//! Splits, copies, and the messages left on them.
use wb_comm::{Block, CallSite, Code, CollectiveCall, Source, Verb};

use super::calls::{error_texts, job, returned_values, send, user_pattern};

#[test]
fn every_leftover_is_listed_with_its_communicator() {
    let outcome = job(4, |t| {
        let rank = u32::try_from(t.rank()).expect("few ranks");
        let half =
            t.split(Some(rank / 2), 0, CallSite::caller(Verb::Split)).expect("all call it").expect("a color");
        let copy = half.dup(CallSite::caller(Verb::Dup)).expect("all call it");
        t.split(None, 0, CallSite::caller(Verb::Split)).map(drop).expect("all call it");
        let last = t.split(Some(0), 0, CallSite::caller(Verb::Split)).expect("all call it").expect("a color");
        match rank {
            0 => send(&*t, 3, 1, &[0u8]).expect("eager"),
            2 => send(&*half, 1, 2, &[0u16]).expect("eager"),
            3 => send(&*copy, 0, 3, &[0u32]).expect("eager"),
            _ => send(&*last, 2, 4, &[0u64]).expect("eager"),
        }
    });
    let mut left: Vec<_> =
        outcome.findings.iter().flat_map(|finding| &finding.details).map(ToString::to_string).collect();
    left.sort_by_key(|message| message.find(", tag").map(|at| message[at..].to_owned()));
    assert!(
        outcome
            .findings
            .iter()
            .all(|finding| finding.code == Code::UnreceivedMessage && finding.locations.len() == 1)
    );
    let expected = [
        "from rank 0 to rank 3, tag 1, 1 bytes, communicator world",
        "from rank 0 to rank 1, tag 2, 2 bytes, communicator split 1 of world",
        "from rank 1 to rank 0, tag 3, 4 bytes, communicator dup 1 of split 1 of world",
        "from rank 1 to rank 2, tag 4, 8 bytes, communicator split 3 of world",
    ];
    assert_eq!(left, expected);
}

#[test]
fn what_is_left_on_dropped_communicators_is_found_after_many_others() {
    let outcome = job(2, |t| {
        let dup = || t.dup(CallSite::caller(Verb::Dup)).expect("all call it");
        let [message, request, probed, collective] = [(); 4].map(|()| dup());
        let (mut pending, any, site) = (None, user_pattern(None), CallSite::caller(Verb::Bcast));
        if t.rank() == 0 {
            send(&*message, 1, 1, &[0u8]).expect("eager");
            send(&*probed, 0, 2, &[0u8]).expect("eager");
            drop(probed.matched_probe(Source::Any, any, false, site).expect("alive").expect("sent"));
            pending = request.post_recv(Source::Any, any, Block::from_vec(vec![0u8]), site).ok();
            collective.enter_collective(CollectiveCall::new(site).with_root(0)).expect("the first");
        }
        drop([message, request, probed, collective]);
        (0..20).for_each(|_| drop(dup()));
        let cancelled = pending.map(|pending| pending.cancel(site).map(|received| received.is_none()));
        assert_eq!(cancelled, (t.rank() == 0).then_some(Ok(true)));
    });
    let mut codes: Vec<_> = outcome.findings.iter().map(|finding| finding.code).collect();
    codes.sort();
    assert_eq!(codes, [Code::CollectiveIncomplete, Code::UnreceivedMessage, Code::UnreceivedMessage]);
}

#[test]
fn fast_ranks_may_run_ahead_from_split_to_split() {
    let sizes = returned_values::<usize>(job(5, |t| {
        let site = CallSite::caller(Verb::Split);
        let mut sizes = 0;
        for turn in 0..200u32 {
            let color = u32::try_from(t.rank()).expect("few ranks") == turn % 5;
            let group = t.split(Some(u32::from(color)), 0, site).expect("all call it").expect("a color");
            assert_eq!(group.size(), if color { 1 } else { 4 });
            sizes += group.size();
        }
        sizes
    }));
    assert_eq!(sizes, [40 + 160 * 4; 5]);
}

#[test]
fn a_split_that_meets_a_dup_is_an_error_on_every_rank() {
    let texts = error_texts(job(3, |t| match t.rank() {
        2 => t.dup(CallSite::caller(Verb::Dup)).map(drop),
        _ => t.split(Some(0), 0, CallSite::caller(Verb::Split)).map(drop),
    }));
    assert_eq!(texts.len(), 3);
    for text in texts {
        assert!(
            text.starts_with("WB0030: ") && text.contains("split at ") && text.contains("dup at "),
            "{text}"
        );
        assert_eq!(text.matches("communicators.rs:").count(), 2, "{text}");
    }
}

#[test]
fn a_probe_on_one_communicator_does_not_see_another() {
    let seen = returned_values::<bool>(job(1, |t| {
        let copy = t.dup(CallSite::caller(Verb::Dup)).expect("all call it");
        send(&*t, 0, 0, &[1u8]).expect("eager");
        let probe = |t: &dyn wb_comm::Transport| {
            t.iprobe(Source::Any, user_pattern(None), CallSite::caller(Verb::Iprobe))
        };
        probe(&*copy).expect("alive").is_none() && probe(&*t).expect("alive").is_some()
    }));
    assert_eq!(seen, [true]);
}
