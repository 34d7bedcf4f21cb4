//! Decorators: a transport, a window or a library's collectives around another one.
//!
//! A decorator changes some methods and forwards all others. It implements [`TransportDecorator`] or
//! [`WindowDecorator`], names what it wraps ([`inner`](TransportDecorator::inner)) and overrides what it changes;
//! [`Transport`] or [`ErasedWindow`] then follows from a blanket implementation. So a decorator cannot drop a method by
//! omission. A decorator of [`Collectives`] implements [`CollectivesDecorator`] in the same way.
//!
//! ```
//! use std::rc::Rc;
//! use wb_comm::{Transport, TransportDecorator};
//!
//! /// Another transport on a machine that computes at half the speed.
//! struct HalfSpeed(Rc<dyn Transport>);
//!
//! impl TransportDecorator for HalfSpeed {
//!     fn inner(&self) -> &dyn Transport {
//!         &*self.0
//!     }
//!     fn work(&self, flops: u64, bytes: u64) -> u64 {
//!         self.0.work(2 * flops, 2 * bytes)
//!     }
//! }
//! ```
use std::{rc::Rc, sync::atomic::AtomicI64};

use crate::{
    Access, Accumulation, Assertion, Block, BorrowedBuffers, CallSite, CollectiveCall, CollectiveKind,
    CollectiveSchedule, Collectives, Datatype, ErasedFile, ErasedWindow, FileArgs, Layout, LayoutBuffers,
    LockKind, MessageTag, MultipleCompletion, NewTopology, Op, Operation, OwnedBuffers, Pending,
    PendingFetch, PendingMessage, Persistent, PersistentArgs, Rank, Result, SendMode, Source, Status,
    TagPattern, Transport, Until, View, ViewMut, WindowKind, WordUpdate,
};

