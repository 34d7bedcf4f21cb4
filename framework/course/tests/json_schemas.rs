//! The committed JSON Schemas (2020-12) of the files of a course are those of the types that read and write them. `WBTEST_BLESS=1` writes them
//! anew.

use std::{fs, path::Path};

use schemars::schema_for;
use wb_course::{CourseGrades, Scoreboard};

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let schemas = [
        ("grades.schema.json", schema_for!(CourseGrades)),
        ("scoreboard.schema.json", schema_for!(Scoreboard)),
    ];
    for (name, schema) in schemas {
        let text = serde_json::to_string_pretty(&schema.to_value()).expect("JSON") + "\n";
        let file = folder.join(name);
        if std::env::var_os("WBTEST_BLESS").is_some() {
            fs::create_dir_all(&folder).expect("writable");
            fs::write(&file, &text).expect("writable");
        }
        assert_eq!(fs::read_to_string(&file).unwrap_or_default(), text, "{name}: run with WBTEST_BLESS=1");
    }
}
