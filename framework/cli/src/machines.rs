//! `cargo wb machines`: the list of machines; and the search for a machine by name.

use std::path::PathBuf;

use serde::Serialize;
use wb_config::{
    CalibrationSettings, CostSegmentSettings, LinkSettings, MachineSettings, NicSettings, NoiseSettings,
    TitleSettings,
};
use wb_local::sim::machine_library::{self, MachineDescription, MachineError};
use wb_messages::{Lang, number, simulator as text};
use wb_report::document::{Table, left};

use crate::{
    CommandStatus,
    error::{CliError, Result},
    output, suggest, terminal,
    workspace::Workspace,
};

/// The machine that `cargo wb calibrate` makes of this host, and the one that it makes of the hosts of a job.
pub(crate) const THIS_HOST: &str = "this-host";
pub(crate) const THESE_HOSTS: &str = "these-hosts";

/// The fitted machines, each with the command that makes it.
const FITTED: [(&str, &str); 2] =
    [(THIS_HOST, "cargo wb calibrate"), (THESE_HOSTS, "cargo wb calibrate --hosts FILE")];

pub(crate) fn run(lang: Lang, json: bool) -> Result<CommandStatus> {
    let mut machines = vec![];
    for name in machine_library::names() {
        machines.push((name, find(name, lang)?));
    }
    for (name, _) in FITTED {
        if fitted_file(name)?.is_file() {
            machines.push((name, find(name, lang)?));
        }
    }
    let rows = machines.iter().map(|(name, machine)| (*name, machine.settings()));
    if json {
        let rows: Vec<_> = rows.map(|(name, machine)| MachineRow::new(name, machine)).collect();
        output::print_json(&rows);
    } else {
        println!("{}", table(rows, lang));
        println!("{}", text::machines_legend(lang));
    }
    Ok(CommandStatus::Success)
}

/// The file of a fitted machine: in cargo's target folder, never in the sources.
pub(crate) fn fitted_file(name: &str) -> Result<PathBuf> {
    Ok(Workspace::find()?.scratch("machines")?.join(format!("{name}.yaml")))
}

/// The machine of that name or path; else a usage error that names the nearest ones.
pub(crate) fn find(name: &str, lang: Lang) -> Result<MachineDescription> {
    if let Some((name, command)) = FITTED.iter().find(|(fitted, _)| *fitted == name)
        && !fitted_file(name)?.is_file()
    {
        return Err(CliError::Usage(text::not_calibrated(lang, name, command)));
    }
    machine_library::find(&path(name)?).map_err(|error| to_cli_error(error, lang))
}

/// The name or path as the library of machines reads it: the library does not know the files of fitted machines.
pub(crate) fn path(name: &str) -> Result<String> {
    Ok(match name {
        THIS_HOST | THESE_HOSTS => fitted_file(name)?.display().to_string(),
        name => name.to_owned(),
    })
}

/// An error of the library of machines, as one of this program.
pub(crate) fn to_cli_error(error: MachineError, lang: Lang) -> CliError {
    CliError::Usage(match error {
        MachineError::Settings(error) => return error.into(),
        MachineError::Unknown { ref name } => {
            match suggest::nearest_names(
                name,
                machine_library::names().into_iter().chain([THIS_HOST, THESE_HOSTS]),
            ) {
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

/// The error of the model of a machine.
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

fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a MachineSettings)>, lang: Lang) -> String {
    let columns = [
        text::column_machine(lang),
        text::column_cores(lang),
        text::column_core(lang),
        text::column_node(lang),
        text::column_network(lang),
    ];
    let mut table = Table::new(columns.map(left));
    for (name, machine) in rows {
        let links = &machine.links;
        table.row([
            format!("{name}\n{}", title(&machine.about, lang)),
            format!("{} x {}", machine.cores_per_group, machine.groups_per_node),
            link(lang, Some(&links.core)),
            link(lang, links.node.as_ref()),
            link(lang, links.network.as_ref()),
        ]);
    }
    terminal::text(&table)
}

/// The time of an empty message, and of each further byte.
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

/// A machine in the answer with `--json`: every key is there, also those that a machine file leaves out.
#[derive(Serialize)]
struct MachineRow<'a> {
    name: &'a str,
    about: TitleRow<'a>,
    cores_per_group: usize,
    groups_per_node: usize,
    links: LinkClassesRow<'a>,
    cards: Option<NicSettings>,
    noise: Option<NoiseSettings>,
    calibration: Option<&'a CalibrationSettings>,
}

#[derive(Serialize)]
struct TitleRow<'a> {
    en: Option<&'a str>,
    ru: Option<&'a str>,
}

#[derive(Serialize)]
struct LinkClassesRow<'a> {
    core: LinkRow<'a>,
    node: Option<LinkRow<'a>>,
    network: Option<LinkRow<'a>>,
}

#[derive(Serialize)]
struct LinkRow<'a> {
    #[serde(flatten)]
    settings: &'a LinkSettings,
    /// The settings leave an empty list out.
    pieces: &'a [CostSegmentSettings],
}

impl<'a> MachineRow<'a> {
    fn new(name: &'a str, machine: &'a MachineSettings) -> Self {
        let link = |settings: &'a LinkSettings| LinkRow { settings, pieces: &settings.pieces };
        let links = &machine.links;
        Self {
            name,
            about: TitleRow { en: machine.about.en.as_deref(), ru: machine.about.ru.as_deref() },
            cores_per_group: machine.cores_per_group,
            groups_per_node: machine.groups_per_node,
            links: LinkClassesRow {
                core: link(&links.core),
                node: links.node.as_ref().map(link),
                network: links.network.as_ref().map(link),
            },
            cards: machine.cards,
            noise: machine.noise,
            calibration: machine.calibration.as_ref(),
        }
    }
}
