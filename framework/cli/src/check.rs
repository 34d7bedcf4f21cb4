//! `cargo wb check`: a task in every order that MPI allows, on small inputs.

use wb_messages::{Lang, checker as text, cli};

use crate::{
    Done, arguments,
    backend::Backend,
    counts,
    error::{CliError, Result},
    measure::{self, Campaign},
    workspace::Workspace,
};

/// More ranks than that have too many orders.
const MOST_RANKS: u32 = 16;

pub(crate) fn run(wanted: &arguments::Check, lang: Lang, json: bool) -> Result<Done> {
    let ranks =
        ranks(&wanted.ranks).map_err(|item| CliError::Usage(text::bad_ranks(lang, item, MOST_RANKS)))?;
    let workspace = Workspace::find()?;
    let task = workspace.task(&wanted.task, lang)?;
    if !measure::is_enabled(&task.settings?) {
        return Err(CliError::Usage(cli::disabled(lang, task.name)));
    }
    let campaign =
        Campaign { workspace: &workspace, backend: Backend::Threads, quick: false, ranks: &[], quiet: false };
    let list = ranks.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let mut asked = vec!["--wb-ranks", &list];
    for (option, value) in [
        ("--wb-workload", &wanted.workload),
        ("--wb-budget", &wanted.budget),
        ("--wb-replay", &wanted.replay),
    ] {
        if let Some(value) = value {
            asked.extend([option, value]);
        }
    }
    if json {
        asked.push("--wb-json");
    }
    Ok(Done::well_if(campaign.check(&task.name, &asked, lang)?.success()))
}

/// Numbers of ranks, rising: `1,2,4`, and `1..4` for 1, 2, 3 and 4; or the item that is none.
fn ranks(list: &str) -> std::result::Result<Vec<u32>, &str> {
    counts::read(list, MOST_RANKS, |ranks| ranks + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_all_numbers() {
        assert_eq!(ranks("1..4"), Ok(vec![1, 2, 3, 4]));
        assert_eq!(ranks("4,2..3, 2"), Ok(vec![2, 3, 4]));
        for bad in ["", "0", "two", "4..1", "1..", "17", "2,,4"] {
            assert!(ranks(bad).is_err(), "{bad}");
        }
    }
}
