//! The help pages, where no terminal has a width.

use std::path::Path;

use crate::workspace::{output_text, wb};

#[test]
fn every_help_page_fits_80_columns_where_no_terminal_is_wider() {
    let page = |arguments: &[&str], lang: &str| {
        output_text(&wb(Path::new("."), &[arguments, &["--help", "--lang", lang]].concat()), 0)
    };
    for lang in ["en", "ru"] {
        let all = page(&[], lang);
        let lines = all.lines().skip(4).take_while(|line| !["Options:", "Параметры:"].contains(line));
        let lines = lines.filter_map(|line| line.strip_prefix("  "));
        // A continued help text is indented further.
        let names: Vec<_> =
            lines.filter_map(|line| line.split(' ').next().filter(|name| !name.is_empty())).collect();
        assert!(names.len() > 20, "{all}");
        let families = ["barriers", "collectives"]
            .into_iter()
            .flat_map(|family| ["bench", "list", "plan", "prove", "simulate"].map(|name| vec![family, name]));
        for command in names.into_iter().map(|name| vec![name]).chain(families) {
            let help = page(&command, lang);
            assert!(help.lines().all(|line| line.chars().count() <= 80), "{command:?}: {help}");
        }
    }
}
