//! The documents as one book in two languages.
//!
//! English pages are `docs/*.md`, Russian pages are the same names in `docs/ru`. [`sources`] reads them, [`staging`] prepares
//! the pages of one language for mdBook (pages of codes, links between folders), [`site`] renders both and puts the reports
//! beside them, [`site_links`] follows every link of the result, and [`parity`] compares the languages.
//!
//! The book is a package of its own, and `cargo wb book` starts its program: mdBook is a large dependency that neither the
//! command line nor a task needs.
//!
//! ```
//! use wb_book::{outline::PageOutline, parity};
//! let english = PageOutline::new("# Ranks\n\n## Numbers\n");
//! let russian = PageOutline::new("# Ранги\n\n## Номера <!-- #numbers -->\n");
//! assert!(parity::differences(&english, &russian).is_empty());
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod code_pages;
pub mod error;
pub mod outline;
pub mod parity;
pub mod play;
pub mod site;
pub mod site_links;
pub mod sources;
pub mod staging;

pub use error::{BookError, Result};
