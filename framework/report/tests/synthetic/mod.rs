//! Records of runs that never happened, with known properties, for the tests of the reports.

use wb_messages::Lang;
use wb_record::{
    Backend, Ceiling, ComputingCost, EfficiencyBand, ElapsedFrom, Environment, FitQuality, Formula,
    FunctionalRecord, MeasuredWorkload, Measurement, MeasurementPlan, Prediction, PredictionModel, Record,
    Repetition, Sentinel, Series, SeriesOutcome, Stages, Subject, Sweep, TestOutcome, TimedRegion, Timing,
    Trace, Traffic, Version, example_trace,
};

/// A run under construction. Everything about it is good unless a method makes it bad.
#[derive(Clone)]
pub(crate) struct SyntheticRun {
    pub(crate) records: Vec<Record>,
    pub(crate) environment: Environment,
    pub(crate) subject: Subject,
    pub(crate) launches: u32,
    pub(crate) repetitions: u32,
    pub(crate) mode: TimedRegion,
    pub(crate) wrong_repetition: bool,
    pub(crate) converged: bool,
}

pub(crate) const TASK: &str = "ivanov_i_row_sum";

impl SyntheticRun {
    pub(crate) fn new() -> Self {
        let subject = Subject {
            task: TASK.into(),
            title: wb_record::Text {
                en: "Row sums of a matrix".into(), ru: "Суммы строк матрицы".into()
            },
            student: "Ivan Ivanov".into(),
            group: "3823B1PR1".into(),
            task_number: 1,
            variant: 11,
        };
        let mut environment = Environment::example();
        environment.machine.usable_cores = 4;
        environment.machine.physical_cores = 4;
        Self {
            records: Vec::new(),
            environment,
            subject,
            launches: 3,
            repetitions: 8,
            mode: TimedRegion::TaskRun,
            wrong_repetition: false,
            converged: true,
        }
    }

    pub(crate) fn cores(mut self, cores: u32) -> Self {
        self.environment.machine.usable_cores = cores;
        self.environment.machine.physical_cores = cores;
        self
    }

    pub(crate) fn backend(mut self, backend: Backend) -> Self {
        self.environment.message_passing.backend = backend;
        self
    }

    pub(crate) fn mode(mut self, mode: TimedRegion) -> Self {
        self.mode = mode;
        self
    }

    pub(crate) fn push(&mut self, measurement: impl Into<Measurement>) {
        let (subject, environment) = (self.subject.clone(), self.environment.clone());
        self.records.push(Record::new("run-1", "2026-03-01T10:15:00Z", subject, environment, measurement));
    }

    /// The course's plan: P = 5 points by the efficiency table.
    pub(crate) fn plan(mut self, ranks: &[u32]) -> Self {
        let table = [
            (50, 100),
            (45, 90),
            (42, 80),
            (40, 70),
            (37, 60),
            (35, 50),
            (32, 40),
            (30, 30),
            (27, 20),
            (25, 10),
        ];
        let bands = table.map(|(e, share)| EfficiencyBand {
            least_efficiency: f64::from(e) / 100.0,
            share: f64::from(share) / 100.0,
        });
        self.push(MeasurementPlan {
            quick: false,
            ranks: ranks.to_vec(),
            ranks_chosen_by: "task.yaml".into(),
            launches: 3,
            target_half_width: 0.03,
            budget_s: 30.0,
            least_repetition_ns: 50_000_000,
            bands: bands.to_vec(),
            performance_points: Some(5.0),
            graded_ranks: None,
            pipeline_decides_below: Some(0.5),
        });
        self.tested()
    }

    /// The least evidence that the parallel version is right: without it nothing is graded.
    fn tested(self) -> Self {
        self.functional("one_column", 2, TestOutcome::Pass, None)
    }

    pub(crate) fn series(&self, version: Version, ranks: u32) -> Series {
        let workload = MeasuredWorkload { name: "matrix".into(), size: 4096, unit: "rows".into() };
        Series { workload, version, mode: self.mode, ranks }
    }

    /// All launches of one series around `ms`, with a spread of about one per cent.
    pub(crate) fn timing(mut self, version: Version, ranks: u32, ms: f64) -> Self {
        let series = self.series(version, ranks);
        for launch in 0..self.launches {
            let repetitions: Vec<Repetition> =
                (0..self.repetitions).map(|r| self.repetition(ms, launch, r)).collect();
            let run = (ms * 1e6) as u64;
            let stages = Stages {
                validation_ns: run / 200,
                preprocessing_ns: run / 6 * u64::from(ranks.min(3)),
                run_ns: run,
                postprocessing_ns: run / 25,
            };
            self.push(Timing {
                series: series.clone(),
                launch,
                fresh_inputs: Some(true),
                warmup_dropped: 1,
                inner_iterations: 1,
                elapsed_from: ElapsedFrom::CommonClock,
                repetitions,
                stages: vec![stages],
                traffic: None,
                sentinel: Some(Sentinel {
                    before_ns: vec![1_000_000; ranks as usize],
                    after_ns: vec![1_004_000; ranks as usize],
                }),
            });
        }
        self.push(SeriesOutcome {
            series,
            converged: self.converged,
            half_width: Some(if self.converged { 0.01 } else { 0.09 }),
            budget_s: 30.0,
            spent_s: 5.0,
            repeated_launches: 0,
            failure: None,
        });
        self
    }

