//! The end of a job whose ranks do not make the same calls, or whose library is another one.
use std::{ffi::c_char, process};

use wb_comm::{
    Error, Text, Verb,
    text::{Lang, preload as text},
};
use wb_mpi::{
    ffi::{self, MPI_Comm},
    handles,
};

use crate::counts::name;

/// The code with which the job ends.
const EXIT_CODE: i32 = 1;

/// Ends the process with a message.
pub(crate) fn end(message: &Text) -> ! {
    eprintln!("{}", message.in_language(Lang::from_environment()));
    process::exit(EXIT_CODE)
}

/// Ends the program if it uses another MPI library than this one was built for: their handles differ.
pub(crate) fn check_library() {
    // More than any library writes: the other one's limit may be higher.
    let mut version = [0 as c_char; 1 << 14];
    let mut length = 0;
    // SAFETY: room for the longest version.
    unsafe { ffi::PMPI_Get_library_version(version.as_mut_ptr(), &mut length) };
    let bytes = version.map(|byte| byte as u8);
    let version = String::from_utf8_lossy(&bytes);
    let version = version.lines().next().unwrap_or_default().trim_end_matches('\0').to_owned();
    if version.contains("Open MPI") != (handles::IS_OPEN_MPI != 0) {
        end(&text::other_library(version));
    }
}

/// Ends the job: the call with this number on a communicator cannot be completed.
#[cold]
pub(crate) fn abort(error: &Error, (calls, rank): (u64, usize), verb: Verb, comm: MPI_Comm) -> ! {
    let lang = Lang::from_environment();
    let program = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
    let mut texts = vec![text::failed(program, rank, name(verb), calls)];
    match error {
        Error::Collective(mismatch) => {
            let sides =
                [(mismatch.call, &mismatch.description), (mismatch.earlier, &mismatch.earlier_description)];
            texts.extend(sides.map(|(call, what)| text::side(call.rank, name(call.site.verb), what.clone())));
        }
        other => texts.extend(other.texts()),
    }
    let lines: Vec<_> = texts.iter().map(|text| text.in_language(lang)).collect();
    eprintln!("{}", lines.join("\n"));
    // SAFETY: a live communicator.
    unsafe { ffi::PMPI_Abort(comm, EXIT_CODE) };
    process::abort()
}
