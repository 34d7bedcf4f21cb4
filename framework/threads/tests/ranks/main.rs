//! Ranks as threads, from outside: what arrives, what is reported when nothing can, and what a job leaves.

mod communicators;
mod endings;
mod matching;
mod requests;
mod words;
