//! A started collective operation.
use std::marker::PhantomData;

use wb_comm::{Block, CallSite, Completed, Result, Verb, Wire};

use super::{Request, StartedOperation, StartedRequest};

/// A started collective operation (`MPI_Ibcast` and so on); its wait returns `O`.
#[must_use = "a request must be waited for"]
pub struct CollectiveRequest<O> {
    pub(crate) started: StartedRequest,
    /// Whether this rank gets a result.
    pub(crate) gets: bool,
    pub(crate) output: PhantomData<O>,
}

/// What a rank gets from a collective operation: `Vec` of elements, `None` on ranks that get nothing, or `()`.
pub trait CollectiveOutput: sealed::Sealed {
    /// Takes it from the receive buffer.
    #[doc(hidden)]
    fn from_block(received: Block, gets: bool) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl<T: wb_comm::Wire> Sealed for Vec<T> {}
    impl<T: wb_comm::Wire> Sealed for Option<Vec<T>> {}
}

impl CollectiveOutput for () {
    fn from_block(_: Block, _: bool) -> Self {}
}

impl<T: Wire> CollectiveOutput for Vec<T> {
    fn from_block(received: Block, _: bool) -> Self {
        received.into_vec().expect("an operation gives back the buffer it was given")
    }
}

impl<T: Wire> CollectiveOutput for Option<Vec<T>> {
    fn from_block(received: Block, gets: bool) -> Self {
        gets.then(|| Vec::from_block(received, gets))
    }
}

impl<O: CollectiveOutput> CollectiveRequest<O> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// The errors of the operation.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(CallSite::caller(Verb::Test))
    }

    /// Completes the operation and returns what this rank gets (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the operation.
    #[track_caller]
    pub fn wait(self) -> Result<O> {
        self.complete(CallSite::caller(Verb::Wait), None)
    }
}

impl<O> StartedOperation for CollectiveRequest<O> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        Ok(&mut self.started)
    }
}

impl<O: CollectiveOutput> Request for CollectiveRequest<O> {
    type Output = O;

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<O> {
        // Only the block is moved out of the result.
        match self.started.finish_collective(site, begin) {
            Ok(Completed { block, .. }) => Ok(O::from_block(block, self.gets)),
            Err(error) => Err(error),
        }
    }
}
