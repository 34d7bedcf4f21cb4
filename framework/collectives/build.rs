//! Makes the catalogue of barriers from the folder `src/barrier`: each file is a module, each module's `ENTRIES` are rows.
//!
//! The generated source declares the modules of each subfolder and gathers their entries.
use std::{fmt::Write, fs, io};

fn main() -> io::Result<()> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for folder in wb_gather::folders(&wb_gather::beside_manifest("src/barrier")?)? {
        let about = fs::read_to_string(folder.path.join("README.md"))?;
        let about = about.lines().next().unwrap_or_default();
        let files = wb_gather::files(&folder.path, "rs")?;
        modules += &format!("#[doc = {about:?}]\n{}", wb_gather::module(&folder, &files));
        for file in files {
            let _ = writeln!(rows, "    {}::{}::ENTRIES,", folder.name, file.name);
        }
    }
    let list = format!(
        "/// The entries of every file.\npub(crate) static ENTRIES: &[&[crate::Entry]] = &[\n{rows}];\n"
    );
    wb_gather::leave("barriers.rs", &(modules + &list))
}
