//! Synchronisations of a window that others put into meanwhile: a fence completes what was put since the last one.
use wb_collectives::{Entry, catalogue::Setting, rma};
use wb_comm::{Assertion, Barrier, Layout, Rank, Result, Site, Verb, View, ViewMut, Window, WindowKind};
use wb_world::World;

use super::{Carrier, Place, Words};

/// See the module. Barriers that promise memory, on a window that stands in the epoch they need.
pub struct OnEpochs;

fn site() -> Site {
    Site::here(Verb::Barrier)
}

impl Carrier for OnEpochs {
    fn name(&self) -> String {
        "a window's epochs".into()
    }

    fn place(&self, entry: &Entry, team: &World) -> Result<Box<dyn Place>> {
        let words = 2 * team.size();
        let window = team.transport().window(WindowKind::Allocate, Layout::I64, words, site())?;
        window.write(0, View::of(&vec![0i64; words]))?;
        window.fence(Assertion::default(), site())?;
        Ok(Box::new(Own { name: entry.name, window }))
    }

    fn completes(&self, entry: &Entry) -> bool {
        entry.promise.memory
    }

    fn can(&self, entry: &Entry, _: &Setting) -> bool {
        entry.name == "rma_fence"
    }
}

struct Own {
    name: &'static str,
    window: Box<dyn Window>,
}

impl Place for Own {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        rma::by_name(self.name, &*self.window, site()).expect("a native of windows").expect("for every size")
    }

    fn words(&self) -> Option<&dyn Words> {
        Some(self)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.window.fence(Assertion { no_succeed: true, ..Assertion::default() }, site())?;
        self.window.free(site())
    }
}

impl Words for Own {
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()> {
        self.window.put(to, word, View::of(&[value]), site())
    }

    fn own(&self, word: usize) -> Result<i64> {
        let mut value = [0];
        self.window.read(word, ViewMut::of(&mut value))?;
        Ok(value[0])
    }
}
