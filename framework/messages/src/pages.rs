//! The page of every code: the mistake, a picture, a wrong and a right program, and hints. Each page is a file.
//!
//! `cargo wb explain WB0012` prints one. The programs are those of `tests/zoo`, so they are tested. They are the same in both
//! languages.
//!
//! ```
//! use wb_comm::Code;
//! use wb_messages::{Lang, pages};
//! let page = pages::page(Code::WindowLeak);
//! assert_eq!(page.title.in_language(Lang::En), "a window that was not freed");
//! assert!(page.right.contains("window.free()"));
//! ```
use wb_comm::{Code, Text};

use crate::Lang;

mod access_disjoint;
mod arrival_order;
mod assertions;
mod attached_buffer;
mod buffer_dependence;
mod collective_count;
mod collective_file;
mod collective_incomplete;
mod collective_operation;
mod collective_order;
mod collective_root;
mod collective_topology;
mod collective_type;
mod communicator_argument;
mod conflict;
mod count;
mod covered;
mod deadlock;
mod element_type;
mod exposure_disjoint;
mod fence_alone;
mod fence_candidate;
mod file_access;
mod file_leak;
mod file_open;
mod file_race;
mod free;
mod layout;
mod lock_or_post;
mod matched;
mod near_miss;
mod not_associative;
mod not_ready;
mod operation;
mod overlap;
mod paired;
mod partner_ended;
mod persistent_state;
mod range;
mod rank;
mod request_leak;
mod root_buffer;
mod tag;
mod truncated;
mod unreceived_message;
mod wildcard_race;
mod window_leak;
mod window_race;

/// The explanation of a code.
#[derive(Clone, Debug)]
pub struct Page {
    /// The mistake in a line.
    pub title: Text,
    /// The cause and the consequences of the mistake.
    pub what: Text,
    /// A drawing of it, at most 76 columns wide, like the programs.
    pub picture: Text,
    /// A program with the mistake: the body of a function of `world`.
    pub wrong: &'static str,
    /// The same without the mistake.
    pub right: &'static str,
    /// Where to look in a program with this mistake.
    pub hint: Text,
}

/// Makes the page of each code; without one of them it does not compile.
macro_rules! pages {
    ($($code:ident => $module:ident),* $(,)?) => {
        /// The page of `code`.
        pub fn page(code: Code) -> &'static Page {
            match code {
                $(Code::$code => &$module::PAGE,)*
            }
        }
    };
}

pages! {
    Deadlock => deadlock,
    PartnerEnded => partner_ended,
    NearMiss => near_miss,
    CollectiveIncomplete => collective_incomplete,
    UnreceivedMessage => unreceived_message,
    RequestLeak => request_leak,
    WindowLeak => window_leak,
    FileLeak => file_leak,
    PersistentState => persistent_state,
    BufferDependence => buffer_dependence,
    WildcardRace => wildcard_race,
    WindowRace => window_race,
    FileRace => file_race,
    ArrivalOrder => arrival_order,
    CollectiveOrder => collective_order,
    CollectiveRoot => collective_root,
    CollectiveCount => collective_count,
    CollectiveType => collective_type,
    CollectiveOperation => collective_operation,
    CollectiveTopology => collective_topology,
    CollectiveFile => collective_file,
    Truncated => truncated,
    Type => element_type,
    Rank => rank,
    Tag => tag,
    Count => count,
    Operation => operation,
    RootBuffer => root_buffer,
    Range => range,
    AttachedBuffer => attached_buffer,
    NotReady => not_ready,
    NotAssociative => not_associative,
    Layout => layout,
    FileOpen => file_open,
    FileAccess => file_access,
    CommunicatorArgument => communicator_argument,
    Covered => covered,
    AccessDisjoint => access_disjoint,
    ExposureDisjoint => exposure_disjoint,
    Overlap => overlap,
    FenceAlone => fence_alone,
    FenceCandidate => fence_candidate,
    LockOrPost => lock_or_post,
    Conflict => conflict,
    Paired => paired,
    Free => free,
    Matched => matched,
    Assertions => assertions,
}

