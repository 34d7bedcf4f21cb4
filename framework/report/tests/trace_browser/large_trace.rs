//! A trace of many ranks and messages: a halo exchange with neighbours at several distances, and a reduction now and then.
use wb_record::{
    CollectiveShape, Envelope, EventKind, RankTrace, SourceCall, StageSpan, Trace, TraceCommunicator,
    TraceEvent, example_trace,
};

/// Times and sizes that do not repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A trace of `ranks` ranks with at least `messages` messages.
pub(crate) fn large_trace(ranks: u32, messages: u32) -> Trace {
    let steps = messages.div_ceil(ranks);
    let random = &mut Random(7);
    let mut all: Vec<RankTrace> = (0..ranks).map(|rank| empty_rank(rank, ranks)).collect();
    let mut now: Vec<u64> = vec![1_000; ranks as usize];
    for step in 0..steps {
        let distance = 1 << (step % 5);
        let mut sent = vec![];
        let sizes: Vec<u64> = (0..ranks).map(|_| 8 * (1 + random.below(400))).collect();
        for rank in 0..ranks as usize {
            let to = Envelope {
                peer: (rank as u32 + distance) % ranks,
                tag: (step % 7) as i32,
                bytes: sizes[rank],
            };
            let begin = now[rank] + 2_000 + random.below(30_000);
            let end = begin + 300 + random.below(2_000);
            sent.push(begin);
            all[rank].events.push(event(0, begin, end, EventKind::Send { to, synchronous: false }));
            now[rank] = end;
        }
        for rank in 0..ranks as usize {
            let source = (rank + (ranks - distance) as usize) % ranks as usize;
            let from = Envelope { peer: source as u32, tag: (step % 7) as i32, bytes: sizes[source] };
            let begin = now[rank] + random.below(3_000);
            let end = begin.max(sent[source]) + 500 + random.below(4_000);
            all[rank].events.push(event(1, begin, end, EventKind::Receive { from }));
            now[rank] = end;
        }
        if step % 50 == 49 {
            let last = now.iter().copied().max().expect("a rank") + 3_000;
            for (rank, trace) in all.iter_mut().enumerate() {
                let act =
                    EventKind::Collective { sequence: step / 50, shape: CollectiveShape::All, bytes: 8 };
                let end = last + random.below(2_000);
                trace.events.push(event(2, now[rank] + 10, end, act));
                now[rank] = end;
            }
        }
    }
    for (trace, now) in all.iter_mut().zip(now) {
        trace.end_ns = now + 5_000;
        trace.stages = vec![StageSpan { name: "run".into(), begin_ns: 0, end_ns: trace.end_ns }];
    }
    let mut trace = example_trace();
    trace.environment.machine.usable_cores = ranks;
    trace.ranks = all;
    trace
}

fn empty_rank(rank: u32, size: u32) -> RankTrace {
    let call = |verb: &str, line| SourceCall { verb: verb.into(), file: "src/halo.rs".into(), line };
    RankTrace {
        communicators: vec![TraceCommunicator { name: "world".into(), rank, size, sources: vec![] }],
        calls: vec![call("send", 12), call("recv", 14), call("allreduce", 20)],
        ..RankTrace::default()
    }
}

fn event(call: u32, begin_ns: u64, end_ns: u64, act: EventKind) -> TraceEvent {
    TraceEvent { call, communicator: 0, begin_ns, end_ns, act }
}
