//! The macro that defines `main` of an assignment's judge.

/// The whole content of `benches/judge.rs` of an assignment's crate: the program that holds inputs, oracle, reference and
/// clock while a student's task is graded.
///
/// ```ignore
/// use assignment_1_20_integral::Integral;
/// workbench::judge!(Integral);
/// ```
#[macro_export]
macro_rules! judge {
    ($assignment:ty) => {
        fn main() -> ::std::process::ExitCode {
            let package = $crate::benchmark::Package {
                folder: ::std::env!("CARGO_MANIFEST_DIR"),
                name: ::std::env!("CARGO_PKG_NAME"),
            };
            $crate::benchmark::judge_main::<$assignment>(package, $crate::backends())
        }
    };
}
