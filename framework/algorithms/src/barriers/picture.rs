//! Pictures of plans: the signals of each round. Plans in, text out.
//!
//! Ranks are lanes and rounds are columns; an arrow leaves its sender's lane when the port is free and ends on its
//! receiver's lane when it is received. The page's colours determine light and dark; the arrows' own colours, one a
//! sender, are readable on both. A signal that no rank receives has a dashed arrow with an open end.
use std::fmt::Write;

use crate::barriers::{
    Plan,
    proof::{self, PatternRefutation, TimedSignal},
};

/// The words of a picture, in the reader's language.
#[derive(Clone, Copy, Debug)]
pub struct PictureLabels<'a> {
    /// Above it.
    pub title: &'a str,
    /// A description of the picture for screen readers; the messages follow.
    pub about: &'a str,
    /// Before the number of a lane.
    pub rank: &'a str,
    /// Before the numbers of the columns.
    pub round: &'a str,
}

const LEFT: f64 = 92.0;
const TOP: f64 = 84.0;
const ROW_HEIGHT: f64 = 40.0;
const EDGE: f64 = 28.0;

/// The picture as SVG.
///
/// # Errors
/// Plans that cannot be run: see [`proof::schedule`].
pub fn svg(plans: &[Plan], words: &PictureLabels<'_>) -> Result<String, PatternRefutation> {
    let messages = proof::schedule(plans)?;
    let rounds = messages.iter().map(end_round).max().unwrap_or_default();
    let column = if rounds > 24 { 44.0 } else { 84.0 };
    let right = LEFT + column * rounds.max(1) as f64;
    let (width, height) = (right + EDGE, TOP + ROW_HEIGHT * plans.len() as f64 + EDGE / 2.0);
    let mut out = header(words, &messages, width, height);
    for round in 1..=rounds {
        let (from, middle) = (LEFT + column * (round - 1) as f64, LEFT + column * (round as f64 - 0.5));
        let class = if round % 2 == 1 { "odd" } else { "even" };
        let (top, tall) = (TOP - 18.0, height - TOP + 8.0);
        line(
            &mut out,
            format_args!(
                r#"<rect class="{class}" x="{from:.1}" y="{top:.1}" width="{column:.1}" height="{tall:.1}"/>"#
            ),
        );
        line(
            &mut out,
            format_args!(r#"<text class="round" x="{middle:.1}" y="{:.1}">{round}</text>"#, TOP - 26.0),
        );
    }
    for rank in 0..plans.len() {
        let y = row_y(rank);
        line(
            &mut out,
            format_args!(r#"<line class="lane" x1="{LEFT:.1}" y1="{y:.1}" x2="{right:.1}" y2="{y:.1}"/>"#),
        );
        let word = escaped(words.rank);
        line(
            &mut out,
            format_args!(
                r#"<text class="rank" x="{:.1}" y="{:.1}">{word} {rank}</text>"#,
                LEFT - 14.0,
                y + 4.5
            ),
        );
    }
    messages.iter().for_each(|message| arrow(&mut out, message, column, plans.len()));
    out.push_str("</svg>\n");
    Ok(out)
}

fn end_round(message: &TimedSignal) -> usize {
    message.received_at.unwrap_or(message.sent_at + 1)
}

fn row_y(rank: usize) -> f64 {
    TOP + ROW_HEIGHT * (rank as f64 + 0.4)
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("a string takes everything");
}

/// A page that is light unless its reader prefers dark, and the definition of the arrows' heads.
fn header(words: &PictureLabels<'_>, messages: &[TimedSignal], width: f64, height: f64) -> String {
    let mut titles: Vec<String> =
        messages.iter().map(|m| format!("{}: {} \u{2192} {}", end_round(m), m.from, m.to)).collect();
    titles.truncate(200);
    let [title, about, round] = [words.title, words.about, words.round].map(escaped);
    format!(
        r##"<svg class="plan" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img">
<title>{title}</title>
<desc>{about} {titles}</desc>
<style>
.plan {{ --page: #ffffff; --ink: #1d2733; --soft: #5d6b7a; --lane: #b9c3cd; --band: #f1f4f7; --light: 42%; font-family: system-ui, "Segoe UI", Roboto, sans-serif; }}
@media (prefers-color-scheme: dark) {{ .plan {{ --page: #14191f; --ink: #e8edf2; --soft: #9fadba; --lane: #46525e; --band: #1c232b; --light: 66%; }} }}
.page {{ fill: var(--page); }}
.title {{ fill: var(--ink); font-size: 17px; font-weight: 600; }}
.round, .rounds {{ fill: var(--soft); font-size: 12px; text-anchor: middle; }}
.rounds {{ text-anchor: end; }}
.rank {{ fill: var(--ink); font-size: 13px; text-anchor: end; }}
.lane {{ stroke: var(--lane); stroke-width: 1.5; stroke-linecap: round; }}
.odd {{ fill: var(--band); }}
.even {{ fill: none; }}
.arrow {{ fill: none; stroke: hsl(var(--hue) 62% var(--light)); stroke-width: 2; stroke-linecap: round; }}
.arrow.lost {{ stroke-dasharray: 4 5; }}
.dot, .tip {{ fill: hsl(var(--hue) 62% var(--light)); }}
</style>
<rect class="page" width="100%" height="100%" rx="10"/>
<text class="title" x="18" y="32">{title}</text>
<text class="rounds" x="{label:.1}" y="{above:.1}">{round}</text>
"##,
        titles = titles.join(", "),
        label = LEFT - 14.0,
        above = TOP - 26.0,
    )
}

/// A dot at the sender, a curve, a tip at the receiver.
fn arrow(out: &mut String, message: &TimedSignal, column: f64, size: usize) {
    let hue = 360 * message.from / size;
    let (x0, y0) = (LEFT + column * message.sent_at as f64 + 5.0, row_y(message.from));
    let (x1, y1) = (LEFT + column * end_round(message) as f64 - 5.0, row_y(message.to));
    // An unreceived signal has no tip.
    let (x1, y1, lost) = match message.received_at {
        Some(_) => (x1, y1, ""),
        None => ((x0 + x1) / 2.0, (y0 + y1) / 2.0, " lost"),
    };
    let bend = (x1 - x0) * 0.45;
    let (from, to, round) = (message.from, message.to, end_round(message));
    line(out, format_args!(r#"<g style="--hue: {hue}"><title>{round}: {from} &#8594; {to}</title>"#));
    line(out, format_args!(r#"<circle class="dot" cx="{x0:.1}" cy="{y0:.1}" r="3.2"/>"#));
    line(
        out,
        format_args!(
            r#"<path class="arrow{lost}" d="M {x0:.1} {y0:.1} C {:.1} {y0:.1} {:.1} {y1:.1} {:.1} {y1:.1}"/>"#,
            x0 + bend,
            x1 - bend,
            x1 - 6.0
        ),
    );
    if lost.is_empty() {
        line(
            out,
            format_args!(r#"<path class="tip" d="M {x1:.1} {y1:.1} l -9 -4.5 l 2.2 4.5 l -2.2 4.5 z"/>"#),
        );
    }
    line(out, format_args!("</g>"));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barriers::{GroupConfig, catalogue::find};

    const WORDS: PictureLabels<'_> =
        PictureLabels { title: "a < b", about: "who tells whom", rank: "rank", round: "round" };

    fn render(name: &str, size: usize) -> String {
        let plans =
            find(name).expect("a row").plans(&GroupConfig::new(size)).expect("a pattern").expect("defined");
        svg(&plans, &WORDS).expect("can be drawn")
    }

    #[test]
    fn every_message_is_an_arrow_and_every_rank_a_lane() {
        let picture = render("dissemination", 8);
        assert_eq!(picture.matches("class=\"arrow\"").count(), 24);
        assert_eq!(picture.matches("class=\"tip\"").count(), 24);
        assert_eq!(picture.matches("class=\"lane\"").count(), 8);
        assert_eq!(picture.matches("class=\"round\"").count(), 3);
        assert!(picture.contains("<title>a &lt; b</title>"));
    }

    #[test]
    fn what_nobody_hears_ends_in_the_open() {
        let picture = render("recursive_doubling_deaf", 3);
        assert_eq!(picture.matches("class=\"arrow lost\"").count(), 1);
    }

    #[test]
    fn a_group_of_one_has_a_lane_and_no_arrow() {
        let picture = render("linear", 1);
        assert_eq!((picture.matches("class=\"lane\"").count(), picture.matches("<path").count()), (1, 0));
    }
}
