//! The framework's own calls on a communicator: they are not calls of the user, and they are not counted.
//!
//! They are in a trait that the facade does not export, so a task cannot call them.
use std::rc::Rc;

use wb_algorithms::collectives::Algorithms;
use wb_comm::{CallSite, Rank, Result, Transport, Verb};
use wb_record::CollectiveShape;

use crate::{
    World,
    call_tracer::{self, CallTracer, rank_number},
};

/// What the framework does with a communicator.
///
/// A task has `workbench` alone, so it can neither name the trait nor call its methods:
///
/// ```compile_fail,E0624
/// fn bypass(world: &wb_world::World) {
///     world.transport();
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn bypass(world: &wb_world::World) {
///     world.backend();
/// }
/// ```
pub trait FrameworkCalls {
    /// The backend's communicator.
    fn transport(&self) -> &Rc<dyn Transport>;

    /// The name of the backend, such as `"mpi"` or `"threads"`: a version that knew it could be another one where it is tested.
    fn backend(&self) -> &'static str;

    /// Records in the log that this part of the program ran from `begin` to `end` of this world's clock.
    fn record_stage(&self, name: &'static str, begin: u64, end: u64);

    /// The framework's own broadcast of bytes that exist on `home` only. It is not counted, and it uses the internal
    /// context, so it matches no message of the user.
    ///
    /// # Errors
    /// The errors of the backend.
    fn broadcast_bytes(&self, home: Rank, bytes: Option<&[u8]>) -> Result<Vec<u8>>;

    /// Collective: the framework's own barrier between two stages. It is not a call of the user and is not counted. On
    /// a communicator of its own it matches no collective of the user.
    ///
    /// # Errors
    /// The errors of the backend.
    fn stage_barrier(&self) -> Result<()>;
}

impl FrameworkCalls for World {
    fn transport(&self) -> &Rc<dyn Transport> {
        World::transport(self)
    }

    fn backend(&self) -> &'static str {
        World::transport(self).backend()
    }

    fn record_stage(&self, name: &'static str, begin: u64, end: u64) {
        if let Some(recorder) = &self.tracer {
            recorder.record_stage(name, begin, end);
        }
    }

    #[track_caller]
    fn broadcast_bytes(&self, home: Rank, bytes: Option<&[u8]>) -> Result<Vec<u8>> {
        let site = CallSite::caller(Verb::Agreement);
        let verb = || {
            let algorithms = Algorithms(&**self.transport());
            let mut length = [bytes.map_or(0, <[u8]>::len)];
            algorithms.bcast(&mut length, home, site)?;
            let mut data = bytes.map_or_else(|| vec![0; length[0]], <[u8]>::to_vec);
            algorithms.bcast(&mut data, home, site)?;
            Ok(data)
        };
        let act = |recorder: &CallTracer, data: &Vec<u8>| {
            recorder.collective(CollectiveShape::From(rank_number(home)), data.len())
        };
        call_tracer::trace_call(&self.tracer, site, verb, act)
    }

    #[track_caller]
    fn stage_barrier(&self) -> Result<()> {
        Algorithms(&**self.transport()).barrier(CallSite::caller(Verb::Agreement))
    }
}
