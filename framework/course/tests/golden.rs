//! The same evidence gives the same bytes: committed evidence and the committed grade of it.
//!
//! `WBTEST_BLESS=1` writes the grade anew, which is right only after a change of the rules of grading that is meant.

use std::{fs, path::Path};

use super::examples::Case;
use wb_course::Evidence;

#[test]
fn committed_evidence_gives_the_committed_grade_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for name in ["whole", "faulty", "communication"] {
        let evidence = fs::read_to_string(folder.join(format!("{name}.evidence.json"))).expect("committed");
        let evidence = Evidence::parse(&evidence).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut case = Case { evidence, ..Case::default() };
        if name == "communication" {
            let rule = wb_course::CommunicationRule { counts_percent: 50, library_factor: 3.0 };
            case.rules.communication = Some(rule);
        }
        let graded = serde_json::to_string_pretty(&case.grade()).expect("data") + "\n";
        let file = folder.join(format!("{name}.grade.json"));
        if std::env::var_os("WBTEST_BLESS").is_some() {
            fs::write(&file, &graded).expect("writable");
        }
        assert_eq!(fs::read_to_string(&file).expect("committed"), graded, "{name}");
    }
}
