//! A hook that runs when a process gets SIGTERM, before it ends.

use std::io;

use signal_hook::{consts::SIGTERM, iterator::Signals};

/// Calls `hook` on a thread of its own when this process gets SIGTERM, and then lets it die of that as if nothing had
/// been caught. For ranks: a launcher that has lost one of them asks the others to end, and kills them a moment later.
///
/// # Errors
/// When the system refuses the handler or the thread.
pub fn on_sigterm(hook: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM])?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            hook();
            // This ends the process; if it should fail, the usual status of a process that died of a signal.
            let _failed = signal_hook::low_level::emulate_default_handler(signal);
            crate::exit_now(128 + signal);
        }
    };
    std::thread::Builder::new().name("wb-terminate".into()).spawn(wait)?;
    Ok(())
}
