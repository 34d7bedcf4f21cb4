//! The control network: a key-value store that rank 0 serves over TCP.
//!
//! A rank that waits for the store makes no progress in MPI. Another rank may still need that: to leave the barrier of the visit before,
//! whose message is not sent yet, or whose access to a window of this rank is not served yet. So every visit here begins with a
//! rendezvous over messages.
use std::time::Duration;

use wb_barriers::{BarrierEntry, Substrate};
use wb_collectives::Algorithms;
use wb_comm::{Result, Transport};
use wb_control::HostedBarrier;
use wb_record::{Backend, BarrierForm};

use crate::substrate::substrate_forms::{SubstrateForms, default_form, is_native, no_form};
use crate::{
    bench::{BarrierBench, site},
    visit::ErasedBarrier,
};

/// How long a member waits in a barrier; shorter than the laboratory's own limit, so that it can name the missing
/// member.
const WAIT_TIMEOUT: Duration = Duration::from_secs(4);

/// The forms of this substrate.
pub(super) struct ControlNetworkForms;

impl SubstrateForms for ControlNetworkForms {
    fn substrate(&self) -> Substrate {
        Substrate::Tcp
    }

    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Tcp);
        runs.then(|| default_form(entry, Substrate::Tcp, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
        match form.variant.as_str() {
            "control_kv" => {
                let barrier = HostedBarrier::start(bench.duplicate()?, WAIT_TIMEOUT, site())?;
                Ok(Box::new(AfterRendezvous { barrier, transport: bench.duplicate()? }))
            }
            _ => Err(no_form(form)),
        }
    }
}

/// A barrier whose visits begin when every rank has left the visit before.
struct AfterRendezvous<'g> {
    barrier: HostedBarrier,
    transport: &'g dyn Transport,
}

/// The second one begins when the connections of the first one are open, so no message of it waits for a rank's progress.
const RENDEZVOUS: usize = 2;

impl ErasedBarrier for AfterRendezvous<'_> {
    fn batch(&mut self, episodes: u64) -> Result<(u64, u64)> {
        (0..RENDEZVOUS).try_for_each(|_| Algorithms(self.transport).barrier(site()))?;
        self.barrier.batch(episodes)
    }

    fn record_episodes(&mut self, stamps: &mut Vec<(u64, u64)>) -> Result<()> {
        self.barrier.record_episodes(stamps)
    }
}
