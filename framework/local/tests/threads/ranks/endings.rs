//! Jobs that cannot continue: deadlocks, panics, limits.
use std::{
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

use wb_comm::{
    CallSite, Code, Error, Result, Source, Verb,
    job::{JobOutcome, RankTermination},
};

use super::calls::{
    EAGER_LIMIT_EXCEEDED, error_texts, job, job_with_limit, recv, returned_values, send, sendrecv, ssend,
    user_pattern,
};

/// The calls in which ranks were blocked, without the file's folder and the line; the line must be in this file.
fn blocked(outcome: &JobOutcome) -> Vec<String> {
    let cut = |blocked: &wb_comm::BlockedCall| {
        assert!(blocked.file.ends_with("endings.rs") && blocked.line > 0, "{blocked}");
        let text = blocked.to_string();
        text[..text.find("  at ").expect("says where")].to_owned()
    };
    outcome.blocked.iter().map(cut).collect()
}

#[test]
fn a_receive_that_nobody_answers_is_explained_at_once() {
    let started = Instant::now();
    let line = line!() + 1;
    let outcome = job(3, |t| recv(&*t, (t.rank() + 1) % 3, Some(5), &mut [0u8; 4]).map(drop));
    assert!(started.elapsed() < Duration::from_secs(5) && !outcome.timed_out);
    let call = |rank, peer| format!("rank {rank} in recv from {peer}, tag 5, 4 bytes  at {}:{line}", file!());
    let expected =
        format!("deadlock: every rank waits\n  {}\n  {}\n  {}", call(0, 1), call(1, 2), call(2, 0));
    assert_eq!(outcome.blocked.iter().map(ToString::to_string).next(), Some(call(0, 1)));
    assert_eq!(error_texts(outcome), [expected.clone(), expected.clone(), expected]);
}

#[test]
fn long_sends_to_each_other_deadlock_and_short_ones_do_not() {
    let exchange = |length: usize| {
        job(2, move |t| -> Result<()> {
            let peer = 1 - t.rank();
            send(&*t, peer, 0, &vec![0u8; length])?;
            recv(&*t, peer, Some(0), &mut vec![0u8; length]).map(drop)
        })
    };
    assert!(returned_values::<Result<()>>(exchange(EAGER_LIMIT_EXCEEDED - 1)).iter().all(Result::is_ok));
    let outcome = exchange(EAGER_LIMIT_EXCEEDED);
    assert_eq!(
        blocked(&outcome),
        ["rank 0 in send to 1, tag 0, 4097 bytes", "rank 1 in send to 0, tag 0, 4097 bytes"]
    );
    assert!(error_texts(outcome)[1].starts_with("deadlock: every rank waits\n  rank 0 in send to 1"));
}

#[test]
fn a_rank_that_waits_for_one_that_has_returned_waits_in_vain() {
    let outcome = job(3, |t| match t.rank() {
        0 => recv::<u8>(&*t, 1, None, &mut []).map(drop),
        _ => Ok(()),
    });
    assert_eq!(blocked(&outcome), ["rank 0 in recv from 1, 0 bytes"]);
    let results = returned_values::<Result<()>>(outcome);
    assert!(matches!(&results[0], Err(Error::Deadlock { blocked }) if blocked.len() == 1), "{results:?}");
    assert_eq!(results[1..], [Ok(()), Ok(())]);
}

#[test]
fn every_kind_of_wait_is_named() {
    let line = line!() + 11;
    let outcome = job(6, |t| -> Result<()> {
        match t.rank() {
            0 => ssend(&*t, 1, 3, &[1u64]),
            1 => t.probe(Source::Any, user_pattern(Some(9)), CallSite::caller(Verb::Probe)).map(drop),
            2 => t.split(Some(0), 0, CallSite::caller(Verb::Split)).map(drop),
            3 => t
                .post_recv(
                    4.into(),
                    user_pattern(Some(8)),
                    wb_comm::Block::from_vec(vec![0u32]),
                    CallSite::caller(Verb::Irecv),
                )?
                .wait(CallSite::caller(Verb::Wait))
                .map(drop),
            4 => sendrecv(&*t, 0, &[0u8], 0, &mut [0u8]),
            _ => recv(&*t, Source::Any, None, &mut [0u8]).map(drop),
        }
    });
    let expected = [
        "rank 0 in ssend to 1, tag 3, 8 bytes",
        "rank 1 in probe from any, tag 9",
        "rank 2 in split",
        &format!("rank 3 in wait for irecv from 4, tag 8, 4 bytes, started at {}:{line}", file!()),
        "rank 4 in sendrecv waiting for 0, tag 0, 1 bytes",
        "rank 5 in recv from any, 1 bytes",
    ];
    assert_eq!(blocked(&outcome), expected);
}

#[test]
fn a_deadlock_is_told_in_the_jobs_ranks_also_on_a_split() {
    let outcome = job(4, |t| -> Result<()> {
        let color = u32::from(t.rank() >= 2);
        let half = t.split(Some(color), 0, CallSite::caller(Verb::Split))?.expect("a color");
        if color == 0 { Ok(()) } else { recv(&*half, 1 - half.rank(), Some(1), &mut [0u8]).map(drop) }
    });
    let expected = ["rank 2 in recv from 1, tag 1, 1 bytes", "rank 3 in recv from 0, tag 1, 1 bytes"];
    assert_eq!(blocked(&outcome), expected);
}

#[test]
fn traffic_that_always_goes_on_is_never_called_a_deadlock() {
    // All ranks but one wait nearly always, and each is woken by another: a false positive would end this immediately.
    for p in [2, 3, 8] {
        let outcome = job(p, move |t| -> Result<()> {
            let (r, mut token) = (t.rank(), [0u32]);
            for _ in 0..2000 {
                if r > 0 {
                    recv(&*t, r - 1, None, &mut token)?;
                }
                ssend(&*t, (r + 1) % p, 0, &token)?;
                if r == 0 {
                    recv(&*t, p - 1, None, &mut token)?;
                }
            }
            Ok(())
        });
        assert!(returned_values::<Result<()>>(outcome).iter().all(Result::is_ok));
    }
}

#[test]
fn a_rank_that_computes_can_still_answer() {
    let outcome = job(3, |t| -> Result<()> {
        if t.rank() == 0 {
            thread::sleep(Duration::from_millis(100));
            send(&*t, 1, 0, &[1u8])?;
            return send(&*t, 2, 0, &[1u8]);
        }
        recv(&*t, Source::Any, None, &mut [0u8]).map(drop)
    });
    assert!(returned_values::<Result<()>>(outcome).iter().all(Result::is_ok));
}

fn is_panic_with_place(text: &str) -> bool {
    text.starts_with("index 7 out of bounds (") && text.contains("endings.rs:")
}

#[test]
fn a_panic_ends_the_others_with_its_text() {
    wb_comm::panic_place::note_panics();
    let started = Instant::now();
    let outcome = job(4, |t| -> Result<()> {
        if t.rank() == 1 {
            thread::sleep(Duration::from_millis(20));
            panic!("index {} out of bounds", 7);
        }
        let first = recv(&*t, Source::Any, None, &mut [0u8]).map(drop);
        assert_eq!(send(&*t, 0, 0, &[0u8]), first, "later calls say the same");
        first
    });
    assert!(started.elapsed() < Duration::from_secs(5) && !outcome.timed_out && outcome.blocked.is_empty());
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        match ended {
            RankTermination::Panicked(panic) => {
                assert!(rank == 1 && is_panic_with_place(&panic.text), "rank {rank}: {}", panic.text);
            }
            RankTermination::Returned(value) => {
                let result = value.downcast::<Result<()>>().expect("this type");
                let text = result.expect_err("rank 1 has panicked").to_string();
                let panic = text.strip_prefix("rank 1 panicked: ");
                let panic = panic.and_then(|text| text.strip_suffix("; this rank cannot continue"));
                assert!(panic.is_some_and(is_panic_with_place), "{text}");
            }
            RankTermination::Unfinished | RankTermination::Starved(_) => panic!("rank {rank} is lost"),
        }
    }
}

