//! The terminal as a screen that is redrawn: raw mode, the alternate screen, keys. Every end of this process restores it.

use std::{
    io::{self, Read, Write},
    sync::{Mutex, MutexGuard, Once, PoisonError},
    thread,
};

use crossterm::{
    cursor::{Hide, MoveTo, Show},
    execute, queue,
    style::Print,
    terminal::{
        self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
        LeaveAlternateScreen,
    },
};

use crate::error::{CliError, Result};

/// The size of a terminal that does not report one: columns and rows.
const DEFAULT_SIZE: (usize, usize) = (80, 24);

/// The byte that a terminal in raw mode sends for Ctrl-C.
pub(crate) const CTRL_C: u8 = 3;

/// The first byte of the sequence of a key without a letter.
const ESCAPE: u8 = 0x1b;

/// Whether the alternate screen is shown. While this is locked, no other thread changes the terminal.
static IS_SHOWN: Mutex<bool> = Mutex::new(false);

fn lock() -> MutexGuard<'static, bool> {
    IS_SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An error of the terminal.
fn failed(error: io::Error) -> CliError {
    CliError::system("write", "/dev/tty")(error)
}

/// Shows the alternate screen in raw mode.
pub(crate) fn enter() -> Result<()> {
    static HOOKS: Once = Once::new();
    let mut is_shown = lock();
    if wb_process::is_interrupted() {
        return Ok(());
    }
    HOOKS.call_once(|| {
        wb_process::at_exit(leave);
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            report(panic);
        }));
    });
    *is_shown = true;
    terminal::enable_raw_mode()
        .and_then(|()| execute!(io::stdout(), EnterAlternateScreen, Hide))
        .map_err(failed)
}

/// Restores the terminal, if it is not restored yet.
pub(crate) fn leave() {
    let mut is_shown = lock();
    // A terminal that does not exist any more cannot be restored.
    let _gone = terminal::disable_raw_mode();
    if std::mem::take(&mut *is_shown) {
        let _gone = execute!(io::stdout(), LeaveAlternateScreen, Show);
    }
}

/// Lets the main screen wait for one key.
pub(crate) fn wait_for_key(prompt: &str) -> Result<()> {
    let _shown = lock();
    println!("\n{prompt}");
    wb_process::output::flush();
    terminal::enable_raw_mode().map_err(failed)
}

/// Columns and rows.
pub(crate) fn size() -> (usize, usize) {
    match terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
        _ => DEFAULT_SIZE,
    }
}

/// Replaces the content of the screen, which is not drawn after [`leave`].
pub(crate) fn draw(rows: &[String]) -> Result<()> {
    match *lock() {
        true => write_rows(rows).map_err(failed),
        false => Ok(()),
    }
}

fn write_rows(rows: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    queue!(out, BeginSynchronizedUpdate)?;
    for (number, row) in (0..).zip(rows) {
        // Cleared first: after the last column of a full row, clearing would erase its last letter.
        queue!(out, MoveTo(0, number), Clear(ClearType::CurrentLine), Print(row))?;
    }
    queue!(out, EndSynchronizedUpdate)?;
    out.flush()
}

/// Sends each key to `receive` until it returns false. A key without a letter is left out; the end of the input is Ctrl-C.
pub(crate) fn read_keys(mut receive: impl FnMut(u8) -> bool + Send + 'static) {
    thread::spawn(move || {
        let mut bytes = [0; 64];
        loop {
            let count = io::stdin().read(&mut bytes).unwrap_or(0);
            let keys = match &bytes[..count] {
                [] => &[CTRL_C],
                [ESCAPE, ..] => &[][..],
                keys => keys,
            };
            if !keys.iter().all(|key| receive(*key)) || count == 0 {
                return;
            }
        }
    });
}
