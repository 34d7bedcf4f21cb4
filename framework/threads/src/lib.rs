//! Interpreter: ranks are threads of one process.
