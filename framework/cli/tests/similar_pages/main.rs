//! The pages of `cargo wb similar` in a headless Chromium: links, both languages, hostile texts, narrow windows, and that nothing is
//! requested or executed.
//!
//! Where there is no Chromium, every test is skipped with the reason, and counted as that.

#[path = "../../../scoreboard/tests/browser/devtools.rs"]
mod devtools;
mod pages;
#[path = "../workspace/mod.rs"]
mod workspace;

use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Trial};

use devtools::{Browser, program};
use pages::{Site, TESTS};

fn main() {
    let arguments = Arguments::from_args();
    let Some(program) = program() else {
        println!("SKIP: no Chromium here (apt install chromium, or set {})", devtools::VARIABLE);
        let skipped = TESTS.iter().map(|(name, _)| Trial::test(*name, || Ok(())).with_ignored_flag(true));
        libtest_mimic::run(&arguments, skipped.collect()).exit();
    };
    // One browser for all tests: its start takes longer than most of them.
    let shared: Arc<Mutex<Option<(Browser, Site)>>> = Arc::default();
    let trials = TESTS.iter().map(|(name, test)| {
        let (shared, program) = (Arc::clone(&shared), program.clone());
        Trial::test(*name, move || {
            // A test that failed leaves a usable browser: each test opens its page anew.
            let mut shared = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (browser, site) = shared.get_or_insert_with(|| (Browser::start(&program), Site::new()));
            browser.set_width(1400);
            test(browser, site);
            Ok(())
        })
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    drop(shared);
    conclusion.exit();
}
