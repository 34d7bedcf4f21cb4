//! The limits of arguments: the smallest that the standard and the libraries promise. They are the same on every backend, and `wb-world` checks
//! them before a backend sees a call; the table is in `docs/world.md`.
use crate::{Error, Result, text::setup};

/// The largest tag: `MPI_TAG_UB` is at least this (MPI 4.0, 9.1.2).
pub const TAG_MAX: i32 = 32_767;

/// The most elements of a buffer, a layout or an access, and the most bytes of an attached buffer: MPI counts them with an `int`.
pub const COUNT_MAX: usize = i32::MAX as usize;

/// Checks a tag; `None` is any tag.
#[allow(clippy::missing_errors_doc, reason = "Error::Tag")]
#[inline]
pub fn check_tag(tag: Option<i32>) -> Result<()> {
    match tag {
        Some(tag) if !(0..=TAG_MAX).contains(&tag) => Err(Error::Tag { tag, max: TAG_MAX }),
        _ => Ok(()),
    }
}

/// Checks a number of elements of `size` bytes.
///
/// # Errors
/// [`Error::TooLong`] for more than [`COUNT_MAX`].
#[inline]
pub fn check_count(count: usize, size: usize) -> Result<()> {
    if count > COUNT_MAX { Err(Error::TooLong { count, size, max: COUNT_MAX }) } else { Ok(()) }
}

/// The color as MPI's int.
///
/// # Errors
/// [`Error::CommunicatorArgument`] for a color above [`i32::MAX`], such as a negative number that was cast.
pub fn check_color(color: u32) -> Result<i32> {
    let refused = || Error::CommunicatorArgument(setup::color(color.cast_signed(), color, i32::MAX));
    i32::try_from(color).map_err(|_| refused())
}
