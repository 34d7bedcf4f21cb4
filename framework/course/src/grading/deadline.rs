//! D: the penalty for days after the deadline.

use jiff::{Timestamp, ToSpan, civil::DateTime, tz::TimeZone};
use wb_text::grade as text;

use super::{input::GradingInput, letter_sum::LetterSum, rules::first_after};
use crate::{Evidence, Letter, LetterGrade, ReasonKind, wording::moment};

/// The days that have begun between the deadline and `changed`: 0 in time, 1 in the first 24 hours after `first_after`.
///
/// Days are days of the calendar in the course's time zone, so a change to summer time makes none of them longer.
fn late_days(first_after: DateTime, zone: &TimeZone, changed: Timestamp) -> u32 {
    let changed = changed.to_zoned(zone.clone()).datetime();
    if changed < first_after {
        return 0;
    }
    let whole = changed.date().since(first_after.date()).map_or(0, |span| span.get_days());
    let days = i64::from(whole);
    let begun = first_after.checked_add(days.days()).is_ok_and(|limit| changed >= limit);
    u32::try_from(days + i64::from(begun)).unwrap_or(u32::MAX)
}

pub(super) fn grade_deadline(input: &GradingInput<'_>, evidence: &Evidence) -> LetterGrade {
    let rules = input.rules;
    let zone = &rules.time_zone;
    let mut sum = LetterSum::new(Letter::Deadline, None);
    let changed = evidence.submission.as_ref().map_or(input.at, |submission| submission.changed_at);
    let in_force = rules.deadline_in_force();
    let days = late_days(first_after(in_force), zone, changed);
    let (when, deadline) = (moment(changed, zone), in_force.to_string());
    match days {
        0 => sum.note(ReasonKind::InTime, text::in_time(when, deadline)),
        _ => {
            let lost = rules.late_points_per_day.times(days);
            let reason = text::late(days, when, deadline);
            sum.lose(lost, ReasonKind::Late, reason, Some(text::in_time_next()));
        }
    }
    if let Some(extension) = &rules.extension {
        let until = extension.until.to_string();
        sum.note(ReasonKind::Extension, text::extended(until, &extension.by, &extension.reason));
    }
    if let Some(submission) = &evidence.submission {
        let merged = moment(submission.merged_at, zone);
        sum.note(ReasonKind::SubmissionDates, text::changed_by(short(&submission.changed_in), merged));
        if let Some(claimed) = submission.claimed_at {
            let reason = text::date_out_of_limits(moment(claimed, zone), moment(changed, zone));
            sum.note(ReasonKind::SubmissionDates, reason);
        }
    }
    sum.finish()
}

/// The first characters of a commit's name.
fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
