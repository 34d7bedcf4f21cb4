//! Tests of pages in a headless Chromium: `main` of a test program, and the browser that its tests share.
//!
//! Each program also checks the accessibility of its pages by axe-core. A test whose tool is not installed, Chromium or axe-core, is skipped
//! with the reason, and is counted as skipped. Only tests depend on this crate.
//!
//! ```ignore
//! // `harness = false`
//! fn main() {
//!     wb_browser::run_tests(&[("the_page_opens", |browser, site| browser.open(&site.url()))], Site::new)
//! }
//! ```
#![forbid(unsafe_code)]

mod axe;
mod browser;
mod test_main;

pub use browser::Browser;
pub use test_main::{BrowserTest, Site, run_tests, trials};
