//! Numbers as text: significant digits, units and intervals. The decimal mark and the unit's name depend on the language.

use wb_messages::{Lang, number, report::result};
use wb_record::{
    MeasuredWorkload,
    statistics::{Estimate, Interval},
};

/// Three significant digits, without an exponent: `0.123`, `1.23`, `12.3`, `123`, `1234`.
pub(crate) fn significant(lang: Lang, x: f64) -> String {
    // The exponent after rounding: 9.996 is 10.0 and not 10.00.
    let rounded = format!("{x:.2e}");
    let exponent = rounded.split_once('e').and_then(|(_, e)| e.parse::<i32>().ok());
    number::fixed(lang, x, (2 - exponent.unwrap_or(0)).clamp(0, 9) as usize)
}

/// The sign of a value that is missing.
pub(crate) fn dash() -> String {
    "—".to_owned()
}

/// A ratio with two decimals: `1.83`.
pub(crate) fn ratio(lang: Lang, x: f64) -> String {
    number::fixed(lang, x, 2)
}

/// A share as per cent with one decimal: `91.5 %`.
pub(crate) fn percent(lang: Lang, x: f64) -> String {
    number::percent(lang, x, 1)
}

/// A change as per cent with its sign: `+1.5 %`, `−1.5 %`.
pub(crate) fn signed_percent(lang: Lang, x: f64) -> String {
    format!("{} %", number::signed(lang, 100.0 * x, 1))
}

/// A share as per cent without needless decimals: `50 %`, `12.5 %`.
pub(crate) fn short_percent(lang: Lang, x: f64) -> String {
    format!("{} %", trimmed(lang, 100.0 * x))
}

/// At most two decimals and no trailing zeros.
pub(crate) fn trimmed(lang: Lang, x: f64) -> String {
    let digits = format!("{x:.2}");
    number::localized(lang, digits.trim_end_matches('0').trim_end_matches('.'))
}

/// The label of a round value on an axis: without the zeros that only measured values need.
pub(crate) fn tick(label: &str) -> String {
    let zeros = [".00 ", ",00 ", ".0 ", ",0 "];
    zeros.iter().fold(label.to_owned(), |label, zeros| label.replace(zeros, " "))
}

/// Appends the unit's name to a number.
type UnitText = fn(Lang, String) -> String;
type Unit = (f64, UnitText);

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
    unit(lang, significant(lang, ns / scale))
}

/// A time and its interval in one unit: `412 [409, 415] ms`.
pub(crate) fn time_estimate(lang: Lang, estimate: &Estimate) -> String {
    let (scale, unit) = time_unit(estimate.value);
    let number = |ns: f64| significant(lang, ns / scale);
    unit(lang, with_interval(lang, number(estimate.value), estimate.interval, number))
}

/// The interval of a time alone, in the unit of its value: `[409, 415] ms`.
pub(crate) fn time_interval(lang: Lang, estimate: &Estimate) -> String {
    let (scale, unit) = time_unit(estimate.value);
    let number = |ns: f64| significant(lang, ns / scale);
    estimate.interval.map_or_else(|| "—".to_owned(), |i| unit(lang, brackets(lang, i, number)))
}

/// Seconds without the unit, four significant digits: what goes in the course's column "Time, s".
pub(crate) fn seconds(lang: Lang, ns: f64) -> String {
    let s = ns * 1e-9;
    let magnitude = if s > 0.0 { s.log10().floor() as i32 } else { 0 };
    number::fixed(lang, s, (3 - magnitude).clamp(0, 12) as usize)
}

/// `[lo, hi]`.
pub(crate) fn brackets(lang: Lang, interval: Interval, digits: impl Fn(f64) -> String) -> String {
    number::interval(lang, &digits(interval.lo), &digits(interval.hi))
}

fn with_interval(
    lang: Lang,
    value: String,
    interval: Option<Interval>,
    digits: impl Fn(f64) -> String,
) -> String {
    match interval {
        Some(interval) => format!("{value} {}", brackets(lang, interval, digits)),
        None => value,
    }
}

