//! Describes what an unterminated rank is doing, and in which line.
use std::fmt::Display;

use wb_comm::Rank;
use wb_messages::{Lang, functional as text};
use wb_process::{
    stack::{Activity, ThreadActivity},
    thread_exit::RunningThread,
};

use crate::format::format_ranks;

/// The activity of late ranks and its line; `None` where its line is not known.
pub fn describe(rank: impl Display, doing: &ThreadActivity, lang: Lang) -> Option<String> {
    let line = doing.line.as_ref()?;
    Some(match doing.activity {
        Activity::Computing => text::computes_at(lang, rank, line),
        Activity::Waiting => text::asleep_at(lang, rank, line),
        Activity::InFramework => text::calls_at(lang, rank, line),
    })
}

/// The activity that continues, where its line is known. Ranks may share a thread or a process, so no rank is named.
pub fn location(doing: &ThreadActivity, lang: Lang) -> Option<String> {
    doing.line.as_ref().map(|line| text::unterminated_at(lang, line))
}

/// The same in one line, of a job of `size` ranks on `backend`.
pub fn describe_unterminated(
    ranks: &[Rank],
    (backend, size): (&str, usize),
    unended: RunningThread,
    lang: Lang,
) -> String {
    let ranks = format_ranks(ranks.iter().copied()).unwrap_or_default();
    let place = unended.sample.and_then(|sample| location(&sample.activity(), lang));
    let headline = format!("{} (P = {size}, {backend})", text::unterminated(lang, ranks));
    let hint = text::next_step(lang, text::hint_unterminated(lang));
    [Some(headline), place, Some(hint)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}
