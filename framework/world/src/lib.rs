//! What people write to: MPI's verbs, typed.
