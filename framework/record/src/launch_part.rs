//! A part of the launches of a run: runs are split so that their launches are spread over time and hosts.

use std::{fmt, str::FromStr};

/// Every `of`th launch of a run, from launch `index` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchPart {
    index: u32,
    of: u32,
}

impl LaunchPart {
    /// The whole run.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Part `index` of `of`; `None` where there is no such part.
    pub fn new(index: u32, of: u32) -> Option<Self> {
        (index < of).then_some(Self { index, of })
    }

    /// The number of this part, from 0: its first launch.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The number of parts.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether this part measures the launch.
    pub fn includes(self, launch: u32) -> bool {
        launch % self.of == self.index
    }
}

impl fmt::Display for LaunchPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A text that does not name a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidLaunchPart;

impl fmt::Display for InvalidLaunchPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a part like 0/5: its number from 0, and the number of parts")
    }
}

impl std::error::Error for InvalidLaunchPart {}

impl FromStr for LaunchPart {
    type Err = InvalidLaunchPart;

    fn from_str(text: &str) -> Result<Self, InvalidLaunchPart> {
        let (index, of) = text.split_once('/').ok_or(InvalidLaunchPart)?;
        let number = |text: &str| text.parse().map_err(|_| InvalidLaunchPart);
        Self::new(number(index)?, number(of)?).ok_or(InvalidLaunchPart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_run_have_each_launch_once() {
        let parts: Vec<LaunchPart> = (0..3).filter_map(|index| LaunchPart::new(index, 3)).collect();
        assert_eq!(parts.len(), 3);
        for launch in 0..10 {
            assert_eq!(parts.iter().filter(|part| part.includes(launch)).count(), 1, "{launch}");
        }
        assert!((0..10).all(|launch| LaunchPart::WHOLE.includes(launch)));
    }

    #[test]
    fn a_part_is_read_as_it_is_written() {
        let part = LaunchPart::new(2, 5).expect("a part");
        assert_eq!(part.to_string().parse(), Ok(part));
        for text in ["5/5", "1", "/", "0/0", "-1/2", "a/b"] {
            assert_eq!(text.parse::<LaunchPart>(), Err(InvalidLaunchPart), "{text}");
        }
    }
}
