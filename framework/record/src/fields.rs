//! One walk over every field of what is read from a file: numbers are held against what they may be, texts are handed out.
//!
//! A file of records is written by a program and committed by a person, so any number in it may be anything. The walk is
//! the one place that knows which numbers make sense; it runs when a line is read, and behind it no reader divides by
//! nought, adds up to more than a `u64` or prints a time that is not a number. A field that is added to a record without
//! a line here does not compile, and a number without its range does not compile either.

use std::{collections::BTreeMap, fmt};

/// What a field may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AllowedValues {
    /// Whole numbers, both ends included.
    Whole(u64, u64),
    /// Numbers, both ends included.
    Real(f64, f64),
    /// Texts that can name a package: a page makes the address of a link from it.
    PackageName,
}

impl fmt::Display for AllowedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Real(least, most) => write!(f, "a number from {least} to {most}"),
            Self::PackageName => f.write_str("the name of a package: 1 to 64 letters, digits, `-` and `_`"),
        }
    }
}

/// A field with what it cannot hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrongField {
    /// Its path, for example `measurement.series.ranks`.
    pub(crate) field: String,
    /// What it holds.
    pub(crate) value: String,
    /// What it may hold.
    pub(crate) allowed: AllowedValues,
}

/// Any number of the type.
pub(crate) const ANY: AllowedValues = AllowedValues::Whole(0, u64::MAX);
/// Nanoseconds of a clock or of a duration: up to 146 years, so that two of them add up.
pub(crate) const NS: AllowedValues = AllowedValues::Whole(0, 1 << 62);
/// How many of something there are: no more than a `f64` counts exactly.
pub(crate) const COUNT: AllowedValues = AllowedValues::Whole(0, 1 << 53);
/// The same, where there is at least one.
pub(crate) const POSITIVE: AllowedValues = AllowedValues::Whole(1, 1 << 53);
/// Ranks of a job, and cores of a machine.
pub(crate) const RANKS: AllowedValues = AllowedValues::Whole(1, 1 << 20);
/// A rank.
pub(crate) const RANK: AllowedValues = AllowedValues::Whole(0, (1 << 20) - 1);
/// Bytes: up to 256 TiB.
pub(crate) const BYTES: AllowedValues = AllowedValues::Whole(0, 1 << 48);
/// A length of time in nanoseconds that was computed.
pub(crate) const REAL_NS: AllowedValues = AllowedValues::Real(0.0, 1e18);
/// Seconds: up to 30 years.
pub(crate) const SECONDS: AllowedValues = AllowedValues::Real(0.0, 1e9);
/// A share of a whole; of what was computed, it may be more than the whole.
pub(crate) const SHARE: AllowedValues = AllowedValues::Real(0.0, 1e6);

/// What the walk does on its way.
pub(crate) struct FieldVisitor<'w> {
    path: Vec<FieldPathStep>,
    wrong: Option<WrongField>,
    text: &'w mut dyn FnMut(&mut String),
}

enum FieldPathStep {
    Field(&'static str),
    Item(usize),
}

impl<'w> FieldVisitor<'w> {
    /// Walks over `value`, hands every text of it to `text`, and gives the first number that cannot be.
    pub(crate) fn visit(
        value: &mut impl VisitFields,
        text: &'w mut dyn FnMut(&mut String),
    ) -> Result<(), WrongField> {
        let mut walk = Self { path: Vec::new(), wrong: None, text };
        value.visit_fields(&mut walk);
        walk.wrong.map_or(Ok(()), Err)
    }

    /// Walks over a part under its name.
    pub(crate) fn field(&mut self, name: &'static str, part: impl FnOnce(&mut Self)) {
        self.path.push(FieldPathStep::Field(name));
        part(self);
        self.path.pop();
    }

    /// Holds the text against the name of a package.
    pub(crate) fn package(&mut self, name: &str) {
        let is_name = (1..=64).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        let shown: String = wb_escape::line(name).chars().take(80).collect();
        self.check_value(is_name, format_args!("`{shown}`"), AllowedValues::PackageName);
    }

