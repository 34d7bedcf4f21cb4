//! Findings and standing calls as a journal has them.
use serde::Deserialize as _;
use serde_json::{Value, json};
use wb_comm::{Blocked, Code, Finding, Place, Source, Text, Verb, text::Lang};

use super::entry::number;

/// A finding.
pub(crate) fn finding(finding: &Finding) -> Value {
    let Finding { code, rank, places, details } = finding;
    let places = Value::from_iter(places.iter().map(place));
    json!({ "code": code.to_string(), "rank": rank, "places": places, "details": details })
}

/// The same for programs, which read words: its details in English.
pub(crate) fn finding_in_words(found: &Finding, lang: Lang) -> Value {
    let mut words = finding(found);
    words["details"] = found.details.iter().map(|detail| detail.render(lang)).collect();
    words
}

/// The counterpart of [`finding`].
pub(crate) fn finding_of(value: &Value) -> Option<Finding> {
    let details = value["details"].as_array()?.iter().map(Text::deserialize);
    Some(Finding {
        code: Code::parse(value["code"].as_str()?)?,
        rank: number(&value["rank"])?,
        places: value["places"].as_array()?.iter().map(place_of).collect::<Option<_>>()?,
        details: details.collect::<Result<_, _>>().ok()?,
    })
}

/// A line.
pub(super) fn place(place: &Place) -> Value {
    json!([place.rank, place.call, place.file, place.line])
}

/// The counterpart of [`place`].
pub(super) fn place_of(value: &Value) -> Option<Place> {
    let (rank, line) = (number(&value[0])?, line(&value[3])?);
    Some(Place { rank, call: text(&value[1])?, file: text(&value[2])?, line })
}

/// A standing call. Verbs have numbers, since several have one name.
pub(super) fn blocked(call: &Blocked) -> Value {
    let peer = call.peer.map(|peer| match peer {
        Source::Rank(rank) => json!(rank),
        Source::Any => json!("any"),
    });
    let Blocked { rank, verb, tag, bytes, awaits, bufferable, communicator, started, file, line, .. } = call;
    json!({
        "rank": rank,
        "verb": *verb as u8,
        "peer": peer,
        "tag": tag,
        "bytes": bytes,
        "awaits": awaits,
        "bufferable": bufferable,
        "communicator": communicator,
        "started": started.as_ref().map(place),
        "file": file,
        "line": line,
    })
}

/// The counterpart of [`blocked`].
pub(super) fn blocked_of(value: &Value) -> Option<Blocked> {
    let peer = match &value["peer"] {
        Value::Null => None,
        Value::String(_) => Some(Source::Any),
        rank => Some(Source::Rank(number(rank)?)),
    };
    Some(Blocked {
        rank: number(&value["rank"])?,
        verb: *Verb::ALL.get(number(&value["verb"])?)?,
        peer,
        tag: value["tag"].as_i64().and_then(|tag| i32::try_from(tag).ok()),
        bytes: number(&value["bytes"]),
        awaits: value["awaits"].as_array()?.iter().map(number).collect::<Option<_>>()?,
        bufferable: value["bufferable"].as_bool()?,
        communicator: text(&value["communicator"]),
        started: place_of(&value["started"]),
        file: text(&value["file"])?,
        line: line(&value["line"])?,
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn line(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|line| u32::try_from(line).ok())
}

#[cfg(test)]
mod tests {
    use wb_comm::text::waiting;

    use super::*;

    #[test]
    fn what_is_told_is_read() {
        for peer in [None, Some(Source::Any), Some(Source::Rank(3))] {
            for (verb, tag, bytes) in [(Verb::Wait, Some(7), None), (Verb::WindowWait, None, Some(24))] {
                let (file, line) = ("a.rs".to_owned(), 5);
                let call = Blocked {
                    rank: 1,
                    verb,
                    peer,
                    tag,
                    bytes,
                    awaits: vec![3],
                    bufferable: true,
                    communicator: Some("dup 1 of world".to_owned()),
                    started: Some(Place { rank: 1, call: "irecv".into(), file: "b.rs".into(), line: 9 }),
                    file,
                    line,
                };
                assert_eq!(blocked_of(&blocked(&call)), Some(call.clone()));
                let details = vec![waiting::with_tag(waiting::from_any("recv"), 7), Text::verbatim("two")];
                let found = Finding { code: Code::NearMiss, rank: 1, places: vec![call.place()], details };
                assert_eq!(finding_of(&finding(&found)), Some(found));
            }
        }
    }
}
