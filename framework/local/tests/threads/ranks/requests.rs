//! Nonblocking sends and receives.
use wb_comm::{Block, CallSite, Code, MessageTag, Result, SendMode, Source, Verb};

use super::{
    calls::{EAGER_LIMIT_EXCEEDED, error_texts, job, recv, returned_values, send, user_pattern},
    matching::must_name_the_sender,
};

#[test]
fn posted_operations_complete_in_any_order_and_give_their_buffers_back() {
    let received = returned_values::<Vec<u8>>(job(2, |t| {
        let (post, wait) = (CallSite::caller(Verb::Isend), CallSite::caller(Verb::Wait));
        let peer = 1 - t.rank();
        let mine = Block::from_vec(vec![u8::try_from(t.rank()).expect("two ranks"); EAGER_LIMIT_EXCEEDED]);
        let sending =
            t.post_send(peer, MessageTag::user(1), mine, SendMode::Standard, post).expect("a right call");
        let received = Block::from_vec(vec![9u8; EAGER_LIMIT_EXCEEDED]);
        let receiving =
            t.post_recv(peer.into(), user_pattern(Some(1)), received, post).expect("a right call");
        let completed = receiving.wait(wait).expect("the peer sends");
        assert_eq!(
            completed.status.map(|status| (status.source, status.bytes)),
            Some((peer, EAGER_LIMIT_EXCEEDED))
        );
        let sent = sending.wait(wait).expect("the peer receives");
        assert_eq!(sent.block.view().count(), EAGER_LIMIT_EXCEEDED);
        completed.block.into_vec::<u8>().expect("bytes")
    }));
    assert_eq!(received, [vec![1; EAGER_LIMIT_EXCEEDED], vec![0; EAGER_LIMIT_EXCEEDED]]);
}

#[test]
fn a_test_turns_true_once_the_message_is_there() {
    let received = returned_values::<bool>(job(2, |t| {
        let site = CallSite::caller(Verb::Wait);
        if t.rank() == 1 {
            recv::<u8>(&*t, 0, Some(0), &mut []).expect("rank 0 says go");
            send(&*t, 0, 1, &[42u8]).expect("eager");
            return true;
        }
        let received = Block::from_vec(vec![0u8]);
        let mut receiving =
            t.post_recv(Source::Any, user_pattern(Some(1)), received, site).expect("a right call");
        assert_eq!(receiving.test(site), Ok(false));
        send::<u8>(&*t, 1, 0, &[]).expect("eager");
        while !receiving.test(site).expect("rank 1 sends") {}
        receiving.wait(site).expect("tested").block.into_vec() == Some(vec![42u8])
    }));
    assert_eq!(received, [true, true]);
}

#[test]
fn a_failed_request_says_why() {
    let texts = error_texts(job(1, |t| {
        send(&*t, 0, 0, &[1.0f32])?;
        let site = CallSite::caller(Verb::Irecv);
        let receiving = t.post_recv(0.into(), user_pattern(None), Block::from_vec(vec![0u32]), site)?;
        receiving.wait(site).map(drop)
    }));
    let what =
        "message from rank 0, tag 0, has elements of type f32, the receive expects u32; sent by send at ";
    must_name_the_sender(&texts, what);
}

#[test]
fn dropped_requests_are_counted_and_their_messages_are_not_counted_again() {
    let outcome = job(1, |t| {
        let site = CallSite::caller(Verb::Irecv);
        let post = || {
            t.post_recv(0.into(), user_pattern(Some(3)), Block::from_vec(vec![0u8]), site)
                .expect("a right call")
        };
        // One is dropped with a message in it, one before its message arrives.
        let matched = post();
        send(&*t, 0, 3, &[1u8]).expect("eager");
        drop(matched);
        drop(post());
        send(&*t, 0, 3, &[2u8]).expect("eager");
        // A long send that no rank waits for is still in flight.
        drop(
            t.post_send(
                0,
                MessageTag::user(4),
                Block::from_vec(vec![0u8; EAGER_LIMIT_EXCEEDED]),
                SendMode::Standard,
                site,
            )
            .expect("a right call"),
        );
    });
    let of = |code| outcome.findings.iter().filter(move |finding| finding.code == code);
    let dropped: Vec<_> =
        of(Code::RequestLeak).flat_map(|finding| &finding.details).map(ToString::to_string).collect();
    assert_eq!(dropped.len(), 3);
    assert!(dropped.contains(&"irecv from 0, tag 3, 1 bytes, communicator world".to_owned()), "{dropped:?}");
    let left: Vec<_> =
        of(Code::UnreceivedMessage).flat_map(|finding| &finding.details).map(ToString::to_string).collect();
    assert_eq!(left, ["from rank 0 to rank 0, tag 4, 4097 bytes, communicator world"]);
}

#[test]
fn a_receive_that_was_dropped_still_takes_its_message_however_long() {
    let outcome = job(2, |t| -> Result<()> {
        if t.rank() == 0 {
            return send(&*t, 1, 3, &[1u8; EAGER_LIMIT_EXCEEDED]);
        }
        let site = CallSite::caller(Verb::Irecv);
        drop(t.post_recv(
            0.into(),
            user_pattern(Some(3)),
            Block::from_vec(vec![0u8; EAGER_LIMIT_EXCEEDED]),
            site,
        )?);
        Ok(())
    });
    assert_eq!(codes(&outcome), [Code::RequestLeak], "{:?}", outcome.findings);
}

#[test]
fn a_dropped_receive_explains_why_the_next_one_waits() {
    let outcome = job(2, |t| -> Result<()> {
        if t.rank() == 0 {
            return send(&*t, 1, 3, &[1u8]);
        }
        drop(t.post_recv(
            0.into(),
            user_pattern(None),
            Block::from_vec(vec![0u8]),
            CallSite::caller(Verb::Irecv),
        )?);
        recv(&*t, 0, Some(3), &mut [0u8]).map(drop)
    });
    assert_eq!(codes(&outcome), [Code::RequestLeak], "{:?}", outcome.findings);
    let calls: Vec<_> = outcome.findings[0].locations.iter().map(|place| place.call.as_str()).collect();
    assert_eq!(calls, ["irecv", "recv"]);
}

fn codes(outcome: &wb_comm::job::JobOutcome) -> Vec<Code> {
    outcome.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn requests_that_are_waited_for_are_not_counted() {
    let outcome = job(1, |t| {
        let site = CallSite::caller(Verb::Wait);
        let sending = t
            .post_send(0, MessageTag::user(0), Block::from_vec(vec![5u8]), SendMode::Standard, site)
            .expect("a right call");
        recv(&*t, 0, None, &mut [0u8]).expect("sent");
        sending.wait(site).map(drop).expect("received");
    });
    assert_eq!(outcome.findings, []);
}
