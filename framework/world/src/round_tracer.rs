//! The messages inside of the collective operations that our algorithms perform over messages, for the trace.
use std::cell::Cell;

use wb_comm::{CallSite, Op, Rank, Result, Source, Transport, TransportDecorator};
use wb_record::Envelope;

use crate::{
    World,
    call_tracer::{CallTracer, rank_number},
};

/// A transport that records each round of messages.
struct RoundTracer<'a> {
    transport: &'a dyn Transport,
    tracer: &'a CallTracer,
    /// Its name, until the first round has it.
    algorithm: Cell<&'static str>,
}

impl TransportDecorator for RoundTracer<'_> {
    fn inner(&self) -> &dyn Transport {
        self.transport
    }

    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        let begin = self.tracer.now();
        self.transport.post_and_wait(ops, site)?;
        let (mut sends, mut receives) = (vec![], vec![]);
        let envelope =
            |peer: Rank, tag, bytes: usize| Envelope { peer: rank_number(peer), tag, bytes: bytes as u64 };
        for op in ops {
            match op {
                Op::Send { to, tag, data, .. } => sends.push(envelope(*to, tag.tag, data.bytes().len())),
                Op::Recv { from: Source::Rank(from), data, .. } => {
                    receives.push(envelope(*from, 0, data.as_view().bytes().len()));
                }
                // No algorithm posts these.
                Op::Recv { .. } | Op::SendLayout { .. } | Op::RecvLayout { .. } => {}
            }
        }
        self.tracer.record_round(self.algorithm.take(), begin, sends, receives);
        Ok(())
    }
}

impl World {
    /// Runs an operation over messages of this world by the algorithm of this name; where calls are traced, so are these messages. Only then the
    /// name is looked up.
    pub(crate) fn with_rounds<R>(
        &self,
        algorithm: impl FnOnce() -> &'static str,
        run: impl FnOnce(&dyn Transport) -> R,
    ) -> R {
        let transport = &**self.transport();
        match self.tracer.as_deref() {
            Some(tracer) => run(&RoundTracer { transport, tracer, algorithm: Cell::new(algorithm()) }),
            None => run(transport),
        }
    }
}
