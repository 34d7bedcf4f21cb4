//! The two languages.

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Russian.
    Ru,
}

impl Lang {
    /// Both languages.
    pub const ALL: [Self; 2] = [Self::En, Self::Ru];

    /// `"en"` or `"ru"`, as in `--lang` and in file names.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ru => "ru",
        }
    }

    /// The other language.
    pub fn other(self) -> Self {
        match self {
            Self::En => Self::Ru,
            Self::Ru => Self::En,
        }
    }

    /// Reads `en`, `ru` and locale names like `ru_RU.UTF-8`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split(['_', '.', '-']).next()?.to_ascii_lowercase().as_str() {
            "en" | "c" | "posix" => Some(Self::En),
            "ru" => Some(Self::Ru),
            _ => None,
        }
    }

    /// The language of the user's environment: the first of `WB_LANG`, `LC_ALL`, `LC_MESSAGES`, `LANG` that is set and
    /// not empty; English when that names another language.
    pub fn from_environment() -> Self {
        ["WB_LANG", "LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
            .and_then(|value| Self::parse(&value))
            .unwrap_or_default()
    }
}
