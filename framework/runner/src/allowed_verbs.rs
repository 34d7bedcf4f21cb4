//! Which verbs a version may call, and how many of its calls are others: counted where it runs, so no source can hide them.

use serde::{Deserialize, Serialize};
use wb_config::AssignmentRule;
use wb_messages::{Lang, judge as text};
use wb_record::Version;
use wb_world::Counts;

/// The verbs that a version may call, in every stage; each allows less than the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AllowedVerbs {
    /// Every verb.
    #[default]
    All,
    /// No communicator with a topology is made.
    NoTopologies,
    /// Sends and receives, and no collective verb.
    PointToPoint,
    /// No verb: a sequential version does not communicate.
    Nothing,
}

impl AllowedVerbs {
    /// The verbs that a version may call under these rules of its variant.
    pub fn of(version: Version, rules: &[AssignmentRule]) -> Self {
        let has = |rule| rules.contains(&rule);
        match version {
            Version::Seq => Self::Nothing,
            _ if has(AssignmentRule::SendAndReceiveOnly) => Self::PointToPoint,
            _ if has(AssignmentRule::NoTopologyCommunicators) => Self::NoTopologies,
            _ => Self::All,
        }
    }

    /// The number of calls that are not allowed.
    pub fn count_others(self, counts: &Counts) -> u64 {
        let Counts { sends, receives, collectives, topologies, .. } = *counts;
        let forbidden = match self {
            Self::All => &[][..],
            Self::NoTopologies => &[topologies],
            Self::PointToPoint => &[topologies, collectives],
            Self::Nothing => &[topologies, collectives, sends, receives],
        };
        // A judge reads counts that ranks state: any numbers.
        forbidden.iter().copied().fold(0, u64::saturating_add)
    }

    /// The objection to `others` other calls.
    pub fn describe(self, others: u64, lang: Lang) -> String {
        match self {
            Self::All | Self::NoTopologies => text::topologies_made(lang, others),
            Self::PointToPoint => text::collectives_called(lang, others),
            Self::Nothing => text::sequential_communicates(lang, others),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_version_may_not_call_is_counted() {
        use AssignmentRule::{AnyRoot, NoTopologyCommunicators, SendAndReceiveOnly};
        let counts = Counts { sends: 1, receives: 2, collectives: 4, topologies: 8, ..Counts::default() };
        let others = |version, rules: &[_]| AllowedVerbs::of(version, rules).count_others(&counts);
        assert_eq!(others(Version::Mpi, &[AnyRoot]), 0);
        assert_eq!(others(Version::Mpi, &[NoTopologyCommunicators]), 8);
        assert_eq!(others(Version::Mpi, &[NoTopologyCommunicators, SendAndReceiveOnly]), 12);
        assert_eq!(others(Version::Seq, &[]), 15);
        assert_eq!(AllowedVerbs::Nothing.count_others(&Counts { sends: u64::MAX, ..counts }), u64::MAX);
    }
}