    fn repetition(&self, ms: f64, launch: u32, index: u32) -> Repetition {
        let spread = if self.converged { 0.004 } else { 0.09 };
        let wave = f64::from((index * 5 + launch * 3) % 8) / 8.0 - 0.4375;
        Repetition {
            elapsed_ns: (ms * 1e6 * (1.0 + spread * wave + 0.002 * (f64::from(launch) - 1.0))) as u64,
            entry_skew_ns: 900,
            correct: Some(!(self.wrong_repetition && launch == 0 && index == 0)),
            involuntary_switches: 0,
            cpu_share: Some(0.998),
            queued_ns: None,
        }
    }

    pub(crate) fn ceiling(mut self, ranks: &[u32]) -> Self {
        for &p in ranks {
            for launch in 0..3 {
                let slower = 1.0 + 0.02 * f64::from(p - 1);
                let samples = (0..5).map(|i| (50e6 * slower) as u64 + 20_000 * i).collect();
                self.push(Ceiling {
                    ranks: p,
                    launch,
                    elapsed_from: ElapsedFrom::CommonClock,
                    samples_ns: samples,
                });
            }
        }
        self
    }

    /// A broadcast whose student's version is `factor` times as slow as the library's.
    pub(crate) fn sweep(mut self, ranks: u32, factor: f64) -> Self {
        let formula = Formula {
            algorithm: "binomial tree".into(),
            messages: u64::from(ranks - 1),
            messages_formula: "P - 1".into(),
            rounds: u64::from(ranks.next_power_of_two().ilog2()),
            rounds_formula: "ceil(log2 P)".into(),
        };
        for bytes in (3..=23).step_by(2).map(|k| 1_u64 << k) {
            for launch in 0..3_u64 {
                let base = 400.0 + bytes as f64 * 0.12 + 3.0 * launch as f64;
                let samples = |f: f64| {
                    (0..8_u64).map(|i| (base * f * 100.0 * (1.0 + 0.002 * i as f64)) as u64).collect()
                };
                self.push(Sweep {
                    operation: "bcast".into(),
                    ranks,
                    root: 0,
                    element: "f64".into(),
                    count: bytes / 8,
                    bytes,
                    launch: launch as u32,
                    inner_iterations: 100,
                    elapsed_from: ElapsedFrom::CommonClock,
                    student_ns: samples(factor),
                    library_ns: samples(1.0),
                    library_call: "MPI_Bcast".into(),
                    library_algorithm: Some("binomial".into()),
                    messages: u64::from(ranks - 1),
                    rounds: Some(formula.rounds),
                    formula: Some(formula.clone()),
                    correct: true,
                    moves_nothing: false,
                });
            }
        }
        self
    }

    /// The model of a machine: of this host, fitted, with two cores, or of one without end, from publications.
    pub(crate) fn model(mut self, machine: &str, ranks: &[u32]) -> Self {
        let is_host = machine == "this-host";
        let fit = FitQuality {
            date: "2026-02-28".into(),
            library: "Open MPI 4.1.4".into(),
            points: 24,
            median_residual: 0.12,
            largest_residual: 0.41,
        };
        self.push(PredictionModel {
            machine: machine.into(),
            about: wb_record::Text { en: "A machine".into(), ru: "Машина".into() },
            is_host,
            cores: is_host.then_some(2),
            ranks: ranks.to_vec(),
            fit: is_host.then_some(fit),
            failure: None,
        });
        self
    }

    /// What a machine takes for the series: `ms`, of which its ranks together compute `worked`.
    pub(crate) fn predicted(
        mut self,
        machine: &str,
        version: Version,
        ranks: u32,
        ms: f64,
        worked: f64,
    ) -> Self {
        let traffic = Traffic { messages: 3, bytes: 24, messages_max_rank: 1, bytes_max_rank: 8 };
        let ns = |ms: f64| (ms * 1e6) as u64;
        self.push(Prediction {
            series: self.series(version, ranks),
            machine: machine.into(),
            faults: vec![],
            computing: ComputingCost::Declared,
            elapsed_ns: ns(ms),
            worked_ns: ns(worked),
            worked_max_ns: ns(worked).div_ceil(u64::from(ranks)),
            traffic,
            correct: Some(true),
        });
        self
    }

