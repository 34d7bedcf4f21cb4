//! The identifier of a run of a check that can be replayed, as given on the command line.
use std::str::FromStr;

use wb_comm::Schedule;

/// The largest number of ranks of a replay: far more than a check tries, and few enough to be fast.
pub(crate) const MAX_RANKS: usize = 64;
pub(crate) const MAX_SIZE: usize = 1000;

/// A run that can be run again: `3:7:0.2.1` is the schedule 0.2.1 on 3 ranks at size 7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayId {
    pub(crate) ranks: usize,
    pub(crate) size: usize,
    pub(crate) schedule: Schedule,
}

impl FromStr for ReplayId {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let [ranks, size, schedule] = line.split(':').collect::<Vec<_>>().try_into().map_err(drop)?;
        let number =
            |digits: &str, most| digits.parse().ok().filter(|number| (1..=most).contains(number)).ok_or(());
        let (ranks, size) = (number(ranks, MAX_RANKS)?, number(size, MAX_SIZE)?);
        Ok(Self { ranks, size, schedule: schedule.parse().map_err(drop)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_and_what_would_take_for_ever_is_not() {
        let again: ReplayId = "3:7:0.2.1".parse().expect("a run");
        assert_eq!((again.ranks, again.size, again.schedule.to_string()), (3, 7, "0.2.1".to_owned()));
        let long = ["2:18446744073709551615:0", "2:1001:0", "65:7:0", "3:7:0.18446744073709551616"];
        for wrong in ["", "3:7", "3:7:", "0:7:0", "3:0:0", "3:7:3", "3:7:0:1"].into_iter().chain(long) {
            assert_eq!(wrong.parse::<ReplayId>(), Err(()), "{wrong}");
        }
    }
}
