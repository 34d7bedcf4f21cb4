//! Laws that hold across crates; each file of `tests/tests` is one of them.
