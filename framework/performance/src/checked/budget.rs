//! The budget of a check: a time for all cases, or a number of schedules for each.
use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use wb_comm::exploration;

/// The budget of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    /// For all cases together: `10s`.
    Time(Duration),
    /// For each case: `1000`.
    Schedules(u64),
}

impl Budget {
    /// The budget if none is requested.
    pub(crate) const DEFAULT: Self = Self::Time(Duration::from_secs(50));

    /// The largest number of seconds that can be requested: a day.
    const MAX_SECONDS: u64 = 24 * 60 * 60;

    /// The time limit of a case if the budget is a number of schedules.
    const MAX_TIME_PER_CASE: Duration = Duration::from_secs(3600);

    /// The budget of one case of `cases`.
    pub(crate) fn share(self, start: Instant, cases: usize) -> exploration::ExplorationBudget {
        match self {
            Self::Time(time) => {
                let left = time.saturating_sub(start.elapsed());
                exploration::ExplorationBudget {
                    schedules: u64::MAX,
                    time: left / u32::try_from(cases).unwrap_or(u32::MAX),
                }
            }
            Self::Schedules(schedules) => {
                exploration::ExplorationBudget { schedules, time: Self::MAX_TIME_PER_CASE }
            }
        }
    }
}

impl FromStr for Budget {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let number = |digits: &str| digits.parse().ok().filter(|number| *number > 0).ok_or(());
        match line.strip_suffix('s') {
            Some(seconds) => {
                let seconds =
                    number(seconds).ok().filter(|seconds| *seconds <= Self::MAX_SECONDS).ok_or(())?;
                Ok(Self::Time(Duration::from_secs(seconds)))
            }
            None => number(line).map(Self::Schedules),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_and_misprints_are_not() {
        assert_eq!("10s".parse(), Ok(Budget::Time(Duration::from_secs(10))));
        assert_eq!("500".parse(), Ok(Budget::Schedules(500)));
        for wrong in ["", "s", "0", "0s", "-1", "10m", "1.5s", "86401s", "18446744073709551615s"] {
            assert_eq!(wrong.parse::<Budget>(), Err(()), "{wrong}");
        }
    }
}
