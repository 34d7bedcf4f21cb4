//! Synchronisations of a window that others put into meanwhile: a fence completes what was put since the last one.
use wb_algorithms::barriers::{BarrierEntry, GroupConfig, rma};
use wb_comm::{
    Assertion, Barrier, CallSite, Datatype, ErasedWindow, Rank, Result, Verb, View, ViewMut, WindowKind,
};
use wb_world::{FrameworkCalls as _, World};

use super::{BarrierInstance, BarrierProvider, PutWords};

/// Synchronisations of a window as barriers. Barriers that promise memory, on a window that is in the epoch they need.
pub struct EpochBarriers;

fn site() -> CallSite {
    CallSite::caller(Verb::Barrier)
}

impl BarrierProvider for EpochBarriers {
    fn name(&self) -> String {
        "a window's epochs".into()
    }

    fn build(&self, entry: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        let words = 2 * team.size();
        let window = team.transport().window(WindowKind::Allocate, Datatype::I64, words, site())?;
        window.write(0, View::from_slice(&vec![0i64; words]))?;
        window.fence(Assertion::default(), site())?;
        Ok(Box::new(EpochInstance { name: entry.name, window }))
    }

    fn completes_memory(&self, entry: &BarrierEntry) -> bool {
        entry.guarantee.memory
    }

    fn supports(&self, entry: &BarrierEntry, _: &GroupConfig) -> bool {
        entry.name == "rma_fence"
    }
}

struct EpochInstance {
    name: &'static str,
    window: Box<dyn ErasedWindow>,
}

impl BarrierInstance for EpochInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        rma::by_name(self.name, vec![&*self.window], site())
            .expect("a native of windows")
            .expect("for every size")
    }

    fn put_words(&self) -> Option<&dyn PutWords> {
        Some(self)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.window.fence(Assertion { no_succeed: true, ..Assertion::default() }, site())?;
        self.window.free(site())
    }
}

impl PutWords for EpochInstance {
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()> {
        self.window.put(to, word, View::from_slice(&[value]), site())
    }

    fn own(&self, word: usize) -> Result<i64> {
        let mut value = [0];
        self.window.read(word, ViewMut::from_slice(&mut value))?;
        Ok(value[0])
    }
}
