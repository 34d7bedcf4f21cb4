//! The registry through which the ranks of one process find their shared epochs of a window.
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::shared_epochs::SharedEpochs;

/// A rank's handle of the shared epochs of a window.
#[derive(Clone, Debug)]
pub(crate) struct SharedEpochsHandle(Arc<Mutex<SharedEpochs>>);

static REGISTRY: Mutex<BTreeMap<u64, Weak<Mutex<SharedEpochs>>>> = Mutex::new(BTreeMap::new());

impl SharedEpochsHandle {
    /// New shared epochs for `size` ranks, and the number under which the other ranks [`find`](Self::find) them.
    pub(crate) fn register(size: usize) -> (Self, u64) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Relaxed);
        let shared = Self(Arc::new(Mutex::new(SharedEpochs::new(size))));
        let mut registry = REGISTRY.lock().expect("the registry lock is poisoned");
        registry.retain(|_, shared| shared.strong_count() > 0);
        registry.insert(id, Arc::downgrade(&shared.0));
        (shared, id)
    }

    /// The shared epochs of that number.
    pub(crate) fn find(id: u64) -> Option<Self> {
        REGISTRY.lock().expect("the registry lock is poisoned").get(&id).and_then(Weak::upgrade).map(Self)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, SharedEpochs> {
        self.0.lock().expect("a rank panicked while it held the epochs")
    }
}
