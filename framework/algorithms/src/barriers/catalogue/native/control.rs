//! The barrier of a control network: a key-value store on a TCP server, two keys an episode.
//!
//! Every rank adds one to a counter; the rank that reaches P sets a key; every rank gets this key, which the server
//! answers when it is set. The messages counted here are *requests*: P Add, 1 Set, P Get. Each has a reply, so there
//! are 4P + 2 messages on the wire. From the third episode on the first arriver removes the two keys of the last
//! episode but one, by two further requests. The server serves one request after the other, so there is no formula in
//! rounds.
use wb_comm::Text;

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, Substrate};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "control_kv",
    family: Family::ControlNetwork,
    source: "Ascend shmem: control-network barrier over a TCP key-value store, its rules made precise",
    section: "3.6",
    summary: Text {
        en: "counter and word in a key-value store on a TCP server",
        ru: "счётчик и слово в хранилище «ключ — значение» на TCP-сервере",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost { messages: if p == 1 { 0 } else { 2 * p + 1 }, rounds: None, hops: None }),
    implementation: Implementation::Native(&[Substrate::Tcp]),
}];