messages! {
    /// The headings of a page and of the list.
    heading_picture() { "The picture", "Картина" }
    heading_wrong() { "Wrong", "Неверно" }
    heading_right() { "Right", "Верно" }
    heading_hint() { "Look at", "На что смотреть" }
    class_waiting() { "Waits that never end", "Бесконечное ожидание" }
    class_leaks() { "Leaks", "Утечки ресурсов MPI" }
    class_nondeterminism() { "Nondeterminism", "Недетерминизм" }
    class_collectives() { "Collective operations that do not match", "Несогласованные коллективные операции" }
    class_arguments() { "Messages and arguments", "Сообщения и аргументы" }
    class_epochs() { "Rules of epochs (docs/rma.md)", "Правила эпох (docs/rma.md)" }
    list_next() { "One page: cargo wb explain WB0001", "Одна страница: cargo wb explain WB0001" }
    unknown_code(asked) {
        "there is no code `{asked}`; `cargo wb explain` lists all codes",
        "кода `{asked}` нет; все коды покажет `cargo wb explain`",
    }
    unknown_code_suggest(asked, near) {
        "there is no code `{asked}`; do you mean {near}? `cargo wb explain` lists all codes",
        "кода `{asked}` нет; может быть, {near}? Все коды покажет `cargo wb explain`",
    }
    about_explain() {
        "Explain a code of a report, as in WB0012; without a code, list all",
        "Объяснить код из отчёта, например WB0012; без кода — показать все",
    }
    help_code() { "The code: WB and four digits", "Код: WB и четыре цифры" }
    explained_by(code) { "cargo wb explain {code}", "cargo wb explain {code}" }
}

/// The heading of a code's class, above it in lists.
pub fn class(code: Code, lang: Lang) -> String {
    match code.number() {
        0..10 => class_waiting(lang),
        10..20 => class_leaks(lang),
        20..30 => class_nondeterminism(lang),
        30..40 => class_collectives(lang),
        40..100 => class_arguments(lang),
        _ => class_epochs(lang),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_in_both_languages_that_fits_80_columns() {
        for &code in Code::ALL {
            let page = page(code);
            for lang in Lang::ALL {
                let texts = [&page.title, &page.what, &page.hint].map(|text| text.in_language(lang));
                assert!(texts.iter().all(|text| !text.trim().is_empty()), "{code}");
                assert!(page.title.in_language(lang).chars().count() <= 70, "{code}");
            }
            let pictures = Lang::ALL.map(|lang| page.picture.in_language(lang));
            for line in pictures.into_iter().chain([page.wrong, page.right]).flat_map(str::lines) {
                assert!(line.chars().count() <= 76, "{code}: {line}");
            }
            assert_eq!(pictures[0].lines().count(), pictures[1].lines().count(), "{code}");
        }
    }

    /// The words of a picture that are not translated: calls, types, names of MPI, values.
    const NAMES: [&str; 50] = [
        "write_only",
        "write_at_all",
        "read_at_all",
        "no_such_file",
        "read_only",
        "part_0",
        "part_1",
        "sync",
        "send",
        "file_open",
        "write_at",
        "close",
        "split",
        "Some",
        "send_init",
        "bsend",
        "buffer_attach",
        "rsend",
        "Layout",
        "vector",
        "at",
        "dims",
        "recv",
        "irecv",
        "bcast",
        "barrier",
        "allreduce",
        "cart_create",
        "push",
        "put",
        "fence",
        "lock",
        "unlock",
        "start",
        "complete",
        "post",
        "wait",
        "free",
        "i64",
        "f64",
        "None",
        "NOPRECEDE",
        "MPI_TAG_UB",
        "P",
        "a",
        "b",
        "c",
        "x",
        "t",
        "v",
    ];

    /// The words of a picture in Latin letters that are not names.
    fn untranslated_words(picture: &str) -> Vec<&str> {
        let words = picture.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words
            .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
            .filter(|word| !NAMES.contains(word))
            .collect()
    }

    #[test]
    fn pictures_are_drawn_in_russian_for_russian_readers() {
        let mut english = 0;
        for &code in Code::ALL {
            let picture = &page(code).picture;
            assert_eq!(untranslated_words(picture.in_language(Lang::Ru)), [""; 0], "{code}");
            english += usize::from(!untranslated_words(picture.in_language(Lang::En)).is_empty());
        }
        assert!(english > 20, "words are seen: {english}");
    }

    #[test]
    fn no_two_codes_have_one_title() {
        let titles: std::collections::BTreeSet<_> =
            Code::ALL.iter().map(|code| page(*code).title.in_language(Lang::En)).collect();
        assert_eq!(titles.len(), Code::ALL.len());
    }
}
