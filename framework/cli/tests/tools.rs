//! Commands whose tests need a sandbox or a Chromium. Where there is none they are skipped, and counted as that.

#[cfg(target_os = "linux")]
mod sandbox;
#[path = "similar_pages/pages.rs"]
mod similar_pages;
mod workspace;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut trials: Vec<Trial> = wb_browser::trials(similar_pages::TESTS, similar_pages::Site::new);
    #[cfg(target_os = "linux")]
    trials.extend(sandbox::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
