//! A file of a task, and its tokens.

use std::str::FromStr;

use proc_macro2::{Span, TokenStream};
use serde::{Deserialize, Serialize};
use wb_text::{Text, source as text};

use crate::source::token::{self, Token};

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path of the file below the task's folder, with `/`: `src/seq.rs`, `Cargo.toml`.
    pub path: String,
    /// The text of the file.
    pub text: String,
}

impl SourceFile {
    /// A file.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// Whether it is a Rust source.
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether the library may be made from it, and not only tests, benches or examples.
    pub(crate) fn is_library(&self) -> bool {
        let is_other = |folder| self.path.starts_with(folder);
        self.is_rust() && !["tests/", "benches/", "examples/"].into_iter().any(is_other)
    }
}

/// One of the two versions of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourcePart {
    /// The sequential version.
    Seq,
    /// The parallel version.
    Mpi,
}

/// A Rust source whose tokens and items are known.
pub(crate) struct ParsedFile<'a> {
    pub(crate) source: &'a SourceFile,
    pub(crate) tokens: Vec<Token>,
    pub(crate) syntax: syn::File,
}

/// Where a text stops being Rust, and why.
#[derive(Debug)]
pub(crate) struct ParseFailure {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: Text,
}

impl<'a> ParsedFile<'a> {
    /// Reads the tokens and the items. A byte order mark and a first line `#!/...` are left out, as by the compiler.
    pub(crate) fn parse(source: &'a SourceFile) -> Result<Self, ParseFailure> {
        if wb_text::is_utf16(&source.text) {
            return Err(ParseFailure { line: 1, column: 1, message: text::utf16() });
        }
        let failure = |span: Span, error: &dyn std::fmt::Display| {
            let at = span.start();
            let message = Text::verbatim(error.to_string());
            ParseFailure { line: at.line.max(1), column: at.column + 1, message }
        };
        let text = without_first_line(source.text.strip_prefix('\u{feff}').unwrap_or(&source.text));
        let stream = TokenStream::from_str(&text).map_err(|error| failure(error.span(), &error))?;
        let tokens = token::flatten(stream.clone());
        let syntax = syn::parse2(stream).map_err(|error: syn::Error| failure(error.span(), &error))?;
        Ok(Self { source, tokens, syntax })
    }
}

/// The text with the first line blanked if it is `#!/...`: lines keep their numbers. `#![...]` is an attribute.
fn without_first_line(text: &str) -> String {
    let is_interpreter = text.starts_with("#!") && !text[2..].trim_start().starts_with('[');
    match text.split_once('\n') {
        Some((_, rest)) if is_interpreter => format!("\n{rest}"),
        _ => text.to_owned(),
    }
}
