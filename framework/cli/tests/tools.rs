//! Commands whose tests need a sandbox, a Chromium, or compilers of MPI programs. Where there is none they are skipped, and counted as that.

#[cfg(target_os = "linux")]
mod pseudo_terminal;
#[cfg(target_os = "linux")]
mod sandbox;
#[path = "similar_pages/pages.rs"]
mod similar_pages;
#[path = "traced_programs/programs.rs"]
mod traced_programs;
#[cfg(target_os = "linux")]
mod watched_page;
mod workspace;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut trials: Vec<Trial> = wb_browser::trials(similar_pages::TESTS, similar_pages::Site::new);
    #[cfg(target_os = "linux")]
    {
        trials.extend(sandbox::trials());
        trials.extend(wb_browser::trials(watched_page::TESTS, watched_page::Site::new));
    }
    trials.extend(traced_programs::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
