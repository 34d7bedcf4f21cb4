//! One heartbeat, and the file of a process's heartbeats.
use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::FileExt,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::identity;

/// The environment variable that names the folder of a job's heartbeats.
pub(super) const FOLDER_VARIABLE: &str = "WB_HEARTBEATS";

/// The name of the owner's file.
pub(super) const OWNER: &str = "owner.beat";

/// The time between two heartbeats.
pub(super) const INTERVAL: Duration = Duration::from_secs(1);

/// The name of the file of a rank.
pub(super) fn rank_file(rank: usize) -> String {
    format!("rank-{rank}.beat")
}

/// What a process says with a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Runs,
    /// It was asked to end (SIGTERM).
    AskedToEnd,
}

impl Sign {
    fn word(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::AskedToEnd => "asked",
        }
    }
}

/// One heartbeat: the text of a file, which is overwritten in place and therefore has one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heartbeat {
    pub(super) count: u64,
    pub(super) sign: Sign,
    pub(super) host: String,
}

impl Heartbeat {
    pub(super) fn text(&self) -> String {
        format!("{:020} {:5} {}\n", self.count, self.sign.word(), self.host)
    }

    /// `None` while the file is being written.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut words = text.strip_suffix('\n')?.split_whitespace();
        let (count, sign, host) = (words.next()?.parse().ok()?, words.next()?, words.next()?);
        let sign = [Sign::Runs, Sign::AskedToEnd].into_iter().find(|known| known.word() == sign)?;
        Some(Self { count, sign, host: host.to_owned() })
    }

    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        fs::read_to_string(path).map(|text| Self::parse(&text))
    }
}

/// The writing end of a file of heartbeats.
#[derive(Debug)]
pub(super) struct HeartbeatFile {
    file: File,
    host: String,
    count: AtomicU64,
}

impl HeartbeatFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        let created = Self { file, host: identity::host_name(), count: AtomicU64::new(0) };
        created.write(Sign::Runs)?;
        Ok(created)
    }

    pub(super) fn write(&self, sign: Sign) -> io::Result<()> {
        let count = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        let beat = Heartbeat { count, sign, host: self.host.clone() };
        self.file.write_all_at(beat.text().as_bytes(), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_is_read_as_written_and_half_of_one_is_none() {
        let beat = Heartbeat { count: 7, sign: Sign::AskedToEnd, host: "node-1".into() };
        let text = beat.text();
        assert_eq!(Heartbeat::parse(&text), Some(beat.clone()));
        assert_eq!(Heartbeat::parse(&text[..text.len() - 1]), None);
        assert_eq!(Heartbeat { count: u64::MAX, sign: Sign::Runs, ..beat }.text().len(), text.len());
    }
}
