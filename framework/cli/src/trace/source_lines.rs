//! The lines of calls that a log knows by their addresses, from the debug information of the program and its libraries.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use addr2line::{Context, gimli};
use object::{Object as _, ObjectSection as _, ObjectSegment as _, ObjectSymbol as _, SymbolKind};
use wb_record::{LoggedSite, RankLog, SourceCall};

/// A file and a line; line 0 where only a function or a distance is known.
type Place = (String, u32);

/// Replaces the modules of calls by files and lines: each module is read once.
pub(super) fn resolve(logs: &mut [RankLog]) {
    let mut places: BTreeMap<String, HashMap<u64, Place>> = BTreeMap::new();
    for site in logs.iter().flat_map(|log| &log.sites) {
        if let LoggedSite::Address { module, offset } = site {
            places
                .entry(module.clone())
                .or_default()
                .insert(*offset, (format!("{}+{offset:#x}", name(module)), 0));
        }
    }
    for (module, places) in &mut places {
        // What cannot be read keeps its distance from the begin of the file.
        let _unreadable = locate(module, places);
    }
    for log in logs {
        for (SourceCall { file, line, .. }, site) in log.trace.calls.iter_mut().zip(&log.sites) {
            if let LoggedSite::Address { module, offset } = site {
                (*file, *line) = places[module][offset].clone();
            }
        }
    }
}

fn name(module: &str) -> &str {
    Path::new(module).file_name().and_then(|name| name.to_str()).unwrap_or(module)
}

/// Finds the places of a module that its debug information or its symbols know.
fn locate(module: &str, places: &mut HashMap<u64, Place>) -> Option<()> {
    let bytes = fs::read(module).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let endian =
        if file.is_little_endian() { gimli::RunTimeEndian::Little } else { gimli::RunTimeEndian::Big };
    let section = |id: gimli::SectionId| {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
        Ok::<_, gimli::Error>(gimli::EndianSlice::new(data.unwrap_or_default(), endian))
    };
    let context = gimli::Dwarf::load(section).ok().and_then(|dwarf| Context::from_dwarf(dwarf).ok());
    // The distances are those from the begin of the page with the first byte that is loaded.
    let begin = file.segments().map(|segment| segment.address()).min()? & !0xfff;
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let functions: BTreeMap<u64, &str> = symbols
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.address() > 0)
        .filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?)))
        .collect();
    for (offset, place) in places {
        let address = begin + offset;
        let line = context.as_ref().and_then(|context| context.find_location(address).ok()?);
        let function = functions.range(..=address).next_back();
        if let Some((file, line)) = line.and_then(|found| Some((found.file?, found.line?))) {
            *place = (file.to_owned(), line);
        } else if let Some((_, function)) = function {
            *place = (format!("{function} ({})", name(module)), 0);
        }
    }
    Some(())
}
