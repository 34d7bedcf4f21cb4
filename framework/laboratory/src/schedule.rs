//! The command line of the laboratory, as `cargo wb collectives bench` and `cargo wb barriers bench` pass it; the jobs of a launch that it asks for, and the forms of each
//! job.
//!
//! A job contains all forms that can be compared: those of processes at one size, those of threads at one size, and,
//! for each algorithm that Open MPI can be forced to use, the library's barrier together with the same algorithm of the
//! workbench. Of operations on data a job has all operations, lengths and ways of one size.
use std::path::PathBuf;

use wb_algorithms::barriers::Substrate;
use wb_messages::{Lang, barrier_bench as text};
use wb_record::{BASELINE, Backend, BarrierForm, REFERENCE, REFERENCE_VERB};
use wb_runner::ArgReader;

use crate::{calls, substrate};

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
    /// The operations on data by name, none if all; `None`: barriers are measured.
    pub(crate) calls: Option<Vec<String>>,
    /// The bytes of blocks of operations on data.
    pub(crate) bytes: Vec<u64>,
    /// Whether the ranks of operations on data are threads.
    pub(crate) threads: bool,
    /// Whether the ranks initialise MPI for one thread only.
    pub(crate) funneled: bool,
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
                "--only" => read.only = names(words.value()?, &variant_names(&all_forms()), lang)?,
                "--calls" => {
                    let all = words.value()?;
                    let named = if all == "all" { vec![] } else { names(all, &calls::verbs(), lang)? };
                    read.calls = Some(named);
                }
                "--bytes" => read.bytes = bytes(words.value()?, lang)?,
                "--threads" => read.threads = true,
                "--funneled" => read.funneled = true,
                "--substrate" => read.substrates = names(words.value()?, &substrate::names(), lang)?,
                "--lang" => read.lang = words.language()?,
                "--seed" => read.seed = Some(words.seed()?),
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        let no_bytes = read.calls.is_some() && read.bytes.is_empty();
        match read.ranks.is_empty() || read.records.as_os_str().is_empty() || no_bytes {
            true => Err(text::incomplete(lang)),
            false => Ok(read),
        }
    }
}

/// Every form of a barrier, and of every operation on data.
fn all_forms() -> Vec<BarrierForm> {
    let verbs: Vec<String> = calls::verbs().into_iter().map(str::to_owned).collect();
    let calls = [Backend::Mpi, Backend::Threads].map(|backend| calls::forms(backend, 2, &verbs, &[8]));
    substrate::forms().into_iter().chain(calls.concat()).collect()
}

/// Lengths of blocks: whole elements of four bytes.
fn bytes(list: &str, lang: Lang) -> Result<Vec<u64>, String> {
    let number =
        |item: &str| item.trim().parse().ok().filter(|bytes: &u64| *bytes > 0 && bytes.is_multiple_of(4));
    list.split(',').map(|item| number(item).ok_or_else(|| text::bad_bytes(lang, item))).collect()
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
    let level = wanted.funneled.then(|| ("WB_THREAD_LEVEL", "funneled".to_owned()));
    for &ranks in &wanted.ranks {
        if let Some(verbs) = &wanted.calls {
            let backend = if wanted.threads || library.is_none() { Backend::Threads } else { Backend::Mpi };
            let mut forms = calls::forms(backend, ranks, verbs, &wanted.bytes);
            forms.retain(|form| {
                form.is_baseline() || form.verb.as_deref() == Some(REFERENCE_VERB) || is_wanted(wanted, form)
            });
            plans.push(JobPlan { backend, ranks, variables: level.clone().into_iter().collect(), forms });
            continue;
        }
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
            plans.push(JobPlan { backend, ranks, variables: level.clone().into_iter().collect(), forms });
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
        let line = "--records r --ranks 4,2 --only dissemination,mpi_barrier --substrate cells --quick --seed 3 --lang ru \
             --calls bcast,scan --bytes 8,65536 --threads --funneled";
        let wanted = BarrierBenchArguments {
            records: "r".into(),
            ranks: vec![2, 4],
            only: vec!["dissemination".into(), "mpi_barrier".into()],
            substrates: vec!["cells".into()],
            calls: Some(vec!["bcast".into(), "scan".into()]),
            bytes: vec![8, 65536],
            threads: true,
            funneled: true,
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
            ("--calls nonsense", "`nonsense`"),
            ("--bytes 8,6", "`6`"),
            ("--bytes 0", "`0`"),
            ("--seed x", "`x`"),
            ("--lang xx", "`xx`"),
            ("--whatever", "`--whatever`"),
            ("--only", "`--only`"),
        ] {
            let refused = parse(&format!("{common} {line}")).expect_err(line);
            assert!(refused.contains(named), "{line}: {refused}");
        }
        assert!(parse("--lang en --ranks 2").is_err(), "no file for the records");
        assert!(parse(&format!("{common} --calls all")).is_err(), "no lengths");
    }
}
