//! How it is run: functional and performance harnesses.
