//! The macro that defines `main` of a task's benchmark.

/// The whole content of `benches/performance.rs`: measures a task's versions.
///
/// ```ignore
/// use ivanov_i_row_sum::{Mpi, Seq};
/// workbench::performance!(Seq, Mpi);
/// ```
/// In a communication assignment the parallel version also implements [`Communication`](crate::Communication): its verb is then measured
/// together with the library's.
/// Where the problem is an instructor's [`Assignment`](crate::Assignment), its reference is measured, too; T* is the fastest
/// version's time on one rank. An instructor who has a sequential version for a problem of the student's names it:
/// ```ignore
/// workbench::performance!(Seq, Mpi, reference = Instructors);
/// ```
#[macro_export]
macro_rules! performance {
    ($seq:expr, $mpi:expr $(, reference = $reference:expr)? $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            let package = $crate::benchmark::Package {
                folder: ::std::env!("CARGO_MANIFEST_DIR"),
                name: ::std::env!("CARGO_PKG_NAME"),
            };
            let program = $crate::performance!(@program $seq, $mpi $(, $reference)?);
            let program = {
                #[allow(unused_imports, reason = "the type of the version selects one of both")]
                use $crate::benchmark::{SelectNoVerb, SelectVerb};
                let mpi = $mpi;
                let add_verb = (&mpi).verb();
                add_verb(program, mpi)
            };
            $crate::benchmark::main(package, $crate::backends(), &program)
        }
    };
    (@program $seq:expr, $mpi:expr) => {{
        #[allow(unused_imports, reason = "the types of the versions select one of both")]
        use $crate::benchmark::{SelectAssignment, SelectOwnProblem};
        let seq = $seq;
        let program = (&seq).select();
        program(seq, $mpi)
    }};
    (@program $seq:expr, $mpi:expr, $reference:expr) => {
        $crate::benchmark::BenchmarkProgram::with_reference($seq, $mpi, $reference)
    };
}
