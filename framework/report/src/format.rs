//! Numbers as text. The digits are the same in every language; only the unit's name differs.

use wb_messages::{Lang, report::result};
use wb_record::Workload;
use wb_statistics::{Estimate, Interval};

/// Three significant digits, without an exponent: `0.123`, `1.23`, `12.3`, `123`, `1234`.
pub(crate) fn significant(x: f64) -> String {
    // The exponent after rounding: 9.996 is 10.0 and not 10.00.
    let rounded = format!("{x:.2e}");
    let exponent = rounded.split_once('e').and_then(|(_, e)| e.parse::<i32>().ok());
    let decimals = (2 - exponent.unwrap_or(0)).clamp(0, 9) as usize;
    format!("{x:.decimals$}")
}

/// A ratio with two decimals: `1.83`.
pub(crate) fn ratio(x: f64) -> String {
    format!("{x:.2}")
}

/// A share as per cent with one decimal: `91.5 %`.
pub(crate) fn percent(x: f64) -> String {
    format!("{:.1} %", 100.0 * x)
}

/// A change as per cent with its sign: `+1.5 %`, `−1.5 %`. The minus is not a hyphen, which would read as a dash behind words.
pub(crate) fn signed_percent(x: f64) -> String {
    format!("{:+.1} %", 100.0 * x).replace('-', "\u{2212}")
}

/// A share as per cent without needless decimals: `50 %`, `12.5 %`.
pub(crate) fn short_percent(x: f64) -> String {
    format!("{} %", trimmed(100.0 * x))
}

