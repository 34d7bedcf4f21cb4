//! The macro that defines `main` of an assignment's judge.

/// The whole content of `benches/judge.rs` of an assignment's crate: the program that holds inputs, oracle, reference and
/// clock while a student's task is graded.
///
/// ```ignore
/// use assignment_1_20_integral::Integral;
/// workbench::judge!(Integral);
/// ```
/// A communication assignment also has the library's verb ([`LibraryVerb`](crate::LibraryVerb)), beside which the student's is
/// measured. Its type is in `benches/judge.rs`, where no student's code can name it:
/// ```ignore
/// workbench::judge!(Scattering, communication = LibraryScatter);
/// ```
#[macro_export]
macro_rules! judge {
    ($assignment:ty $(, communication = $verbs:expr)? $(,)?) => {
        pub(crate) fn main() -> ::std::process::ExitCode {
            let package = $crate::benchmark::Package {
                folder: ::std::env!("CARGO_MANIFEST_DIR"),
                name: ::std::env!("CARGO_PKG_NAME"),
            };
            let program = $crate::benchmark::BenchmarkProgram::of_judge::<$assignment>();
            $(let program = program.with_communication($verbs);)?
            $crate::benchmark::judge_main::<$assignment>(package, $crate::backends(), &program)
        }
    };
}
