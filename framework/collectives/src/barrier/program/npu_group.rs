//! Ascend's level 2, versions 2 and 4: dissemination in groups of k, the work of a round shared by the vector cores.
//!
//! Round r: for i = 1 .. k - 1 while i k^r < P, store the epoch into slot r (k - 1) + (i - 1) of PE (me + i k^r) mod P and
//! wait for the own slot. Core j does i = j + 1, j + 1 + cores, ...; *between rounds the cores meet*, since a round passes
//! on what all cores have heard in the one before, not each core what it has heard itself.
//!
//! k is never below 2 however few vector cores there are: with k = 1 (the source, one core) the distance never grows. It
//! is at most P. Stores P (sum over r of min(k - 1, ceil(P / k^r) - 1)), rounds ceil(log_k P). Version 2 takes k = 8;
//! version 4 the smallest power of two with as few rounds as the largest that is allowed.
use wb_comm::{Memory, Result};

use crate::{
    ascend::{Levels, NpuBarrier, OneCore, this_or_next},
    catalogue::{Cost, Entry, Family, Form, Promise, Setting, Text},
};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NpuGroup {
    radix: usize,
}

impl NpuGroup {
    /// With groups of `radix`, but of no more than there are PEs and no fewer than 2.
    pub fn of(radix: usize, pes: usize) -> Self {
        Self { radix: radix.min(pes).max(2) }
    }

    /// With version 4's radix.
    pub fn version_4(pes: usize) -> Self {
        let cap = match pes {
            0..32 => 1 << pes.max(2).ilog2(),
            32..=320 => 32,
            321..=2816 => 16,
            _ => 8,
        };
        let rounds = |k: usize| Self { radix: k }.rounds(pes);
        let powers = std::iter::successors(Some(2), |k| Some(2 * k)).take_while(|k| *k <= cap);
        let fewest = powers.clone().map(rounds).min().unwrap_or_default();
        Self { radix: powers.into_iter().find(|&k| rounds(k) == fewest).unwrap_or(2) }
    }

    fn distances(self, pes: usize) -> impl Iterator<Item = usize> + Clone {
        std::iter::successors(Some(1), move |d: &usize| d.checked_mul(self.radix))
            .take_while(move |d| *d < pes)
    }

    fn rounds(self, pes: usize) -> usize {
        self.distances(pes).count()
    }

    /// One core's share of one round: tells first, then waits.
    fn round<M: Memory>(
        self,
        m: &mut M,
        (round, distance): (usize, usize),
        (lane, lanes): (usize, usize),
        epoch: i64,
    ) -> Result<()> {
        let (me, size) = (m.rank(), m.size());
        let share = (lane + 1..self.radix).step_by(lanes).take_while(|i| i * distance < size);
        let slot = |i: usize| round * (self.radix - 1) + i - 1;
        for i in share.clone() {
            m.put((me + i * distance) % size, slot(i), epoch)?;
        }
        share.map(slot).try_for_each(|slot| m.wait(slot, this_or_next(epoch)))
    }
}

impl NpuBarrier for NpuGroup {
    fn cells(&self, pes: usize) -> usize {
        self.rounds(pes) * (self.radix - 1)
    }

    fn meetings(&self, pes: usize) -> usize {
        self.rounds(pes).saturating_sub(1)
    }

    #[inline]
    fn episode<L: Levels>(&self, core: &mut L, epoch: i64) -> Result<()> {
        let (lane, lanes) = (core.lane(), core.lanes());
        core.pes().fence()?;
        let size = core.pes().size();
        for (round, distance) in self.distances(size).enumerate() {
            if round > 0 {
                core.meet()?;
            }
            if let Some(lane) = lane {
                self.round(&mut core.pes(), (round, distance), (lane, lanes), epoch)?;
            }
        }
        Ok(())
    }
}

fn cost(group: NpuGroup, pes: usize) -> Cost {
    let fan = |d: usize| (group.radix - 1).min(pes.div_ceil(d) - 1);
    let messages = pes * group.distances(pes).map(fan).sum::<usize>();
    Cost { messages, rounds: Some(messages / pes), hops: Some(group.rounds(pes)) }
}

const VERSION_2: usize = 8;

fn asked(setting: &Setting) -> Result<NpuGroup> {
    match setting.radix {
        None => Ok(NpuGroup::of(VERSION_2, setting.size)),
        Some(radix @ (0 | 1)) => Err(wb_comm::Error::Setup(format!(
            "groups of {radix} are not allowed: the distance never grows; at least 2"
        ))),
        Some(radix) => Ok(NpuGroup::of(radix, setting.size)),
    }
}

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "npu_group",
        family: Family::Ascend,
        source: "Ascend SHMEM, NPU level, version 2 (group dissemination)",
        section: "3.2",
        summary: Text {
            en: "dissemination in groups of 8, a slot for each round and member",
            ru: "рассеивание группами по 8, ячейка на каждый шаг и участника группы",
        },
        promise: Promise::RENDEZVOUS,
        cost: Some(|p| cost(NpuGroup::of(VERSION_2, p), p)),
        form: Form::Program(|setting| Ok(Box::new(OneCore(asked(setting)?)))),
    },
    Entry {
        name: "npu_group_v4",
        family: Family::Ascend,
        source: "Ascend SHMEM, NPU level, version 4 (group dissemination, radix by size)",
        section: "3.2",
        summary: Text {
            en: "dissemination in groups, the smallest power of two that gives the fewest rounds",
            ru: "рассеивание группами; размер - наименьшая степень двойки с наименьшим числом шагов",
        },
        promise: Promise::RENDEZVOUS,
        cost: Some(|p| cost(NpuGroup::version_4(p), p)),
        form: Form::Program(|setting| Ok(Box::new(OneCore(NpuGroup::version_4(setting.size))))),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_never_of_one() {
        assert_eq!(NpuGroup::of(8, 1).radix, 2);
        assert_eq!(NpuGroup::of(8, 5).radix, 5);
        assert_eq!(NpuGroup::of(8, 500).radix, 8);
        let setting = Setting { radix: Some(1), ..Setting::of(4) };
        assert!(asked(&setting).is_err());
    }

    #[test]
    fn version_4_takes_the_smallest_power_with_the_fewest_rounds() {
        for (pes, radix) in
            [(1, 2), (2, 2), (3, 2), (4, 4), (7, 4), (16, 16), (31, 8), (33, 8), (65, 16), (320, 32)]
        {
            assert_eq!(NpuGroup::version_4(pes).radix, radix, "{pes} PEs");
        }
    }
}
