//! The heartbeats of a rank, and its end when its owner gives none.
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::beat::{FOLDER_VARIABLE, Heartbeat, HeartbeatFile, INTERVAL, OWNER, Sign, rank_file};

/// A rank ends by itself when its owner has given no sign for so long. The owner ends the job earlier where both miss the other.
pub const OWNER_SILENCE_MAX: Duration = Duration::from_secs(20);

/// How much longer a rank waits for the first sign of its owner: the owner waits for its first sign, too, and is to end the job with the
/// reason before.
const FIRST_SIGN_EXTRA: Duration = Duration::from_secs(25);

/// The exit code of a rank whose owner is gone.
const EXIT_ABANDONED: i32 = 125;

/// What this rank knows of its owner.
struct OwnerSigns {
    started: Instant,
    /// When the owner gave its last sign, in milliseconds after `started`.
    last_ms: AtomicU64,
}

impl OwnerSigns {
    fn renew(&self) {
        self.last_ms.store(self.elapsed_ms(), Ordering::SeqCst);
    }

    fn silence(&self) -> Duration {
        Duration::from_millis(self.elapsed_ms().saturating_sub(self.last_ms.load(Ordering::SeqCst)))
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Begins the heartbeats of this process as the rank of a job whose owner asks for them; from now on it ends when the owner is gone.
/// Does nothing outside of such a job, and the second time.
///
/// # Errors
/// When the folder cannot be written, or the system refuses a thread or a handler.
pub fn start_rank_heartbeats() -> io::Result<()> {
    static STARTED: OnceLock<()> = OnceLock::new();
    let (Some(folder), Some(launched)) = (std::env::var_os(FOLDER_VARIABLE), crate::launcher_rank()) else {
        return Ok(());
    };
    if STARTED.set(()).is_err() {
        return Ok(());
    }
    let folder = PathBuf::from(folder);
    let first_ms = u64::try_from(FIRST_SIGN_EXTRA.as_millis()).unwrap_or(u64::MAX);
    let signs = Arc::new(OwnerSigns { started: Instant::now(), last_ms: AtomicU64::new(first_ms) });
    let watched = Arc::clone(&signs);
    // First of all, since the next line may hang.
    thread::Builder::new().name("wb-owner-signs".into()).spawn(move || end_when_silent(&watched))?;
    let own = Arc::new(HeartbeatFile::create(&folder.join(rank_file(launched.rank)))?);
    let at_end = Arc::clone(&own);
    crate::on_sigterm(move || {
        let _unwritten = at_end.write(Sign::AskedToEnd);
    })?;
    thread::Builder::new()
        .name("wb-heartbeat".into())
        .spawn(move || beat(&folder.join(OWNER), &own, &signs))?;
    Ok(())
}

/// Ends this process when the owner has been silent for too long. It reads a clock and nothing else.
fn end_when_silent(signs: &OwnerSigns) {
    while signs.silence() < OWNER_SILENCE_MAX {
        thread::sleep(INTERVAL);
    }
    crate::exit_now(EXIT_ABANDONED)
}

/// The heartbeats of a rank, which also read those of the owner.
fn beat(owner: &Path, own: &HeartbeatFile, signs: &OwnerSigns) {
    let mut last = None;
    loop {
        thread::sleep(INTERVAL);
        match Heartbeat::read(owner) {
            Ok(beat) if beat.is_some() && beat != last => {
                last = beat;
                signs.renew();
            }
            // The owner has ended the job.
            Err(error) if error.kind() == io::ErrorKind::NotFound => crate::exit_now(EXIT_ABANDONED),
            Ok(_) | Err(_) => {}
        }
        // A full disk does not matter here; the owner sees silence.
        let _unwritten = own.write(Sign::Runs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_silence_of_an_owner_ends_with_a_sign() {
        let long_ago = Instant::now().checked_sub(OWNER_SILENCE_MAX * 2).expect("a time");
        let signs = OwnerSigns { started: long_ago, last_ms: AtomicU64::new(0) };
        assert!(signs.silence() > OWNER_SILENCE_MAX);
        signs.renew();
        assert!(signs.silence() < INTERVAL);
    }
}
