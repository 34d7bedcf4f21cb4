//! The pages in a headless Chromium: filters, sorting, keys, links, narrow windows, and that nothing is requested or executed.

#[path = "../board/mod.rs"]
mod board;
mod pages;
mod public_table;

fn main() {
    wb_browser::run_tests(pages::TESTS, pages::Site::new)
}
