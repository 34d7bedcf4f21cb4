//! A call in words, without its place and time.
use wb_messages::{Lang, report::trace as text};
use wb_record::{Envelope, EventKind};

use crate::format;

/// The effect of a call; `None` for one that concerns no other rank.
pub(super) fn describe_event(act: &EventKind, lang: Lang) -> Option<String> {
    let bytes = |n: u64| format::bytes(lang, n);
    let out = |to: &Envelope| text::tip_send(lang, to.peer, to.tag, bytes(to.bytes));
    let into = |from: &Envelope| text::tip_receive(lang, from.peer, from.tag, bytes(from.bytes));
    let request = |number: &u32| text::tip_request(lang, number);
    Some(match act {
        EventKind::Local => return None,
        EventKind::Send { to, .. } => out(to),
        EventKind::Receive { from } => into(from),
        EventKind::Exchange { to, from } => format!("{}; {}", out(to), into(from)),
        EventKind::StartSend { to, request: number } => format!("{} ({})", out(to), request(number)),
        EventKind::StartReceive { request: number }
        | EventKind::FinishSend { request: number }
        | EventKind::FinishCollective { request: number } => request(number),
        EventKind::StartCollective { sequence, bytes: n, request: number, .. } => {
            format!("{} ({})", text::tip_collective(lang, sequence, bytes(*n)), request(number))
        }
        EventKind::FinishReceive { request: number, from } => format!("{} ({})", into(from), request(number)),
        EventKind::Collective { sequence, bytes: n, .. } => text::tip_collective(lang, sequence, bytes(*n)),
        EventKind::Access { target, bytes: n } => text::tip_access(lang, target, bytes(*n)),
        EventKind::File { bytes: n, is_write: false } => text::tip_read(lang, bytes(*n)),
        EventKind::File { bytes: n, is_write: true } => text::tip_written(lang, bytes(*n)),
        EventKind::Post { peers }
        | EventKind::Start { peers }
        | EventKind::Complete { peers }
        | EventKind::Wait { peers } => {
            let peers: Vec<String> = peers.iter().map(u32::to_string).collect();
            text::tip_peers(lang, peers.join(", "))
        }
    })
}
