//! Settings that prevent the library from writing past the end of a receive's buffer.
//!
//! When a message is longer than the receive's buffer, MPI has to truncate it. Open MPI 4.1 does so only on paths that
//! copy. With a remote read (`get`: the default on one machine from 4 KiB on, for messages to oneself from 128 KiB on)
//! it writes the whole message over the memory behind the buffer, and only then returns `MPI_ERR_TRUNCATE`; its remote
//! write (`put`) does the same or crashes. A wrong count in safe Rust must not corrupt memory, so these transports are
//! set to send. On one machine that is also the faster way, wherever system calls are expensive.
use std::env;

/// The transports of Open MPI that can read or write remotely; a version ignores names that it does not know.
const VARIABLES: [&str; 4] = [
    "OMPI_MCA_btl_self_flags",
    "OMPI_MCA_btl_vader_flags",
    "OMPI_MCA_btl_sm_flags",
    "OMPI_MCA_btl_tcp_flags",
];
const COPY_ONLY_PROTOCOLS: &str = "send,inplace";

/// Makes the settings, before MPI is initialised; variables that the user set are kept.
pub(crate) fn apply() {
    for variable in VARIABLES.into_iter().filter(|variable| env::var_os(variable).is_none()) {
        // SAFETY: called right before MPI_Init, which changes the environment of this process as well; the caller holds
        // the only job handle, so no other thread of ours is inside the library.
        unsafe { env::set_var(variable, COPY_ONLY_PROTOCOLS) };
    }
}
