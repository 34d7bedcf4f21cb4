//! Describes the objection of an oracle to an output.
//!
//! ```text
//! first differs at [504]: expected 504, got 505; 2 of 1009 differ
//!               [502]  [503]  [504]  [505]  [506]
//!   expected      502    503    504    505    506
//!   got           502    503    505    505    506
//! ```
use wb_messages::{Lang, difference as text};
use wb_task::{
    Difference, Verdict,
    difference::{DifferenceContext, FirstDifference, LengthDifference},
};

/// The largest width of a line of neighbours; reports indent it.
const WIDTH: usize = 68;

/// Numbers whose relative difference is smaller than this may differ by rounding only.
const ROUNDING: f64 = 1e-9;

/// The objection in lines; `None` when the output is right.
pub fn render(verdict: &Verdict, lang: Lang) -> Option<String> {
    match verdict {
        Verdict::Right => None,
        Verdict::Wrong(why) => Some(why.clone()),
        Verdict::Differs(difference) => Some(lines(difference, lang).join("\n")),
    }
}

/// The objection in one line.
pub fn render_line(verdict: &Verdict, lang: Lang) -> Option<String> {
    match verdict {
        Verdict::Differs(difference) => Some(summary(difference, lang)),
        other => render(other, lang),
    }
}

fn lines(difference: &Difference, lang: Lang) -> Vec<String> {
    let first = difference.first.as_ref();
    let allowed = difference.tolerance.map(|allowed| match first.and_then(|first| first.distance) {
        Some(apart) => text::tolerance(lang, format!("{apart:e}"), allowed),
        None => text::allowed(lang, allowed),
    });
    let around = first.and_then(|first| first.context.as_ref());
    let table = around.map_or(vec![], |around| table(around, lang));
    std::iter::once(summary(difference, lang)).chain(allowed).chain(table).collect()
}

fn summary(difference: &Difference, lang: Lang) -> String {
    let Difference { lengths, first, differing, compared: of, .. } = difference;
    let lengths =
        lengths.as_ref().map(|LengthDifference { path: place, expected, got }| match place.as_str() {
            "" => text::lengths(lang, expected, got),
            place => text::lengths_at(lang, place, expected, got),
        });
    let first = match first {
        Some(FirstDifference { path: place, expected, got, .. }) if place.is_empty() => {
            Some(text::instead(lang, expected, got))
        }
        Some(FirstDifference { path: place, expected, got, .. }) => {
            Some(text::first(lang, place, expected, got, differing, of))
        }
        None => (*of > 0).then(|| text::same_so_far(lang, of)),
    };
    lengths.into_iter().chain(first).collect::<Vec<_>>().join("; ")
}

/// The neighbours with their numbers, as many as fit in a line.
fn table(around: &DifferenceContext, lang: Lang) -> Vec<String> {
    let (expected, got) = (text::row_expected(lang), text::row_got(lang));
    let columns = |text: &str| text.chars().count();
    let head = columns(&expected).max(columns(&got)) + 2;
    let indices: Vec<_> = (0..got_count(around)).map(|at| format!("[{}]", around.start + at)).collect();
    let all = || indices.iter().chain(&around.expected).chain(&around.got);
    let cell = all().map(|text| columns(text)).max().unwrap_or_default() + 2;
    if head + cell * indices.len() > WIDTH {
        return vec![];
    }
    let row = |name: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|text| format!("{text:>cell$}")).collect();
        format!("  {name:<head$}{cells}")
    };
    vec![row("", &indices), row(&expected, &around.expected), row(&got, &around.got)]
}

fn got_count(around: &DifferenceContext) -> usize {
    around.got.len().min(around.expected.len())
}

/// Whether the order of additions can explain the difference.
pub fn can_be_rounding(verdict: &Verdict) -> bool {
    let Verdict::Differs(difference) = verdict else { return false };
    let Difference { lengths: None, first: Some(first), .. } = &**difference else { return false };
    let Ok(expected) = first.expected.parse::<f64>() else { return false };
    first.distance.is_some_and(|apart| apart <= ROUNDING * expected.abs())
}

#[cfg(test)]
mod tests {
    use wb_task::Tolerance;

    use super::*;

    fn lines_of(verdict: &Verdict) -> Vec<String> {
        render(verdict, Lang::En).expect("they differ").lines().map(str::to_owned).collect()
    }

    #[test]
    fn an_element_is_told_with_its_neighbours() {
        let expected: Vec<i32> = (0..1009).collect();
        let mut got = expected.clone();
        (got[504], got[1008]) = (505, 0);
        let verdict = Verdict::same(&got, &expected);
        let shown = [
            "first differs at [504]: expected 504, got 505; 2 of 1009 differ",
            "              [502]  [503]  [504]  [505]  [506]",
            "  expected      502    503    504    505    506",
            "  got           502    503    505    505    506",
        ];
        assert_eq!(lines_of(&verdict), shown);
        assert_eq!(render_line(&verdict, Lang::En).as_deref(), Some(shown[0]));
        assert_eq!(super::render(&Verdict::same(&got, &got), Lang::En), None);
    }

    #[test]
    fn lengths_and_scalars_have_words_of_their_own() {
        let shown = |verdict: Verdict| lines_of(&verdict)[0].clone();
        assert_eq!(shown(Verdict::same(&[43], &[42])), "expected 42, got 43");
        assert_eq!(
            shown(Verdict::same(&[1], &[1, 2])),
            "it has 1 element(s), 2 are expected; the first 1 are as expected"
        );
        let rows = shown(Verdict::equal(&vec![vec![1], vec![]], &vec![vec![1], vec![2]]));
        assert_eq!(rows, "[1] has 0 element(s), 1 are expected; the first 1 are as expected");
    }

    #[test]
    fn a_tolerance_is_told_with_what_was_off() {
        let lines = lines_of(&Verdict::close(&[1.0, 2.5], &[1.0, 2.0], Tolerance::absolute(1e-9)));
        assert_eq!(lines[1], "apart by 5e-1, allowed: |got - expected| <= 1e-9");
    }

    #[test]
    fn the_last_bits_are_rounding_and_others_are_not() {
        assert!(can_be_rounding(&Verdict::same(&[0.1 + 0.2], &[0.3])));
        assert!(!can_be_rounding(&Verdict::same(&[0.31], &[0.3])));
        assert!(!can_be_rounding(&Verdict::same(&[31], &[30])) && !can_be_rounding(&Verdict::Right));
        assert!(!can_be_rounding(&Verdict::same(&[0.1 + 0.2, 1.0], &[0.3])));
    }

    #[test]
    fn what_is_too_wide_has_no_table() {
        let long = ["a".repeat(40), "b".repeat(40)];
        assert_eq!(lines_of(&Verdict::same(&[&long[1], &long[1]], &[&long[0], &long[1]])).len(), 1);
    }
}
