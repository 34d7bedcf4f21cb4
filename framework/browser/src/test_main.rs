//! `main` of a program of tests that share one browser.
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use libtest_mimic::{Arguments, Trial};

use crate::{
    axe,
    browser::{self, Browser},
};

/// The pages that a program tests.
pub trait Site: Send + 'static {
    /// The name of the test of their accessibility.
    const ACCESSIBILITY: &'static str =
        "every_kind_of_page_passes_axe_in_both_languages_and_in_light_and_dark";

    /// What is true in a page when all of it is there.
    const READY: &'static str = "true";

    /// The folder of all files.
    fn folder(&self) -> &Path;

    /// The files of a page of each kind, in English and in Russian.
    fn pages(&self) -> Vec<[String; 2]>;

    /// The address of a file.
    fn url(&self, file: &str) -> String {
        format!("file://{}/{file}", self.folder().display())
    }
}

/// A test's name, and what it does with the browser and the site.
pub type BrowserTest<S> = (&'static str, fn(&mut Browser, &S));

/// The width of the window at the beginning of each test, in CSS pixels.
const WIDTH: u32 = 1400;

/// The tests as trials, in which no page may request a file from elsewhere, log anything or throw, and that of the accessibility of all pages.
/// Without Chromium all are skipped, and without axe-core the test of accessibility is. `make_site` makes the pages before the first test.
pub fn trials<S: Site>(tests: &[BrowserTest<S>], make_site: fn() -> S) -> Vec<Trial> {
    let accessibility: BrowserTest<S> = (S::ACCESSIBILITY, axe::check);
    let skipped = |&(name, _): &BrowserTest<S>| Trial::test(name, || Ok(())).with_ignored_flag(true);
    let Some(program) = browser::program() else {
        println!("SKIP: no Chromium on PATH (apt install chromium)");
        return tests.iter().chain([&accessibility]).map(skipped).collect();
    };
    // One browser for all tests: its start takes longer than most of them. It ends with the last of them.
    let shared: Arc<Mutex<Option<(Browser, S)>>> = Arc::default();
    let trial = |&(name, test): &BrowserTest<S>| {
        let (shared, program) = (Arc::clone(&shared), program.clone());
        Trial::test(name, move || {
            // A test that failed leaves a usable browser: each test opens its page anew.
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let start = || {
                // The browser starts while the pages are made.
                let browser = thread::spawn(move || Browser::start(&program));
                let site = make_site();
                (browser.join().expect("the browser starts"), site)
            };
            let (browser, site) = shared.get_or_insert_with(start);
            browser.set_width(WIDTH);
            browser.take_noise("");
            test(browser, site);
            assert_eq!(browser.take_noise(&site.url("")), [""; 0], "a page requested, logged or threw this");
            Ok(())
        })
    };
    let accessibility = if axe::program().is_some() {
        trial(&accessibility)
    } else {
        println!("SKIP: no axe-core (.ci/axe-core fetches it by npm)");
        skipped(&accessibility)
    };
    tests.iter().map(trial).chain([accessibility]).collect()
}

/// Runs the tests that the arguments of the process select, and ends the process.
pub fn run_tests<S: Site>(tests: &[BrowserTest<S>], make_site: fn() -> S) -> ! {
    libtest_mimic::run(&Arguments::from_args(), trials(tests, make_site)).exit()
}
