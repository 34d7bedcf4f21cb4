//! Findings and standing calls as a journal has them.
use serde::Deserialize as _;
use serde_json::{Value, json};
use wb_comm::{BlockedCall, CallLocation, Code, Finding, Source, Text, Verb, text::Lang};

/// A finding.
pub fn finding_to_json(finding: &Finding) -> Value {
    let Finding { code, rank, locations: places, details } = finding;
    let places = Value::from_iter(places.iter().map(location_to_json));
    json!({ "code": code.to_string(), "rank": rank, "places": places, "details": details })
}

/// The same for programs, which read words: its details in English.
pub fn finding_to_program_json(found: &Finding, lang: Lang) -> Value {
    let mut words = finding_to_json(found);
    words["details"] = found.details.iter().map(|detail| detail.render(lang)).collect();
    words
}

/// The counterpart of [`finding`].
pub fn finding_from_json(value: &Value) -> Option<Finding> {
    let details = value["details"].as_array()?.iter().map(Text::deserialize);
    Some(Finding {
        code: Code::parse(value["code"].as_str()?)?,
        rank: number(&value["rank"])?,
        locations: value["places"].as_array()?.iter().map(location_from_json).collect::<Option<_>>()?,
        details: details.collect::<Result<_, _>>().ok()?,
    })
}

/// A line.
pub fn location_to_json(place: &CallLocation) -> Value {
    json!([place.rank, place.call, place.file, place.line])
}

/// The counterpart of [`place`].
pub fn location_from_json(value: &Value) -> Option<CallLocation> {
    let (rank, line) = (number(&value[0])?, line_from_json(&value[3])?);
    Some(CallLocation { rank, call: text_from_json(&value[1])?, file: text_from_json(&value[2])?, line })
}

/// A standing call. Verbs have numbers, since several have one name.
pub fn blocked_to_json(call: &BlockedCall) -> Value {
    let peer = call.peer.map(|peer| match peer {
        Source::Rank(rank) => json!(rank),
        Source::Any => json!("any"),
    });
    let BlockedCall {
        rank,
        verb,
        tag,
        bytes,
        waits_for: awaits,
        is_bufferable: bufferable,
        communicator,
        started_at: started,
        file,
        line,
        ..
    } = call;
    json!({
        "rank": rank,
        "verb": *verb as u8,
        "peer": peer,
        "tag": tag,
        "bytes": bytes,
        "awaits": awaits,
        "bufferable": bufferable,
        "communicator": communicator,
        "started": started.as_ref().map(location_to_json),
        "file": file,
        "line": line,
    })
}

/// The counterpart of [`blocked`].
pub fn blocked_from_json(value: &Value) -> Option<BlockedCall> {
    let peer = match &value["peer"] {
        Value::Null => None,
        Value::String(_) => Some(Source::Any),
        rank => Some(Source::Rank(number(rank)?)),
    };
    Some(BlockedCall {
        rank: number(&value["rank"])?,
        verb: *Verb::ALL.get(number(&value["verb"])?)?,
        peer,
        tag: value["tag"].as_i64().and_then(|tag| i32::try_from(tag).ok()),
        bytes: number(&value["bytes"]),
        waits_for: value["awaits"].as_array()?.iter().map(number).collect::<Option<_>>()?,
        is_bufferable: value["bufferable"].as_bool()?,
        communicator: text_from_json(&value["communicator"]),
        started_at: location_from_json(&value["started"]),
        file: text_from_json(&value["file"])?,
        line: line_from_json(&value["line"])?,
    })
}

/// A number of ranks, inputs, messages.
pub fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

fn text_from_json(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn line_from_json(value: &Value) -> Option<u32> {
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
                let call = BlockedCall {
                    rank: 1,
                    verb,
                    peer,
                    tag,
                    bytes,
                    waits_for: vec![3],
                    is_bufferable: true,
                    communicator: Some("dup 1 of world".to_owned()),
                    started_at: Some(CallLocation {
                        rank: 1,
                        call: "irecv".into(),
                        file: "b.rs".into(),
                        line: 9,
                    }),
                    file,
                    line,
                };
                assert_eq!(blocked_from_json(&blocked_to_json(&call)), Some(call.clone()));
                let details = vec![waiting::with_tag(waiting::from_any("recv"), 7), Text::verbatim("two")];
                let found =
                    Finding { code: Code::NearMiss, rank: 1, locations: vec![call.location()], details };
                assert_eq!(finding_from_json(&finding_to_json(&found)), Some(found));
            }
        }
    }
}
