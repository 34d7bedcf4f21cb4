//! The difference between the results of two passing runs.
//!
//! Results are compared in their [`Debug`](std::fmt::Debug) form, which shows all bits of a number. Floating-point
//! numbers that are added in another order are rounded differently. A difference counts as rounding if only
//! floating-point numbers differ, each by at most [`ROUNDING_TOLERANCE`] of the largest of them.

/// About a hundred roundings in single precision.
const ROUNDING_TOLERANCE: f64 = 1e-5;

/// The first difference of two results; see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResultDifference {
    /// The place of the difference, and the values there in both results.
    pub(crate) location: String,
    pub(crate) first: String,
    pub(crate) second: String,
    /// Whether it is only rounding.
    pub(crate) is_rounding: bool,
}

impl ResultDifference {
    /// The first difference of two results, in which each rank has a line that begins with its name; `None` if they
    /// are equal.
    pub(crate) fn between(one: &str, other: &str) -> Option<Self> {
        let (mine, theirs) = (tokens(one), tokens(other));
        let differ = mine.iter().zip(&theirs).position(|(mine, theirs)| mine != theirs);
        let at = differ.or((mine.len() != theirs.len()).then(|| mine.len().min(theirs.len())))?;
        let word = |words: &[&str]| words.get(at).map_or("nothing", |word| word.trim()).to_owned();
        let line = mine[..at].iter().rposition(|word| *word == "\n").map_or(0, |end| end + 1);
        let rank_label = mine[line..at].iter().take_while(|word| **word != ":").copied().collect::<String>();
        let values = mine[line..at].iter().skip_while(|word| **word != ":").filter(|word| is_value(word));
        let place = format!("{rank_label}, value {}", values.count());
        let is_rounding = is_rounding(&mine, &theirs);
        Some(Self { location: place, first: word(&mine), second: word(&theirs), is_rounding })
    }
}

/// The tokens of a text: numbers, names and strings are whole, any other character is a token; blanks are only in
/// names of lines.
fn tokens(text: &str) -> Vec<&str> {
    let mut words = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_len(rest),
            '-' | '0'..='9' => number_len(rest),
            _ if first.is_alphanumeric() => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        words.push(&rest[..length]);
        rest = &rest[length..];
    }
    words
}

/// The length of the string at the beginning.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The length of the number at the beginning; 1 for a sign alone.
fn number_len(text: &str) -> usize {
    let (mut end, mut before) = (0, '-');
    for (at, c) in text.char_indices() {
        let signs = (at == 0 || before == 'e') && c == '-';
        if !(signs || c.is_ascii_alphanumeric() || c == '.') {
            break;
        }
        (end, before) = (at + c.len_utf8(), c);
    }
    end
}

fn is_value(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || c == '"' || c == '-')
}

/// Parses a floating-point number, which has a point or an exponent.
fn parse_float(word: &str) -> Option<f64> {
    let is_one = word.contains(['.', 'e']) || word.ends_with("NaN") || word.ends_with("inf");
    word.parse().ok().filter(|_| is_one)
}

fn is_rounding(mine: &[&str], theirs: &[&str]) -> bool {
    let floats = mine.iter().chain(theirs).filter_map(|word| parse_float(word)).map(f64::abs);
    let largest = floats.filter(|number| number.is_finite()).fold(0.0, f64::max);
    let is_equal = |(mine, theirs): (&&str, &&str)| {
        mine == theirs
            || parse_float(mine)
                .zip(parse_float(theirs))
                .is_some_and(|(one, other)| (one - other).abs() <= ROUNDING_TOLERANCE * largest)
    };
    mine.len() == theirs.len() && mine.iter().zip(theirs).all(is_equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(one: &str, other: &str) -> (String, String, String, bool) {
        let ResultDifference { location: place, first: here, second: there, is_rounding } =
            ResultDifference::between(one, other).expect("they differ");
        (place, here, there, is_rounding)
    }

    #[test]
    fn the_first_difference_is_named_with_its_rank_and_place() {
        assert_eq!(ResultDifference::between("rank 0: [1, 2]\n", "rank 0: [1, 2]\n"), None);
        let difference =
            |rank: &str, here: &str, there: &str| (rank.into(), here.into(), there.into(), false);
        assert_eq!(between("rank 0: [1, 2]\n", "rank 0: [2, 1]\n"), difference("rank 0, value 0", "1", "2"));
        let (one, other) =
            ("rank 0: 3\nrank 1: P { a: 7, b: \"x, 1.5\" }\n", "rank 0: 3\nrank 1: P { a: 7, b: \"y\" }\n");
        assert_eq!(between(one, other), difference("rank 1, value 4", "\"x, 1.5\"", "\"y\""));
        assert_eq!(between("rank 0: [1]\n", "rank 0: [1, 2]\n"), difference("rank 0, value 1", "]", ","));
    }

    #[test]
    fn rounding_is_told_from_everything_else() {
        let differ = |one: &str, other: &str| between(one, other).3;
        assert!(differ("rank 0: [0.6, 1.0]\n", "rank 0: [0.6000000000000001, 1.0]\n"));
        assert!(differ("rank 0: -1e-17, 4.0", "rank 0: 2e-17, 4.0"), "beside 4 it is nothing");
        for (one, other) in [
            ("rank 0: 0.6", "rank 0: 0.7"),
            ("rank 0: NaN", "rank 0: 1.0"),
            ("rank 0: 1000001", "rank 0: 1000002"),
            ("rank 0: \"1.0000001\"", "rank 0: \"1.0000002\""),
            ("rank 0: [1.0]", "rank 0: [1.0, 1.0]"),
            ("rank 0: [1.0, 2]", "rank 0: [1.0000001, 3]"),
        ] {
            assert!(!differ(one, other), "{one} {other}");
        }
    }
}
