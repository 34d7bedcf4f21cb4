//! Programs that do not end, and programs that depend on time.
use super::*;

fn one_send(size: usize, to: usize, bytes: usize) -> Recording {
    let data = vec![0_u8; bytes];
    let send = |transport: &dyn Transport| match transport.rank() {
        0 => {
            let (tag, data) = (MessageTag::internal(1), View::from_slice(&data));
            transport.post_and_wait(&mut [Op::Send { to, tag, data, mode: SendMode::Standard }], site())
        }
        _ => {
            let (tag, mut received) = (MessageTag::internal(1), [0_u8; 4]);
            let data = ViewMut::from_slice(&mut received[..]);
            let recv = Op::Recv { from: Source::Rank(0), tag: tag.into(), data, status: None };
            transport.post_and_wait(&mut [recv], site())
        }
    };
    Recording::from_program(size, send).expect("it can be written down")
}

#[test]
fn what_never_ends_is_told() {
    let machine = flat(link(1, 1, 1));
    let fault = |recording: &Recording| {
        MaxPlusRun::new(recording, &machine, &ArrivalPattern::Simultaneous, Noise::none())
            .episode()
            .expect_err("a fault")
    };
    let tag = MessageTag::internal(1);
    assert_eq!(fault(&one_send(1, 0, 0)), RecordingError::UnreceivedMessage { from: 0, to: 0, tag });
    assert_eq!(fault(&one_send(3, 1, 0)), RecordingError::Deadlock { ranks: 1, rank: 2, peer: 0, tag });
    assert_eq!(
        fault(&one_send(2, 1, 9)),
        RecordingError::Truncated { from: 0, to: 1, bytes: 9, capacity: 4 }
    );
}

#[test]
fn what_depends_on_time_is_refused() {
    let refused = Recording::from_program(2, |transport| {
        transport.iprobe(Source::Any, MessageTag::internal(0).into(), site()).map(drop)
    });
    let message = refused.expect_err("a probe depends on time").to_string();
    assert!(message.starts_with("a probe cannot be recorded without a run"), "{message}");
}
