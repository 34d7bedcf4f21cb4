//! `main` of a task's benchmark.

/// The whole content of `benches/performance.rs`: measures a task's versions.
///
/// ```ignore
/// use ivanov_i_row_sum::{Mpi, Seq};
/// workbench::performance!(Seq, Mpi);
/// ```
/// A communication assignment names its verb too, which is then measured beside the library's:
/// ```ignore
/// workbench::performance!(Seq, Mpi, communication = Broadcast);
/// ```
#[macro_export]
macro_rules! performance {
    ($seq:expr, $mpi:expr $(, communication = $verbs:expr)? $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            let package = $crate::harness::performance::Package {
                folder: ::std::env!("CARGO_MANIFEST_DIR"),
                name: ::std::env!("CARGO_PKG_NAME"),
            };
            let program = $crate::harness::performance::Program::new($seq, $mpi);
            $(let program = program.with_communication($verbs);)?
            $crate::harness::performance::main(package, $crate::backends(), &program)
        }
    };
}
