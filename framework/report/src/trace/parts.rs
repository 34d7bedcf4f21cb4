//! The parts of a rank's time: their names, their colours, what is to be done about them.
use wb_messages::{Lang, report::trace as text};
use wb_record::trace_analysis::{Parts, WaitStateKind};

/// The colours of the parts, on every page that shows them.
pub(crate) const COLOURS: &str = include_str!("parts.css");
pub(super) struct TimePart {
    /// The CSS class of the part.
    pub(super) class: &'static str,
    pub(super) name: fn(Lang) -> String,
    /// What to do about it; nothing about work.
    pub(super) advice: Option<fn(Lang) -> String>,
    /// The waiting that it is made of, if it is that.
    pub(super) cause: Option<WaitStateKind>,
}

const fn part(
    class: &'static str,
    name: fn(Lang) -> String,
    advice: Option<fn(Lang) -> String>,
    cause: Option<WaitStateKind>,
) -> TimePart {
    TimePart { class, name, advice, cause }
}

/// All parts, in the order of [`Parts::array`].
pub(super) const PARTS: [TimePart; 7] = [
    part("t-compute", text::compute, None, None),
    part("t-serial", text::serial, None, None),
    part("t-imbalance", text::imbalance, Some(text::advice_imbalance), None),
    part("t-sender", text::late_sender, Some(text::advice_late_sender), Some(WaitStateKind::LateSender)),
    part(
        "t-receiver",
        text::late_receiver,
        Some(text::advice_late_receiver),
        Some(WaitStateKind::LateReceiver),
    ),
    part("t-collective", text::collective, Some(text::advice_collective), Some(WaitStateKind::Collective)),
    part("t-transfer", text::transfer, Some(text::advice_transfer), None),
];

pub(super) fn part_of_cause(cause: WaitStateKind) -> &'static TimePart {
    PARTS.iter().find(|part| part.cause == Some(cause)).expect("every cause is a part")
}

/// Each part with its share of the ranks' time.
pub(super) fn shares(sum: Parts) -> Vec<(&'static TimePart, f64)> {
    let whole = sum.total().max(1) as f64;
    PARTS.iter().zip(sum.array()).map(|(part, ns)| (part, ns as f64 / whole)).collect()
}
