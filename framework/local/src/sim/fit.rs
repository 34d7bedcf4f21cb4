//! Fits the parameters of a link to measured messages between two ranks.
//!
//! Half round trips are fitted first, by a piecewise linear curve that never falls: a library changes its way of
//! copying with the size, and no single line describes that. The durations of send calls give the processor's share.
//! Then S is the size for which calls and round trips fit best: a rendezvous call waits. g is the interval between
//! back-to-back messages. A half round trip of m bytes takes, by the table in [`link`](crate::sim::link) and with the
//! receive posted early,
//!
//! * L + 2 (o + m O) + (m - 1) G for m <= S,
//! * 3 L + o + (o + m O) + (m - 1) G for m > S,
//!
//! where o + m O and (m - 1) G are those of the segment. Beyond S, calls wait and do not show the processor's share;
//! there the whole cost of a byte counts as cost of the wire, and o is that of short messages.
//!
//! The invariant: *the cost of a message does not fall with its size*, except at S and by rounding;
//! [`decreasing_sizes`] lists the exceptions. The quality of a fit is measured by messages that were not used for it:
//! [`held_out`].
//!
//! Source: PRTT of Hoefler, Lichei, Rehm, IPDPS 2007, without its delays: o is known from the measured calls.
//! Segments: Clauss, Stillwell, Genaud, Suter, Casanova, Quinson, "Single node on-line simulation of MPI applications
//! with SMPI", IPDPS 2011.
mod curve;

use curve::{CurveSegment, fit_curve, fit_line};

use crate::sim::{CostSegment, Link};

/// The largest number of segments of a fit.
const MAX_SEGMENTS: usize = 6;

/// The measurements between two ranks, nanoseconds by bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkMeasurements {
    /// Half of the round-trip time.
    pub half_round_trips: Vec<(usize, f64)>,
    /// The duration of a send call.
    pub send_calls: Vec<(usize, f64)>,
    /// The interval between empty messages, of many sent back to back.
    pub message_gap: f64,
}

/// A half round trip that was not used for a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// The size of the message.
    pub bytes: usize,
    /// Measured, nanoseconds.
    pub measured: f64,
    /// Predicted by the model fitted to the other sizes, nanoseconds.
    pub predicted: u64,
}

/// The link that fits best; `None` with fewer than three sizes.
pub fn fit(observed: &LinkMeasurements) -> Option<Link> {
    let mut points = observed.half_round_trips.clone();
    points.sort_by_key(|(bytes, _)| *bytes);
    points.dedup_by_key(|(bytes, _)| *bytes);
    if points.len() < 3 {
        return None;
    }
    let curve = fit_curve(&points, MAX_SEGMENTS);
    let links = points[1..].iter().map(|(eager, _)| with_threshold(&curve, observed, *eager));
    links.min_by(|one, other| fit_error(one, observed).total_cmp(&fit_error(other, observed)))
}

