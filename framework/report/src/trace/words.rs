//! The words of the script: texts in which it replaces names in braces.
use std::collections::BTreeMap;

use wb_messages::{
    Lang,
    report::{result, trace as text, trace_page as page},
};

/// Texts by the names that the script has for them.
pub(super) fn words(lang: Lang) -> BTreeMap<&'static str, String> {
    descriptions(lang).into_iter().chain(controls(lang)).collect()
}

/// Units, calls and messages.
fn descriptions(lang: Lang) -> Vec<(&'static str, String)> {
    vec![
        ("rank", text::rank(lang)),
        ("ranks", page::ranks(lang)),
        ("nanoseconds", result::nanoseconds(lang, "{n}")),
        ("microseconds", result::microseconds(lang, "{n}")),
        ("milliseconds", result::milliseconds(lang, "{n}")),
        ("seconds", result::seconds(lang, "{n}")),
        ("bytes", result::bytes(lang, "{n}")),
        ("kibibytes", result::kibibytes(lang, "{n}")),
        ("mebibytes", result::mebibytes(lang, "{n}")),
        ("gibibytes", result::gibibytes(lang, "{n}")),
        ("tip_send", text::tip_send(lang, "{peer}", "{tag}", "{bytes}")),
        ("tip_receive", text::tip_receive(lang, "{peer}", "{tag}", "{bytes}")),
        ("tip_in", text::tip_in(lang, "{communicator}")),
        ("tip_time", text::tip_time(lang, "{begin}", "{end}", "{duration}")),
        ("tip_waited", text::tip_waited(lang, "{time}", "{cause}", "{rank}")),
        ("tip_message", text::tip_message(lang, "{from}", "{to}", "{tag}", "{bytes}", "{time}")),
        ("tip_signal", text::tip_signal(lang, "{from}", "{to}", "{time}")),
        (
            "tip_collective_band",
            text::tip_collective_band(lang, "{verb}", "{communicator}", "{sequence}", "{spread}"),
        ),
    ]
}

/// The matrix, the details and the state of the diagram.
fn controls(lang: Lang) -> Vec<(&'static str, String)> {
    vec![
        ("matrix_corner", page::matrix_corner(lang)),
        ("matrix_cell", page::matrix_cell(lang, "{from}", "{to}", "{messages}", "{bytes}")),
        ("matrix_sum", page::matrix_sum(lang, "{messages}", "{bytes}")),
        ("matrix_empty", page::matrix_empty(lang)),
        ("list_cell", page::list_cell(lang, "{from}", "{to}")),
        ("list_count", page::list_count(lang, "{shown}", "{count}")),
        ("nothing_selected", page::nothing_selected(lang)),
        ("previous_message", page::previous_message(lang)),
        ("next_message", page::next_message(lang)),
        ("previous_call", page::previous_call(lang)),
        ("next_call", page::next_call(lang)),
        ("whole_collective", page::whole_collective(lang)),
        ("waited_for", page::waited_for(lang)),
        ("last_to_enter", page::last_to_enter(lang)),
        ("order_of_entries", page::order_of_entries(lang, "{ranks}")),
        ("inside", page::inside(lang, "{algorithm}", "{messages}", "{rounds}", "{bytes}")),
        ("tree", page::tree(lang)),
        ("in_memory", page::in_memory(lang, "{algorithm}")),
        ("not_opened", page::not_opened(lang, "{algorithm}")),
        ("opaque_collective", page::opaque_collective(lang)),
        ("zoom_to", page::zoom_to(lang)),
        ("no_source", page::no_source(lang)),
        ("clock", page::clock(lang, "{from}", "{to}")),
        ("at_time", page::at_time(lang, "{time}")),
        ("drawn", page::drawn(lang, "{drawn}", "{visible}")),
        ("all_drawn", page::all_drawn(lang, "{visible}")),
        ("play", page::play(lang)),
        ("pause", page::pause(lang)),
    ]
}
