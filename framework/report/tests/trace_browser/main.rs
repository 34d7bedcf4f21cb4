//! The page of a trace in a headless Chromium: time, filters, the matrix and the address by keyboard and mouse; its speed at 100,000 messages.

mod large_trace;
mod pages;

fn main() {
    wb_browser::run_tests(pages::TESTS, pages::Site::new)
}
