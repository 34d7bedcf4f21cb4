//! Reads the arguments that one program of the workbench passes to another: options and their values.
//!
//! The benchmarks and the laboratory share this reader. Its error messages are for the user.
//!
//! ```
//! use wb_runner::ArgReader;
//! use wb_messages::Lang;
//! let line = ["--ranks", "4,2", "--seed", "x"].map(str::to_owned);
//! let mut words = ArgReader::new(&line, Lang::En);
//! assert_eq!(words.option(), Some("--ranks"));
//! assert_eq!(words.ranks(), Ok(vec![2, 4]));
//! assert_eq!(words.option(), Some("--seed"));
//! assert!(words.seed().is_err_and(|error| error.contains("`x`")));
//! ```
use std::{path::PathBuf, slice::Iter};

use wb_messages::{Lang, arguments as text};

/// The largest number of ranks that is accepted.
const MAX_RANKS: usize = 16_384;

/// Reads the options and values of a command line.
#[derive(Clone, Debug)]
pub struct ArgReader<'a> {
    rest: Iter<'a, String>,
    option: &'a str,
    lang: Lang,
}

impl<'a> ArgReader<'a> {
    /// A reader of all words of a line; its errors are in `lang`.
    pub fn new(line: &'a [String], lang: Lang) -> Self {
        Self { rest: line.iter(), option: "", lang }
    }

    /// The language that `option` selects anywhere in the line; it is needed before the line is read.
    pub fn requested_language(line: &[String], option: &str) -> Option<Lang> {
        line.windows(2).find(|pair| pair[0] == option).and_then(|pair| Lang::parse(&pair[1]))
    }

    /// The next option; `None` at the end of the line.
    pub fn option(&mut self) -> Option<&'a str> {
        self.option = self.rest.next()?;
        Some(self.option)
    }

    /// The value of the option.
    ///
    /// # Errors
    /// When the line ends before it.
    pub fn value(&mut self) -> Result<&'a str, String> {
        let value = self.rest.next().map(String::as_str);
        value.ok_or_else(|| text::no_value(self.lang, self.option))
    }

    /// The value as a path.
    ///
    /// # Errors
    /// As [`ArgReader::value`].
    pub fn path(&mut self) -> Result<PathBuf, String> {
        self.value().map(PathBuf::from)
    }

    /// The value as a list like `1,2,4`, in ascending order.
    ///
    /// # Errors
    /// For anything but whole numbers from 1 to 16384, each once; and as [`ArgReader::value`].
    pub fn ranks(&mut self) -> Result<Vec<usize>, String> {
        let list = self.value()?;
        let bad = |item: &str| text::bad_ranks(self.lang, list, item, MAX_RANKS);
        let mut ranks = Vec::new();
        for item in list.split(',') {
            let number = item.trim().parse().map_err(|_| bad(item))?;
            if !(1..=MAX_RANKS).contains(&number) || ranks.contains(&number) {
                return Err(bad(item));
            }
            ranks.push(number);
        }
        ranks.sort_unstable();
        Ok(ranks)
    }

    /// The value as the seed of a generator.
    ///
    /// # Errors
    /// For anything but a whole number from 0; and as [`ArgReader::value`].
    pub fn seed(&mut self) -> Result<u64, String> {
        let number = self.value()?;
        number.parse().map_err(|_| text::bad_seed(self.lang, number))
    }

    /// The value as a language.
    ///
    /// # Errors
    /// For an unknown language; and as [`ArgReader::value`].
    pub fn language(&mut self) -> Result<Lang, String> {
        let code = self.value()?;
        Lang::parse(code).ok_or_else(|| text::bad_lang(self.lang, code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lists_of_ranks_are_refused_with_what_is_wrong_in_them() {
        for (list, item) in
            [("1,two", "two"), ("0", "0"), ("1,,2", "``"), ("2,2", "`2`"), ("1,99999", "99999")]
        {
            let line = ["--ranks".to_owned(), list.to_owned()];
            let mut words = ArgReader::new(&line, Lang::En);
            words.option();
            let refused = words.ranks().expect_err(list);
            assert!(refused.contains(item), "{refused}");
        }
    }

    #[test]
    fn a_value_that_is_missing_is_told_by_its_option() {
        let line = ["--seed".to_owned()];
        let mut words = ArgReader::new(&line, Lang::En);
        assert_eq!(words.option(), Some("--seed"));
        assert!(words.seed().is_err_and(|refusal| refusal.contains("`--seed`")));
        assert_eq!(words.option(), None);
    }
}
