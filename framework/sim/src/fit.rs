//! From messages between two ranks to the parameters of their link.
//!
//! o and O come from how long calls of send take, g from how far apart back-to-back messages leave. Half round trips then
//! fix L and G by least squares of relative errors, for every threshold S that the sizes allow; the S that fits best is
//! taken. A half round trip of m bytes is, by the table in [`link`](crate::link) and with the receive posted early,
//!
//! * L + 2 (o + m O) + (m - 1) G for m <= S,
//! * 3 L + 2 o + m O + (m - 1) G for m > S.
//!
//! Source: PRTT of Hoefler, Lichei, Rehm, IPDPS 2007, without its delays: where one may time a call, one need not guess o.
use crate::Link;

/// What was measured between two ranks, nanoseconds by bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Half of what there and back takes.
    pub half_round_trips: Vec<(usize, f64)>,
    /// How long a call of send takes.
    pub calls: Vec<(usize, f64)>,
    /// From one empty message to the next of many.
    pub spacing: f64,
}

/// The link that fits best; `None` with fewer than three sizes.
pub fn fit(observed: &Observed) -> Option<Link> {
    let mut sizes: Vec<usize> = observed.half_round_trips.iter().map(|(bytes, _)| *bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < 3 {
        return None;
    }
    let fitted = sizes[1..].iter().map(|eager| with_threshold(observed, *eager));
    fitted.min_by(|one, other| misfit(one, observed).total_cmp(&misfit(other, observed)))
}

/// What half a round trip takes by the link.
pub fn half_round_trip(link: &Link, bytes: usize) -> u64 {
    let long = bytes > link.eager;
    let latencies = if long { 3 } else { 1 };
    latencies * link.latency + link.leaving(bytes) + link.busy(bytes) + link.serial(bytes)
}

fn misfit(link: &Link, observed: &Observed) -> f64 {
    let error = |(bytes, time): &(usize, f64)| half_round_trip(link, *bytes) as f64 / time - 1.0;
    observed.half_round_trips.iter().map(|point| error(point).powi(2)).sum()
}

fn with_threshold(observed: &Observed, eager: usize) -> Link {
    let calls = observed.calls.iter().filter(|(bytes, _)| *bytes <= eager);
    let call =
        |(bytes, time): &(usize, f64)| Point { ones: 1.0, bytes: *bytes as f64, time: *time }.weighted(*time);
    let points: Vec<_> = calls.map(call).collect();
    let shortest = observed.half_round_trips.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    let (overhead, copy) = least_squares(&points);
    // A call may do what the other end then need not: both ends together take no longer than all of it.
    let overhead = overhead.min(shortest / 2.0).round();
    let rest = |(bytes, time): &(usize, f64)| {
        let (bytes, long) = (*bytes, *bytes > eager);
        let (copies, ones) = if long { (1.0, 3.0) } else { (2.0, 1.0) };
        let known = 2.0 * overhead + copies * copy * bytes as f64;
        Point { ones, bytes: bytes.saturating_sub(1) as f64, time: (time - known).max(0.0) }.weighted(*time)
    };
    let points: Vec<_> = observed.half_round_trips.iter().map(rest).collect();
    let (latency, byte) = least_squares(&points);
    Link {
        latency: latency.round() as u64,
        overhead: overhead as u64,
        gap: observed.spacing.max(0.0).round() as u64,
        per_byte: (1000.0 * byte).round() as u64,
        copy: (1000.0 * copy).round() as u64,
        eager,
    }
}

/// `time` is to be `ones` times the first unknown and `bytes` times the second.
struct Point {
    ones: f64,
    bytes: f64,
    time: f64,
}

impl Point {
    /// Such that errors relative to `whole` count alike.
    fn weighted(self, whole: f64) -> Self {
        Self { ones: self.ones / whole, bytes: self.bytes / whole, time: self.time / whole }
    }
}

/// The two unknowns, neither negative.
fn least_squares(points: &[Point]) -> (f64, f64) {
    let sum = |term: fn(&Point) -> f64| points.iter().map(term).sum::<f64>();
    let (aa, bb, ab) = (sum(|p| p.ones * p.ones), sum(|p| p.bytes * p.bytes), sum(|p| p.ones * p.bytes));
    let (at, bt) = (sum(|p| p.ones * p.time), sum(|p| p.bytes * p.time));
    let alone = |product: f64, square: f64| if square > 0.0 { (product / square).max(0.0) } else { 0.0 };
    let determinant = aa * bb - ab * ab;
    if determinant <= f64::EPSILON * aa * bb {
        return (alone(at, aa), 0.0);
    }
    let (first, second) = ((at * bb - bt * ab) / determinant, (bt * aa - at * ab) / determinant);
    match (first < 0.0, second < 0.0) {
        (false, false) => (first, second),
        (true, _) => (0.0, alone(bt, bb)),
        (false, true) => (alone(at, aa), 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 9] = [0, 1, 64, 512, 2048, 4096, 8192, 65_536, 1 << 20];

    fn observed(link: &Link) -> Observed {
        let half = |bytes: &usize| (*bytes, half_round_trip(link, *bytes) as f64);
        let call = |bytes: &usize| (*bytes, link.leaving(*bytes) as f64);
        Observed {
            half_round_trips: SIZES.iter().map(half).collect(),
            calls: SIZES.iter().map(call).collect(),
            spacing: link.gap as f64,
        }
    }

    #[test]
    fn what_the_model_made_is_found_again() {
        for eager in [512, 4096, 65_536] {
            let link = Link { latency: 400, overhead: 90, gap: 120, per_byte: 80, copy: 110, eager };
            let found = fit(&observed(&link)).expect("nine sizes");
            let near = |found: u64, real: u64| found.abs_diff(real) * 50 <= real;
            assert_eq!((found.eager, found.overhead, found.gap), (eager, 90, 120), "{found:?}");
            assert!(
                near(found.latency, 400) && near(found.per_byte, 80) && near(found.copy, 110),
                "{found:?}"
            );
        }
    }

    #[test]
    fn parameters_are_never_negative_and_overheads_fit_into_the_whole() {
        let mut strange =
            observed(&Link { latency: 5, overhead: 90, gap: 0, per_byte: 0, copy: 0, eager: 4096 });
        strange.calls.iter_mut().for_each(|(_, time)| *time = 500.0);
        let found = fit(&strange).expect("nine sizes");
        assert!(2 * found.overhead <= 186, "{found:?}");
        assert_eq!(fit(&Observed::default()), None);
    }

    #[test]
    fn the_formula_is_what_the_pass_says() {
        use crate::{
            Machine,
            plan::{Entry, Noise, Recording, Run},
        };
        use wb_comm::{Label, Op, Site, Source, Verb, View, ViewMut};
        let link = Link { latency: 400, overhead: 90, gap: 10, per_byte: 80, copy: 110, eager: 512 };
        let machine = Machine {
            name: String::new(),
            cores_per_group: 2,
            groups_per_node: 1,
            core: link,
            node: link,
            network: link,
            flops_per_second: 1,
            bytes_per_second: 1,
            poll: 1,
        };
        for bytes in [0, 1, 512, 513, 100_000] {
            let (data, label) = (vec![0_u8; bytes], Label::user(0));
            let recording = Recording::of(2, |transport| {
                let (site, mut room) = (Site::here(Verb::Send), data.clone());
                let (rank, peer) = (transport.rank(), 1 - transport.rank());
                let send = Op::Send { to: peer, label, data: View::of(&data), synchronous: false };
                let into = ViewMut::of(&mut room);
                let recv =
                    Op::Recv { from: Source::Rank(peer), label: label.into(), data: into, status: None };
                let [first, second] = if rank == 0 { [send, recv] } else { [recv, send] };
                transport.round(&mut [first], site)?;
                transport.round(&mut [second], site)
            });
            let recording = recording.expect("it does not depend on data");
            let mut run = Run::new(&recording, &machine, &Entry::Together, Noise::none());
            let there_and_back = run.episode().expect("it ends").exits[0];
            assert_eq!(there_and_back, 2 * half_round_trip(&link, bytes), "{bytes} bytes");
        }
    }
}
