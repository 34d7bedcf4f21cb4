//! Reports: terminal tables, report.md, report.html, the index.
//!
//! Numbers arrive formatted, so both languages show the same digits.
pub mod barriers;
pub mod chart;
pub mod collectives;
pub mod communication;
pub mod document;
pub mod method;
pub mod model;
pub mod result;
pub mod screen;
pub mod trace;
pub mod trace_page;
pub mod trust;
pub mod verdict;
