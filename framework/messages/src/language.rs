//! The languages themselves.
messages! {
    name() { "English", "Русский" }
}
