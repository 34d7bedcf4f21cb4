//! The parts of a rank's time: their names, their colours, what is to be done about them.
use wb_messages::{Lang, report::trace as text};
use wb_trace::{Cause, Parts};

/// One part.
pub(super) struct Part {
    /// Its CSS class.
    pub(super) class: &'static str,
    /// Its name.
    pub(super) name: fn(Lang) -> String,
    /// What to do about it; nothing about work.
    pub(super) advice: Option<fn(Lang) -> String>,
    /// The waiting that it is made of, if it is that.
    pub(super) cause: Option<Cause>,
}

/// All parts, in the order of [`Parts::array`].
pub(super) const PARTS: [Part; 7] = [
    Part { class: "t-compute", name: text::compute, advice: None, cause: None },
    Part { class: "t-serial", name: text::serial, advice: None, cause: None },
    Part { class: "t-imbalance", name: text::imbalance, advice: Some(text::advice_imbalance), cause: None },
    Part {
        class: "t-sender",
        name: text::late_sender,
        advice: Some(text::advice_late_sender),
        cause: Some(Cause::LateSender),
    },
    Part {
        class: "t-receiver",
        name: text::late_receiver,
        advice: Some(text::advice_late_receiver),
        cause: Some(Cause::LateReceiver),
    },
    Part {
        class: "t-collective",
        name: text::collective,
        advice: Some(text::advice_collective),
        cause: Some(Cause::Collective),
    },
    Part { class: "t-transfer", name: text::transfer, advice: Some(text::advice_transfer), cause: None },
];

/// The part that waiting for this is.
pub(super) fn of_cause(cause: Cause) -> &'static Part {
    PARTS.iter().find(|part| part.cause == Some(cause)).expect("every cause is a part")
}

/// Each part with its share of the ranks' time.
pub(super) fn shares(sum: Parts) -> Vec<(&'static Part, f64)> {
    let whole = sum.total().max(1) as f64;
    PARTS.iter().zip(sum.array()).map(|(part, ns)| (part, ns as f64 / whole)).collect()
}
