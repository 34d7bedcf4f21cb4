//! The library's file and its functions, found at run time.
//!
//! Invariant: a function pointer is called only while the library is mapped. It is never closed, since its threads and
//! exit handlers would remain.
use std::ffi::{c_int, c_long, c_void};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use crate::oshmem::{Error, Result};

/// The names of Open MPI's library, which the linker looks for: its version of the interface, or the link for developers.
const NAMES: [&str; 2] = ["liboshmem.so.40", "liboshmem.so"];

macro_rules! calls {
    ($($(#[$doc:meta])* $field:ident = $symbol:literal: $type:ty;)*) => {
        /// The functions, under their names without `shmem_`.
        pub(crate) struct Calls {
            $($(#[$doc])* pub(crate) $field: $type,)*
        }

        impl Calls {
            fn of(library: &Library, name: &str) -> Result<Self> {
                Ok(Self {
                    $($field: {
                        // SAFETY: OpenSHMEM 1.4 declares this function with this type; the library is never closed.
                        let symbol = unsafe { library.get::<$type>($symbol) };
                        let function = String::from_utf8_lossy($symbol).into_owned();
                        *symbol.map_err(|_| Error::Incomplete { library: name.to_owned(), function })?
                    },)*
                })
            }
        }
    };
}

calls! {
    init_thread = b"shmem_init_thread": unsafe extern "C" fn(c_int, *mut c_int) -> c_int;
    my_pe = b"shmem_my_pe": unsafe extern "C" fn() -> c_int;
    n_pes = b"shmem_n_pes": unsafe extern "C" fn() -> c_int;
    malloc = b"shmem_malloc": unsafe extern "C" fn(usize) -> *mut c_void;
    free = b"shmem_free": unsafe extern "C" fn(*mut c_void);
    put = b"shmem_long_put": unsafe extern "C" fn(*mut c_long, *const c_long, usize, c_int);
    get = b"shmem_long_get": unsafe extern "C" fn(*mut c_long, *const c_long, usize, c_int);
    p = b"shmem_long_p": unsafe extern "C" fn(*mut c_long, c_long, c_int);
    g = b"shmem_long_g": unsafe extern "C" fn(*const c_long, c_int) -> c_long;
    add = b"shmem_long_atomic_add": unsafe extern "C" fn(*mut c_long, c_long, c_int);
    fetch_add = b"shmem_long_atomic_fetch_add": unsafe extern "C" fn(*mut c_long, c_long, c_int) -> c_long;
    swap = b"shmem_long_atomic_swap": unsafe extern "C" fn(*mut c_long, c_long, c_int) -> c_long;
    compare_swap = b"shmem_long_atomic_compare_swap":
        unsafe extern "C" fn(*mut c_long, c_long, c_long, c_int) -> c_long;
    wait_until = b"shmem_long_wait_until": unsafe extern "C" fn(*mut c_long, c_int, c_long);
    test = b"shmem_long_test": unsafe extern "C" fn(*mut c_long, c_int, c_long) -> c_int;
    quiet = b"shmem_quiet": unsafe extern "C" fn();
    fence = b"shmem_fence": unsafe extern "C" fn();
    barrier_all = b"shmem_barrier_all": unsafe extern "C" fn();
    sync_all = b"shmem_sync_all": unsafe extern "C" fn();
    barrier = b"shmem_barrier": unsafe extern "C" fn(c_int, c_int, c_int, *mut c_long);
    sync = b"shmem_sync": unsafe extern "C" fn(c_int, c_int, c_int, *mut c_long);
}

/// Finds and opens the library; its functions and its name.
pub(crate) fn load() -> Result<(Calls, String)> {
    load_first(&NAMES)
}

fn load_first(names: &[&str]) -> Result<(Calls, String)> {
    let mut reasons = vec![];
    for &name in names {
        // SAFETY: the initialisers of an OpenSHMEM library ask nothing of the process that loads it. Its components
        // (MCA) are libraries of their own that find its symbols only if these are global.
        match unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) } {
            Ok(library) => {
                let calls = Calls::of(&library, name)?;
                std::mem::forget(library);
                return Ok((calls, name.to_owned()));
            }
            Err(error) => reasons.push(error.to_string()),
        }
    }
    Err(Error::Absent(reasons.join("; ")))
}

/// The MPI library that is already in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkedMpi {
    Nothing,
    OpenMpi,
    Other,
}

/// Looks for symbols that only an MPI, and only Open MPI, has. Called before the library is loaded, which loads its own
/// MPI.
pub(crate) fn linked_mpi() -> LinkedMpi {
    let this = Library::this();
    // SAFETY: only the presence of the symbols is looked at; nothing is called or read.
    let has = |name: &[u8]| unsafe { this.get::<*const c_void>(name) }.is_ok();
    match (has(b"ompi_mpi_comm_world"), has(b"MPI_Init")) {
        (true, _) => LinkedMpi::OpenMpi,
        (false, true) => LinkedMpi::Other,
        (false, false) => LinkedMpi::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_told() {
        let error = load_first(&["libnowhere.so.0"]).err().expect("there is none").to_string();
        assert!(error.starts_with("no OpenSHMEM library: ") && error.contains("libnowhere.so.0"), "{error}");
    }
}