    fn item(&mut self, at: usize, part: impl FnOnce(&mut Self)) {
        self.path.push(FieldPathStep::Item(at));
        part(self);
        self.path.pop();
    }

    fn check_value(&mut self, is_allowed: bool, value: impl fmt::Display, allowed: AllowedValues) {
        if !is_allowed && self.wrong.is_none() {
            let mut field = String::new();
            for step in &self.path {
                match step {
                    FieldPathStep::Field(name) if field.is_empty() => field.push_str(name),
                    FieldPathStep::Field(name) => field.extend([".", name]),
                    FieldPathStep::Item(at) => field.push_str(&format!("[{at}]")),
                }
            }
            self.wrong = Some(WrongField { field, value: value.to_string(), allowed });
        }
    }
}

/// What has fields, or is a text.
pub(crate) trait VisitFields {
    /// Walks over all of it.
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>);
}

/// A number, or several.
pub(crate) trait CheckedNumber {
    /// Holds it against what it may be.
    fn check(&mut self, allowed: AllowedValues, walk: &mut FieldVisitor<'_>);
}

/// Implements [`VisitFields`] for a struct from the list of its fields, each number with its range.
macro_rules! fields {
    ($($type:ident { $($field:ident $(: $allowed:expr)?),* $(,)? })*) => {$(
        impl $crate::fields::VisitFields for $type {
            fn visit_fields(&mut self, walk: &mut $crate::fields::FieldVisitor<'_>) {
                let Self { $($field),* } = self;
                $(walk.field(stringify!($field), |walk| $crate::fields::fields!(@ $field walk $($allowed)?));)*
            }
        }
    )*};
    (@ $field:ident $walk:ident) => { $crate::fields::VisitFields::visit_fields($field, $walk) };
    (@ $field:ident $walk:ident $allowed:expr) => { $crate::fields::CheckedNumber::check($field, $allowed, $walk) };
}
pub(crate) use fields;

/// Implements [`VisitFields`] for what has neither numbers nor texts.
macro_rules! plain {
    ($($type:ty)*) => {$(
        impl $crate::fields::VisitFields for $type {
            fn visit_fields(&mut self, _: &mut $crate::fields::FieldVisitor<'_>) {}
        }
    )*};
}
pub(crate) use plain;

plain! { bool }

impl VisitFields for String {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        (walk.text)(self);
    }
}

impl<T: VisitFields> VisitFields for Box<T> {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        (**self).visit_fields(walk);
    }
}

impl<T: VisitFields> VisitFields for Option<T> {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        self.iter_mut().for_each(|part| part.visit_fields(walk));
    }
}

impl<T: VisitFields> VisitFields for Vec<T> {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        self.iter_mut().enumerate().for_each(|(at, part)| walk.item(at, |walk| part.visit_fields(walk)));
    }
}

impl VisitFields for BTreeMap<String, String> {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        let taken = std::mem::take(self);
        self.extend(taken.into_iter().map(|(mut key, mut value)| {
            key.visit_fields(walk);
            value.visit_fields(walk);
            (key, value)
        }));
    }
}

macro_rules! whole {
    ($($type:ty)*) => {$(
        impl CheckedNumber for $type {
            fn check(&mut self, allowed: AllowedValues, walk: &mut FieldVisitor<'_>) {
                let AllowedValues::Whole(least, most) = allowed else { unreachable!("a whole number has a whole range") };
                walk.check_value(u64::try_from(*self).is_ok_and(|n| (least..=most).contains(&n)), *self, allowed);
            }
        }
    )*};
}
whole! { u32 u64 usize }

impl CheckedNumber for f64 {
    fn check(&mut self, allowed: AllowedValues, walk: &mut FieldVisitor<'_>) {
        let AllowedValues::Real(least, most) = allowed else {
            unreachable!("a number has a range of numbers")
        };
        walk.check_value((least..=most).contains(self), *self, allowed);
    }
}

