//! `main` of a program of tests that share one browser.
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Trial};

use crate::browser::{self, Browser};

/// A test's name, and what it does with the browser and the site.
pub type BrowserTest<S> = (&'static str, fn(&mut Browser, &S));

/// The width of the window at the beginning of each test, in CSS pixels.
const WIDTH: u32 = 1400;

/// The tests as trials, which are skipped where there is no Chromium. `make_site` makes the pages before the first test.
pub fn trials<S: Send + 'static>(tests: &[BrowserTest<S>], make_site: fn() -> S) -> Vec<Trial> {
    let Some(program) = browser::program() else {
        println!("SKIP: no Chromium on PATH (apt install chromium)");
        let skipped = tests.iter().map(|(name, _)| Trial::test(*name, || Ok(())).with_ignored_flag(true));
        return skipped.collect();
    };
    // One browser for all tests: its start takes longer than most of them. It ends with the last of them.
    let shared: Arc<Mutex<Option<(Browser, S)>>> = Arc::default();
    let trial = |&(name, test): &BrowserTest<S>| {
        let (shared, program) = (Arc::clone(&shared), program.clone());
        Trial::test(name, move || {
            // A test that failed leaves a usable browser: each test opens its page anew.
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (browser, site) = shared.get_or_insert_with(|| (Browser::start(&program), make_site()));
            browser.set_width(WIDTH);
            test(browser, site);
            Ok(())
        })
    };
    tests.iter().map(trial).collect()
}

/// Runs the tests that the arguments of the process select, and ends the process.
pub fn run_tests<S: Send + 'static>(tests: &[BrowserTest<S>], make_site: fn() -> S) -> ! {
    libtest_mimic::run(&Arguments::from_args(), trials(tests, make_site)).exit()
}
