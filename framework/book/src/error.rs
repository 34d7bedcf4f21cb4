//! Why a book cannot be made.
use std::{io, path::PathBuf};

use wb_messages::{Lang, book as text};

/// The result of a step of the book.
pub type Result<T> = std::result::Result<T, BookError>;

/// The reason why there is no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// A file or a folder that the system refused.
    #[error("{path}: {source}", path = path.display())]
    System {
        /// The file or the folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A link of a page that leads to no page of the book.
    #[error("{page}, line {line}: {link}", page = page.display())]
    Link {
        /// The document.
        page: PathBuf,
        /// Its line.
        line: usize,
        /// The target as it is written.
        link: String,
    },
    /// A folder of the output that another program made.
    #[error("{} is not ours", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
    },
    /// mdBook refused the pages.
    #[error("{reason}")]
    Renderer {
        /// The output of mdBook.
        reason: String,
    },
    /// Links of the rendered pages that lead nowhere, or out of the book.
    #[error("{}", links.join("\n"))]
    BrokenLinks {
        /// Page and target of each.
        links: Vec<String>,
    },
}

impl BookError {
    /// For `map_err`: the file that the system refused.
    pub(crate) fn system(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::System { path, source }
    }

    /// The message for the reader.
    pub fn render(&self, lang: Lang) -> String {
        match self {
            Self::System { path, source } => text::cannot_use(lang, path.display(), source),
            Self::Link { page, line, link } => text::link_leaves(lang, page.display(), line, link),
            Self::Foreign { folder } => text::foreign_folder(lang, folder.display()),
            Self::Renderer { reason } => text::renderer_refused(lang, reason),
            Self::BrokenLinks { links } => text::broken_links(lang, links.join("\n  ")),
        }
    }
}
