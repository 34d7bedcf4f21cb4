//! MPI's predefined handles and constants, as the C shim exports them.
//!
//! `mpi.h` defines them as macros that are integers in MPICH and addresses in Open MPI; `shim/handles.c` defines them
//! as constant objects, so the same Rust code reads both. The raw functions and types come from [`mpi::ffi`].
use std::ffi::{c_int, c_void};

use mpi::ffi::{
    MPI_Comm, MPI_Datatype, MPI_Errhandler, MPI_File, MPI_Group, MPI_Info, MPI_Message, MPI_Op, MPI_Request,
    MPI_Status, MPI_Win,
};

macro_rules! shim {
    ($($name:ident = $symbol:literal: $ty:ty;)*) => {
        // SAFETY: shim/handles.c defines each as a constant of exactly this type; no code ever writes them.
        unsafe extern "C" {
            $(#[link_name = $symbol] #[allow(missing_docs, reason = "MPI's own names")] pub safe static $name: $ty;)*
        }
    };
}

shim! {
    DATATYPE_NULL = "wb_MPI_DATATYPE_NULL": MPI_Datatype;
    BYTE = "wb_MPI_BYTE": MPI_Datatype;
    INT = "wb_MPI_INT": MPI_Datatype;
    FLOAT = "wb_MPI_FLOAT": MPI_Datatype;
    DOUBLE = "wb_MPI_DOUBLE": MPI_Datatype;
    INT8 = "wb_MPI_INT8_T": MPI_Datatype;
    INT16 = "wb_MPI_INT16_T": MPI_Datatype;
    INT64 = "wb_MPI_INT64_T": MPI_Datatype;
    UINT8 = "wb_MPI_UINT8_T": MPI_Datatype;
    UINT16 = "wb_MPI_UINT16_T": MPI_Datatype;
    UINT32 = "wb_MPI_UINT32_T": MPI_Datatype;
    UINT64 = "wb_MPI_UINT64_T": MPI_Datatype;
    TWO_INTS = "wb_MPI_2INT": MPI_Datatype;
    LONG_INT = "wb_MPI_LONG_INT": MPI_Datatype;
    FLOAT_INT = "wb_MPI_FLOAT_INT": MPI_Datatype;
    DOUBLE_INT = "wb_MPI_DOUBLE_INT": MPI_Datatype;

    SUM = "wb_MPI_SUM": MPI_Op;
    PROD = "wb_MPI_PROD": MPI_Op;
    MIN = "wb_MPI_MIN": MPI_Op;
    MAX = "wb_MPI_MAX": MPI_Op;
    BAND = "wb_MPI_BAND": MPI_Op;
    BOR = "wb_MPI_BOR": MPI_Op;
    BXOR = "wb_MPI_BXOR": MPI_Op;
    LAND = "wb_MPI_LAND": MPI_Op;
    LOR = "wb_MPI_LOR": MPI_Op;
    LXOR = "wb_MPI_LXOR": MPI_Op;
    MINLOC = "wb_MPI_MINLOC": MPI_Op;
    MAXLOC = "wb_MPI_MAXLOC": MPI_Op;
    REPLACE = "wb_MPI_REPLACE": MPI_Op;
    NO_OP = "wb_MPI_NO_OP": MPI_Op;

    COMM_WORLD = "wb_MPI_COMM_WORLD": MPI_Comm;
    COMM_SELF = "wb_MPI_COMM_SELF": MPI_Comm;
    COMM_NULL = "wb_MPI_COMM_NULL": MPI_Comm;
    REQUEST_NULL = "wb_MPI_REQUEST_NULL": MPI_Request;
    ERRORS_RETURN = "wb_MPI_ERRORS_RETURN": MPI_Errhandler;
    WIN_NULL = "wb_MPI_WIN_NULL": MPI_Win;
    INFO_NULL = "wb_MPI_INFO_NULL": MPI_Info;
    FILE_NULL = "wb_MPI_FILE_NULL": MPI_File;
    GROUP_NULL = "wb_MPI_GROUP_NULL": MPI_Group;

    MESSAGE_NULL = "wb_MPI_MESSAGE_NULL": MPI_Message;

    ANY_SOURCE = "wb_MPI_ANY_SOURCE": c_int;
    ANY_TAG = "wb_MPI_ANY_TAG": c_int;
    ORDER_C = "wb_MPI_ORDER_C": c_int;
    COMBINER_NAMED = "wb_MPI_COMBINER_NAMED": c_int;
    UNDEFINED = "wb_MPI_UNDEFINED": c_int;
    SUCCESS = "wb_MPI_SUCCESS": c_int;
    ERR_BUFFER = "wb_MPI_ERR_BUFFER": c_int;
    ERR_IN_STATUS = "wb_MPI_ERR_IN_STATUS": c_int;
    ERR_PENDING = "wb_MPI_ERR_PENDING": c_int;
    ERR_TRUNCATE = "wb_MPI_ERR_TRUNCATE": c_int;
    ERR_WIN = "wb_MPI_ERR_WIN": c_int;
    COMM_TYPE_SHARED = "wb_MPI_COMM_TYPE_SHARED": c_int;
    WIN_MODEL = "wb_MPI_WIN_MODEL": c_int;
    WIN_UNIFIED = "wb_MPI_WIN_UNIFIED": c_int;
    LOCK_SHARED = "wb_MPI_LOCK_SHARED": c_int;
    LOCK_EXCLUSIVE = "wb_MPI_LOCK_EXCLUSIVE": c_int;
    MODE_NOCHECK = "wb_MPI_MODE_NOCHECK": c_int;
    MODE_NOSTORE = "wb_MPI_MODE_NOSTORE": c_int;
    MODE_NOPUT = "wb_MPI_MODE_NOPUT": c_int;
    MODE_NOPRECEDE = "wb_MPI_MODE_NOPRECEDE": c_int;
    MODE_NOSUCCEED = "wb_MPI_MODE_NOSUCCEED": c_int;
    MODE_RDONLY = "wb_MPI_MODE_RDONLY": c_int;
    MODE_WRONLY = "wb_MPI_MODE_WRONLY": c_int;
    MODE_RDWR = "wb_MPI_MODE_RDWR": c_int;
    MODE_CREATE = "wb_MPI_MODE_CREATE": c_int;
    MODE_EXCL = "wb_MPI_MODE_EXCL": c_int;
    MODE_DELETE_ON_CLOSE = "wb_MPI_MODE_DELETE_ON_CLOSE": c_int;
    ERR_NO_SUCH_FILE = "wb_MPI_ERR_NO_SUCH_FILE": c_int;
    ERR_FILE_EXISTS = "wb_MPI_ERR_FILE_EXISTS": c_int;
    ERR_ACCESS = "wb_MPI_ERR_ACCESS": c_int;
    ERR_READ_ONLY = "wb_MPI_ERR_READ_ONLY": c_int;
    MAX_ERROR_STRING = "wb_MPI_MAX_ERROR_STRING": c_int;

    IS_OPEN_MPI = "wb_is_open_mpi": c_int;
    BYTES_OF_COMM = "wb_bytes_of_comm": c_int;
    BYTES_OF_STATUS = "wb_bytes_of_status": c_int;
}

// SAFETY: shim/handles.c defines both with these types: a function that only returns an address, and a constant pointer, which no code ever
// writes and only the library interprets.
unsafe extern "C" {
    safe fn wb_unweighted() -> *mut c_int;
    #[link_name = "wb_MPI_IN_PLACE"]
    safe static IN_PLACE: ConstantPointer;
}

/// A pointer that is a constant of the library.
#[repr(transparent)]
struct ConstantPointer(*mut c_void);

// SAFETY: the pointer is only passed on; it is never dereferenced here.
unsafe impl Sync for ConstantPointer {}

/// The weights of a graph without weights (`MPI_UNWEIGHTED`).
pub(crate) fn unweighted() -> *const c_int {
    wb_unweighted()
}

/// The buffer of a rank whose contribution is in its other buffer (`MPI_IN_PLACE`).
pub fn in_place() -> *mut c_void {
    IN_PLACE.0
}

/// Whether shim and bindings were made from the same `mpi.h`.
pub(crate) fn agree_with_bindings() -> bool {
    BYTES_OF_COMM as usize == size_of::<MPI_Comm>() && BYTES_OF_STATUS as usize == size_of::<MPI_Status>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shim_was_compiled_with_the_header_of_the_bindings() {
        assert!(agree_with_bindings());
        assert_eq!(SUCCESS, 0, "MPI fixes the value");
        assert!(ANY_SOURCE < 0 && ANY_TAG < 0, "wildcards are no ranks and no tags");
    }
}
