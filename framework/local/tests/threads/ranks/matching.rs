//! Which message a receive gets, and the error for a message that does not fit.
use wb_comm::{CallSite, Datatype, MessageTag, Op, SendMode, Source, Status, Verb, View};

use super::calls::{
    EAGER_LIMIT_EXCEEDED, error_texts, job, recv, returned_values, send, sendrecv, ssend, user_pattern,
};

#[test]
fn a_ring_of_any_size_passes_messages_of_any_length() {
    for p in 1..=17 {
        for length in [0, 1, EAGER_LIMIT_EXCEEDED] {
            let received = returned_values::<Vec<u8>>(job(p, move |t| {
                let (r, mut left) = (t.rank(), vec![255u8; length]);
                let mine = vec![u8::try_from(r).expect("few ranks"); length];
                sendrecv(&*t, (r + 1) % p, &mine, (r + p - 1) % p, &mut left).expect("nobody waits in vain");
                left
            }));
            for (r, left) in received.iter().enumerate() {
                assert!(left.iter().all(|&byte| usize::from(byte) == (r + p - 1) % p), "rank {r} of {p}");
            }
        }
    }
}

#[test]
fn messages_do_not_overtake_each_other_whatever_their_length() {
    let received = returned_values::<Vec<usize>>(job(2, |t| {
        let lengths = [1, EAGER_LIMIT_EXCEEDED, 2, EAGER_LIMIT_EXCEEDED + 1, 3];
        let mut received = vec![];
        for length in lengths {
            if t.rank() == 0 {
                send(&*t, 1, 7, &vec![0u8; length]).expect("rank 1 listens");
            } else {
                let status = recv(&*t, 0, None, &mut [0u8; 2 * EAGER_LIMIT_EXCEEDED]).expect("rank 0 sends");
                received.push(status.bytes);
            }
        }
        received
    }));
    assert_eq!(received[1], [1, EAGER_LIMIT_EXCEEDED, 2, EAGER_LIMIT_EXCEEDED + 1, 3]);
}

#[test]
fn a_tag_picks_its_message_out_of_order() {
    let received = returned_values::<[i32; 2]>(job(2, |t| {
        let (mut two, mut one) = ([0], [0]);
        if t.rank() == 0 {
            send(&*t, 1, 1, &[10]).expect("eager");
            send(&*t, 1, 2, &[20]).expect("eager");
        } else {
            recv(&*t, 0, Some(2), &mut two).expect("sent");
            recv(&*t, 0, Some(1), &mut one).expect("sent");
        }
        [two[0], one[0]]
    }));
    assert_eq!(received[1], [20, 10]);
}

#[test]
fn any_source_hears_everybody_and_says_who_it_was() {
    let received = returned_values::<Vec<(usize, i32, usize)>>(job(5, |t| {
        let rank = t.rank();
        if rank > 0 {
            let tag = i32::try_from(rank).expect("few ranks");
            send(&*t, 0, tag, &[rank]).expect("eager");
            return vec![];
        }
        let mut receive_from = |_| {
            let mut word = [0usize];
            let status = recv(&*t, Source::Any, None, &mut word).expect("four send");
            (status.source, status.tag, word[0])
        };
        let mut received: Vec<_> = (1..5).map(&mut receive_from).collect();
        received.sort_unstable();
        received
    }));
    assert_eq!(received[0], [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)]);
}

#[test]
fn internal_messages_answer_no_users_receive() {
    let received = returned_values::<[u8; 2]>(job(1, |t| {
        let internal = MessageTag::internal(3);
        let site = CallSite::caller(Verb::Bcast);
        let op = Op::Send { to: 0, tag: internal, data: View::from_slice(&[1u8]), mode: SendMode::Standard };
        t.post_and_wait(&mut [op], site).expect("eager");
        send(&*t, 0, 3, &[2u8]).expect("eager");
        let (mut word, mut inner) = ([0u8], [0u8]);
        recv(&*t, Source::Any, None, &mut word).expect("sent");
        assert_eq!(t.iprobe(Source::Any, user_pattern(None), site), Ok(None));
        let data = wb_comm::ViewMut::from_slice(&mut inner);
        let op = Op::Recv { from: Source::Any, tag: internal.into(), data, status: None };
        t.post_and_wait(&mut [op], site).expect("sent");
        [word[0], inner[0]]
    }));
    assert_eq!(received, [[2, 1]]);
}

