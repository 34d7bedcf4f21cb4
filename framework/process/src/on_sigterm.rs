//! Hooks that run when a process gets SIGTERM, before it ends.

use std::{
    io,
    sync::{Mutex, OnceLock, PoisonError},
};

use signal_hook::{consts::SIGTERM, iterator::Signals};

type Hook = Box<dyn FnOnce() + Send>;

/// The hooks, in order of registration.
static HOOKS: Mutex<Vec<Hook>> = Mutex::new(Vec::new());

/// Calls `hook` on a thread of its own when this process gets SIGTERM, after the hooks that were registered before it, and then lets
/// it die of that as if nothing had been caught. For ranks: a launcher that has lost one of them asks the others to end, and kills them
/// a moment later.
///
/// # Errors
/// When the system refuses the handler or the thread.
pub fn on_sigterm(hook: impl FnOnce() + Send + 'static) -> io::Result<()> {
    static THREAD: OnceLock<Result<(), io::ErrorKind>> = OnceLock::new();
    HOOKS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(hook));
    THREAD.get_or_init(|| start_thread().map_err(|error| error.kind())).map_err(io::Error::from)
}

fn start_thread() -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM])?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let hooks = std::mem::take(&mut *HOOKS.lock().unwrap_or_else(PoisonError::into_inner));
            hooks.into_iter().for_each(|hook| hook());
            // This ends the process; if it should fail, the usual status of a process that died of a signal.
            let _failed = signal_hook::low_level::emulate_default_handler(signal);
            crate::exit_now(128 + signal);
        }
    };
    std::thread::Builder::new().name("wb-terminate".into()).spawn(wait)?;
    Ok(())
}
