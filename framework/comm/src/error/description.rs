//! Parts of the descriptions of errors.
use crate::{RankCall, Source, Text, UserOperation, text::error as text};

/// The number as passed, with an explanation if it is below 0.
pub(super) fn rank_text(rank: i64) -> Text {
    match usize::try_from(rank) {
        Ok(rank) => Text::verbatim(Source::Rank(rank).to_string()),
        Err(_) => text::wrapped(rank, rank.unsigned_abs()),
    }
}

/// An operation whose results differ with the order of the combinations.
pub(super) fn not_associative_text(operation: UserOperation) -> Text {
    let made = operation.made();
    text::not_associative(made.file(), made.line())
}

/// The text for a count above the maximum of a call.
pub(super) fn too_long_text(count: usize, size: usize, max: usize) -> Text {
    text::too_long(count, size, count.saturating_mul(size) as u64, max)
}

/// A buffered send that does not fit.
pub(super) fn buffer_text(needed: usize, attached: usize, occupied: Option<usize>) -> Text {
    match (attached, occupied) {
        (0, _) => text::no_buffer(needed),
        (_, Some(occupied)) => text::buffer_full(needed, attached, occupied),
        (_, None) => text::buffer_small(needed, attached),
    }
}

/// A buffer that does not contain a block for each rank or neighbour, and how to fix it.
pub(super) fn block_count_text(verb: &str, buffer: &str, got: usize, each: usize, ranks: usize) -> Text {
    let blocks = match verb.contains("neighbor") {
        true => text::neighbour_blocks,
        false => text::blocks,
    };
    let blocks = blocks(verb, buffer, got, each, ranks, each.saturating_mul(ranks) as u64);
    match got.checked_rem(ranks) {
        None => blocks,
        Some(0) => text::would_fit(blocks, got / ranks, ranks),
        Some(left) => {
            let with_counts = verb.strip_suffix("_block").map_or_else(|| format!("{verb}v"), str::to_owned);
            text::remainder(blocks, got, ranks, left, with_counts)
        }
    }
}

/// The role of the rank argument.
pub(super) fn role_text(role: &str) -> Text {
    match role {
        "root" => text::role_root(),
        "destination" => text::role_destination(),
        "source" => text::role_source(),
        "neighbour" => text::role_neighbour(),
        "local leader" => text::role_local_leader(),
        "remote leader" => text::role_remote_leader(),
        "target" => text::role_target(),
        "origin" => text::role_origin(),
        other => Text::verbatim(other),
    }
}

/// The error, with the call that sent the message if it is known.
pub(super) fn with_sender(error: Text, call: Option<&RankCall>) -> Text {
    match call {
        Some(call) => text::sent_by(error, call.text()),
        None => error,
    }
}
