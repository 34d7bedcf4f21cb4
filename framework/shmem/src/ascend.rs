//! Ascend's machine on threads: PEs (NPUs) whose cores share memory, and barriers of three levels among them.
//!
//! The steps of a core in a barrier are a program of `wb_algorithms::barriers`, over two memories. Running the cores needs threads
//! and is here. A PE's cores are threads; PEs are threads of one process, or processes that share a window.
//!
//! | module | noun |
//! |---|---|
//! | `machine` | the configuration: [`AscendMachine`], [`CoreSet`], [`CoreBarrier`], [`NpuBarrierKind`] |
//! | `npu` | one PE and its host: [`Npu`] |
//! | `core` | a kernel's view: [`Core`] |
//! | `team`, `team_agreement` | which PEs take part, and how hosts agree on it: [`NpuTeam`] |
//! | `stream` | the queue that the cores serve: [`Stream`] |
//! | `stream_barrier` | the host's barrier with cores of its own: [`StreamBarrier`] |
//! | `threads` | a whole machine in this process: [`on_threads`] |
//! | `layout` | the layout of the memory |
//! | `error` | the errors: [`Error`] |
//!
//! ```
//! use std::time::Duration;
//! use wb_shmem::ascend::{AscendMachine, CoreSet, on_threads};
//!
//! let machine = AscendMachine::new(2, 3);
//! let ids = on_threads(&machine, Duration::from_secs(60), |npu| {
//!     let world = npu.world()?;
//!     npu.run(|core| {
//!         core.barrier(&world, CoreSet::All)?; // all six cores have come
//!         Ok(core.pe() * 10 + core.id())
//!     })
//! })?;
//! assert_eq!(ids, [[0, 1, 2], [10, 11, 12]]);
//! # Ok::<(), wb_shmem::ascend::Error>(())
//! ```

mod core;
mod error;
mod layout;
mod machine;
mod npu;
mod stream;
mod stream_barrier;
mod team;
mod team_agreement;
mod threads;

pub use core::Core;

pub use error::{Error, Result};
pub use machine::{AscendMachine, CoreBarrier, CoreSet, NpuBarrierKind};
pub use npu::Npu;
pub use stream::Stream;
pub use stream_barrier::StreamBarrier;
pub use team::NpuTeam;
pub use threads::on_threads;

#[cfg(test)]
#[path = "../tests/ascend/mod.rs"]
mod interface;