    /// The predictions that are there, to be spoilt.
    pub(crate) fn predictions(&mut self) -> impl Iterator<Item = &mut Prediction> {
        self.records.iter_mut().filter_map(|record| match &mut record.measurement {
            Measurement::Prediction(one) => Some(one),
            _ => None,
        })
    }

    /// One more run, with every call written down: that of the example, on three ranks, 16 ms.
    pub(crate) fn traced(mut self) -> Self {
        let workload = self.series(Version::Mpi, 3).workload;
        let trace = Trace { subject: self.subject.clone(), workload, ..example_trace() };
        self.push(trace);
        self
    }

    /// The good run beside two models, of this host and of one with further rank counts, and with a trace.
    pub(crate) fn complete() -> Self {
        let run = Self::good()
            .mode(TimedRegion::TaskRun)
            .model("this-host", &[1, 2])
            .model("cluster-ib", &[1, 2, 64]);
        let run = run
            .predicted("this-host", Version::Seq, 1, 400.0, 400.0)
            .predicted("this-host", Version::Mpi, 2, 233.2, 400.0)
            .predicted("cluster-ib", Version::Seq, 1, 100.0, 100.0)
            .predicted("cluster-ib", Version::Mpi, 2, 53.0, 100.0)
            .predicted("cluster-ib", Version::Mpi, 64, 2.0, 100.0);
        run.traced()
    }

    pub(crate) fn functional(
        mut self,
        test: &str,
        ranks: u32,
        verdict: TestOutcome,
        reason: Option<&str>,
    ) -> Self {
        let (test, reason) = (test.to_owned(), reason.map(str::to_owned));
        let backend = self.environment.message_passing.backend;
        self.push(FunctionalRecord { test, ranks, backend, verdict, reason, ..FunctionalRecord::example() });
        self
    }

    /// A good run on 1, 2 and 4 ranks in both modes, with everything a report can show.
    pub(crate) fn good() -> Self {
        let run = Self::new().plan(&[1, 2, 4]).ceiling(&[1, 2, 4]);
        let run = run
            .timing(Version::Seq, 1, 412.0)
            .timing(Version::Mpi, 1, 418.0)
            .timing(Version::Mpi, 2, 212.0)
            .timing(Version::Mpi, 4, 118.0);
        let mut run = run
            .mode(TimedRegion::Pipeline)
            .timing(Version::Seq, 1, 430.0)
            .timing(Version::Mpi, 1, 460.0)
            .timing(Version::Mpi, 2, 290.0)
            .timing(Version::Mpi, 4, 210.0);
        for (test, p) in
            ["empty_matrix", "one_row", "more_ranks_than_rows"].iter().flat_map(|t| [1, 2, 4].map(|p| (t, p)))
        {
            run = run.functional(test, p, TestOutcome::Pass, None);
        }
        run
    }

    /// The same run with more ranks than cores at p = 4.
    pub(crate) fn oversubscribed() -> Self {
        let run = Self::new().cores(2).plan(&[1, 2, 4]).ceiling(&[1, 2]);
        run.timing(Version::Seq, 1, 412.0).timing(Version::Mpi, 2, 212.0).timing(Version::Mpi, 4, 333.0)
    }
}

/// Runs that have every part of a report between them, and none.
pub(crate) fn cases() -> Vec<Vec<Record>> {
    let threads = SyntheticRun::new().backend(Backend::Threads).plan(&[1, 2]).timing(Version::Seq, 1, 20.0);
    vec![
        SyntheticRun::good().records,
        SyntheticRun::oversubscribed()
            .functional("a_test_that_hangs", 2, TestOutcome::Hang, Some("rank 1"))
            .records,
        threads.timing(Version::Mpi, 2, 11.0).records,
        SyntheticRun::new().sweep(2, 1.04).sweep(4, 0.9).records,
        SyntheticRun::new().functional("alone", 2, TestOutcome::Pass, None).records,
        SyntheticRun::complete().records,
        SyntheticRun::complete().sweep(2, 1.1).records,
        Vec::new(),
    ]
}

/// What people read, in English, its spaces and line ends made one.
pub(crate) fn prose(records: &[Record]) -> [String; 3] {
    let lang = Lang::En;
    let texts = [
        wb_report::terminal(records, lang, 240),
        wb_report::markdown(records, lang),
        wb_report::html(records, lang),
    ];
    texts.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
pub(crate) fn all_say(records: &[Record], expected: &str) {
    for text in prose(records) {
        assert!(text.contains(expected), "`{expected}` is not in:\n{text}");
    }
}

/// The CSV, too, which has numbers only.
#[track_caller]
pub(crate) fn none_says(records: &[Record], forbidden: &str) {
    for text in prose(records).iter().chain([&wb_report::csv(records)]) {
        let place = text.find(forbidden).map(|at| text[..at].chars().rev().take(60).collect::<String>());
        assert!(place.is_none(), "`{forbidden}` is there, behind (backwards) {place:?}");
    }
}