/// At most two decimals and no trailing zeros.
pub(crate) fn trimmed(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The label of a round value on an axis: without the zeros that only measured values need.
pub(crate) fn tick(label: &str) -> String {
    label.replace(".00 ", " ").replace(".0 ", " ")
}

/// Puts the unit's name behind a number.
type Named = fn(Lang, String) -> String;
type Unit = (f64, Named);

fn time_unit(ns: f64) -> Unit {
    match ns.abs() {
        x if x < 999.5 => (1.0, |lang, n| result::nanoseconds(lang, n)),
        x if x < 999.5e3 => (1e3, |lang, n| result::microseconds(lang, n)),
        x if x < 999.5e6 => (1e6, |lang, n| result::milliseconds(lang, n)),
        _ => (1e9, |lang, n| result::seconds(lang, n)),
    }
}

/// A time with its unit: `412 ms`.
pub(crate) fn time(lang: Lang, ns: f64) -> String {
    let (scale, unit) = time_unit(ns);
    unit(lang, significant(ns / scale))
}

/// The unit of an axis of times from 0 to `ns`: how many nanoseconds it has, and what stands behind a number of them.
pub(crate) fn axis_unit(lang: Lang, ns: f64) -> (f64, String) {
    let (scale, unit) = time_unit(ns);
    (scale, unit(lang, String::new()))
}

/// A time and its interval in one unit: `412 [409, 415] ms`.
pub(crate) fn time_estimate(lang: Lang, estimate: &Estimate) -> String {
    let (scale, unit) = time_unit(estimate.value);
    let value = significant(estimate.value / scale);
    unit(lang, with_interval(&value, estimate.interval.map(|i| i.map(|x| x / scale)), significant))
}

/// The interval of a time alone, in the unit of its value: `[409, 415] ms`.
pub(crate) fn time_interval(lang: Lang, estimate: &Estimate) -> String {
    let (scale, unit) = time_unit(estimate.value);
    estimate
        .interval
        .map_or_else(|| "—".to_owned(), |i| unit(lang, brackets(i.map(|x| x / scale), significant)))
}

/// Seconds without the unit, four significant digits: what goes in the course's column "Time, s".
pub(crate) fn seconds(ns: f64) -> String {
    let s = ns * 1e-9;
    let magnitude = if s > 0.0 { s.log10().floor() as i32 } else { 0 };
    let decimals = (3 - magnitude).clamp(0, 12) as usize;
    format!("{s:.decimals$}")
}

/// `[lo, hi]`.
pub(crate) fn brackets(interval: Interval, number: impl Fn(f64) -> String) -> String {
    format!("[{}, {}]", number(interval.lo), number(interval.hi))
}

fn with_interval(value: &str, interval: Option<Interval>, number: impl Fn(f64) -> String) -> String {
    interval.map_or_else(|| value.to_owned(), |i| format!("{value} {}", brackets(i, number)))
}

/// A ratio with its interval: `1.83 [1.80, 1.86]`.
pub(crate) fn ratio_estimate(estimate: &Estimate) -> String {
    with_interval(&ratio(estimate.value), estimate.interval, ratio)
}

/// A share with its interval: `91.5 % [90.0, 93.0]`.
pub(crate) fn percent_estimate(estimate: &Estimate) -> String {
    let number = |x: f64| format!("{:.1}", 100.0 * x);
    with_interval(&percent(estimate.value), estimate.interval, number)
}

/// A size in bytes with a binary unit.
pub(crate) fn bytes(lang: Lang, n: u64) -> String {
    const STEPS: [(u64, Named); 3] = [
        (1 << 30, |lang, n| result::gibibytes(lang, n)),
        (1 << 20, |lang, n| result::mebibytes(lang, n)),
        (1 << 10, |lang, n| result::kibibytes(lang, n)),
    ];
    let step = STEPS.iter().find(|(size, _)| n >= *size);
    step.map_or_else(|| result::bytes(lang, n), |(size, unit)| unit(lang, trimmed(n as f64 / *size as f64)))
}

/// Bytes a second with a decimal unit, as networks count.
pub(crate) fn bandwidth(lang: Lang, bytes_a_second: f64) -> String {
    if bytes_a_second >= 999.5e6 {
        result::gigabytes_a_second(lang, significant(bytes_a_second / 1e9))
    } else {
        result::megabytes_a_second(lang, significant(bytes_a_second / 1e6))
    }
}

/// `matrix, 512 rows`.
pub(crate) fn workload(lang: Lang, workload: &Workload) -> String {
    let Workload { name, size, unit } = workload;
    wb_messages::report::document::workload(lang, name, size, unit).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_whatever_the_magnitude() {
        for (x, text) in [
            (0.0, "0.00"),
            (0.012345, "0.0123"),
            (1.2345, "1.23"),
            (9.996, "10.0"),
            (99.96, "100"),
            (123.4, "123"),
        ] {
            assert_eq!(significant(x), text, "{x}");
        }
    }

    #[test]
    fn times_choose_their_unit_before_they_round() {
        let shown = [999.4, 999.6, 1.5e3, 2.5e6, 999.6e6, 12.3e9].map(|ns| time(Lang::En, ns));
        assert_eq!(shown, ["999 ns", "1.00 µs", "1.50 µs", "2.50 ms", "1.00 s", "12.3 s"]);
        assert_eq!(time(Lang::Ru, 2.5e6), "2.50 мс");
    }

    #[test]
    fn estimates_carry_their_interval_in_the_unit_of_the_value() {
        let estimate = Estimate { value: 412e6, interval: Some(Interval { lo: 409e6, hi: 1.1e9 }) };
        assert_eq!(time_estimate(Lang::En, &estimate), "412 [409, 1100] ms");
        assert_eq!(ratio_estimate(&Estimate { value: 1.834, interval: None }), "1.83");
    }

    #[test]
    fn sizes_and_rates() {
        assert_eq!(
            [8, 1024, 65_536, 8 << 20].map(|n| bytes(Lang::En, n)),
            ["8 B", "1 KiB", "64 KiB", "8 MiB"]
        );
        assert_eq!(bandwidth(Lang::En, 3.21e9), "3.21 GB/s");
        assert_eq!(seconds(412.34e6), "0.4123");
    }
}
