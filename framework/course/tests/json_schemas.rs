//! The committed JSON Schemas are those of the types. `WB_BLESS=1` writes them anew.

use std::{fs, path::Path};

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    for (name, schema) in wb_course::json_schemas() {
        let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
        let file = folder.join(name);
        if std::env::var_os("WB_BLESS").is_some() {
            fs::create_dir_all(&folder).expect("writable");
            fs::write(&file, &text).expect("writable");
        }
        assert_eq!(fs::read_to_string(&file).unwrap_or_default(), text, "{name}: run with WB_BLESS=1");
    }
}