/// A decorator's trait and the implementation of the decorated trait that follows from it.
///
/// `properties` are forwarded to `inner`, `calls` (which return a `Result`) to `inner_for_call`.
macro_rules! decorator {
    (
        $(#[$meta:meta])*
        $decorator:ident for $decorated:ident;
        properties { $(fn $property:ident(&self $(, $given:ident: $input:ty)*) $(-> $value:ty)?;)* }
        calls { $(fn $call:ident(&self $(, $argument:ident: $type:ty)*) -> $result:ty;)* }
        required { $($required:item)* }
        implemented { $($implemented:item)* }
    ) => {
        $(#[$meta])*
        #[allow(clippy::missing_errors_doc, reason = "every method: as the method of the decorated trait")]
        pub trait $decorator {
            /// The decorated value.
            fn inner(&self) -> &dyn $decorated;

            /// The value to which a call is forwarded. A decorator that does something before every call overrides
            /// this.
            fn inner_for_call(&self) -> Result<&dyn $decorated> {
                Ok(self.inner())
            }
            $($required)*
            $(
                #[doc = concat!("As [`", stringify!($decorated), "::", stringify!($property), "`].")]
                fn $property(&self $(, $given: $input)*) $(-> $value)? {
                    self.inner().$property($($given),*)
                }
            )*
            $(
                #[doc = concat!("As [`", stringify!($decorated), "::", stringify!($call), "`].")]
                fn $call(&self $(, $argument: $type)*) -> $result {
                    self.inner_for_call()?.$call($($argument),*)
                }
            )*
        }

        #[deny(clippy::missing_trait_methods, reason = "a method that is not in the list would not be forwarded")]
        impl<D: $decorator> $decorated for D {
            $($implemented)*
            $(
                fn $property(&self $(, $given: $input)*) $(-> $value)? {
                    $decorator::$property(self $(, $given)*)
                }
            )*
            $(
                fn $call(&self $(, $argument: $type)*) -> $result {
                    $decorator::$call(self $(, $argument)*)
                }
            )*
        }
    };
}

decorator! {
    /// A transport around another one; see the [module](self).
    ///
    /// A communicator that is made from this one is without the decorator, unless [`decorate`](Self::decorate) is overridden.
    TransportDecorator for Transport;
    properties {
        fn rank(&self) -> Rank;
        fn size(&self) -> usize;
        fn backend(&self) -> &'static str;
        fn shares_address_space(&self) -> bool;
        fn observes_collectives(&self) -> bool;
        fn native_collectives(&self) -> Option<&dyn Collectives>;
        fn now(&self) -> u64;
        fn read_clock(&self) -> Option<u64>;
        fn work(&self, flops: u64, bytes: u64) -> u64;
        fn rounds(&self) -> Option<u64>;
        fn enter_collective(&self, call: CollectiveCall) -> Result<()>;
    }
    calls {
        fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()>;
        fn post_send(&self, to: Rank, tag: MessageTag, data: Block, mode: SendMode, site: CallSite)
            -> Result<Box<dyn Pending>>;
        fn post_recv(&self, from: Source, tag: TagPattern, into: Block, site: CallSite)
            -> Result<Box<dyn Pending>>;
        fn post_send_layout(&self, to: Rank, tag: MessageTag, data: Block, layout: &Layout, site: CallSite)
            -> Result<Box<dyn Pending>>;
        fn post_recv_layout(&self, from: Source, tag: TagPattern, into: Block, layout: &Layout, site: CallSite)
            -> Result<Box<dyn Pending>>;
        fn start_schedule(&self, schedule: CollectiveSchedule, buffers: OwnedBuffers, site: CallSite)
            -> Result<Box<dyn Pending>>;
        fn complete(&self, requests: &mut [&mut dyn Pending], mode: MultipleCompletion, site: CallSite)
            -> Result<Vec<usize>>;
        fn persistent(&self, args: PersistentArgs, buffer: &mut Block) -> Result<Option<Box<dyn Persistent>>>;
        fn sendrecv_replace(&self, data: ViewMut<'_>, to: (Rank, MessageTag), from: (Source, TagPattern), site: CallSite)
            -> Result<Status>;
        fn attach_buffer(&self, bytes: usize, site: CallSite) -> Result<()>;
        fn detach_buffer(&self, site: CallSite) -> Result<usize>;
        fn drop_buffer(&self) -> Result<()>;
        fn matched_probe(&self, from: Source, tag: TagPattern, waits: bool, site: CallSite)
            -> Result<Option<Box<dyn PendingMessage>>>;
        fn probe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Status>;
        fn iprobe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Option<Status>>;
        fn make_progress(&self, site: CallSite) -> Result<()>;
        fn wait_in_memory(&self, peer: Option<Rank>, site: CallSite) -> Result<()>;
        fn members(&self) -> Result<Vec<Rank>>;
        fn set_name(&self, name: &str) -> Result<()>;
        fn window(&self, kind: WindowKind, datatype: Datatype, count: usize, site: CallSite)
            -> Result<Box<dyn ErasedWindow>>;
        fn file_open(&self, file: &FileArgs, site: CallSite) -> Result<Box<dyn ErasedFile>>;
        fn nodes(&self, site: CallSite) -> Result<Vec<usize>>;
    }
    required {
        /// Decorates a communicator that is made from this one.
        fn decorate(&self, made: Rc<dyn Transport>) -> Rc<dyn Transport> {
            made
        }

        /// As [`Transport::split`].
        fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
            Ok(self.inner_for_call()?.split(color, key, site)?.map(|made| self.decorate(made)))
        }

        /// As [`Transport::dup`].
        fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
            Ok(self.decorate(self.inner_for_call()?.dup(site)?))
        }

        /// As [`Transport::create_topology`].
        fn create_topology(&self, topology: &NewTopology, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
            Ok(self.inner_for_call()?.create_topology(topology, site)?.map(|made| self.decorate(made)))
        }

        /// As [`Transport::create_group`].
        fn create_group(&self, members: &[Rank], tag: i32, site: CallSite) -> Result<Rc<dyn Transport>> {
            Ok(self.decorate(self.inner_for_call()?.create_group(members, tag, site)?))
        }
    }
    implemented {
        fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
            TransportDecorator::split(self, color, key, site)
        }

        fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
            TransportDecorator::dup(self, site)
        }

        fn create_topology(&self, topology: &NewTopology, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
            TransportDecorator::create_topology(self, topology, site)
        }

        fn create_group(&self, members: &[Rank], tag: i32, site: CallSite) -> Result<Rc<dyn Transport>> {
            TransportDecorator::create_group(self, members, tag, site)
        }
    }
}