/// Each size but the first and the last with the prediction of a fit without it: every other one of these sizes is
/// left out, then the rest. Empty with fewer than five sizes.
pub fn held_out(observed: &LinkMeasurements) -> Vec<HeldOut> {
    let mut sizes: Vec<usize> = observed.half_round_trips.iter().map(|(bytes, _)| *bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let inner = sizes.get(1..sizes.len().saturating_sub(1)).unwrap_or_default();
    let folds = [0, 1].map(|first| inner.iter().copied().skip(first).step_by(2).collect::<Vec<_>>());
    let mut held: Vec<_> = folds.iter().flat_map(|out| held_out_sizes(observed, out)).collect();
    held.sort_by_key(|held| held.bytes);
    held
}

/// The sizes `out`, predicted by a fit to the others.
fn held_out_sizes(observed: &LinkMeasurements, out: &[usize]) -> Vec<HeldOut> {
    let (mut seen, mut hidden) = (observed.clone(), observed.half_round_trips.clone());
    seen.half_round_trips.retain(|(bytes, _)| !out.contains(bytes));
    seen.send_calls.retain(|(bytes, _)| !out.contains(bytes));
    hidden.retain(|(bytes, _)| out.contains(bytes));
    let Some(link) = fit(&seen) else { return vec![] };
    let held = |(bytes, measured)| HeldOut { bytes, measured, predicted: half_round_trip(&link, bytes) };
    hidden.into_iter().map(held).collect()
}

/// Half a round trip by the link.
pub fn half_round_trip(link: &Link, bytes: usize) -> u64 {
    let long = bytes > link.eager_limit;
    let latencies = if long { 3 } else { 1 };
    latencies * link.latency + link.send_time(bytes) + link.processor_time(bytes) + link.serial(bytes)
}

/// The sizes at which a message takes less time than one that is a byte shorter, ascending. Inside a segment there are
/// none.
pub fn decreasing_sizes(link: &Link) -> Vec<usize> {
    let beyond = link.eager_limit.checked_add(1);
    let mut breaks: Vec<usize> = link.segments.iter().map(|piece| piece.min_bytes).chain(beyond).collect();
    breaks.sort_unstable();
    breaks.dedup();
    breaks.retain(|from| half_round_trip(link, *from) < half_round_trip(link, from - 1));
    breaks
}

/// The duration of a send call by the link, while the receiver waits: a rendezvous call ends when its payload is sent.
fn send_call_time(link: &Link, bytes: usize) -> u64 {
    let asks = if bytes > link.eager_limit { 2 * link.latency + link.serial(bytes) } else { 0 };
    link.send_time(bytes) + asks
}

fn fit_error(link: &Link, observed: &LinkMeasurements) -> f64 {
    let sum = |points: &[(usize, f64)], model: fn(&Link, usize) -> u64| {
        let error = |(bytes, time): &(usize, f64)| model(link, *bytes) as f64 / time - 1.0;
        points.iter().map(|point| error(point).powi(2)).sum::<f64>()
    };
    sum(&observed.half_round_trips, half_round_trip) + sum(&observed.send_calls, send_call_time)
}

/// The link whose half round trips are the curve, whose calls are the measured ones as far as the curve allows, and
/// whose S is `eager`.
fn with_threshold(whole: &[CurveSegment], observed: &LinkMeasurements, eager: usize) -> Link {
    let mut curve = whole.to_vec();
    let beyond = curve.partition_point(|segment| segment.from <= eager);
    if curve.get(beyond).is_none_or(|next| next.from > eager + 1) {
        let last = curve[beyond - 1];
        curve.insert(beyond, CurveSegment { from: eager + 1, at: last.value(eager + 1), slope: last.slope });
    }
    let end = |number: usize| curve.get(number + 1).map_or(usize::MAX, |next| next.from);
    let calls = |number: usize| processor_cost(observed, curve[number].from..end(number));
    let (first, called) = (curve[0], calls(0));
    // A call may do work that the other end then need not do: both ends together take at most the whole time.
    let overhead = called.at.min(first.at / 2.0);
    let copy = called.slope.min(first.slope / 2.0);
    let latency = first.at - 2.0 * overhead;
    let piece = |number: usize| {
        let segment = curve[number];
        let (at, per_byte) = if number < beyond {
            let called = calls(number);
            (called.at.min((segment.at - latency) / 2.0), called.slope.min(segment.slope / 2.0))
        } else {
            (overhead, 0.0)
        };
        let (latencies, copies) = if number < beyond { (1.0, 2.0) } else { (3.0, 1.0) };
        let others = latencies * latency + if number < beyond { 2.0 * at } else { overhead + at };
        CostSegment {
            min_bytes: segment.from,
            overhead: nanoseconds(at),
            processor_per_byte: picoseconds(per_byte),
            serial: nanoseconds((segment.at - others).max(0.0)),
            per_byte: picoseconds(segment.slope - copies * per_byte),
        }
    };
    Link {
        latency: nanoseconds(latency),
        overhead: nanoseconds(overhead),
        gap: nanoseconds(observed.message_gap.max(0.0)),
        per_byte: picoseconds(first.slope - 2.0 * copy),
        processor_per_byte: picoseconds(copy),
        eager_limit: eager,
        segments: (1..curve.len()).map(piece).collect(),
    }
}

/// The cost of calls of these sizes; zero where none was measured.
fn processor_cost(observed: &LinkMeasurements, sizes: std::ops::Range<usize>) -> CurveSegment {
    let mut points = observed.send_calls.clone();
    points.retain(|(bytes, _)| sizes.contains(bytes));
    fit_line(&points, sizes.start, 0.0)
}

fn nanoseconds(time: f64) -> u64 {
    time.round() as u64
}

fn picoseconds(per_byte: f64) -> u64 {
    (1000.0 * per_byte).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 22] = [
        0, 1, 64, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 16_384, 32_768, 49_152,
        65_536, 98_304, 131_072, 262_144, 1_048_576,
    ];

    fn measurements(link: &Link) -> LinkMeasurements {
        let half = |bytes: &usize| (*bytes, half_round_trip(link, *bytes) as f64);
        let call = |bytes: &usize| (*bytes, send_call_time(link, *bytes) as f64);
        LinkMeasurements {
            half_round_trips: SIZES.iter().map(half).collect(),
            send_calls: SIZES.iter().map(call).collect(),
            message_gap: link.gap as f64,
        }
    }

    /// A library with four ways of copying: from a first buffer, through a longer queue, in one copy by the receiver,
    /// from outside the cache.
    fn library() -> Link {
        let piece = |from, overhead, copy, serial, per_byte| CostSegment {
            min_bytes: from,
            overhead,
            processor_per_byte: copy,
            serial,
            per_byte,
        };
        Link {
            latency: 400,
            overhead: 90,
            gap: 120,
            per_byte: 80,
            processor_per_byte: 210,
            eager_limit: 4096,
            segments: vec![
                piece(769, 400, 150, 300, 110),
                piece(4097, 90, 0, 2500, 70),
                piece(65_537, 90, 0, 9000, 240),
            ],
        }
    }

    fn is_close(found: u64, real: u64) -> bool {
        found.abs_diff(real) * 50 <= real + 50
    }

    #[test]
    fn what_the_model_made_is_found_again() {
        let link = library();
        let found = fit(&measurements(&link)).expect("many sizes");
        assert_eq!(
            (found.eager_limit, found.overhead, found.gap),
            (link.eager_limit, link.overhead, link.gap),
            "{found:?}"
        );
        assert!(
            is_close(found.latency, 400)
                && is_close(found.per_byte, 80)
                && is_close(found.processor_per_byte, 210),
            "{found:?}"
        );
        assert_eq!(found.segments.len(), link.segments.len(), "{found:?}");
        for (found, real) in found.segments.iter().zip(&link.segments) {
            let pairs = [
                (found.overhead, real.overhead),
                (found.processor_per_byte, real.processor_per_byte),
                (found.serial, real.serial),
                (found.per_byte, real.per_byte),
            ];
            assert!(
                found.min_bytes == real.min_bytes
                    && pairs.iter().all(|(found, real)| is_close(*found, *real)),
                "{found:?}"
            );
        }
        assert!(decreasing_sizes(&found).is_empty());
    }

    /// Confirms the test before this one: a link without segments fits worse.
    #[test]
    fn no_link_without_pieces_does_it() {
        let observed = measurements(&library());
        let one = fit_curve(&observed.half_round_trips, 1);
        let best = |bytes: &usize| fit_error(&with_threshold(&one, &observed, *bytes), &observed);
        let best = SIZES[1..].iter().map(best).fold(f64::INFINITY, f64::min);
        assert!(best > 0.5 && fit_error(&fit(&observed).expect("many sizes"), &observed) < 1e-3, "{best}");
    }

    #[test]
    fn sizes_that_were_left_out_are_told_where_they_are_not_at_a_break() {
        let held = held_out(&measurements(&library()));
        assert_eq!(held.iter().map(|held| held.bytes).collect::<Vec<_>>(), SIZES[1..SIZES.len() - 1]);
        let mut errors: Vec<f64> =
            held.iter().map(|held| (held.predicted as f64 / held.measured - 1.0).abs()).collect();
        errors.sort_by(f64::total_cmp);
        assert!(errors[errors.len() / 2] < 0.01, "{errors:?}");
        // A size beyond a break that its neighbours do not show cannot be predicted.
        assert!(errors[errors.len() - 1] > 0.05, "{errors:?}");
        assert_eq!(held_out(&LinkMeasurements::default()), []);
    }

    #[test]
    fn parameters_are_never_negative_and_overheads_fit_into_the_whole() {
        let base = Link {
            latency: 5,
            overhead: 90,
            gap: 0,
            per_byte: 0,
            processor_per_byte: 0,
            eager_limit: 4096,
            segments: vec![],
        };
        let mut deviating = measurements(&base);
        deviating.send_calls.iter_mut().for_each(|(_, time)| *time = 500.0);
        let found = fit(&deviating).expect("many sizes");
        assert!(2 * found.overhead <= 186, "{found:?}");
        assert_eq!(fit(&LinkMeasurements::default()), None);
    }

    #[test]
    fn a_time_that_falls_is_told() {
        let fast =
            CostSegment { min_bytes: 1024, overhead: 90, processor_per_byte: 0, serial: 0, per_byte: 0 };
        let link = Link { segments: vec![fast], ..library() };
        assert_eq!(decreasing_sizes(&link), [1024]);
        assert!(decreasing_sizes(&library()).is_empty());
    }

    #[test]
    fn the_formula_is_what_the_pass_says() {
        use wb_comm::{CallSite, MessageTag, Op, SendMode, Source, Verb, View, ViewMut};

        use crate::sim::{
            Machine,
            max_plus::{ArrivalPattern, MaxPlusRun, Noise, Recording},
        };
        let link = library();
        let machine = Machine::flat("flat", link.clone());
        for bytes in [0, 1, 512, 768, 769, 4096, 4097, 65_536, 65_537, 100_000] {
            let (data, tag) = (vec![0_u8; bytes], MessageTag::user(0));
            let recording = Recording::from_program(2, |transport| {
                let (site, mut received) = (CallSite::caller(Verb::Send), data.clone());
                let (rank, peer) = (transport.rank(), 1 - transport.rank());
                let send =
                    Op::Send { to: peer, tag, data: View::from_slice(&data), mode: SendMode::Standard };
                let into = ViewMut::from_slice(&mut received);
                let recv = Op::Recv { from: Source::Rank(peer), tag: tag.into(), data: into, status: None };
                let [first, second] = if rank == 0 { [send, recv] } else { [recv, send] };
                transport.post_and_wait(&mut [first], site)?;
                transport.post_and_wait(&mut [second], site)
            });
            let recording = recording.expect("it does not depend on data");
            let mut run = MaxPlusRun::new(&recording, &machine, &ArrivalPattern::Simultaneous, Noise::none());
            let there_and_back = run.episode().expect("it ends").exits[0];
            assert_eq!(there_and_back, 2 * half_round_trip(&link, bytes), "{bytes} bytes");
        }
    }
}
