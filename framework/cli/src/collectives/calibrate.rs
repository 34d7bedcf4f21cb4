//! The table of this host, from which `auto` selects collective algorithms: a part of `cargo wb calibrate`.

use std::{fs, path::PathBuf};

use wb_algorithms::collectives::{
    selection::{MeasuredRatio, RankCores, SelectionTable, host_table},
    shared_memory,
};
use wb_comm::Verb;
use wb_messages::{Lang, collectives as text};
use wb_process::permitted_parallelism;
use wb_record::{BarrierLine, CollectiveCell, CollectiveWay, collective_cells};

use super::bench::BYTES;
use crate::{
    backend::SelectedBackend,
    error::{CliError, Result},
    laboratory::{self, LIMIT, listed},
    step,
    workspace::Workspace,
};

/// Measures all operations at some numbers of ranks, with a core for each and with shared ones, and writes the table; `None`, with a message, if that
/// fails.
pub(crate) fn calibrate(
    workspace: &Workspace,
    backend: &SelectedBackend,
    lang: Lang,
) -> Result<Option<PathBuf>> {
    let table = host_table().ok_or_else(|| CliError::Usage(text::no_home(lang)))?;
    let cores = permitted_parallelism();
    let ranks: Vec<usize> = std::iter::successors(Some(2), |ranks| Some(2 * ranks))
        .take_while(|ranks| *ranks <= 2 * cores)
        .collect();
    eprintln!("{}", text::measuring_table(lang, listed(&ranks)));
    let file = workspace.scratch("collectives")?.join("calibration.jsonl");
    fs::write(&file, "").map_err(CliError::system("write", &file))?;
    let mut command = laboratory::program(workspace, backend);
    command.args(["--lang", lang.code(), "--ranks", &listed(&ranks), "--calls", "all", "--quick"]);
    command.args(["--bytes", &listed(&BYTES), "--records"]).arg(&file);
    let ended = laboratory::run(command, LIMIT)?;
    let lines = laboratory::read(&file, lang);
    if !ended.is_success() || lines.is_empty() {
        eprintln!("{}", text::table_failed(lang, step::describe_failure(&ended, LIMIT, lang)));
        return Ok(None);
    }
    let text = format!(
        "# {}\n{}",
        text::table_title(Lang::En),
        SelectionTable::from_measurements(measured(&lines, cores))
    );
    let folder = table.parent().expect("a file in a folder");
    fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    wb_process::write_atomically(&table, text).map_err(CliError::system("write", &table))?;
    Ok(Some(table))
}

/// The algorithms in shared memory that were measured beside the library.
fn measured(lines: &[BarrierLine], cores: usize) -> Vec<MeasuredRatio> {
    let of_cell = |cell: CollectiveCell<'_>| {
        let Some(verb) = Verb::from_name(cell.verb) else { return vec![] };
        let ratio = |way: &CollectiveWay<'_>| {
            let ratio = way.ratio?;
            let algorithm = shared_memory::find(&way.form.variant).ok()?;
            Some(MeasuredRatio {
                verb,
                ranks: cell.ranks,
                cores: RankCores::new(cell.ranks, cores),
                bytes: cell.bytes as usize,
                algorithm,
                ratio: ratio.value,
                lower: ratio.interval.map_or(ratio.value, |interval| interval.lo),
            })
        };
        cell.ways.iter().filter_map(ratio).collect()
    };
    collective_cells(lines).into_iter().flat_map(of_cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_what_was_faster_than_the_library() {
        let lines = wb_record::example_collectives();
        let table = SelectionTable::from_measurements(measured(&lines, 2));
        let rules = table.for_group(2, RankCores::Own);
        let chosen = |bytes| rules.choose(Verb::Bcast, bytes).map(|algorithm| algorithm.name);
        assert_eq!(chosen(8), Some("bcast_flat"), "{table}");
        assert!(
            SelectionTable::from_measurements(measured(&lines, 1))
                .for_group(2, RankCores::Own)
                .choose(Verb::Bcast, 8)
                .is_none()
        );
    }
}
