//! Dense matrix product by row strips.
