//! The hosts of a run's ranks: where they were, how uncertain their common clock is, and what crosses from node to node.
use wb_messages::{Lang, report::barriers as text};
use wb_record::HostPlacement;

use super::analysis::{BarrierAnalysis, BarrierRow};
use crate::format;

/// Whether the processes of this size were on several hosts.
pub(super) fn are_several(analysis: &BarrierAnalysis<'_>, ranks: usize) -> bool {
    placement(analysis, ranks).len() > 1
}

/// The hosts with their ranks, and the error of the clocks; nothing where all ranks were on one host.
pub(super) fn lines(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> Vec<String> {
    let placement = placement(analysis, ranks);
    if placement.len() < 2 {
        return vec![];
    }
    let host = |host: &HostPlacement| {
        let ranks: Vec<String> = host.ranks.iter().map(u32::to_string).collect();
        text::host_ranks(lang, &host.host, ranks.join(", "))
    };
    let hosts = text::on_hosts(lang, placement.iter().map(host).collect::<Vec<_>>().join("; "));
    let uncertainties = analysis.processes_at(ranks).filter_map(|row| row.figures()?.uncertainty_ns);
    let clocks = uncertainties.max().map(|ns| text::clock_error(lang, format::time(lang, ns as f64)));
    std::iter::once(hosts).chain(clocks).collect()
}

/// The two cells of the messages of a row, within a node and between nodes; none where all ranks were on one host.
pub(super) fn messages(analysis: &BarrierAnalysis<'_>, row: &BarrierRow<'_>) -> Vec<String> {
    let sent = row.series.messages.map(|sent| [sent.within_node, sent.between_nodes]);
    let cells = sent.map_or_else(|| [(); 2].map(|()| format::dash()), |sent| sent.map(|n| n.to_string()));
    if are_several(analysis, row.ranks) { cells.into() } else { vec![] }
}

/// The headers of these cells.
pub(super) fn headers(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> Vec<String> {
    let headers = [text::within_node(lang), text::between_nodes(lang)];
    if are_several(analysis, ranks) { headers.into() } else { vec![] }
}

/// The hosts of the processes: all jobs of a size have their ranks on the same nodes.
fn placement<'r>(analysis: &BarrierAnalysis<'r>, ranks: usize) -> &'r [HostPlacement] {
    let placements = analysis.processes_at(ranks).map(|row| &row.series.placement[..]);
    placements.into_iter().find(|placement| !placement.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use wb_record::{BarrierLine, BarrierOutcome, ComparedClock, EpisodeMessages};

    use super::*;
    use crate::barriers;

    /// The example on two hosts with one rank each; `clocks` of them were compared.
    fn on_two_hosts(clocks: u32) -> Vec<BarrierLine> {
        let mut lines = wb_record::example_barriers();
        let place = |rank: u32| HostPlacement {
            host: format!("n{rank}"),
            ranks: vec![rank],
            cpus: vec![],
            sockets: vec![],
            usable_cores: Some(1),
            physical_cores: Some(1),
        };
        let clock = |first_rank: u32| ComparedClock {
            host: format!("n{first_rank}"),
            first_rank,
            ranks: 1,
            offset_ns: 0.0,
            drift_ppm: 0.0,
            uncertainty_ns: 2_500.0,
            step_ns: 0.0,
        };
        for line in &mut lines {
            let BarrierLine::BarrierSeries(series) = line else { continue };
            series.placement = vec![place(0), place(1)];
            series.compared = (0..clocks).map(clock).collect();
            if series.form.variant == "dissemination" {
                series.messages = Some(EpisodeMessages { within_node: 17, between_nodes: 23 });
            }
            if let BarrierOutcome::Measured { launches } = &mut series.outcome {
                launches.iter_mut().for_each(|launch| {
                    launch.uncertainty_ns = (clocks > 1).then_some(5_000);
                });
            }
        }
        lines
    }

    #[test]
    fn every_table_has_the_messages_within_a_node_and_between_nodes() {
        let lines = on_two_hosts(2);
        for lang in Lang::ALL {
            let [within, between] = [text::within_node(lang), text::between_nodes(lang)];
            for page in [
                barriers::terminal(&lines, lang, 200),
                barriers::markdown(&lines, lang),
                barriers::html(&lines, lang),
            ] {
                for part in [&*within, &*between, "17", "23", "n0", "n1"] {
                    assert!(page.contains(part), "no `{part}` in {page}");
                }
                let one_host = barriers::markdown(&wb_record::example_barriers(), lang);
                assert!(!one_host.contains(&between), "{one_host}");
            }
        }
        let table = barriers::csv(&lines);
        assert!(table.contains(",17,23,n0 n1,5000.000,"), "{table}");
    }

    #[test]
    fn the_error_of_several_clocks_is_stated() {
        let stated = |clocks| {
            let lines = on_two_hosts(clocks);
            super::lines(&BarrierAnalysis::from_lines(&lines).expect("a run"), 2, Lang::En).join(" ")
        };
        assert!(stated(2).contains("5.00 µs"), "{}", stated(2));
        assert!(stated(0).contains("n0 (0); n1 (1)") && !stated(0).contains("µs"), "{}", stated(0));
    }

    #[test]
    fn ranks_of_several_machines_do_not_share_cores() {
        let load = |lines: &[BarrierLine]| {
            let load = BarrierAnalysis::from_lines(lines).expect("a run").highest_load(2);
            (load.ranks, load.is_oversubscribed())
        };
        assert_eq!(load(&on_two_hosts(2)), (1, false));
        assert_eq!(load(&on_two_hosts(0)), (2, true), "two hosts of one kernel with one core");
        assert_eq!(load(&wb_record::example_barriers()), (2, false));
    }
}
