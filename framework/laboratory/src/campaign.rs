//! Runs the jobs launch by launch and writes the records.
use std::{
    collections::BTreeMap,
    io,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use wb_harness::{Backends, performance};
use wb_messages::laboratory as text;
use wb_record::{Backend, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, BarrierSeries, SCHEMA};

use crate::{
    arguments::Arguments,
    cores,
    job::{self, Trouble},
    order::{Order, Sampling},
    samples::Found,
    schedule::{self, Plan},
    substrate, tour,
};

/// The longest that one visit of a form may take; nothing that is measured here takes a hundredth of it.
const LIMIT: Duration = Duration::from_secs(6);

/// How many launches there are, and how much each measures.
fn effort(quick: bool) -> (usize, Sampling) {
    let sampling = |rounds, traces, batch_us| Sampling {
        rounds,
        traces,
        batch: Duration::from_micros(batch_us),
        limit: LIMIT,
    };
    if quick { (2, sampling(8, 6, 400)) } else { (5, sampling(16, 8, 800)) }
}

/// `main` of the part that plans.
pub(crate) fn main(backends: Backends) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments = match Arguments::parse(&arguments) {
        Ok(arguments) => arguments,
        Err(refusal) => return refuse(&refusal),
    };
    if wb_process::launched().is_some() {
        return refuse(&text::inside_a_launcher(arguments.lang));
    }
    match Campaign::new(&arguments, backends).and_then(Campaign::run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}

/// One run.
struct Campaign<'a> {
    wanted: &'a Arguments,
    backends: Backends,
    library: Option<String>,
    cpus: Vec<usize>,
    random: oorandom::Rand32,
    run: BarrierRun,
    sampling: Sampling,
    book: Book,
    started: Instant,
}

impl<'a> Campaign<'a> {
    fn new(wanted: &'a Arguments, backends: Backends) -> io::Result<Self> {
        let now = jiff::Timestamp::now();
        let seed = wanted.seed.unwrap_or(now.as_nanosecond() as u64);
        let (launches, sampling) = effort(wanted.quick);
        let run = BarrierRun {
            schema: SCHEMA,
            run: format!("barriers-{}-{}", now.as_second(), std::process::id()),
            at: now.to_string(),
            ranks: wanted.ranks.clone(),
            only: wanted.only.clone(),
            substrates: wanted.substrates.clone(),
            quick: wanted.quick,
            launches,
            rounds: sampling.rounds,
            environment: performance::environment(&std::env::current_dir()?, backends, seed),
        };
        Ok(Self {
            wanted,
            backends,
            library: backends.processes.map(|processes| processes.library().flavour),
            cpus: cores::allowed()?,
            random: oorandom::Rand32::new(seed),
            run,
            sampling,
            book: Book::default(),
            started: Instant::now(),
        })
    }

    /// Tells whether nothing failed.
    fn run(mut self) -> io::Result<bool> {
        let all = substrate::forms();
        let mut plans = schedule::plans(self.wanted, &all, self.library.as_deref());
        if plans.is_empty() {
            return Err(io::Error::other(text::nothing_to_measure(self.wanted.lang)));
        }
        for launch in 1..=self.run.launches {
            // Jobs of different kinds take turns: what the machine does in the course of the run hits all of them.
            tour::shuffle(&mut plans, &mut self.random);
            for plan in &plans {
                self.tell(launch, plan);
                self.carry_out(plan)?;
            }
        }
        let lines = self.book.lines(&self.run);
        let text: String = lines.iter().map(|line| line.to_line() + "\n").collect();
        wb_process::replace(&self.wanted.records, text)?;
        Ok(!lines.iter().any(is_failure))
    }

    fn tell(&self, launch: usize, plan: &Plan) {
        let (lang, seconds) = (self.wanted.lang, self.started.elapsed().as_secs());
        let forms = plan.forms.len();
        let what = match plan.forms[0].forced.as_deref() {
            Some(algorithm) => text::job_forced(lang, plan.ranks, algorithm),
            None if plan.backend == Backend::Threads => text::job_threads(lang, plan.ranks, forms),
            None => text::job_processes(lang, plan.ranks, forms),
        };
        eprintln!("{}", text::job(lang, seconds, launch, self.run.launches, what));
    }

