//! The pages as a reader uses them.
use std::fs;

use serde_json::json;
use wb_browser::{Browser, Site as _};

use crate::times::Calls;

/// The largest page with its plans, without the script that all pages share.
const MAX_BYTES: u64 = 150_000;

fn open(browser: &mut Browser, calls: &Calls, page: &str) {
    browser.open(&calls.url(page));
    browser.wait("document.querySelector('.run') !== null");
}

/// A text of the page.
fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.evaluate(&format!("document.querySelector({}).textContent", json!(selector)));
    text.as_str().expect("text").to_owned()
}

fn click(browser: &mut Browser, id: &str) {
    browser.evaluate(&format!("document.getElementById({}).click()", json!(id)));
}

pub(crate) fn a_page_plays_steps_and_compares(browser: &mut Browser, calls: &Calls) {
    open(browser, calls, "en/play/barrier-dissemination.html");
    // Three rounds of o + L + o.
    assert_eq!(text(browser, "output"), "4,200 ns of 4,200 ns");
    assert!(text(browser, ".result").starts_with("The last rank leaves at 4,200 ns; 24 messages"));
    let heard = "document.querySelector('.known .mark-heard').getAttribute('d').split('z').length - 1";
    assert_eq!(browser.evaluate(heard), json!(64));
    click(browser, "play-begin");
    assert_eq!(browser.evaluate(heard), json!(8), "every rank knows of itself");
    let known = [16, 32, 64].map(|cells| {
        click(browser, "play-round_next");
        (browser.evaluate(heard), cells)
    });
    assert!(known.iter().all(|(found, cells)| *found == json!(cells)), "twice as many a round: {known:?}");
    click(browser, "play-begin");
    click(browser, "play-event_next");
    assert_eq!(text(browser, "output"), "1,200 ns of 4,200 ns", "the messages arrive after o + L");
    assert_eq!(browser.evaluate(heard), json!(8), "what arrives is not yet received");
    assert!(text(browser, ".state").starts_with("receives from 7"), "{}", text(browser, ".state"));
    // The keys of the book, which turn its pages, do not work in the player.
    browser.evaluate("document.getElementById('play-clock').focus()");
    browser.press("ArrowRight");
    assert_eq!(text(browser, "output"), "1,201 ns of 4,200 ns");
    browser.evaluate("document.getElementById('play-play').focus()");
    browser.press("Enter");
    browser.wait("Number(document.getElementById('play-clock').value) > 1400");
    browser.press("Enter");
    assert!(text(browser, "#play-play").contains("play"));
    browser.evaluate("document.querySelector('.run details').open = true");
    browser.wait("document.querySelectorAll('.run tbody tr').length === 24");
    let choose = "(() => { const other = document.getElementById('play-with'); other.value = 'barrier-linear'; \
                  other.dispatchEvent(new Event('change')); })()";
    browser.evaluate(choose);
    browser.wait("document.querySelectorAll('.run').length === 2");
    assert!(text(browser, ".comparison").starts_with("dissemination is faster by "));
    assert_eq!(browser.evaluate("location.hash"), json!("#with=barrier-linear"));
    open(browser, calls, "ru/play/reduce-binomial.html#ranks=64&root=63&late=5&delay=9000");
    assert_eq!(browser.evaluate("document.querySelectorAll('.rank').length"), json!(64));
    assert!(text(browser, ".result").contains("сообщений 64; критический путь 5 → 4 → "));
}

pub(crate) fn a_wrong_barrier_opens_at_its_counterexample(browser: &mut Browser, calls: &Calls) {
    open(browser, calls, "en/play/barrier-short_dissemination.html");
    assert!(text(browser, ".play-verdict").contains("P = 3: rank 0 leaves after 2 steps"));
    assert_eq!(text(browser, ".result"), "✗ No barrier: rank 0 leaves without having heard of rank 1.");
    assert_eq!(browser.evaluate("document.getElementById('play-late').value"), json!("1"));
    assert_eq!(text(browser, ".state"), "✗ left, unaware of 1");
    open(browser, calls, "ru/play/barrier-adaptive_by_index.html");
    assert_eq!(text(browser, ".state"), "✗ ждёт вечно: 2, 3");
    // The contents are opened and closed by keyboard.
    let is_open = "document.documentElement.classList.contains('sidebar-visible')";
    browser.evaluate("document.getElementById('mdbook-sidebar-toggle').focus()");
    for open in [false, true] {
        browser.press("Enter");
        browser.wait(&format!("{is_open} === {open}"));
    }
}

pub(crate) fn pages_are_small(_: &mut Browser, calls: &Calls) {
    let length = |file: String| fs::metadata(calls.folder().join(file)).expect("a file of the site").len();
    for id in calls.ids() {
        for lang in ["en", "ru"] {
            let bytes =
                length(format!("{lang}/play/{id}.html")) + length(format!("{lang}/play/plans/{id}.js"));
            assert!(bytes < MAX_BYTES, "{lang} {id}: {bytes} bytes");
        }
    }
}
