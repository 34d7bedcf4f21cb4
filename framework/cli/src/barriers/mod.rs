//! `cargo wb barriers`: what barriers there are, and how fast they are.

mod bench;

use wb_messages::Lang;

use crate::{Done, arguments::Barriers, error::Result};

pub(crate) fn run(wanted: &Barriers, lang: Lang, json: bool) -> Result<Done> {
    match wanted {
        Barriers::Bench(wanted) => bench::run(wanted, lang, json),
    }
}
