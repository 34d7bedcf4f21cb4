//! Patterns as zero-byte messages, each on a communicator of its own; and the messages of an episode.
use std::{cell::Cell, rc::Rc};

use wb_algorithms::barriers::{
    BarrierEntry, GroupConfig, Implementation, MessageCounts, Plan, Substrate, adapters::MessageBarrier,
    catalogue, select,
};
use wb_comm::{Barrier, CallSite, Op, Result, Transport, TransportDecorator};
use wb_record::{BarrierForm, EpisodeMessages};

use super::{BuiltForm, form_of, no_form, selected};
use crate::bench::{BarrierBench, site};

pub(super) fn forms(entry: &BarrierEntry, substrate: Substrate) -> Vec<BarrierForm> {
    let is_pattern = matches!(entry.implementation, Implementation::Pattern(_));
    is_pattern.then(|| form_of(entry, substrate)).into_iter().collect()
}

pub(super) fn build<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    let plans = catalogue::find(&form.variant)?.plans(&bench.group);
    let plans = plans.ok_or_else(|| no_form(form))??;
    Ok(Box::new(MessageBarrier::from_plans(&plans, bench.duplicate()?, site())))
}

/// The plans of a pattern over messages; `None` for all other forms.
fn message_plans(form: &BarrierForm, group: &GroupConfig) -> Option<Result<Vec<Plan>>> {
    if form.substrate != Substrate::Messages.name() || form.verb.is_some() {
        return None;
    }
    if form.variant == select::AUTO {
        return selected(form, group)
            .map_or_else(|error| Some(Err(error)), |form| message_plans(&form, group));
    }
    catalogue::find(&form.variant).ok()?.plans(group)
}

/// The messages of one episode by the plans of a pattern over messages; `None` for all other forms.
pub(crate) fn planned_messages(form: &BarrierForm, group: &GroupConfig) -> Option<EpisodeMessages> {
    let plans = message_plans(form, group)?.ok()?;
    let MessageCounts { within_node, between_nodes } = MessageCounts::of_plans(&plans, &group.nodes);
    Some(EpisodeMessages { within_node, between_nodes })
}

/// Collective: runs one episode of a pattern over messages and counts what this rank sends; `None` for all other forms.
pub(crate) fn count_messages(
    form: &BarrierForm,
    bench: &BarrierBench<'_>,
) -> Result<Option<EpisodeMessages>> {
    let Some(plans) = message_plans(form, &bench.group) else { return Ok(None) };
    let counting = CountingTransport::new(bench.transport.dup(site())?, &bench.group.nodes);
    MessageBarrier::from_plans(&plans?, &counting as &dyn Transport, site()).wait()?;
    let MessageCounts { within_node, between_nodes } = counting.sent();
    Ok(Some(EpisodeMessages { within_node, between_nodes }))
}

/// A transport that counts the messages of its rank, by whether they leave the node.
struct CountingTransport<'n> {
    inner: Rc<dyn Transport>,
    /// The node of each rank.
    nodes: &'n [usize],
    sent: Cell<MessageCounts>,
}

impl<'n> CountingTransport<'n> {
    /// Around `inner`, whose ranks are on these nodes.
    fn new(inner: Rc<dyn Transport>, nodes: &'n [usize]) -> Self {
        Self { inner, nodes, sent: Cell::default() }
    }

    /// The messages that this rank has sent.
    fn sent(&self) -> MessageCounts {
        self.sent.get()
    }
}

impl TransportDecorator for CountingTransport<'_> {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }

    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        let mut sent = self.sent.get();
        for op in ops.iter() {
            if let Op::Send { to, .. } = op {
                sent += MessageCounts::one(self.nodes[self.inner.rank()], self.nodes[*to]);
            }
        }
        self.sent.set(sent);
        self.inner.post_and_wait(ops, site)
    }
}