#[test]
fn the_limit_gives_up_computing_ranks_and_those_that_wait_while_they_compute() {
    let started = Instant::now();
    let outcome = job_with_limit(3, Duration::from_millis(200), |t| -> Result<()> {
        match t.rank() {
            0 => recv(&*t, 1, Some(2), &mut [0u8]).map(drop),
            1 => {
                thread::sleep(Duration::from_secs(3));
                Ok(())
            }
            _ => loop {
                t.iprobe(Source::Any, user_pattern(None), CallSite::caller(Verb::Iprobe))?;
            },
        }
    });
    assert!(started.elapsed() < Duration::from_millis(200 + 300), "{:?}", started.elapsed());
    assert!(outcome.timed_out && outcome.calls.is_empty(), "{outcome:?}");
    assert_eq!(blocked(&outcome), ["rank 0 in recv from 1, tag 2, 1 bytes", "rank 2 in iprobe from any"]);
    let is_lost = |rank: usize| matches!(outcome.ranks[rank], RankTermination::Unfinished);
    assert!(is_lost(0) && is_lost(1), "a rank that waits may hold a lock: {:?}", outcome.ranks);
    let RankTermination::Returned(value) = &outcome.ranks[2] else { panic!("{:?}", outcome.ranks) };
    let error = value.downcast_ref::<Result<()>>().expect("this type").clone().expect_err("interrupted");
    assert_eq!(error.to_string(), "interrupted: the limit of 0.2 s is over");
}

