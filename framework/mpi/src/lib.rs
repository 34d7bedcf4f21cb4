//! Interpreter: ranks are processes of a real MPI job.
