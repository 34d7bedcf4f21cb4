//! How often verbs allocate memory: a started operation is one allocation, a blocking verb none.
//!
//! The library's own allocations are not counted: it does not use Rust's allocator.
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    mem,
};

use wb_comm::{CallSite, Transport, Verb};
use wb_world::World;

/// The system's allocator, which counts the allocations of each thread.
struct CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all requests go to the system's allocator, with the same arguments; the count allocates nothing.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise; the memory is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The number of allocations of a call that has been made once before: the first one may make what stays.
fn allocations(mut call: impl FnMut()) -> usize {
    call();
    let before = COUNT.get();
    call();
    COUNT.get() - before
}

/// Every rank sends to the next one of a ring.
pub(crate) fn of_verbs(transport: &dyn Transport) {
    let world = World::new(transport.dup(CallSite::caller(Verb::Dup)).expect("dup"));
    let (next, before) =
        ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    let mut data = vec![1.5];
    let ibcast =
        allocations(|| data = world.ibcast(mem::take(&mut data), 0).expect("started").wait().expect("data"));
    assert_eq!(ibcast, 1, "of ibcast and its wait: the request");

    let mut send = world.send_init(vec![1.5], next, 3).expect("made");
    let mut receive = world.recv_init::<f64>(1, before, 3).expect("made");
    let persistent = allocations(|| {
        receive.start().expect("started");
        send.start().expect("started");
        send.wait().expect("sent");
        receive.wait().expect("received");
    });
    assert_eq!(persistent, 2, "of two persistent requests: one for each start");

    let mut data = [1.5];
    let replace = allocations(|| {
        let _status = world.sendrecv_replace(&mut data, next, 4, before, 4).expect("exchanged");
    });
    assert_eq!(replace, 0, "of sendrecv_replace");
    assert_eq!(allocations(|| world.bcast(&mut data, 0).expect("data")), 0, "of bcast");
    let mut all = vec![0.0; world.size()];
    assert_eq!(allocations(|| world.allgather(&data, &mut all).expect("data")), 0, "of allgather");
}
