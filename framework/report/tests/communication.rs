//! Communication assignments: which sizes are compared with the library.

use super::synthetic::{SyntheticRun, all_say, none_says};
use wb_messages::Lang;
use wb_record::Measurement;

/// Its counts are not those of the formula there, and its times are those of nothing.
#[test]
fn a_size_at_which_nothing_moves_is_left_out_with_its_reason() {
    let mut run = SyntheticRun::new().sweep(4, 1.2);
    for record in &mut run.records {
        if let Measurement::Sweep(sweep) = &mut record.measurement {
            sweep.moves_nothing = sweep.bytes < 32;
            sweep.messages *= u64::from(!sweep.moves_nothing);
        }
    }
    all_say(&run.records, "Not compared at 8 B: the operation moves no data at this size");
    none_says(&run.records, "differs");
    let russian = wb_report::terminal(&run.records, Lang::Ru, 240);
    let russian = russian.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(russian.contains("При размере 8 Б сравнения нет: операция не передаёт данных"), "{russian}");
}
