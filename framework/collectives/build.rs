//! Makes the catalogue of broadcasts from the folder `src/broadcast/catalogue`: each file is a module, and its `ENTRIES` are
//! rows.
//!
//! The generated source declares the modules and lists their entries.
use std::{fmt::Write, io};

fn main() -> io::Result<()> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for file in wb_gather::files(&wb_gather::in_manifest_dir("src/broadcast/catalogue")?, "rs")? {
        let _ = writeln!(modules, "#[path = {:?}]\npub mod {};", file.path, file.name);
        let _ = writeln!(rows, "    {}::ENTRIES,", file.name);
    }
    let list = format!("/// The entries of every file.\nstatic ENTRIES: &[&[Broadcast]] = &[\n{rows}];\n");
    wb_gather::write_out("broadcasts.rs", &(modules + &list))
}
