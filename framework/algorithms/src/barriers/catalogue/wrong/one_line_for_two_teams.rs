//! Wrong: two teams whose barriers use the same flags (one psync for all teams, Sandia OpenSHMEM's pull request 1229).
//!
//! An episode is a barrier of all, then two of a smaller team without the last PE; each team counts its own epochs,
//! but in the same words. The smaller team's epochs are ahead, and a wait of the larger one takes them for its own.
//! Right: words of its own for each team.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation};

const UP: usize = 0;
const DOWN: usize = 1;

/// A wrong use of a dissemination: two teams share the same flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneLineForTwoTeams;

/// The barrier of PEs `0..team`: right if no other rank uses its two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamBarrier {
    /// The number of its members.
    pub team: usize,
}

impl TeamBarrier {
    fn run<M: Memory>(self, m: &mut M, epoch: i64) -> Result<()> {
        let reached = Until::AtLeast(epoch);
        if m.rank() != 0 {
            m.store(UP, epoch)?;
            return m.poll(0, DOWN, reached);
        }
        (1..self.team).try_for_each(|pe| m.poll(pe, UP, reached))?;
        m.store(DOWN, epoch)
    }
}

impl crate::barriers::BarrierProgram for TeamBarrier {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        self.run(m, epoch)
    }
}

impl crate::barriers::BarrierProgram for OneLineForTwoTeams {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (all, fewer) = (TeamBarrier { team: m.size() }, TeamBarrier { team: m.size() - 1 });
        all.run(m, epoch)?;
        if m.rank() + 1 < m.size() {
            fewer.run(m, 2 * epoch - 1)?;
            fewer.run(m, 2 * epoch)?;
        }
        Ok(())
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "one_line_for_two_teams",
    family: Family::Wrong,
    source: "Sandia OpenSHMEM pull request 1229",
    section: "8, rows 21, 27",
    summary: Text {
        en: "two overlapping teams count their epochs in the same words",
        ru: "две пересекающиеся команды считают эпохи в одних и тех же словах",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(OneLineForTwoTeams))),
}];