decorator! {
    /// A window around another one; see the [module](self).
    WindowDecorator for ErasedWindow;
    properties {
        fn rank(&self) -> Rank;
        fn size(&self) -> usize;
        fn datatype(&self) -> Datatype;
        fn count(&self, rank: Rank) -> usize;
        fn kind(&self) -> WindowKind;
        fn is_unified(&self) -> bool;
        fn shared_words(&self) -> Option<&[AtomicI64]>;
        fn keep_until_end(&self);
        fn observe_access(&self, access: Access) -> bool;
    }
    calls {
        fn put(&self, target: Rank, at: usize, data: View<'_>, site: CallSite) -> Result<()>;
        fn get(&self, target: Rank, at: usize, count: usize, site: CallSite) -> Result<Box<dyn PendingFetch>>;
        fn accumulate(&self, target: Rank, at: usize, data: View<'_>, op: Accumulation, site: CallSite)
            -> Result<()>;
        fn get_accumulate(&self, target: Rank, at: usize, data: View<'_>, op: Accumulation, site: CallSite)
            -> Result<Box<dyn PendingFetch>>;
        fn fetch_and_op(&self, target: Rank, at: usize, data: View<'_>, op: Accumulation, site: CallSite)
            -> Result<Box<dyn PendingFetch>>;
        fn compare_and_swap(&self, target: Rank, at: usize, expected: View<'_>, value: View<'_>, site: CallSite)
            -> Result<Box<dyn PendingFetch>>;
        fn fetch_and_update_word(&self, target: Rank, at: usize, becomes: WordUpdate, site: CallSite)
            -> Result<i64>;
        fn update_word(&self, target: Rank, at: usize, becomes: WordUpdate, site: CallSite) -> Result<()>;
        fn wait_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()>;
        fn fence(&self, assertion: Assertion, site: CallSite) -> Result<()>;
        fn post(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()>;
        fn start(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()>;
        fn complete(&self, site: CallSite) -> Result<()>;
        fn wait(&self, site: CallSite) -> Result<()>;
        fn test(&self, site: CallSite) -> Result<bool>;
        fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: CallSite) -> Result<()>;
        fn unlock(&self, target: Rank, site: CallSite) -> Result<()>;
        fn lock_all(&self, assertion: Assertion, site: CallSite) -> Result<()>;
        fn unlock_all(&self, site: CallSite) -> Result<()>;
        fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()>;
        fn flush_local(&self, target: Option<Rank>, site: CallSite) -> Result<()>;
        fn sync(&self, site: CallSite) -> Result<()>;
        fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()>;
        fn write(&self, at: usize, from: View<'_>) -> Result<()>;
    }
    required {
        /// As [`ErasedWindow::free`]. It consumes the decorator, which alone can take its inner window out.
        fn free(self: Box<Self>, site: CallSite) -> Result<()>;
    }
    implemented {
        fn free(self: Box<Self>, site: CallSite) -> Result<()> {
            WindowDecorator::free(self, site)
        }
    }
}

decorator! {
    /// Collectives around those of another implementation; see the [module](self).
    CollectivesDecorator for Collectives;
    properties {}
    calls {
        fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()>;
        fn start(&self, kind: CollectiveKind<'_>, buffers: OwnedBuffers, site: CallSite) -> Result<Box<dyn Pending>>;
        fn run_layout(&self, root: Rank, buffers: LayoutBuffers<'_>, site: CallSite) -> Result<()>;
        fn run_in_place(&self, kind: CollectiveKind<'_>, data: ViewMut<'_>, site: CallSite) -> Result<()>;
        fn reduce_local(&self, left: View<'_>, into: ViewMut<'_>, operation: Operation) -> Result<()>;
        fn ibarrier_and_wait(&self, site: CallSite) -> Result<()>;
    }
    required {}
    implemented {}
}
