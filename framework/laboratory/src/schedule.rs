//! The command line of the laboratory, as `cargo wb barriers bench` passes it; the jobs of a launch that it asks for, and the forms of each
//! job.
//!
//! A job contains all forms that can be compared: those of processes at one size, those of threads at one size, and,
//! for each algorithm that Open MPI can be forced to use, the library's barrier together with the same algorithm of the
//! workbench.
use std::path::PathBuf;

use wb_algorithms::barriers::Substrate;
use wb_messages::{Lang, barrier_bench as text};
use wb_record::{BASELINE, Backend, BarrierForm, REFERENCE};
use wb_runner::ArgReader;

use crate::substrate;

/// The arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BarrierBenchArguments {
    /// The file of the records.
    pub(crate) records: PathBuf,
    /// Numbers of ranks, ascending.
    pub(crate) ranks: Vec<usize>,
    /// Barriers by name; all if empty.
    pub(crate) only: Vec<String>,
    /// Substrates by name; all if empty.
    pub(crate) substrates: Vec<String>,
    /// Whether to make few launches and rounds.
    pub(crate) quick: bool,
    /// The seed of the orders.
    pub(crate) seed: Option<u64>,
    /// The language of the output.
    pub(crate) lang: Lang,
}

impl BarrierBenchArguments {
    /// Reads the arguments; the error is for the user.
    pub(crate) fn parse(all: &[String]) -> Result<Self, String> {
        let lang = ArgReader::requested_language(all, "--lang").unwrap_or_else(Lang::from_environment);
        let (mut read, mut words) = (Self { lang, ..Self::default() }, ArgReader::new(all, lang));
        while let Some(option) = words.option() {
            match option {
                "--quick" => read.quick = true,
                "--records" => read.records = words.path()?,
                "--ranks" => read.ranks = words.ranks()?,
                "--only" => read.only = names(words.value()?, &variant_names(&substrate::forms()), lang)?,
                "--substrate" => read.substrates = names(words.value()?, &substrate::names(), lang)?,
                "--lang" => read.lang = words.language()?,
                "--seed" => read.seed = Some(words.seed()?),
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        match read.ranks.is_empty() || read.records.as_os_str().is_empty() {
            true => Err(text::incomplete(lang)),
            false => Ok(read),
        }
    }
}

/// Names of barriers that can be selected.
fn variant_names(all: &[BarrierForm]) -> Vec<&str> {
    let mut names: Vec<_> = all.iter().map(|form| form.variant.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A list of names, all of which must be known.
fn names(list: &str, known: &[&str], lang: Lang) -> Result<Vec<String>, String> {
    let names = list.split(',').map(str::trim);
    names
        .map(|name| match known.contains(&name) {
            true => Ok(name.to_owned()),
            false => Err(text::unknown_name(lang, name, known.join(", "))),
        })
        .collect()
}

/// Open MPI's algorithms (`coll_tuned_barrier_algorithm` = 1, 2, ...) under the names of the workbench: its Bruck
/// algorithm is dissemination.
const FORCED: [&str; 6] =
    ["linear", "double_ring", "recursive_doubling", "dissemination", "two_process", "tree"];

/// A job of every launch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JobPlan {
    /// The kind of ranks.
    pub(crate) backend: Backend,
    /// The number of ranks.
    pub(crate) ranks: usize,
    /// Further variables of the launcher's job.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// The forms that are measured.
    pub(crate) forms: Vec<BarrierForm>,
}

/// All jobs of one launch.
pub(crate) fn plans(
    wanted: &BarrierBenchArguments,
    all: &[BarrierForm],
    library: Option<&str>,
) -> Vec<JobPlan> {
    let mut plans = vec![];
    for &ranks in &wanted.ranks {
        for backend in [Backend::Mpi, Backend::Threads] {
            let of_backend = |form: &&BarrierForm| form.ranks_are == backend;
            let chosen: Vec<_> =
                all.iter().filter(of_backend).filter(|form| is_wanted(wanted, form)).collect();
            let linked = backend == Backend::Threads || library.is_some();
            if chosen.is_empty() || !linked {
                continue;
            }
            let needed =
                |form: &&BarrierForm| of_backend(form) && (chosen.contains(form) || is_reference(form));
            let forms = all.iter().filter(needed).cloned().collect();
            plans.push(JobPlan { backend, ranks, variables: vec![], forms });
        }
        if library == Some("Open MPI") && ranks > 1 {
            plans.extend(forced(wanted, all, ranks));
        }
    }
    plans
}

fn is_wanted(wanted: &BarrierBenchArguments, form: &BarrierForm) -> bool {
    let among = |names: &[String], name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    among(&wanted.only, &form.variant) && among(&wanted.substrates, &form.substrate)
}

/// Whether the form is a reference for others.
fn is_reference(form: &BarrierForm) -> bool {
    [BASELINE, REFERENCE].contains(&form.variant.as_str())
}

/// One job for each selected algorithm that exists at this size.
fn forced(wanted: &BarrierBenchArguments, all: &[BarrierForm], ranks: usize) -> Vec<JobPlan> {
    let numbered = FORCED.iter().zip(1..).filter(|(name, _)| **name != "two_process" || ranks == 2);
    numbered
        .filter_map(|(&name, number)| {
            let messages = Substrate::Messages.name();
            let own = all.iter().find(|form| form.variant == name && form.substrate == messages)?;
            let library = all.iter().find(|form| form.variant == BASELINE)?;
            let forced_form = |form: &BarrierForm| BarrierForm { forced: Some(name.into()), ..form.clone() };
            is_wanted(wanted, own).then(|| JobPlan {
                backend: Backend::Mpi,
                ranks,
                variables: variables(number),
                forms: vec![forced_form(library), forced_form(own)],
            })
        })
        .collect()
}

/// `coll_tuned` has the algorithms; components with a higher priority are excluded.
fn variables(number: usize) -> Vec<(&'static str, String)> {
    vec![
        ("OMPI_MCA_coll", "basic,libnbc,self,tuned".to_owned()),
        ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1".to_owned()),
        ("OMPI_MCA_coll_tuned_barrier_algorithm", number.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(only: &[&str], substrates: &[&str]) -> BarrierBenchArguments {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        BarrierBenchArguments {
            ranks: vec![2],
            only: owned(only),
            substrates: owned(substrates),
            ..BarrierBenchArguments::default()
        }
    }

    #[test]
    fn the_baseline_is_in_every_job_of_processes() {
        let plans = plans(&wanted(&["dissemination"], &["cells"]), &substrate::forms(), Some("Open MPI"));
        let of_processes: Vec<_> = plans.iter().filter(|plan| plan.backend == Backend::Mpi).collect();
        assert_eq!(of_processes.len(), 1, "{plans:?}");
        let (references, others): (Vec<_>, Vec<_>) =
            of_processes[0].forms.iter().partition(|form| is_reference(form));
        let names: Vec<_> = references.iter().map(|form| form.variant.as_str()).collect();
        assert!(names.contains(&"mpi_barrier") && names.contains(&"bare_handshake"));
        assert!(others.iter().all(|form| form.variant == "dissemination"), "{others:?}");
    }

    #[test]
    fn without_a_library_there_are_threads_only() {
        let plans = plans(&wanted(&[], &[]), &substrate::forms(), None);
        assert!(plans.iter().all(|plan| plan.backend == Backend::Threads));
    }

    #[test]
    fn forced_jobs_hold_the_library_beside_our_own() {
        let all = substrate::forms();
        for plan in
            plans(&wanted(&[], &[]), &all, Some("Open MPI")).iter().filter(|p| !p.variables.is_empty())
        {
            assert_eq!(plan.forms.len(), 2);
            assert!(
                plan.forms.iter().all(|form| form.forced == plan.forms[0].forced && form.forced.is_some())
            );
        }
        assert!(plans(&wanted(&[], &[]), &all, Some("MPICH")).iter().all(|plan| plan.variables.is_empty()));
    }

    fn parse(line: &str) -> Result<BarrierBenchArguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        BarrierBenchArguments::parse(&words)
    }

    #[test]
    fn a_full_line_is_understood() {
        let line = "--records r --ranks 4,2 --only dissemination,mpi_barrier --substrate cells --quick --seed 3 --lang ru";
        let wanted = BarrierBenchArguments {
            records: "r".into(),
            ranks: vec![2, 4],
            only: vec!["dissemination".into(), "mpi_barrier".into()],
            substrates: vec!["cells".into()],
            quick: true,
            seed: Some(3),
            lang: Lang::Ru,
        };
        assert_eq!(parse(line), Ok(wanted));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let common = "--lang en --records r --ranks 2";
        for (line, named) in [
            ("--ranks 0", "`0`"),
            ("--ranks 2,2", "`2`"),
            ("--ranks 2,x", "`x`"),
            ("--only nonsense", "`nonsense`"),
            ("--substrate pigeons", "`pigeons`"),
            ("--seed x", "`x`"),
            ("--lang xx", "`xx`"),
            ("--whatever", "`--whatever`"),
            ("--only", "`--only`"),
        ] {
            let refused = parse(&format!("{common} {line}")).expect_err(line);
            assert!(refused.contains(named), "{line}: {refused}");
        }
        assert!(parse("--lang en --ranks 2").is_err(), "no file for the records");
    }
}
