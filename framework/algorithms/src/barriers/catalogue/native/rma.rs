//! The barriers of MPI's windows: synchronisations that are barriers without accessing an element.
//!
//! They run on every backend that has windows; [`rma::by_name`](crate::barriers::rma::by_name) makes them.
use wb_comm::Text;

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation, Substrate, logarithm::ceil_log2,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "rma_fence",
        family: Family::Rma,
        source: "MPI 3.1, 11.5.1: MPI_Win_fence without assertions",
        section: "5.1",
        summary: Text {
            en: "a fence: all accesses of the window are complete, and every rank has come",
            ru: "fence: все обращения к окну завершены, и все пришли",
        },
        guarantee: Guarantee::COMPLETION,
        cost: None,
        implementation: Implementation::Native(&[Substrate::Window]),
    },
    BarrierEntry {
        name: "rma_pscw_all_to_all",
        family: Family::Rma,
        source: "MPI 3.1, 11.5.2: MPI_Win_post, start, complete, wait with everybody",
        section: "5.1",
        summary: Text {
            en: "post to all, start to all, complete, wait for all",
            ru: "post всем, start ко всем, complete, wait всех",
        },
        guarantee: Guarantee::RENDEZVOUS,
        // The messages of a post and of a complete.
        cost: Some(|p| BarrierCost {
            messages: 2 * p * (p - 1),
            rounds: None,
            hops: Some(usize::from(p > 1)),
        }),
        implementation: Implementation::Native(&[Substrate::Window]),
    },
    BarrierEntry {
        name: "rma_pscw_dissemination",
        family: Family::Rma,
        source: "MPI 3.1, 11.5.2, in the rounds of Hensgen, Finkel, Manber 1988",
        section: "5.1",
        summary: Text {
            en: "in round k post to the rank 2^k back, start to the one 2^k further on, complete, wait",
            ru: "на шаге k post рангу через 2^k назад, start к рангу через 2^k вперёд, complete, wait",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(|p| BarrierCost {
            messages: 2 * p * ceil_log2(p),
            rounds: Some(ceil_log2(p)),
            hops: Some(ceil_log2(p)),
        }),
        implementation: Implementation::Native(&[Substrate::Window]),
    },
];
