//! The table of a public scoreboard: letters and sums, without groups and variants.

use serde_json::json;
use wb_browser::{Browser, Site as _};

use crate::pages::{SHOWN, Site, column, set, shown};

pub(crate) fn check(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("public/index.html"));
    assert_eq!(shown(browser), 150);
    assert_eq!(
        browser.evaluate(
            "['group', 'stream', 'variant'].map(name => name in document.getElementById('filters').elements)"
        ),
        json!([false, false, false])
    );
    set(browser, "flag", "late");
    assert!((1..150).contains(&shown(browser)));
    set(browser, "flag", "");
    browser.evaluate("document.querySelector('[data-key=\"1.sum\"] button').click()");
    // The name, then seven letters and the sum of each assignment.
    let sums = column(browser, 1 + 7);
    assert!((100..150).contains(&sums.len()) && sums.is_sorted_by(|a, b| a >= b), "{sums:?}");
    let last = browser.evaluate(&format!("{SHOWN}.at(-1).cells[8].textContent.trim()"));
    assert_eq!(last, json!("–"), "what was not submitted has no sum and comes last");
    browser.evaluate("document.querySelector('#students td.none.R a, #students td.part.R a').click()");
    let heading = browser.evaluate("document.querySelector('#reason h2').textContent");
    assert!(heading.as_str().is_some_and(|heading| heading.starts_with("R · ")), "{heading}");
    browser.press("Escape");
}
