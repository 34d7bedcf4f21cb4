//! Numbers as text for readers: the decimal mark is a point in English and a comma in Russian.
//!
//! Text for programs (CSV, JSON, YAML, commands, file names) has points in every language and does not use this module.
use crate::{Lang, Text};

mod decimal_points;

pub use decimal_points::decimal_points;

/// `x` with `decimals` digits after the decimal mark: `1.50`, in Russian `1,50`.
///
/// ```
/// use wb_text::{Lang, number};
/// assert_eq!(number::fixed(Lang::En, 1.5, 2), "1.50");
/// assert_eq!(number::fixed(Lang::Ru, -1.5, 2), "−1,50");
/// ```
pub fn fixed(lang: Lang, x: f64, decimals: usize) -> String {
    localized(lang, &format!("{x:.decimals$}"))
}

/// [`fixed`] in both languages, as an argument of a text.
///
/// ```
/// use wb_text::{Lang, number};
/// assert_eq!(number::fixed_text(52.534, 2).render(Lang::Ru), "52,53");
/// ```
pub fn fixed_text(x: f64, decimals: usize) -> Text {
    Text { en: fixed(Lang::En, x, decimals).into(), ru: fixed(Lang::Ru, x, decimals).into() }
}

/// Numbers in rising order; three and more neighbours are a range, whose ends have `to` between them.
///
/// ```
/// assert_eq!(wb_text::number::ranges([0, 1, 3, 4, 5, 7], "-"), "0, 1, 3-5, 7");
/// ```
pub fn ranges(numbers: impl IntoIterator<Item = usize>, to: &str) -> String {
    let numbers: Vec<_> = numbers.into_iter().collect();
    let runs = numbers.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [first, _, .., last] => format!("{first}{to}{last}"),
        few => few.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// `x` with its sign, plus or minus.
///
/// ```
/// use wb_text::{Lang, number};
/// assert_eq!(number::signed(Lang::Ru, 1.5, 1), "+1,5");
/// ```
pub fn signed(lang: Lang, x: f64, decimals: usize) -> String {
    localized(lang, &format!("{x:+.decimals$}"))
}

/// `x` with as many digits as it has: `4.5`, `2`.
pub fn shortest(lang: Lang, x: f64) -> String {
    localized(lang, &x.to_string())
}

/// Digits of `format!`, with the decimal mark of the language. A minus sign is used, not a hyphen, which would read as
/// a dash after words and between the ends of a range.
pub fn localized(lang: Lang, digits: &str) -> String {
    digits.replace('-', "\u{2212}").replace('.', decimal_mark(lang))
}

/// The decimal mark.
pub fn decimal_mark(lang: Lang) -> &'static str {
    match lang {
        Lang::En => ".",
        Lang::Ru => ",",
    }
}

/// A closed interval: `[1.80, 1.86]`, in Russian `[1,80; 1,86]`, since the numbers contain a comma.
///
/// ```
/// use wb_text::{Lang, number};
/// assert_eq!(number::interval(Lang::Ru, "1,80", "1,86"), "[1,80; 1,86]");
/// ```
pub fn interval(lang: Lang, lo: &str, hi: &str) -> String {
    match lang {
        Lang::En => format!("[{lo}, {hi}]"),
        Lang::Ru => format!("[{lo}; {hi}]"),
    }
}

/// The share `x` as per cent with `decimals` digits: `91.5 %`.
pub fn percent(lang: Lang, x: f64, decimals: usize) -> String {
    format!("{} %", fixed(lang, 100.0 * x, decimals))
}
