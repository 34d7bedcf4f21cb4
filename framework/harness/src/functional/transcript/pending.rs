//! A request whose end is written down.
use wb_comm::{Completed, Pending, Result, Site};

use super::{Act, Notes};

/// See the module.
pub(super) struct NotedRequest {
    /// `None` once it is waited for.
    inner: Option<Box<dyn Pending>>,
    notes: Notes,
    on: usize,
    number: usize,
    /// Found complete by a test.
    over: bool,
    /// The call that started it.
    site: Site,
}

impl NotedRequest {
    pub(super) fn of(
        inner: Box<dyn Pending>,
        notes: Notes,
        (on, number): (usize, usize),
        site: Site,
    ) -> Self {
        Self { inner: Some(inner), notes, on, number, over: false, site }
    }

    fn inner(&mut self) -> &mut dyn Pending {
        &mut **self.inner.as_mut().expect("only waiting takes it, and consumes the request")
    }
}

impl Pending for NotedRequest {
    fn test(&mut self, site: Site) -> Result<bool> {
        let over = self.inner().test(site);
        // One that has failed is over as well.
        self.over |= !matches!(over, Ok(false));
        over
    }

    fn wait(mut self: Box<Self>, site: Site) -> Result<Completed> {
        let inner = self.inner.take().expect("only waiting takes it, and consumes the request");
        let note = self.notes.begin(site, self.on, Act::Wait { request: self.number, came: None });
        let result = inner.wait(site);
        self.notes.end(note, result.is_ok(), |act| {
            if let Ok(Completed { status: Some(status), .. }) = &result {
                act.heard(0, (status.source, status.tag));
            }
        });
        result
    }
}

impl Drop for NotedRequest {
    fn drop(&mut self) {
        if self.inner.is_none() {
            return;
        }
        let request = self.number;
        let act = if self.over { Act::Wait { request, came: None } } else { Act::Drop { request } };
        let note = self.notes.begin(self.site, self.on, act);
        self.notes.end(note, true, |_| {});
    }
}
