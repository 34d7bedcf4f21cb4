//! The facade: everything a task needs, and the choice of backend.