/// One error, which contains this text and the line of the send.
pub(crate) fn must_name_the_sender(texts: &[String], what: &str) {
    let [text] = texts else { panic!("{texts:?}") };
    assert!(text.starts_with(what) && text.contains(".rs:") && text.ends_with(" (rank 0)"), "{text}");
}

#[test]
fn a_message_of_another_type_is_refused() {
    let texts = error_texts(job(1, |t| {
        send(&*t, 0, 4, &[1.0f64])?;
        recv(&*t, 0, Some(4), &mut [0i64]).map(drop)
    }));
    let what =
        "message from rank 0, tag 4, has elements of type f64, the receive expects i64; sent by send at ";
    must_name_the_sender(&texts, what);
}

#[test]
fn a_message_that_is_too_long_is_refused_and_leaves_the_buffer_alone() {
    let texts = error_texts(job(1, |t| {
        let mut received = [9i32, 9];
        send(&*t, 0, 4, &[1, 2, 3])?;
        let refused = recv(&*t, 0, Some(4), &mut received).map(drop);
        assert_eq!(received, [9, 9]);
        refused
    }));
    let what = "message of 12 bytes from rank 0, tag 4, does not fit the receive buffer of 8 bytes; sent by send at ";
    must_name_the_sender(&texts, what);
}

#[test]
fn a_shorter_message_fills_the_beginning() {
    let received = returned_values::<(Vec<i32>, Option<usize>)>(job(1, |t| {
        let mut received = vec![9, 9, 9];
        send(&*t, 0, 0, &[1, 2]).expect("eager");
        let status = recv(&*t, 0, None, &mut received).expect("sent");
        (received, status.count(Datatype::I32))
    }));
    assert_eq!(received, [(vec![1, 2, 9], Some(2))]);
}

#[test]
fn peers_that_do_not_exist_are_refused() {
    let texts = returned_values::<Vec<String>>(job(2, |t| {
        let tries = [send(&*t, 2, 0, &[0]), recv(&*t, 5, None, &mut [0]).map(drop)];
        tries.map(|result| result.expect_err("refused").to_string()).to_vec()
    }));
    let expected = [
        "destination 2 does not exist: this communicator has 2 rank(s), numbered 0..=1",
        "source 5 does not exist: this communicator has 2 rank(s), numbered 0..=1",
    ];
    assert_eq!(texts, [expected, expected]);
}

#[test]
fn a_probe_sees_without_taking() {
    let received = returned_values::<Option<[Status; 2]>>(job(2, |t| {
        if t.rank() == 1 {
            ssend(&*t, 0, 6, &[1u16, 2]).expect("rank 0 receives in the end");
            return None;
        }
        let probed =
            t.probe(Source::Any, user_pattern(None), CallSite::caller(Verb::Probe)).expect("rank 1 sends");
        let again = t.iprobe(1.into(), user_pattern(Some(6)), CallSite::caller(Verb::Iprobe));
        assert_eq!(again, Ok(Some(probed)));
        Some([probed, recv(&*t, 1, None, &mut [0u16; 2]).expect("probed")])
    }));
    let status = Status { source: 1, tag: 6, bytes: 4, datatype: Some(Datatype::U16) };
    assert_eq!(received[0], Some([status; 2]));
}

#[test]
fn a_binomial_broadcast_takes_the_logarithm_in_rounds() {
    for p in 1..=17usize {
        let rounds = returned_values::<u64>(job(p, move |t| {
            let (r, mut step) = (t.rank(), 1);
            if r > 0 {
                let highest = 1 << r.ilog2();
                recv(&*t, r - highest, None, &mut [0u8]).expect("sent");
                step = 2 * highest;
            }
            while r + step < p {
                send(&*t, r + step, 0, &[0u8]).expect("heard");
                step *= 2;
            }
            t.rounds().expect("threads count rounds")
        }));
        assert_eq!(rounds.into_iter().max(), Some(u64::from(p.next_power_of_two().ilog2())), "{p} ranks");
    }
}
