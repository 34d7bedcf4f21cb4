//! The parts of a rank's time: their names, their colours, what is to be done about them.
use wb_messages::{Lang, report::trace as text};
use wb_trace::{Parts, WaitStateKind};

/// The colours of the parts, on every page that shows them.
pub(crate) const COLOURS: &str = include_str!("parts.css");
pub(super) struct TimePart {
    /// Its CSS class.
    pub(super) class: &'static str,
    pub(super) name: fn(Lang) -> String,
    /// What to do about it; nothing about work.
    pub(super) advice: Option<fn(Lang) -> String>,
    /// The waiting that it is made of, if it is that.
    pub(super) cause: Option<WaitStateKind>,
}

/// All parts, in the order of [`Parts::array`].
pub(super) const PARTS: [TimePart; 7] = [
    TimePart { class: "t-compute", name: text::compute, advice: None, cause: None },
    TimePart { class: "t-serial", name: text::serial, advice: None, cause: None },
    TimePart {
        class: "t-imbalance",
        name: text::imbalance,
        advice: Some(text::advice_imbalance),
        cause: None,
    },
    TimePart {
        class: "t-sender",
        name: text::late_sender,
        advice: Some(text::advice_late_sender),
        cause: Some(WaitStateKind::LateSender),
    },
    TimePart {
        class: "t-receiver",
        name: text::late_receiver,
        advice: Some(text::advice_late_receiver),
        cause: Some(WaitStateKind::LateReceiver),
    },
    TimePart {
        class: "t-collective",
        name: text::collective,
        advice: Some(text::advice_collective),
        cause: Some(WaitStateKind::Collective),
    },
    TimePart { class: "t-transfer", name: text::transfer, advice: Some(text::advice_transfer), cause: None },
];

pub(super) fn part_of_cause(cause: WaitStateKind) -> &'static TimePart {
    PARTS.iter().find(|part| part.cause == Some(cause)).expect("every cause is a part")
}

/// Each part with its share of the ranks' time.
pub(super) fn shares(sum: Parts) -> Vec<(&'static TimePart, f64)> {
    let whole = sum.total().max(1) as f64;
    PARTS.iter().zip(sum.array()).map(|(part, ns)| (part, ns as f64 / whole)).collect()
}
