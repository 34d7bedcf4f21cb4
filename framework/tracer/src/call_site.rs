//! The places of calls.
//!
//! A call from C is known by its return address. A call from the Fortran interface or another part of MPI's library belongs to the first caller outside
//! of it, which an unwinder finds. In a process that runs Python, the place is the line of the Python program.

mod python;

use std::{
    ffi::{CStr, c_void},
    ptr,
};

use rustc_hash::FxHashMap;
use wb_record::{LogEntry, LoggedCall, LoggedSite};

use self::python::{Python, PythonLine};
use crate::log_file::LogFile;

/// The begins of the file names of the parts of MPI libraries.
const LIBRARIES: [&str; 4] = ["libmpi", "libompi", "libpmpi", "mca_"];

/// A function, and what identifies the place that calls it.
type CallKey = (*const u8, Place);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Address(usize),
    Line(PythonLine),
}

/// The places of the calls so far.
#[derive(Default)]
pub(crate) struct CallSites {
    calls: FxHashMap<CallKey, u32>,
    /// Whether an address is in MPI's library, or in this one.
    libraries: FxHashMap<usize, bool>,
    python: Option<Option<Python>>,
}

impl CallSites {
    /// The number in the log of the call of `function` that returns to `caller`; `None` if the log is full.
    pub(crate) fn find(&mut self, log: &mut LogFile, function: &'static str, caller: usize) -> Option<u32> {
        let python = self.python.get_or_insert_with(Python::find);
        let place = match python.as_ref().and_then(Python::line) {
            Some(line) => Place::Line(line),
            None => Place::Address(self.outside_of_library(caller)),
        };
        let key = (function.as_ptr(), place);
        if let Some(number) = self.calls.get(&key) {
            return Some(*number);
        }
        let site = match (place, &self.python) {
            (Place::Line(line), Some(Some(python))) => python.site(line),
            (Place::Address(address), _) => site(address),
            (Place::Line(_), _) => unreachable!("only Python has lines"),
        };
        let number = self.calls.len() as u32;
        let call = LoggedCall { function: function.to_owned(), site };
        log.write(&LogEntry::Call(call)).then(|| *self.calls.entry(key).or_insert(number))
    }

    /// The return address outside of MPI's library: `caller`, or that of one of its callers.
    fn outside_of_library(&mut self, caller: usize) -> usize {
        if !self.is_in_library(caller) {
            return caller;
        }
        let mut outside = caller;
        backtrace::trace(|frame| {
            outside = frame.ip() as usize;
            self.is_in_library(outside)
        });
        outside
    }

    fn is_in_library(&mut self, address: usize) -> bool {
        *self.libraries.entry(address).or_insert_with(|| {
            let (module, own) = (module(address), module(site as *const () as usize));
            let (Some((name, base)), Some((_, own_base))) = (module, own) else { return false };
            let file = name.rsplit('/').next().unwrap_or(&name);
            base == own_base || LIBRARIES.iter().any(|library| file.starts_with(library))
        })
    }
}

/// The place before a return address.
fn site(address: usize) -> LoggedSite {
    // The call is before the address to which it returns.
    let call = address.wrapping_sub(1);
    let (module, base) = module(call).unwrap_or_default();
    LoggedSite::Address { module, offset: (call - base) as u64 }
}

/// The file that contains an address, and the address of its first byte.
fn module(address: usize) -> Option<(String, usize)> {
    let (name, symbol) = (ptr::null(), ptr::null());
    let mut found = libc::Dl_info {
        dli_fname: name,
        dli_fbase: ptr::null_mut(),
        dli_sname: symbol,
        dli_saddr: ptr::null_mut(),
    };
    // SAFETY: the linker searches for any address, and the other one is that of a variable.
    if unsafe { libc::dladdr(address as *const c_void, &raw mut found) } == 0 || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the linker's text ends with a zero.
    let name = unsafe { CStr::from_ptr(found.dli_fname) }.to_string_lossy().into_owned();
    // The linker knows the program, and only the program, under the name that it was started by.
    let file = match name.starts_with('/') {
        true => name,
        false => std::env::current_exe().ok()?.to_string_lossy().into_owned(),
    };
    Some((file, found.dli_fbase as usize))
}
