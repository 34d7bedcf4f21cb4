//! Differences of type maps, and their records.
use super::*;

const VECTOR: &StructType = &StructType::new("Vector", (24, 8), &[StructField::new::<[f64; 3]>("at", 0)]);
const PARTICLE: &StructType = &StructType::new(
    "Particle",
    (40, 8),
    &[
        StructField { name: "place", offset: 0, count: 1, datatype: Datatype::Struct(VECTOR) },
        StructField::new::<f64>("mass", 24),
        StructField::new::<[[u16; 2]; 2]>("marks", 32),
    ],
);
const WEIGHT: &StructType = &StructType::new(
    "Weight",
    (40, 8),
    &[
        StructField::new::<[f64; 4]>("sides", 0),
        StructField::new::<u16>("id", 32),
        StructField::new::<[i16; 3]>("rest", 34),
    ],
);

fn difference(sent: Datatype, expected: Datatype, bytes: usize) -> Option<(usize, String, String)> {
    let difference = sent.find_difference(expected, bytes)?;
    Some((difference.position, difference.sent.to_string(), difference.expected.to_string()))
}

#[test]
fn the_first_field_that_differs_is_named_with_its_index() {
    let (particle, weight) = (Datatype::Struct(PARTICLE), Datatype::Struct(WEIGHT));
    let named = |position, one: &str, other: &str| Some((position, one.to_owned(), other.to_owned()));
    assert_eq!(difference(particle, weight, 40), named(5, "marks[1]: u16", "rest[0]: i16"));
    assert_eq!(difference(particle, Datatype::F64, 40), named(4, "marks[0]: u16", "f64"));
    assert_eq!(difference(Datatype::F64, particle, 80), named(4, "f64", "marks[0]: u16"));
    assert_eq!(difference(Datatype::I64, particle, 8), named(0, "i64", "place.at[0]: f64"));
    assert_eq!(difference(Datatype::U8, Datatype::I8, 1), named(0, "u8", "i8"));
}

#[test]
fn only_the_numbers_of_a_message_are_compared() {
    let (particle, vector) = (Datatype::Struct(PARTICLE), Datatype::Struct(VECTOR));
    assert_eq!(difference(Datatype::F64, particle, 32), None, "four numbers, before the first that differs");
    assert_eq!(difference(vector, Datatype::F64, 480), None);
    assert_eq!(difference(Datatype::F64, vector, 8), None);
    assert_eq!(difference(particle, Datatype::U8, 0), None, "an empty message has no type");
    assert!(
        particle.has_numbers_of(particle) && !vector.has_numbers_of(Datatype::F64),
        "one element of each"
    );
}

#[test]
fn a_recorded_type_is_the_type_again_and_is_kept_once() {
    for datatype in
        [Datatype::Struct(PARTICLE), Datatype::Struct(VECTOR), Datatype::U128, Datatype::LocatedF32]
    {
        let text = serde_json::to_string(&datatype).expect("written");
        let [one, other] = [(); 2].map(|()| serde_json::from_str::<Datatype>(&text).expect("read"));
        assert_eq!((one, other), (datatype, datatype), "{text}");
        if let (Datatype::Struct(one), Datatype::Struct(other)) = (one, other) {
            assert!(ptr::eq(one, other), "{text}");
        }
    }
}

#[test]
fn records_of_impossible_types_are_refused() {
    let refused = |text: &str| assert!(serde_json::from_str::<Datatype>(text).is_err(), "{text}");
    refused("99");
    refused(r#"{"name":"Gap","size":16,"align":8,"fields":[["a",0,1,6],["b",8,1,3]]}"#);
    refused(r#"{"name":"Long","size":16,"align":8,"fields":[["a",0,1,3]]}"#);
    refused(r#"{"name":"Empty","size":0,"align":8,"fields":[]}"#);
    refused(r#"{"name":"Bent","size":8,"align":3,"fields":[["a",0,1,3]]}"#);
    refused(r#"{"name":"Huge","size":8,"align":8,"fields":[["a",0,18446744073709551615,3]]}"#);
}

#[test]
#[should_panic(expected = "no padding between its fields")]
fn a_gap_between_fields_is_refused() {
    static FIELDS: [StructField; 2] = [StructField::new::<u32>("a", 0), StructField::new::<u64>("b", 8)];
    StructType::new("Gap", (16, 8), &FIELDS);
}

#[test]
#[should_panic(expected = "no padding after its last field")]
fn a_gap_at_the_end_is_refused() {
    static FIELDS: [StructField; 2] = [StructField::new::<u64>("a", 0), StructField::new::<u32>("b", 8)];
    StructType::new("Gap", (16, 8), &FIELDS);
}
