//! One change of a file: of a number, a text or a key where it is found, or of its bytes.

use proptest::prelude::*;
use serde_json::Value;

/// Numbers at and beyond the ranges of fields.
const NUMBERS: [&str; 24] = [
    "10",
    "1000",
    "1000000000",
    "1048576",
    "281474976710656",
    "9007199254740992",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "65536",
    "1048577",
    "4294967295",
    "4294967296",
    "4611686018427387904",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e-308",
    "-1e308",
    "0.5",
    "1e18",
];

/// Texts with markup, escapes and hidden characters.
const TEXTS: [&str; 10] =
    ["", "<script>", "|`*_[a](b)", "\u{1b}[2J\u{202e}", "\0", "a\nb", "=1+1", "../..", "mpi", "rank 1"];

/// One change. Places are fractions of the number of places, in 1/65536.
#[derive(Clone, Debug)]
pub(crate) enum FileMutation {
    Number(u16, usize),
    Text(u16, usize),
    Remove(u16),
    Repeat(u16),
    Swap(u16, u16),
    Byte(u16, u8),
    Truncate(u16),
    Insert(u16, Vec<u8>),
    LineTwice(u16),
}

/// A few changes, mostly of numbers.
pub(crate) fn changes() -> impl Strategy<Value = Vec<FileMutation>> {
    let one = prop_oneof![
        14 => (any::<u16>(), 0..NUMBERS.len()).prop_map(|(at, number)| FileMutation::Number(at, number)),
        2 => (any::<u16>(), 0..TEXTS.len()).prop_map(|(at, text)| FileMutation::Text(at, text)),
        1 => any::<u16>().prop_map(FileMutation::Remove),
        2 => any::<u16>().prop_map(FileMutation::Repeat),
        1 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| FileMutation::Swap(a, b)),
        1 => (any::<u16>(), any::<u8>()).prop_map(|(at, byte)| FileMutation::Byte(at, byte)),
        1 => any::<u16>().prop_map(FileMutation::Truncate),
        1 => (any::<u16>(), prop::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, b)| FileMutation::Insert(at, b)),
        1 => any::<u16>().prop_map(FileMutation::LineTwice),
    ];
    prop::collection::vec(one, 1..3)
}

impl FileMutation {
    /// The bytes with all these changes, one after the other.
    pub(crate) fn apply_all(changes: &[Self], bytes: &[u8]) -> Vec<u8> {
        changes.iter().fold(bytes.to_vec(), |bytes, change| change.apply(bytes))
    }

    fn apply(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        match self {
            Self::Number(share, number) => return replace(&bytes, *share, is_number, NUMBERS[*number]),
            Self::Text(share, text) => {
                let quoted = Value::from(TEXTS[*text]).to_string();
                return replace(&bytes, *share, |token| token.starts_with(b"\""), &quoted);
            }
            Self::Remove(share) => {
                return replace(&bytes, *share, |token| token == b"," || token == b":", " ");
            }
            Self::Repeat(share) => repeat_number(&mut bytes, *share),
            Self::Swap(a, b) => swap_numbers(&mut bytes, *a, *b),
            Self::Byte(share, byte) => {
                let place = place(*share, bytes.len());
                bytes.iter_mut().skip(place).take(1).for_each(|b| *b = *byte);
            }
            Self::Truncate(share) => bytes.truncate(place(*share, bytes.len())),
            Self::Insert(share, more) => {
                let place = place(*share, bytes.len());
                bytes.splice(place..place, more.iter().copied());
            }
            Self::LineTwice(share) => {
                let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
                let line = lines.get(place(*share, lines.len())).map(|line| line.to_vec());
                bytes.extend(line.unwrap_or_default());
            }
        }
        bytes
    }
}

/// The place among `len` that a share determines.
fn place(share: u16, len: usize) -> usize {
    usize::from(share) * len / 65_536
}

/// Repeats one number of a list forty times.
fn repeat_number(bytes: &mut Vec<u8>, share: u16) {
    let places = numbers_in_lists(bytes);
    let Some(&(from, to)) = places.get(place(share, places.len())) else { return };
    let copy = [b"," as &[u8], &bytes[from..to]].concat().repeat(40);
    bytes.splice(to..to, copy);
}

/// Exchanges two numbers.
fn swap_numbers(bytes: &mut Vec<u8>, a: u16, b: u16) {
    let tokens = tokens(bytes, is_number);
    let (Some(&a), Some(&b)) = (tokens.get(place(a, tokens.len())), tokens.get(place(b, tokens.len())))
    else {
        return;
    };
    let (first, second) = (a.min(b), a.max(b));
    if first == second {
        return;
    }
    let [x, y] = [first, second].map(|(from, to)| bytes[from..to].to_vec());
    bytes.splice(second.0..second.1, x);
    bytes.splice(first.0..first.1, y);
}

fn is_number(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_digit)
}

/// Numbers that a comma or a bracket follows and precedes: those of a list.
fn numbers_in_lists(bytes: &[u8]) -> Vec<(usize, usize)> {
    let in_list = |&(from, to): &(usize, usize)| {
        let before = from.checked_sub(1).map(|at| bytes[at]);
        matches!(before, Some(b'[' | b',')) && matches!(bytes.get(to), Some(b']' | b','))
    };
    tokens(bytes, is_number).into_iter().filter(in_list).collect()
}

/// The bytes with one of the wanted tokens replaced.
fn replace(bytes: &[u8], share: u16, wanted: impl Fn(&[u8]) -> bool, by: &str) -> Vec<u8> {
    let tokens = tokens(bytes, wanted);
    let Some(&(from, to)) = tokens.get(place(share, tokens.len())) else {
        return bytes.to_vec();
    };
    [&bytes[..from], by.as_bytes(), &bytes[to..]].concat()
}

/// Numbers, quoted texts, commas and colons, as both JSON and YAML have them.
fn tokens(bytes: &[u8], wanted: impl Fn(&[u8]) -> bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b'"' => rest[1..].iter().position(|b| *b == b'"').map_or(rest.len(), |end| end + 2),
            b if b.is_ascii_digit() => {
                rest.iter().position(|b| !b.is_ascii_digit() && *b != b'.').unwrap_or(rest.len())
            }
            b if b.is_ascii_alphabetic() => {
                rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(rest.len())
            }
            _ => 1,
        };
        if wanted(&rest[..length]) {
            found.push((at, at + length));
        }
        at += length;
    }
    found
}
