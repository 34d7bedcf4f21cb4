//! The barrier that a world runs.
use std::rc::Rc;

use wb_algorithms::barriers::Plan;

/// The implementation that [`World::barrier`](crate::World::barrier) runs.
#[derive(Clone)]
pub(crate) enum BarrierChoice {
    /// The library's own barrier, or the default pattern where there is no library.
    Library,
    /// This pattern, as messages.
    Pattern(&'static str, Rc<Plan>),
}
