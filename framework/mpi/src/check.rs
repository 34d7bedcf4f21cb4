//! Checks of return codes, sizes and numbers: an [`Error`] replaces MPI's abort or an undefined result.
//!
//! Every raw MPI call of this crate has [`check`] or [`check_receive`] around its return code. All communicators have
//! `MPI_ERRORS_RETURN`, so the calls return their codes.
use std::ffi::{c_char, c_int};

use mpi::ffi::{MPI_Error_class, MPI_Error_string, MPI_Get_count, MPI_Get_elements_x, MPI_Status};
use wb_comm::{Error, Rank, Result, Status, limits};

use crate::handles;

/// `Ok` for `MPI_SUCCESS`, the library's own text for any other code.
#[inline]
pub(crate) fn check(call: &'static str, code: c_int) -> Result<()> {
    if code == handles::SUCCESS { Ok(()) } else { Err(library_error(call, code)) }
}

/// The status or the error of a receive; `size` is that of the buffer in bytes.
#[inline]
pub(crate) fn check_receive(
    call: &'static str,
    code: c_int,
    status: &MPI_Status,
    size: usize,
) -> Result<Status> {
    if code == handles::SUCCESS { to_status(status) } else { Err(receive_error(call, code, status, size)) }
}

/// A count of elements as MPI takes it. The calls of users are checked before (`wb_comm::limits`), with the size of the elements.
#[inline]
pub(crate) fn to_count(elements: usize) -> Result<c_int> {
    limits::check_count(elements, 1).map(|()| elements as c_int)
}

/// A peer or root as MPI takes it.
#[inline]
pub(crate) fn to_peer(role: &'static str, rank: Rank, size: usize) -> Result<c_int> {
    if rank < size { Ok(rank as c_int) } else { Err(Error::invalid_rank(role, rank, size)) }
}

/// Checks the length of a buffer. Memory safety depends on it, because MPI writes as many elements as the call says.
pub(crate) fn check_length(
    verb: &'static str,
    buffer: &'static str,
    got: usize,
    expected: usize,
) -> Result<()> {
    if got == expected { Ok(()) } else { Err(Error::Count { verb, buffer, got, expected }) }
}

/// A status as our type.
#[inline]
pub(crate) fn to_status(raw: &MPI_Status) -> Result<Status> {
    Ok(Status { source: raw.MPI_SOURCE as Rank, tag: raw.MPI_TAG, bytes: byte_count(raw)?, datatype: None })
}

/// The size of the message that a status describes.
#[inline]
pub(crate) fn byte_count(raw: &MPI_Status) -> Result<usize> {
    let mut bytes = 0;
    // SAFETY: a status that MPI filled (or zeroes, which are a valid status of nothing), and one int for the answer.
    check("MPI_Get_count", unsafe { MPI_Get_count(raw, handles::BYTE, &mut bytes) })?;
    if bytes >= 0 { Ok(bytes as usize) } else { large_byte_count(raw) }
}

/// The same above 2 GiB, where a C `int` does not suffice (`MPI_UNDEFINED`, a negative number).
#[cold]
fn large_byte_count(raw: &MPI_Status) -> Result<usize> {
    let mut bytes = 0;
    // SAFETY: as above, with a wider integer.
    check("MPI_Get_elements_x", unsafe { MPI_Get_elements_x(raw, handles::BYTE, &mut bytes) })?;
    usize::try_from(bytes).map_err(|_| Error::Library {
        call: "MPI_Get_elements_x",
        code: handles::UNDEFINED,
        text: "the message's size is not known".into(),
    })
}

/// The error of a truncated receive. The libraries have two gaps. Open MPI silently truncates messages of up to 256
/// bytes to oneself when the receive was posted first. MPICH does not always record the size of a message that it
/// truncated: then `sent` is the least possible size.
#[cold]
fn receive_error(call: &'static str, code: c_int, status: &MPI_Status, size: usize) -> Error {
    if error_class(code) != handles::ERR_TRUNCATE {
        return library_error(call, code);
    }
    let noted = byte_count(status).unwrap_or(0);
    Error::Truncated {
        source_rank: Rank::try_from(status.MPI_SOURCE).unwrap_or(0),
        tag: status.MPI_TAG,
        sent: noted.max(size + 1),
        capacity: size,
        sent_by: None,
    }
}

#[cold]
fn library_error(call: &'static str, code: c_int) -> Error {
    Error::Library { call, code, text: error_text(code) }
}

pub(crate) fn error_class(code: c_int) -> c_int {
    let mut class = code;
    // SAFETY: one int for the answer; an unknown code leaves it or is refused, which the return code shows.
    match unsafe { MPI_Error_class(code, &mut class) } {
        ok if ok == handles::SUCCESS => class,
        _ => code,
    }
}

fn error_text(code: c_int) -> String {
    let mut text = vec![0u8; handles::MAX_ERROR_STRING as usize + 1];
    let mut length = 0;
    // SAFETY: the buffer has MPI_MAX_ERROR_STRING bytes and one for the final zero.
    let answer = unsafe { MPI_Error_string(code, text.as_mut_ptr().cast::<c_char>(), &mut length) };
    if answer != handles::SUCCESS {
        return format!("no text for this code (MPI_Error_string: {answer})");
    }
    text.truncate(usize::try_from(length).unwrap_or(0));
    String::from_utf8_lossy(&text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_stay_inside_the_communicator() {
        assert_eq!(to_peer("destination", 2, 3), Ok(2));
        assert_eq!(to_peer("source", 3, 3), Err(Error::Rank { role: "source", rank: 3, size: 3 }));
        assert_eq!(to_peer("root", usize::MAX, 3), Err(Error::Rank { role: "root", rank: -1, size: 3 }));
    }
}
