//! Settings without which the library would write past the end of a receive's buffer.
//!
//! When a message is longer than the receive's room, MPI has to truncate it. Open MPI 4.1 does so only on paths that
//! copy: with a remote read (`get`: the default on one machine from 4 KiB on, for messages to oneself from 128 KiB on)
//! it reads the whole message over whatever lies behind the buffer, and only then returns `MPI_ERR_TRUNCATE`; its remote
//! write (`put`) does the same or crashes. A wrong count in safe Rust must not destroy memory, so these transports are
//! told to send. On one machine that is the faster way as well, wherever system calls are dear.
use std::env;

/// The transports of Open MPI that can read or write remotely; a name unknown to a version is ignored by it.
const VARIABLES: [&str; 4] = [
    "OMPI_MCA_btl_self_flags",
    "OMPI_MCA_btl_vader_flags",
    "OMPI_MCA_btl_sm_flags",
    "OMPI_MCA_btl_tcp_flags",
];
const COPY_ONLY_PROTOCOLS: &str = "send,inplace";

/// Makes the settings, before MPI is initialised; what the user set on purpose stays.
pub(crate) fn apply() {
    for variable in VARIABLES.into_iter().filter(|variable| env::var_os(variable).is_none()) {
        // SAFETY: called right before MPI_Init, which changes the environment of this process just the same; the caller
        // holds the only seat, so no other thread of ours is inside the library.
        unsafe { env::set_var(variable, COPY_ONLY_PROTOCOLS) };
    }
}
