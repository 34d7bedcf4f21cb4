//! Chains and pipelines (Open MPI `chain` and `pipeline`).
//!
//! The P - 1 ranks other than the root form f chains of neighbours, the first (P - 1) mod f of them one longer. Each
//! receives segment s from its predecessor and forwards it while it receives segment s + 1; the root sends to all
//! heads, segment by segment. One chain and one segment is a *chain*, one chain and many segments a *pipeline*.
//!
//! Messages (P - 1) S, rounds P + S - 2 for one chain: optimal for long data, since every port is always busy; the best
//! S is sqrt((P - 2) m b / a). With f chains there are fewer hops, but the root sends f S segments: f (S - 1) and those
//! of the longest chain's last segment, mx = ceil((P - 1) / f).
use wb_comm::{Rank, Result, Text, ViewMut};

use crate::{
    barriers::TreeNode,
    collectives::{
        CollectiveContext,
        broadcast::{Broadcast, Extent, pipeline::pipeline_segments, virtual_rank},
    },
};

/// Every rank calls it with `data` of the same length; segments are in elements, at least 1.
///
/// # Errors
/// The errors of the transport.
pub fn chain(
    comm: &CollectiveContext<'_>,
    data: ViewMut<'_>,
    root: Rank,
    chains: usize,
    segment: usize,
) -> Result<()> {
    let place = TreeNode::chains(virtual_rank(comm, root), comm.size(), chains);
    pipeline_segments(comm, data, root, &place, segment)
}

fn rounds(extent: Extent, chains: usize) -> usize {
    let (others, segments) = (extent.size - 1, extent.segments());
    if others == 0 || segments == 0 {
        return 0;
    }
    let chains = chains.min(others);
    let (longest, longer) = (others.div_ceil(chains), others % chains);
    let last = if longer == 0 { chains } else { longer.max(chains - 1) };
    chains * (segments - 1) + longest - 1 + last
}

const SOURCE: &str = "Open MPI coll/base chain, pipeline";

const fn pipeline<const CHAINS: usize>(name: &'static str, summary: Text<&'static str>) -> Broadcast {
    Broadcast {
        name,
        source: SOURCE,
        section: "7.3",
        summary,
        messages: |extent| (extent.size - 1) * extent.segments(),
        rounds: |extent| Some(rounds(extent, CHAINS)),
        body: |comm, data, root, segment| chain(comm, data, root, CHAINS, segment),
    }
}

pub(crate) const ENTRIES: &[Broadcast] = &[
    Broadcast {
        name: "chain",
        source: SOURCE,
        section: "7.3",
        summary: Text {
            en: "every rank hands all of it on to the next",
            ru: "каждый передаёт всё целиком следующему",
        },
        messages: |extent| extent.size - 1,
        rounds: |extent| Some(extent.size - 1),
        body: |comm, data, root, _| {
            let whole = data.count().max(1);
            chain(comm, data, root, 1, whole)
        },
    },
    pipeline::<1>(
        "pipeline",
        Text {
            en: "segment by segment along a chain, one leaving while the next comes",
            ru: "по цепочке сегментами: один уходит, пока приходит следующий",
        },
    ),
    pipeline::<2>(
        "pipeline_2",
        Text { en: "two pipelines, both fed by the root", ru: "два конвейера от корня" },
    ),
    pipeline::<4>(
        "pipeline_4",
        Text {
            en: "four pipelines, all fed by the root", ru: "четыре конвейера от корня"
        },
    ),
];