impl<T: CheckedNumber> CheckedNumber for Option<T> {
    fn check(&mut self, allowed: AllowedValues, walk: &mut FieldVisitor<'_>) {
        self.iter_mut().for_each(|number| number.check(allowed, walk));
    }
}

impl<T: CheckedNumber> CheckedNumber for Vec<T> {
    fn check(&mut self, allowed: AllowedValues, walk: &mut FieldVisitor<'_>) {
        self.iter_mut().enumerate().for_each(|(at, n)| walk.item(at, |walk| n.check(allowed, walk)));
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        BarrierLine, Calibration, ReadError, Record, Trace, example, example_barriers, example_trace,
    };

    fn error_text(error: &ReadError) -> String {
        assert!(matches!(error, ReadError::Field { .. }), "{error}");
        error.to_string()
    }

    fn record(measurement: &str) -> Result<Record, ReadError> {
        let whole = example().to_line();
        let (head, _) = whole.split_once("\"measurement\":").expect("a measurement");
        Record::parse_line(&format!("{head}\"measurement\":{measurement}}}"))
    }

    const SERIES: &str = r#""series":{"workload":{"name":"w","size":1,"unit":""},"version":"mpi","mode":"task_run","ranks":2}"#;

    /// One of each kind of line, and the numbers in it that may not be nought.
    fn lines() -> Vec<(String, &'static [&'static str])> {
        vec![
            (format!(r#"{{"kind":"timing",{SERIES},"launch":0,"warmup_dropped":1,"inner_iterations":2,"repetitions":
                [{{"elapsed_ns":5,"entry_skew_ns":1,"correct":true,"involuntary_switches":1,"cpu_share":0.5}}],"stages":
                [{{"validation_ns":1,"preprocessing_ns":1,"run_ns":1,"postprocessing_ns":1}}],"traffic":
                {{"messages":1,"bytes":1,"messages_max_rank":1,"bytes_max_rank":1}},"sentinel":
                {{"before_ns":[1,2],"after_ns":[1,2]}}}}"#), &["ranks", "inner_iterations"]),
            (r#"{"kind":"ceiling","ranks":2,"launch":0,"samples_ns":[3,4]}"#.into(), &["ranks"]),
            (r#"{"kind":"sweep","operation":"bcast","ranks":2,"root":0,"element":"f64","count":1,"bytes":8,"launch":0,
                "inner_iterations":1,"student_ns":[1,2],"library_ns":[1,2],"library_call":"MPI_Bcast","messages":1,"rounds":1,
                "formula":{"algorithm":"a","messages":1,"messages_formula":"m","rounds":1,"rounds_formula":"r"},
                "correct":true}"#.into(), &["ranks", "inner_iterations"]),
            (format!(r#"{{"kind":"outcome",{SERIES},"converged":true,"half_width":0.1,"budget_s":1.0,"spent_s":1.0,
                "repeated_launches":0,"failure":{{"why":"too-short","measured_ns":1,"required_ns":1}}}}"#), &["ranks"]),
            (r#"{"kind":"plan","quick":true,"ranks":[1,2],"ranks_chosen_by":"x","launches":1,"target_half_width":0.1,
                "budget_s":1.0,"least_repetition_ns":1,"bands":[{"least_efficiency":0.5,"share":1.0}],
                "performance_points":5.0,"graded_ranks":2}"#.into(), &["ranks[0]", "ranks[1]", "graded_ranks"]),
            (r#"{"kind":"functional","test":"t","version":"mpi","ranks":2,"backend":"threads","verdict":"pass","seconds":1.0}"#
                .into(), &["ranks"]),
            (r#"{"kind":"model","machine":"m","about":{"en":"a","ru":"b"},"is_host":true,"cores":2,"ranks":[1,2],"fit":
                {"date":"d","library":"l","points":1,"median_residual":0.1,"largest_residual":0.1}}"#
                .into(), &["cores", "ranks[0]", "ranks[1]"]),
        ]
    }

    /// The document with the number at each place replaced, and the place.
    fn with_numbers(document: &str, value: &serde_json::Value) -> Vec<(String, String)> {
        fn visit(
            here: &mut serde_json::Value,
            path: &str,
            found: &mut Vec<String>,
            wanted: Option<(&str, &serde_json::Value)>,
        ) {
            match here {
                serde_json::Value::Number(_) if wanted.is_none() => found.push(path.to_owned()),
                serde_json::Value::Number(_) => {
                    if let Some((_, value)) = wanted.filter(|(at, _)| *at == path) {
                        *here = value.clone();
                    }
                }
                serde_json::Value::Array(items) => {
                    items
                        .iter_mut()
                        .enumerate()
                        .for_each(|(at, item)| visit(item, &format!("{path}[{at}]"), found, wanted));
                }
                serde_json::Value::Object(fields) => {
                    fields
                        .iter_mut()
                        .for_each(|(key, item)| visit(item, &format!("{path}.{key}"), found, wanted));
                }
                _ => {}
            }
        }
        let root: serde_json::Value = serde_json::from_str(document).expect("JSON");
        let mut places = Vec::new();
        visit(&mut root.clone(), "", &mut places, None);
        let planted = |at: String| {
            let mut root = root.clone();
            visit(&mut root, "", &mut Vec::new(), Some((&at, value)));
            (at, root.to_string())
        };
        places.into_iter().map(planted).collect()
    }

    #[test]
    fn every_number_of_every_kind_of_line_has_its_range() {
        for (line, not_nought) in lines() {
            record(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            // What fits the type is refused by its range, what does not fit by the type.
            for nonsense in [u64::MAX.into(), (1_u64 << 63).into(), 1e300.into(), (-1).into()] {
                for (at, planted) in with_numbers(&line, &nonsense) {
                    let error = record(&planted).expect_err(&format!("{nonsense} at {at}"));
                    assert!(error.to_string().starts_with("line 1"), "{error}");
                }
            }
            for (at, planted) in with_numbers(&line, &0.into()) {
                let wrong = not_nought.iter().any(|field| at.ends_with(&format!(".{field}")));
                assert_eq!(record(&planted).is_err(), wrong, "0 at {at}");
            }
        }
    }

    #[test]
    fn a_number_is_refused_with_its_path_and_what_is_allowed() {
        let line = &lines()[0].0;
        let error = record(&line.replace(r#""ranks":2"#, r#""ranks":0"#)).expect_err("no ranks");
        assert_eq!(
            error_text(&error),
            "line 1: measurement.series.ranks is 0, expected a whole number from 1 to 1048576"
        );
        let error = record(&line.replace(r#""cpu_share":0.5"#, r#""cpu_share":1e9"#)).expect_err("too many");
        assert_eq!(
            error_text(&error),
            "line 1: measurement.repetitions[0].cpu_share is 1000000000, expected a number from 0 to 1000000"
        );
    }

    #[test]
    fn a_task_has_the_name_of_a_package() {
        let line = example().to_line();
        let renamed = |name: &str| {
            Record::parse_line(&line.replacen(
                "\"task\":\"example_p_integral\"",
                &format!("\"task\":\"{name}\""),
                1,
            ))
        };
        for name in ["a", "li_k_radix-sort_2", &"x".repeat(64)] {
            assert!(renamed(name).is_ok(), "{name}");
        }
        for name in ["", "../x", "a b", "a.b", "задача", &"x".repeat(65)] {
            let told = error_text(&renamed(name).expect_err(name));
            assert!(told.contains("subject.task is `"), "{told}");
            assert!(
                told.ends_with("expected the name of a package: 1 to 64 letters, digits, `-` and `_`"),
                "{told}"
            );
        }
    }

    #[test]
    fn traces_barriers_and_calibrations_are_held_too() {
        let line = example_trace().to_line();
        let error =
            Trace::parse_line(&line.replacen("\"end_ns\":16000000", "\"end_ns\":18446744073709551615", 1));
        assert!(error_text(&error.expect_err("beyond")).contains("lanes[0].end_ns is 18446744073709551615"));
        let error =
            Trace::parse_line(&line.replacen("\"bytes\":1048576", "\"bytes\":18446744073709551615", 1));
        assert!(
            error_text(&error.expect_err("beyond"))
                .contains("lanes[0].events[0].act.bytes is 18446744073709551615")
        );
        let line = example_barriers()[1].to_line();
        let error = BarrierLine::parse_line(&line.replacen("\"episodes\":100", "\"episodes\":0", 1));
        assert!(error_text(&error.expect_err("none")).contains("outcome.launches[0].episodes is 0"));
        let link = r#"{"latency_ns":1,"overhead_ns":1,"gap_ns":1,"byte_ps":1,"copy_ps":1,"eager_bytes":1}"#;
        let fitted = r#"[{"name":"ping_pong","bytes":1,"measured_ns":0.0,"model_ns":1.0}]"#;
        let line = format!(
            r#"{{"schema":1,"at":"","library":"","cpus":1,"launches":1,"link":{link},"fitted":{fitted},"predicted":[]}}"#
        );
        assert!(
            error_text(&Calibration::parse_line(&line).expect_err("nought"))
                .contains("fitted[0].measured_ns is 0")
        );
        assert!(Calibration::parse_line(&line.replace("0.0", "2.0")).is_ok());
    }

    #[test]
    fn hidden_characters_are_spelt_out_when_a_line_is_read() {
        let mut wild = example();
        wild.environment.variables.insert("NAME".into(), "value".into());
        wild.map_texts(&mut |text| format!("{text}\u{1b}[2J\u{202e}\0"));
        wild.subject.task = example().subject.task;
        let read = Record::parse_line(&serde_json::to_string(&wild).expect("JSON")).expect("readable");
        assert_eq!(read.subject.student, "Example Person\\u{1b}[2J\\u{202e}\\u{0}");
        let variables: Vec<_> =
            read.environment.variables.iter().flat_map(|(name, value)| [name, value]).collect();
        assert!(variables.contains(&&"NAME\\u{1b}[2J\\u{202e}\\u{0}".to_owned()), "{variables:?}");
        assert!(!variables.iter().any(|text| text.chars().any(wb_escape::is_hidden)), "{variables:?}");
        let (mut texts, mut hidden) = (0, 0);
        read.clone().map_texts(&mut |text| {
            texts += 1;
            hidden += usize::from(text.chars().any(wb_escape::is_hidden));
            String::new()
        });
        assert_eq!((texts > 15, hidden), (true, 0));
    }

    #[test]
    fn the_same_launch_twice_is_a_duplicate_and_the_ceiling_twice_is_not() {
        let timing = |elapsed: u64| {
            let line = lines()[0].0.replace("\"elapsed_ns\":5", &format!("\"elapsed_ns\":{elapsed}"));
            record(&line).expect("readable").to_line()
        };
        let told = |lines: &[String]| crate::read_all(&lines.join("\n")).map(drop).map_err(|e| e.to_string());
        assert_eq!(
            told(&[timing(5), String::new(), timing(6)]),
            Err("line 3: the same launch as line 1, expected each once; remove one of the two".to_owned())
        );
        assert_eq!(told(&[timing(5), timing(6).replace("\"launch\":0", "\"launch\":1")]), Ok(()));
        let ceiling = |at: &str| Record { at: at.into(), ..example() }.to_line();
        assert_eq!(told(&[ceiling("1"), ceiling("2")]), Ok(()));
        assert!(
            told(&[ceiling("1"), ceiling("1")]).unwrap_err().contains("line 2: the same record as line 1")
        );
        let barriers: String = example_barriers().iter().map(|line| line.to_line() + "\n").collect();
        assert!(BarrierLine::read_all(&format!("\u{feff}{barriers}")).is_ok());
        assert!(BarrierLine::read_all(&barriers.repeat(2)).is_err());
    }
}
