//! Barriers: nobody leaves before everybody has entered. One pattern a file, over the two verbs of [`Signal`].
use wb_comm::{Result, Signal};

pub mod dissemination;

pub use dissemination::Dissemination;

/// Who tells whom in one episode of a barrier.
///
/// ```
/// use wb_collectives::barrier::Pattern;
/// use wb_comm::{Result, Signal};
///
/// /// Everybody tells rank 0, then rank 0 tells everybody.
/// struct Central;
///
/// impl Pattern for Central {
///     fn episode<S: Signal>(&self, s: &mut S) -> Result<()> {
///         match s.rank() {
///             0 => {
///                 (1..s.size()).try_for_each(|peer| s.hear(peer, 0))?;
///                 (1..s.size()).try_for_each(|peer| s.tell(peer, 0))
///             }
///             _ => s.tell(0, 0).and_then(|()| s.hear(0, 0)),
///         }
///     }
/// }
/// ```
pub trait Pattern {
    /// Runs one participant's part of one episode; can be called again at once.
    ///
    /// # Errors
    /// What the substrate of the signals can meet.
    fn episode<S: Signal>(&self, s: &mut S) -> Result<()>;
}
