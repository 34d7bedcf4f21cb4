//! A wrong order of stages does not compile. Each file of `tests/compile_fail` misuses the pipeline in one way; the
//! compiler's own words beside it are part of the test, so that a case cannot fail for another reason.
#[test]
fn a_wrong_order_of_stages_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/compile_fail/right_order.rs");
    cases.compile_fail("tests/compile_fail/wrong_*.rs");
}
