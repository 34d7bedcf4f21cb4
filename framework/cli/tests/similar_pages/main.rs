//! The pages of `cargo wb similar` in a headless Chromium: links, both languages, hostile texts, narrow windows, and that nothing is
//! requested or executed.

mod pages;
#[path = "../workspace/mod.rs"]
mod workspace;

fn main() {
    wb_browser::run_tests(pages::TESTS, pages::Site::new)
}
