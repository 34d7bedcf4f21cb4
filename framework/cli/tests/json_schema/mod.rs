//! Compares a JSON value with a JSON Schema: the keywords that the schemas of this repository use. An unknown keyword is an error, so that
//! no rule is skipped.

use serde_json::{Map, Value};

/// Keywords that describe and do not restrict.
const ANNOTATIONS: [&str; 6] = ["$schema", "$defs", "title", "description", "format", "default"];

/// The first place where `value` breaks a rule of the schema `root`.
pub(crate) fn problem(root: &Value, value: &Value) -> Option<String> {
    check(root, root, value, "$").err()
}

type Checked = Result<(), String>;

fn check(root: &Value, schema: &Value, value: &Value, place: &str) -> Checked {
    let rules = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(rules) => rules,
        other => return Err(format!("{place}: {other} is not a schema")),
    };
    for (keyword, rule) in rules.iter().filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str())) {
        keep(root, (keyword, rule), rules, value, place)?;
    }
    Ok(())
}

fn keep(
    root: &Value,
    (keyword, rule): (&str, &Value),
    rules: &Map<String, Value>,
    value: &Value,
    place: &str,
) -> Checked {
    let fail = || Err(format!("{place}: {value} breaks {keyword}: {rule}"));
    let kept = match keyword {
        "$ref" => {
            let pointer = rule.as_str().and_then(|rule| rule.strip_prefix('#')).unwrap_or_default();
            let schema = root.pointer(pointer).ok_or_else(|| format!("{place}: no {rule}"))?;
            return check(root, schema, value, place);
        }
        "type" => match rule {
            Value::Array(types) => types.iter().any(|of| is_of_type(value, of)),
            of => is_of_type(value, of),
        },
        "const" => value == rule,
        "enum" => rule.as_array().is_some_and(|values| values.contains(value)),
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a number")),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a number")),
        "anyOf" | "oneOf" => {
            let schemas = rule.as_array().expect("schemas");
            let fitting = schemas.iter().filter(|schema| check(root, schema, value, place).is_ok()).count();
            fitting == 1 || (keyword == "anyOf" && fitting > 1)
        }
        "required" => value.as_object().is_none_or(|fields| {
            rule.as_array()
                .expect("names")
                .iter()
                .all(|name| fields.contains_key(name.as_str().expect("a name")))
        }),
        "items" => return check_items(root, rule, value, place),
        "properties" => return check_properties(root, rule, value, place),
        "additionalProperties" => {
            let known = rules.get("properties").and_then(Value::as_object);
            let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
            *rule == Value::Bool(false) && value.as_object().is_none_or(|fields| fields.keys().all(is_known))
        }
        other => return Err(format!("{place}: the keyword {other} is unknown here")),
    };
    if kept { Ok(()) } else { fail() }
}

fn check_items(root: &Value, rule: &Value, value: &Value, place: &str) -> Checked {
    let items = value.as_array().into_iter().flatten().enumerate();
    items.into_iter().try_for_each(|(at, item)| check(root, rule, item, &format!("{place}[{at}]")))
}

fn check_properties(root: &Value, rule: &Value, value: &Value, place: &str) -> Checked {
    let schemas = rule.as_object().expect("schemas").iter();
    let fields = schemas.filter_map(|(name, schema)| Some((name, schema, value.get(name)?)));
    fields
        .into_iter()
        .try_for_each(|(name, schema, field)| check(root, schema, field, &format!("{place}.{name}")))
}

fn is_of_type(value: &Value, of: &Value) -> bool {
    match of.as_str().expect("the name of a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the type {other} is unknown here"),
    }
}