    /// One job; again without the form that broke it, until one goes through.
    fn carry_out(&mut self, plan: &Plan) -> io::Result<()> {
        loop {
            let sound = |form: &&BarrierForm| !self.book.has_failed(form, plan.ranks);
            let forms: Vec<_> = plan.forms.iter().filter(sound).cloned().collect();
            if forms.is_empty() {
                return Ok(());
            }
            let folder = tempfile::tempdir()?;
            let order = self.order(plan, forms, folder.path());
            match job::run(&order, self.backends, &plan.variables) {
                Ok(found) => {
                    order
                        .forms
                        .iter()
                        .zip(found)
                        .for_each(|(form, found)| self.book.note(form, plan.ranks, found));
                    return Ok(());
                }
                Err(Trouble { form: Some(number), reason }) => {
                    let form = &order.forms[number];
                    eprintln!("  {}", text::failed(self.wanted.lang, form.label(), &reason));
                    self.book.fail(form, plan.ranks, reason);
                }
                Err(Trouble { form: None, reason }) => {
                    eprintln!("  {}", text::job_failed(self.wanted.lang, &reason));
                    order.forms.iter().for_each(|form| self.book.fail(form, plan.ranks, reason.clone()));
                    return Ok(());
                }
            }
        }
    }

    fn order(&mut self, plan: &Plan, forms: Vec<BarrierForm>, folder: &Path) -> Order {
        Order {
            folder: folder.to_owned(),
            backend: plan.backend,
            ranks: plan.ranks,
            cpus: self.cpus.clone(),
            seed: u64::from(self.random.rand_u32()),
            forms,
            sampling: self.sampling,
        }
    }
}

fn is_failure(line: &BarrierLine) -> bool {
    matches!(line, BarrierLine::BarrierSeries(series) if matches!(series.outcome, BarrierOutcome::Failed { .. }))
}

/// What is known of each form at each size.
#[derive(Default)]
struct Book(BTreeMap<(usize, BarrierForm), BarrierOutcome>);

impl Book {
    fn has_failed(&self, form: &BarrierForm, ranks: usize) -> bool {
        matches!(self.0.get(&(ranks, form.clone())), Some(BarrierOutcome::Failed { .. }))
    }

    fn fail(&mut self, form: &BarrierForm, ranks: usize, reason: String) {
        self.0.insert((ranks, form.clone()), BarrierOutcome::Failed { reason });
    }

    fn note(&mut self, form: &BarrierForm, ranks: usize, found: Found) {
        let samples = match found {
            Found::Samples(samples) => samples,
            Found::Broken(reason) => return self.fail(form, ranks, reason),
            Found::Refused(reason) => {
                self.0.insert((ranks, form.clone()), BarrierOutcome::Refused { reason });
                return;
            }
        };
        let outcome = self.0.entry((ranks, form.clone()));
        match outcome.or_insert_with(|| BarrierOutcome::Measured { launches: vec![] }) {
            BarrierOutcome::Measured { launches } => launches.push(samples),
            BarrierOutcome::Refused { .. } | BarrierOutcome::Failed { .. } => {}
        }
    }

    fn lines(&self, run: &BarrierRun) -> Vec<BarrierLine> {
        let series = self.0.iter().map(|((ranks, form), outcome)| {
            let (form, outcome) = (form.clone(), outcome.clone());
            let series = BarrierSeries { schema: SCHEMA, run: run.run.clone(), form, ranks: *ranks, outcome };
            BarrierLine::BarrierSeries(Box::new(series))
        });
        std::iter::once(BarrierLine::BarrierRun(Box::new(run.clone()))).chain(series).collect()
    }
}

#[cfg(test)]
mod tests {
    use wb_record::BarrierSamples;

    use super::*;
    use crate::order::tests::form;

    #[test]
    fn launches_add_up_and_a_failure_stands() {
        let mut book = Book::default();
        let form = form("tree");
        book.note(&form, 2, Found::Samples(BarrierSamples::default()));
        book.note(&form, 2, Found::Samples(BarrierSamples::default()));
        let of_book = |book: &Book| book.0[&(2, form.clone())].clone();
        assert!(matches!(of_book(&book), BarrierOutcome::Measured { launches } if launches.len() == 2));
        book.note(&form, 2, Found::Broken("rank 0 left early".into()));
        book.note(&form, 2, Found::Samples(BarrierSamples::default()));
        assert_eq!(of_book(&book), BarrierOutcome::Failed { reason: "rank 0 left early".into() });
        assert!(book.has_failed(&form, 2) && !book.has_failed(&form, 4));
    }
}
