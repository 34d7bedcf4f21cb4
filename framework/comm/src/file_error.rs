//! Why a file cannot be opened, or a call on it is not allowed.
use std::{env, io, path::Path};

use crate::{Code, Datatype, Error, FileArgs, FileMode, Text, Verb, text::file as text};

/// What is wrong with a call on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// A mode that contradicts itself (`MPI_ERR_AMODE`).
    Mode {
        /// The mode.
        mode: FileMode,
    },
    /// The file or its folder does not exist (`MPI_ERR_NO_SUCH_FILE`).
    NotFound {
        /// The path of the file.
        path: String,
    },
    /// The file exists, and was to be new (`MPI_ERR_FILE_EXISTS`).
    Exists {
        /// The path of the file.
        path: String,
    },
    /// The operating system does not allow it (`MPI_ERR_ACCESS`).
    Permission {
        /// The path of the file.
        path: String,
    },
    /// The path is empty, has a zero byte, or names a folder, a device or a pipe.
    NotRegular {
        /// The path.
        path: String,
    },
    /// The ranks name different files or modes (`MPI_ERR_NOT_SAME`), and this rank does not know those of the others.
    NotSame {
        /// The file and the mode of this rank.
        file: FileArgs,
    },
    /// A path that is not the name of a file of the assignment.
    NotInput {
        /// The path.
        path: String,
        /// The names of the assignment's files.
        names: Vec<String>,
    },
    /// A file of an assignment in another mode than read only.
    InputMode {
        /// The mode.
        mode: FileMode,
    },
    /// A read of a file that is only written.
    NotReadable {
        /// The call.
        verb: Verb,
        /// The mode of the file.
        mode: FileMode,
    },
    /// A write to a file that is only read.
    NotWritable {
        /// The call.
        verb: Verb,
        /// The mode of the file.
        mode: FileMode,
    },
    /// Elements of another type than the view's.
    ElementType {
        /// The type of the call's elements.
        given: Datatype,
        /// The type of the view's.
        view: Datatype,
    },
    /// A layout whose positions do not rise.
    FallingView {
        /// The position that is not behind the one before it.
        position: usize,
        /// The element before it.
        last: usize,
    },
    /// Elements of a view that names none.
    EmptyView {
        /// The number of elements.
        count: u64,
    },
    /// Elements beyond the largest offset.
    Offset {
        /// The elements of the view before them.
        offset: u64,
        /// The number of elements of the view.
        count: u64,
    },
    /// A file that is too long to be kept in memory, as checked runs do.
    TooLong {
        /// The path of the file.
        path: String,
        /// The bytes it would have.
        bytes: u64,
        /// The bytes allowed.
        max: u64,
    },
    /// The operating system has failed.
    System {
        /// The path of the file.
        path: String,
        /// The text of the operating system.
        why: String,
    },
}

impl FileError {
    /// An error of the operating system, with the file that it concerns.
    pub fn from_system(path: &str, error: &io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path },
            io::ErrorKind::AlreadyExists => Self::Exists { path },
            io::ErrorKind::PermissionDenied => Self::Permission { path },
            _ => Self::System { path, why: error.to_string() },
        }
    }

    /// The description of the error.
    pub fn text(&self) -> Text {
        match self {
            Self::Mode { mode } if mode.is_exclusive && !mode.creates => text::exclusive(mode.to_string()),
            Self::Mode { mode } => text::create_read_only(mode.to_string()),
            Self::NotFound { path } => match env::current_dir() {
                Ok(folder) if Path::new(path).is_relative() => {
                    text::not_found_below(path, folder.display().to_string())
                }
                _ => text::not_found(path),
            },
            Self::Exists { path } => text::exists(path),
            Self::Permission { path } => text::permission(path),
            Self::NotRegular { path } => text::not_regular(format!("{path:?}")),
            Self::NotInput { path, names } if names.is_empty() => text::no_input(format!("{path:?}")),
            Self::NotInput { path, names } => text::not_input(format!("{path:?}"), names.join(", ")),
            Self::InputMode { mode } => text::input_mode(mode.to_string()),
            Self::NotSame { file } => text::not_same(file.to_string()),
            Self::NotReadable { verb, mode } => text::not_readable(verb.name(), mode.to_string()),
            Self::NotWritable { verb, mode } => text::not_writable(verb.name(), mode.to_string()),
            Self::ElementType { given, view } => text::element_type(given.to_string(), view.to_string()),
            Self::FallingView { position, last } => text::falling_view(*position, *last),
            Self::EmptyView { count } => text::empty_view(*count),
            Self::Offset { offset, count } => text::offset(*offset, *count),
            Self::TooLong { path, bytes, max } => text::too_long(path, *bytes, *max),
            Self::System { path, why } => text::system(path, why),
        }
    }

    /// The code of the mistake, if the caller made one.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Mode { .. }
            | Self::NotFound { .. }
            | Self::Exists { .. }
            | Self::Permission { .. }
            | Self::NotRegular { .. }
            | Self::NotInput { .. }
            | Self::InputMode { .. } => Some(Code::FileOpen),
            Self::NotSame { .. } => Some(Code::CollectiveFile),
            Self::NotReadable { .. }
            | Self::NotWritable { .. }
            | Self::ElementType { .. }
            | Self::FallingView { .. }
            | Self::EmptyView { .. }
            | Self::Offset { .. } => Some(Code::FileAccess),
            Self::TooLong { .. } | Self::System { .. } => None,
        }
    }

    /// The error of a call. This is not `From`, as for [`LayoutError`](crate::LayoutError).
    pub fn into_error(self) -> Error {
        Error::File(Box::new(self))
    }
}
