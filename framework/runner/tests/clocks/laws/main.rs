//! The law of corrected stamps: the true time lies within the stated uncertainty, for planted offsets and drifts.
//!
//! It is tested three times: with exchanges that are made up, so that every delay is known; between threads, whose
//! delays are real; and in virtual time, where a minute of drift takes no time. Each has its canaries: without the
//! correction, or with half of the bound, the law does not hold.
mod made_up;
mod planted_clock;
mod threads;
mod virtual_time;
