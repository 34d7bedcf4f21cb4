//! Scoreboards and reports in a headless Chromium: filters, sorting, keys, links, narrow windows, and that nothing is requested or executed.

#[path = "../board/mod.rs"]
mod board;
mod pages;
mod public_table;
#[path = "../../synthetic/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part of it")]
mod synthetic;

fn main() {
    wb_browser::run_tests(pages::TESTS, pages::Site::new)
}
