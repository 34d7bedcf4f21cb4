//! `cargo wb machines`: what can be simulated; and the look-up of a machine by the name that a user gives.

use std::path::PathBuf;

use comfy_table::Table;
use serde_json::json;
use wb_config::{CostSegmentSettings, LinkSettings, MachineSettings, TitleSettings};
use wb_messages::{Lang, number, simulator as text};
use wb_sim::machine_library::{self, MachineDescription, MachineError};

use crate::{
    CommandStatus,
    error::{CliError, Result},
    suggest, terminal,
    workspace::Workspace,
};

/// The machine that `cargo wb calibrate` makes.
pub(crate) const THIS_HOST: &str = "this-host";

pub(crate) fn run(lang: Lang, json: bool) -> Result<CommandStatus> {
    let mut machines = vec![];
    for name in machine_library::names() {
        machines.push((name, find(name, lang)?));
    }
    if this_host_file()?.is_file() {
        machines.push((THIS_HOST, find(THIS_HOST, lang)?));
    }
    let rows = machines.iter().map(|(name, machine)| (*name, machine.settings()));
    if json {
        println!("{:#}", serde_json::Value::from_iter(rows.map(|(name, machine)| row_json(name, machine))));
    } else {
        println!("{}", table(rows, lang));
        println!("{}", text::machines_legend(lang));
    }
    Ok(CommandStatus::Success)
}

/// Where the machine that this is fitted to is kept: in cargo's target folder, never in the sources.
pub(crate) fn this_host_file() -> Result<PathBuf> {
    Ok(Workspace::find()?.scratch("machines")?.join(format!("{THIS_HOST}.yaml")))
}

/// The machine of that name or path; else a wrong command line that names the nearest ones.
pub(crate) fn find(name: &str, lang: Lang) -> Result<MachineDescription> {
    if name == THIS_HOST && !this_host_file()?.is_file() {
        return Err(CliError::Usage(text::not_calibrated(lang)));
    }
    machine_library::find(&path(name)?).map_err(|error| to_cli_error(error, lang))
}

/// What the library of machines understands: [`THIS_HOST`] is a file that only this program knows.
pub(crate) fn path(name: &str) -> Result<String> {
    Ok(match name {
        THIS_HOST => this_host_file()?.display().to_string(),
        name => name.to_owned(),
    })
}

/// An error of the library of machines, as one of this program.
pub(crate) fn to_cli_error(error: MachineError, lang: Lang) -> CliError {
    CliError::Usage(match error {
        MachineError::Settings(error) => return error.into(),
        MachineError::Unknown { ref name } => {
            match suggest::nearest_names(name, machine_library::names().into_iter().chain([THIS_HOST])) {
                Some(near) => text::unknown_machine_suggest(lang, name, near),
                None => error.text().render(lang),
            }
        }
        other => other.text().render(lang),
    })
}

/// The title in the reader's language, else in the other one.
pub(crate) fn title(title: &TitleSettings, lang: Lang) -> &str {
    let (own, other) = match lang {
        Lang::En => (&title.en, &title.ru),
        Lang::Ru => (&title.ru, &title.en),
    };
    own.as_deref().or(other.as_deref()).unwrap_or_default()
}

/// How far numbers of the model of a machine can be trusted.
pub(crate) fn describe_accuracy(machine: &MachineDescription, lang: Lang) -> String {
    let percent = |share: f64| number::percent(lang, share, 0);
    match &machine.settings().calibration {
        None => text::uncalibrated(lang),
        Some(fit) => text::calibrated(
            lang,
            fit.date,
            &fit.library,
            percent(fit.median_residual),
            percent(fit.largest_residual),
        ),
    }
}

fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a MachineSettings)>, lang: Lang) -> Table {
    let mut table = terminal::table();
    table.set_header([
        text::column_machine(lang),
        text::column_cores(lang),
        text::column_core(lang),
        text::column_node(lang),
        text::column_network(lang),
    ]);
    for (name, machine) in rows {
        let links = &machine.links;
        table.add_row([
            format!("{name}\n{}", title(&machine.about, lang)),
            format!("{} x {}", machine.cores_per_group, machine.groups_per_node),
            link(lang, Some(&links.core)),
            link(lang, links.node.as_ref()),
            link(lang, links.network.as_ref()),
        ]);
    }
    table
}

/// What an empty message takes, and what each further byte adds.
fn link(lang: Lang, link: Option<&LinkSettings>) -> String {
    link.map_or_else(
        || "-".to_owned(),
        |link| {
            let byte = (link.byte_ps + 2 * link.copy_ps) as f64 / 1000.0;
            let byte = number::shortest(lang, byte);
            format!("{}\n{byte}", link.latency_ns + 2 * link.overhead_ns)
        },
    )
}

fn row_json(name: &str, machine: &MachineSettings) -> serde_json::Value {
    let piece = |piece: &CostSegmentSettings| {
        json!({
            "from_bytes": piece.from_bytes,
            "overhead_ns": piece.overhead_ns,
            "copy_ps": piece.copy_ps,
            "serial_ns": piece.serial_ns,
            "byte_ps": piece.byte_ps,
        })
    };
    let link = |link: &LinkSettings| {
        json!({
            "latency_ns": link.latency_ns,
            "overhead_ns": link.overhead_ns,
            "gap_ns": link.gap_ns,
            "byte_ps": link.byte_ps,
            "copy_ps": link.copy_ps,
            "eager_bytes": link.eager_bytes,
            "pieces": link.pieces.iter().map(piece).collect::<Vec<_>>(),
        })
    };
    json!({
        "name": name,
        "about": { "en": machine.about.en, "ru": machine.about.ru },
        "cores_per_group": machine.cores_per_group,
        "groups_per_node": machine.groups_per_node,
        "links": {
            "core": link(&machine.links.core),
            "node": machine.links.node.as_ref().map(link),
            "network": machine.links.network.as_ref().map(link),
        },
        "cards": machine.cards.map(|cards| json!({ "per_node": cards.per_node, "gap_ns": cards.gap_ns })),
        "noise": machine.noise.map(|noise| json!({ "every_ns": noise.every_ns, "detour_ns": noise.detour_ns })),
        "calibration": machine.calibration.as_ref().map(|fit| json!({
            "date": fit.date.to_string(),
            "library": fit.library,
            "points": fit.points,
            "median_residual": fit.median_residual,
            "largest_residual": fit.largest_residual,
        })),
    })
}
