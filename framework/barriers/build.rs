//! Makes the catalogue of barriers from the folder `src/catalogue`: each file of a subfolder is a module, and its `ENTRIES` are
//! rows.
//!
//! The generated source declares the modules and lists their entries.
use std::{fmt::Write, fs, io};

fn main() -> io::Result<()> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for folder in wb_gather::folders(&wb_gather::in_manifest_dir("src/catalogue")?)? {
        let about = fs::read_to_string(folder.path.join("README.md"))?;
        let about = about.lines().next().unwrap_or_default();
        let files = wb_gather::files(&folder.path, "rs")?;
        modules += &format!("#[doc = {about:?}]\n{}", wb_gather::module_source(&folder, &files));
        for file in files {
            let _ = writeln!(rows, "    {}::{}::ENTRIES,", folder.name, file.name);
        }
    }
    let list = format!("/// The entries of every file.\nstatic ENTRIES: &[&[BarrierEntry]] = &[\n{rows}];\n");
    wb_gather::write_out("barriers.rs", &(modules + &list))
}
