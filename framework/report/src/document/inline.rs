//! The text of a block: words, some of them code, strong or of a class of the page.

use maud::{Markup, html};

use super::Medium;

/// A text with styles.
#[derive(Clone, Default)]
pub struct Inline(Vec<Span>);

#[derive(Clone)]
enum Span {
    Text(String),
    Code(String),
    Strong(Inline),
    Styled { class: &'static str, title: Option<String>, text: String },
    Markup(Markup),
}

/// A name of the code.
pub fn code(text: impl Into<String>) -> Inline {
    Inline(vec![Span::Code(text.into())])
}

/// A text that must not be overlooked.
pub fn strong(text: impl Into<Inline>) -> Inline {
    Inline(vec![Span::Strong(text.into())])
}

/// A text with a class on a page, and a title under the pointer.
pub fn styled(class: &'static str, title: Option<String>, text: impl Into<String>) -> Inline {
    Inline(vec![Span::Styled { class, title, text: text.into() }])
}

/// A text of ours in which `back ticks` are around code.
pub fn code_spans(text: &str) -> Inline {
    let span = |(at, part): (usize, &str)| match at % 2 {
        1 => Span::Code(part.to_owned()),
        _ => Span::Text(part.to_owned()),
    };
    Inline(text.split('`').enumerate().map(span).collect())
}

impl From<String> for Inline {
    fn from(text: String) -> Self {
        Self(vec![Span::Text(text)])
    }
}

impl From<&str> for Inline {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// What only a page can show.
impl From<Markup> for Inline {
    fn from(markup: Markup) -> Self {
        Self(vec![Span::Markup(markup)])
    }
}

impl<T: Into<Self>> std::ops::Add<T> for Inline {
    type Output = Self;

    fn add(mut self, more: T) -> Self {
        self.0.extend(more.into().0);
        self
    }
}

impl Inline {
    pub(super) fn text(&self, medium: Medium) -> String {
        let span = |span: &Span| match (span, medium) {
            (Span::Text(text) | Span::Styled { text, .. }, _) => text.clone(),
            (Span::Code(text), _) => format!("`{text}`"),
            (Span::Strong(text), Medium::Markdown) => format!("**{}**", text.text(medium)),
            (Span::Strong(text), _) => text.text(medium),
            (Span::Markup(_), _) => String::new(),
        };
        self.0.iter().map(span).collect()
    }

    pub(crate) fn markup(&self) -> Markup {
        html! {
            @for span in &self.0 {
                @match span {
                    Span::Text(text) => (text),
                    Span::Code(text) => code { (text) },
                    Span::Strong(text) => strong { (text.markup()) },
                    Span::Styled { class, title, text } => span.(class) title=[title] { (text) },
                    Span::Markup(markup) => (markup),
                }
            }
        }
    }
}