/// At the limit a rank may be found in a call that is about to complete, and in its next call afterwards. The last rank only polls.
#[test]
fn calls_that_complete_until_the_limit_are_counted_and_are_no_deadlock_and_polls_in_vain_are_no_calls() {
    for p in [1, 2, 3] {
        let outcome = job_with_limit(p + 1, Duration::from_millis(50), move |t| -> Result<()> {
            let poll = || t.iprobe(Source::Any, user_pattern(None), CallSite::caller(Verb::Iprobe));
            let (right, left) = ((t.rank() + 1) % p, (t.rank() + p - 1) % p);
            loop {
                match t.rank() < p {
                    true => sendrecv(&*t, right, &[0u8], left, &mut [0u8])?,
                    false => assert_eq!(poll()?, None),
                }
            }
        });
        assert!(outcome.timed_out && outcome.findings.is_empty(), "{outcome:?}");
        assert!(outcome.calls[..p].iter().all(|calls| *calls > 2) && outcome.calls[p] <= 1, "{outcome:?}");
        assert_eq!(error_texts(outcome), vec!["interrupted: the limit of 0.05 s is over"; p + 1]);
    }
}

#[test]
fn a_rank_that_polls_in_vain_while_all_others_wait_is_diagnosed_as_if_it_waited() {
    let outcome = job_with_limit(2, Duration::from_millis(50), |t| -> Result<()> {
        if t.rank() == 0 {
            send(&*t, 1, 4, &[0u8])?;
            return recv(&*t, 1, Some(0), &mut [0u8]).map(drop);
        }
        while t.iprobe(Source::Rank(0), user_pattern(Some(5)), CallSite::caller(Verb::Iprobe))?.is_none() {}
        send(&*t, 0, 0, &[0u8])
    });
    assert!(outcome.timed_out && outcome.calls.is_empty(), "{outcome:?}");
    assert_eq!(blocked(&outcome)[1], "rank 1 in iprobe from 0, tag 5");
    let codes: Vec<_> = outcome.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::NearMiss), "{:?}", outcome.findings);
}

/// Also not if it polls again after the limit and what it polls for has come.
#[test]
fn a_rank_that_has_polled_and_computes_is_no_part_of_a_deadlock() {
    for computes in [true, false] {
        let polled = Barrier::new(2);
        let outcome = job_with_limit(2, Duration::from_millis(50), move |t| -> Result<()> {
            let poll = || t.iprobe(Source::Rank(0), user_pattern(None), CallSite::caller(Verb::Iprobe));
            if t.rank() == 0 {
                polled.wait();
                send(&*t, 1, 5, &[0u8])?;
                return recv(&*t, 1, Some(0), &mut [0u8]).map(drop);
            }
            poll()?;
            polled.wait();
            thread::sleep(Duration::from_millis(if computes { 3000 } else { 150 }));
            poll().map(drop)
        });
        assert!(outcome.findings.is_empty() && outcome.calls.is_empty(), "{outcome:?}");
        let expected = ["rank 0 in recv from 1, tag 0, 1 bytes", "rank 1 in iprobe from 0"];
        assert_eq!(blocked(&outcome), expected[..2 - usize::from(computes)]);
    }
}

#[test]
fn a_job_without_a_limit_returns_what_its_ranks_return() {
    assert_eq!(crate::threads::run(3, |t| t.rank() * t.size()), [0, 3, 6]);
    assert_eq!(crate::threads::run(0, |t| t.rank()), Vec::<usize>::new());
}

#[test]
#[should_panic(expected = "rank 2 panicked: no")]
fn a_panic_reaches_who_ran_the_job() {
    crate::threads::run(3, |t| assert!(t.rank() != 2, "no"));
}
