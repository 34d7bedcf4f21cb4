//! What other interfaces to MPI find out while the program runs, or never, does not compile here. Each file of
//! `tests/compile_fail` is one misuse; the compiler's own words beside it are part of the test.
#[test]
fn misuse_that_types_rule_out_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/compile_fail/right_*.rs");
    cases.compile_fail("tests/compile_fail/wrong_*.rs");
}
