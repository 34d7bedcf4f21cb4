//! Numbers of the command line: whole numbers, and lists of numbers of ranks like `2,4,8` or `2..1024`.

use std::{error, fmt, ops::Deref, str::FromStr};

/// An invalid number, and the allowed range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InvalidNumber {
    /// The word, or the item of a list.
    pub(super) item: String,
    /// The least and the largest.
    pub(super) allowed: (u64, u64),
    /// An example of a range, where a list is allowed.
    pub(super) range: Option<&'static str>,
}

impl fmt::Display for InvalidNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not within {:?}", self.item, self.allowed)
    }
}

impl error::Error for InvalidNumber {}

/// Numbers of ranks, ascending and unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RankList(Vec<u32>);

impl Deref for RankList {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

/// The step of a range.
#[derive(Debug, Clone, Copy)]
pub(super) struct RangeStep {
    next: fn(u32) -> u32,
    example: &'static str,
}

/// 2, 4, 8, ...
pub(super) const DOUBLING: RangeStep = RangeStep { next: |ranks| 2 * ranks, example: "2..8" };

/// 1, 2, 3, ...
pub(super) const INCREMENT: RangeStep = RangeStep { next: |ranks| ranks + 1, example: "1..4" };

/// Reads a whole number from `least` to `most`.
pub(super) fn whole<N>(
    least: N,
    most: N,
) -> impl Fn(&str) -> Result<N, InvalidNumber> + Clone + Send + Sync + 'static
where
    N: FromStr + PartialOrd + Into<u64> + Copy + Send + Sync + 'static,
{
    move |word| {
        let number = word.parse().ok().filter(|number| (least..=most).contains(number));
        let allowed = (least.into(), most.into());
        number.ok_or_else(|| InvalidNumber { item: word.to_owned(), allowed, range: None })
    }
}

/// Reads a list of numbers and ranges, all from 1 to `most`; a range continues by `step` up to its end.
pub(super) fn ranks(
    most: u32,
    step: RangeStep,
) -> impl Fn(&str) -> Result<RankList, InvalidNumber> + Clone + Send + Sync + 'static {
    move |list| {
        let none = |item: &str| InvalidNumber {
            item: item.to_owned(),
            allowed: (1, most.into()),
            range: Some(step.example),
        };
        let mut all = Vec::new();
        for item in list.split(',') {
            let number = |digits: &str| {
                let number = digits.trim().parse().ok().filter(|ranks| (1..=most).contains(ranks));
                number.ok_or_else(|| none(item))
            };
            let (from, to) = item.split_once("..").unwrap_or((item, item));
            let (from, to) = (number(from)?, number(to)?);
            if from > to {
                return Err(none(item));
            }
            let range = std::iter::successors(Some(from), |&ranks| Some((step.next)(ranks)));
            all.extend(range.take_while(|&ranks| ranks <= to));
        }
        all.sort_unstable();
        all.dedup();
        Ok(RankList(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str, step: RangeStep) -> Option<Vec<u32>> {
        ranks(16, step)(list).ok().map(|ranks| ranks.to_vec())
    }

    #[test]
    fn ranges_have_steps_of_their_command() {
        assert_eq!(read("2..16", DOUBLING), Some(vec![2, 4, 8, 16]));
        assert_eq!(read("3..16,1, 6", DOUBLING), Some(vec![1, 3, 6, 12]));
        assert_eq!(read("1..4", INCREMENT), Some(vec![1, 2, 3, 4]));
        assert_eq!(read("4,2..3, 2", INCREMENT), Some(vec![2, 3, 4]));
    }

    #[test]
    fn what_is_no_list_is_refused_by_its_item() {
        for (bad, item) in [
            ("", ""),
            ("0", "0"),
            ("2,two", "two"),
            ("8..4", "8..4"),
            ("1..", "1.."),
            ("17", "17"),
            ("2,,4", ""),
        ] {
            let refused = ranks(16, DOUBLING)(bad).expect_err(bad);
            assert_eq!((refused.item.as_str(), refused.allowed), (item, (1, 16)), "{bad}");
        }
    }

    #[test]
    fn whole_numbers_stay_within() {
        let of = whole(2_u64, 9);
        assert_eq!(of("9"), Ok(9));
        for bad in ["1", "10", "-3", "2.5", "two", ""] {
            assert_eq!(of(bad).expect_err(bad).allowed, (2, 9));
        }
    }
}
