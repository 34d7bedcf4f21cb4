//! Makes the list of the zoo from the folder `zoo`: each file is a module with a `program`, and its text is kept beside it.
use std::{fmt::Write, io};

fn main() -> io::Result<()> {
    let (mut modules, mut rows) = (String::new(), String::new());
    for class in wb_gather::folders(&wb_gather::in_manifest_dir("zoo")?)? {
        let files = wb_gather::files(&class.path, "rs")?;
        modules += &wb_gather::module_source(&class, &files);
        for wb_gather::FolderEntry { name, path } in files {
            let class = &class.name;
            let _ = writeln!(
                rows,
                "    ({class:?}, {name:?}, include_str!({path:?}), \n     |world| discard_output(programs::{class}::{name}::program(world)),\n     \
                 |world| debug_output(programs::{class}::{name}::program(world))),"
            );
        }
    }
    let allowed = "#[allow(missing_docs, unreachable_pub, reason = \"programs as students write them\")]";
    let list = format!(
        "{allowed}\nmod programs {{\n{modules}}}\n\n/// Class, name and text of every file, its program, and the same with what comes out.\n\
         static FILES: &[(&str, &str, &str, ProgramFn, ProgramWithOutput)] = &[\n{rows}];\n"
    );
    wb_gather::write_out("zoo.rs", &list)
}