/// A ratio with its interval: `1.83 [1.80, 1.86]`.
pub(crate) fn ratio_estimate(lang: Lang, estimate: &Estimate) -> String {
    let number = |x: f64| ratio(lang, x);
    with_interval(lang, number(estimate.value), estimate.interval, number)
}

/// A share with its interval: `91.5 % [90.0, 93.0]`.
pub(crate) fn percent_estimate(lang: Lang, estimate: &Estimate) -> String {
    let digits = |x: f64| number::fixed(lang, 100.0 * x, 1);
    with_interval(lang, percent(lang, estimate.value), estimate.interval, digits)
}

/// A size in bytes with a binary unit.
pub(crate) fn bytes(lang: Lang, n: u64) -> String {
    const STEPS: [(u64, UnitText); 3] = [
        (1 << 30, |lang, n| result::gibibytes(lang, n)),
        (1 << 20, |lang, n| result::mebibytes(lang, n)),
        (1 << 10, |lang, n| result::kibibytes(lang, n)),
    ];
    let step = STEPS.iter().find(|(size, _)| n >= *size);
    step.map_or_else(
        || result::bytes(lang, n),
        |(size, unit)| unit(lang, trimmed(lang, n as f64 / *size as f64)),
    )
}

/// Bytes a second with a decimal unit, as networks count.
pub(crate) fn bandwidth(lang: Lang, bytes_a_second: f64) -> String {
    if bytes_a_second >= 999.5e6 {
        result::gigabytes_a_second(lang, significant(lang, bytes_a_second / 1e9))
    } else {
        result::megabytes_a_second(lang, significant(lang, bytes_a_second / 1e6))
    }
}

/// `matrix, 512 rows`.
pub(crate) fn workload(lang: Lang, workload: &MeasuredWorkload) -> String {
    let MeasuredWorkload { name, size, unit } = workload;
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
            assert_eq!(significant(Lang::En, x), text, "{x}");
        }
    }

    #[test]
    fn times_choose_their_unit_before_they_round() {
        let shown = [999.4, 999.6, 1.5e3, 2.5e6, 999.6e6, 12.3e9].map(|ns| time(Lang::En, ns));
        assert_eq!(shown, ["999 ns", "1.00 µs", "1.50 µs", "2.50 ms", "1.00 s", "12.3 s"]);
        assert_eq!(time(Lang::Ru, 2.5e6), "2,50 мс");
    }

    #[test]
    fn estimates_carry_their_interval_in_the_unit_of_the_value() {
        let estimate = Estimate { value: 412e6, interval: Some(Interval { lo: 409e6, hi: 1.1e9 }) };
        assert_eq!(time_estimate(Lang::En, &estimate), "412 [409, 1100] ms");
        assert_eq!(time_estimate(Lang::Ru, &estimate), "412 [409; 1100] мс");
        assert_eq!(ratio_estimate(Lang::En, &Estimate { value: 1.834, interval: None }), "1.83");
        let ratio = Estimate { value: 1.834, interval: Some(Interval { lo: 1.8, hi: 1.86 }) };
        assert_eq!(ratio_estimate(Lang::Ru, &ratio), "1,83 [1,80; 1,86]");
        assert_eq!(percent_estimate(Lang::Ru, &ratio), "183,4 % [180,0; 186,0]");
    }

    #[test]
    fn a_minus_is_no_hyphen_and_a_round_tick_has_no_zeros() {
        assert_eq!(percent(Lang::En, -0.125), "\u{2212}12.5 %");
        assert_eq!(signed_percent(Lang::Ru, -0.125), "\u{2212}12,5 %");
        assert_eq!(short_percent(Lang::Ru, 0.125), "12,5 %");
        assert_eq!(Lang::ALL.map(|lang| tick(&time(lang, 2e6))), ["2 ms", "2 мс"]);
    }

    #[test]
    fn sizes_and_rates() {
        assert_eq!(
            [8, 1024, 65_536, 8 << 20].map(|n| bytes(Lang::En, n)),
            ["8 B", "1 KiB", "64 KiB", "8 MiB"]
        );
        assert_eq!(bandwidth(Lang::En, 3.21e9), "3.21 GB/s");
        assert_eq!(Lang::ALL.map(|lang| seconds(lang, 412.34e6)), ["0.4123", "0,4123"]);
    }
}
