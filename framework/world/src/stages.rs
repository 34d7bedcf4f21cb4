//! What the framework itself says on a communicator around a task's stages: none of it is a call of the user's, and none is
//! counted.
use wb_collectives::Algorithms;
use wb_comm::{Collectives, Rank, Result, Site, Verb, ViewMut};
use wb_record::Shape;

use crate::{
    World,
    recorder::{self, Recorder, number},
};

impl World {
    /// Tells the log that this part of the program ran from `begin` to `end` of this world's clock.
    pub fn stage(&self, name: &'static str, begin: u64, end: u64) {
        if let Some(recorder) = &self.recording {
            recorder.stage(name, begin, end);
        }
    }

    /// The framework's own broadcast of bytes that exist on `home` only: not counted, on the internal channel, so it
    /// meets no message of the user's.
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn announce(&self, home: Rank, bytes: Option<&[u8]>) -> Result<Vec<u8>> {
        let site = Site::here(Verb::Agreement);
        let verb = || {
            let algorithms = Algorithms(&**self.transport());
            let mut length = [bytes.map_or(0, <[u8]>::len)];
            algorithms.bcast(ViewMut::of(&mut length), home, site)?;
            let mut data = bytes.map_or_else(|| vec![0; length[0]], <[u8]>::to_vec);
            algorithms.bcast(ViewMut::of(&mut data), home, site)?;
            Ok(data)
        };
        let act =
            |recorder: &Recorder, data: &Vec<u8>| recorder.collective(Shape::From(number(home)), data.len());
        recorder::around(&self.recording, site, verb, act)
    }

    /// Collective: the framework's own barrier between two stages, not counted: no call of the user's. On a communicator of its
    /// own it meets no collective of the user's.
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn line_up(&self) -> Result<()> {
        Algorithms(&**self.transport()).barrier(Site::here(Verb::Agreement))
    }
}
