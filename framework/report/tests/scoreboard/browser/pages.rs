//! The tests.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};
use wb_browser::{Browser, BrowserTest, Site as _};
use wb_course::Scoreboard;
use wb_messages::Lang;
use wb_report::{IndexEntry, collectives::CollectiveReport};

use crate::{
    board::{class, public_class},
    public_table,
    synthetic::SyntheticRun,
};

pub(crate) const TESTS: &[BrowserTest<Site>] = &[
    ("filters_narrow_the_table_and_the_address_keeps_them", filters),
    ("a_heading_sorts_by_mouse_and_keyboard", sorting),
    ("a_public_table_has_letters_and_no_groups_or_variants", public_table::check),
    ("keys_move_in_the_table_and_open_and_close_a_reason", keys),
    ("every_link_of_the_pages_leads_to_a_file", links),
    ("a_hostile_name_is_text", hostile_names),
    ("canary_a_request_and_a_script_are_refused_and_seen", canary_quiet),
    ("no_page_scrolls_sideways_at_360_pixels_and_all_say_that_they_are_synthetic", narrow),
    ("no_number_is_cut_at_360_pixels", whole_numbers),
    ("the_headings_stay_in_view", sticky),
    ("the_choice_of_colours_is_kept", theme),
    ("a_large_table_is_quick", quick),
];

/// Students of the class.
const STUDENTS: usize = 150;

/// Students of a class whose pages are checked cell by cell.
const FEW: usize = 8;

/// Private and public scoreboards, and reports, in a folder.
pub(crate) struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, board: &Scoreboard| {
            for file in wb_report::scoreboard::files(board).expect("a valid scoreboard") {
                let path = folder.path().join(name).join(&file.path);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, file.text).expect("written");
            }
        };
        write("private", &class(STUDENTS));
        write("public", &public_class(STUDENTS));
        write("few", &class(FEW));
        write("few-public", &public_class(FEW));
        for lang in Lang::ALL {
            for (name, text) in REPORTS.iter().zip(reports(lang)) {
                let lang = if lang == Lang::Ru { ".ru" } else { "" };
                fs::write(folder.path().join(format!("{name}{lang}.html")), text).expect("written");
            }
        }
        Self { folder }
    }
}

impl wb_browser::Site for Site {
    fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn pages(&self) -> Vec<[String; 2]> {
        let boards = ["few/index", "few/class", "few/students/user003", "few-public/index"];
        let files = |name: &&str| ["", ".ru"].map(|lang| format!("{name}{lang}.html"));
        boards.iter().chain(&REPORTS).map(files).collect()
    }
}

/// The other pages of the crate.
const REPORTS: [&str; 6] = ["good", "bad", "communication", "index", "barriers", "collectives"];

fn reports(lang: Lang) -> [String; 6] {
    let collectives = wb_record::example_collectives();
    let tasks = [SyntheticRun::good(), SyntheticRun::oversubscribed()].map(|run| run.records);
    let summaries: Vec<_> = tasks.iter().filter_map(|records| IndexEntry::from_records(records)).collect();
    let communication =
        wb_record::read_all(include_str!("../../corpus/records/communication.jsonl")).expect("records");
    [
        wb_report::html(&tasks[0], lang),
        wb_report::html(&tasks[1], lang),
        wb_report::html(&communication, lang),
        wb_report::index(&summaries, &[], lang),
        wb_report::barriers::html(&wb_record::example_barriers(), lang),
        CollectiveReport::new(&collectives).html(lang),
    ]
}

/// Rows that are shown.
pub(crate) const SHOWN: &str =
    "[...document.querySelectorAll('#students tbody tr')].filter(row => !row.hidden)";

pub(crate) fn shown(browser: &mut Browser) -> u64 {
    browser.evaluate(&format!("{SHOWN}.length")).as_u64().expect("a number")
}

/// Sets a field of the filters as a user does.
pub(crate) fn set(browser: &mut Browser, name: &str, value: &str) {
    browser.evaluate(&format!(
        "{{ const field = document.getElementById('filters').elements[{}]; field.value = {}; \
         field.dispatchEvent(new Event('input', {{bubbles: true}})); }}",
        json!(name),
        json!(value)
    ));
}

fn filters(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("private/index.html"));
    assert_eq!(shown(browser), 150);
    set(browser, "group", "3823B1PR2");
    assert_eq!(shown(browser), 25);
    assert_eq!(browser.evaluate("document.getElementById('shown').value"), json!("Shown: 25 of 150"));
    set(browser, "q", "громова");
    let named = shown(browser);
    assert!((1..25).contains(&named), "{named}");
    set(browser, "q", "no such student");
    assert_eq!(shown(browser), 0);
    assert_eq!(browser.evaluate("document.getElementById('none').hidden"), json!(false));
    set(browser, "q", "");
    set(browser, "group", "");
    set(browser, "stream", "Stream 2");
    assert_eq!(shown(browser), 75);
    set(browser, "variant", "1.2");
    let of_variant = shown(browser);
    assert!((1..10).contains(&of_variant), "{of_variant}");
    for flag in ["missing", "late", "copying", "override", "own"] {
        set(browser, "variant", "");
        set(browser, "flag", flag);
        let flagged = shown(browser);
        assert!((1..75).contains(&flagged), "{flag}: {flagged}");
    }
    set(browser, "flag", "late");
    let late = shown(browser);
    let hash = browser.evaluate("location.hash").as_str().expect("a hash").to_owned();
    assert_eq!(hash, "#stream=Stream+2&flag=late");
    browser.open(&site.url(&format!("private/index.ru.html{hash}")));
    assert_eq!(shown(browser), late);
    browser.evaluate("document.querySelector('#filters [type=reset]').click()");
    browser.wait(&format!("{SHOWN}.length === 150 && location.hash === ''"));
}

/// The numbers of a column of shown rows.
pub(crate) fn column(browser: &mut Browser, at: usize) -> Vec<f64> {
    let values = browser.evaluate(&format!("{SHOWN}.map(row => row.cells[{at}].dataset.v)"));
    let values = values.as_array().expect("a list").clone();
    values.iter().filter_map(Value::as_str).map(|text| text.parse().expect("a number")).collect()
}

fn sorting(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("private/index.html"));
    let sort = |browser: &mut Browser, key: &str| {
        browser.evaluate(&format!("document.querySelector('[data-key=\"{key}\"]').ariaSort"))
    };
    browser.evaluate("document.querySelector('[data-key=total] button').click()");
    let totals = column(browser, 29);
    assert_eq!(totals.len(), 150);
    assert!(totals.is_sorted_by(|a, b| a >= b), "{totals:?}");
    assert_eq!(sort(browser, "total"), json!("descending"));
    assert_eq!(sort(browser, "name"), json!("none"));
    // Enter on a focused heading is a click; the second one turns the order round.
    browser.evaluate("document.querySelector('[data-key=\"2.A\"] button').focus()");
    browser.press("Enter");
    let speedups = column(browser, 2 + 9 + 3);
    assert!((100..150).contains(&speedups.len()) && speedups.is_sorted_by(|a, b| a >= b), "{speedups:?}");
    browser.press("Enter");
    assert!(column(browser, 2 + 9 + 3).is_sorted());
    assert_eq!(sort(browser, "2.A"), json!("ascending"));
    let last = browser.evaluate(&format!("{SHOWN}.at(-1).cells[14].textContent.trim()"));
    assert_eq!(last, json!("–"), "what is missing comes last");
    assert_eq!(browser.evaluate("location.hash"), json!("#sort=2.A"));
    browser.evaluate("document.querySelector('[data-key=name] button').click()");
    let names = browser.evaluate(&format!("{SHOWN}.map(row => row.cells[0].textContent)"));
    let names: Vec<&str> = names.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let russian = |name: &&&str| name.starts_with(['А', 'Б', 'В']);
    assert!(names.iter().filter(russian).is_sorted(), "{names:?}");
}

fn keys(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("private/index.html"));
    let focused = "document.activeElement";
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#students tbody a[tabindex=\"0\"]').length"),
        json!(1)
    );
    browser.evaluate("document.querySelector('#students tbody a[tabindex=\"0\"]').focus()");
    for key in ["ArrowDown", "ArrowRight", "ArrowRight"] {
        browser.press(key);
    }
    let place = format!("{focused}.closest('tr').dataset.i + ' ' + {focused}.closest('td').cellIndex");
    assert_eq!(browser.evaluate(&place), json!("1 4"));
    assert_ne!(browser.evaluate(&format!("getComputedStyle({focused}).outlineStyle")), json!("none"));
    for (opens, text) in [("Enter", "P · performance"), (" ", "P · performance")] {
        browser.press(opens);
        assert_eq!(browser.evaluate("document.getElementById('reason').open"), json!(true), "{opens:?}");
        let heading = browser.evaluate("document.querySelector('#reason h2').textContent");
        assert!(heading.as_str().expect("a heading").starts_with(text), "{heading}");
        browser.press("Escape");
        browser.wait("!document.getElementById('reason').open");
        assert_eq!(browser.evaluate(&place), json!("1 4"), "the focus returns");
    }
    browser.press("End");
    browser.press("ArrowDown");
    assert_eq!(browser.evaluate(&format!("{focused}.closest('tr').dataset.i")), json!("2"));
    let reasons = "[...document.querySelectorAll('#reason li')].map(item => item.textContent).join('|')";
    browser.evaluate("document.querySelector('#students td.none.S a').click()");
    let shown = browser.evaluate(reasons);
    let shown = shown.as_str().expect("a text");
    assert!(shown.contains("not given: ") && shown.contains("To earn it: make the test"), "{shown}");
    browser.press("Escape");
    browser.evaluate("document.querySelector('#students td.R sup').parentNode.click()");
    let shown = browser.evaluate(reasons);
    let change = "A. Instructor changed 1 to 1 on 2027-05-01 11:00: the report was defended <in person>";
    let shown = shown
        .as_str()
        .expect("a text")
        .replace("changed 0 to", "changed 1 to")
        .replace("changed 2 to", "changed 1 to");
    assert!(shown.contains(change), "{shown}");
}

fn links(browser: &mut Browser, site: &Site) {
    let mut queue: Vec<String> =
        ["private/index.html", "public/index.html", "private/class.html"].map(|page| site.url(page)).to_vec();
    let mut seen = BTreeSet::new();
    let collect = "[...new Set([...document.querySelectorAll('a')].map(link => link.href))]";
    let anchors = "[...document.querySelectorAll('[id]')].map(element => element.id)";
    let mut wanted = vec![];
    while let Some(page) = queue.pop() {
        if !seen.insert(page.clone()) || seen.len() > 40 {
            continue;
        }
        browser.open(&page);
        let ids = browser.evaluate(anchors);
        for link in browser.evaluate(collect).as_array().expect("a list").iter().filter_map(Value::as_str) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = file.strip_prefix("file://").unwrap_or_else(|| panic!("{page}: {link}"));
            assert!(std::path::Path::new(path).is_file(), "{page}: {link}");
            if file == page && !anchor.is_empty() {
                assert!(ids.as_array().expect("a list").contains(&json!(anchor)), "{page}: {link}");
            } else if !anchor.is_empty() {
                wanted.push((path.to_owned(), anchor.to_owned()));
            }
            if path.ends_with(".html") {
                queue.push(file.to_owned());
            }
        }
    }
    assert!(seen.len() > 40 && wanted.len() > 3_000, "{} pages, {} anchors", seen.len(), wanted.len());
    for (path, anchor) in wanted.iter().step_by(37) {
        let text = fs::read_to_string(path).expect("it was found");
        assert!(text.contains(&format!("id=\"{anchor}\"")), "{path}#{anchor}");
    }
}

fn hostile_names(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("private/index.html"));
    let title = "document.title === 'Students · Parallel programming: processes'";
    assert_eq!(browser.evaluate(title), json!(true));
    assert_eq!(
        browser.evaluate("document.querySelectorAll('img, #students b:not(thead b), iframe').length"),
        json!(0)
    );
    let names =
        browser.evaluate("[...document.querySelectorAll('#students .n a')].map(name => name.textContent)");
    let names: Vec<&str> = names.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(names.contains(&"<script>document.title='hacked'</script>"));
    assert!(names.contains(&"Иван\\u{202e}нави \\u{2066}x"), "characters of direction are visible");
    browser.evaluate("document.querySelector('#students tr[data-id=user149] td.S a').click()");
    let who = browser.evaluate("document.querySelector('#reason .who').textContent");
    assert!(who.as_str().is_some_and(|who| who.starts_with("<script>")), "{who}");
    for student in 143..150 {
        browser.open(&site.url(&format!("private/students/user{student}.html")));
        assert_eq!(browser.evaluate("document.title.startsWith('hacked')"), json!(false));
        assert_eq!(
            browser.evaluate("document.querySelectorAll('img, main script, iframe').length"),
            json!(0)
        );
    }
}

/// Pages of every kind.
fn kinds() -> [String; 8] {
    let pseudonym = public_class(STUDENTS).students[4].id.to_lowercase();
    [
        "private/index.html".to_owned(),
        "private/index.ru.html".to_owned(),
        "private/class.html".to_owned(),
        "private/students/user003.html".to_owned(),
        "private/students/user149.ru.html".to_owned(),
        "public/index.html".to_owned(),
        "public/class.ru.html".to_owned(),
        format!("public/students/{pseudonym}.html"),
    ]
}

/// The policy of the page refuses what a page with a mistake would do, and the test sees it.
fn canary_quiet(browser: &mut Browser, site: &Site) {
    let url = site.url("private/index.html");
    browser.open(&url);
    browser.take_noise("");
    browser.evaluate("fetch('http://127.0.0.1:9/x').catch(() => 0)");
    browser.evaluate(
        "{ const image = new Image(); image.src = 'http://127.0.0.1:9/y.png'; document.body.append(image); }",
    );
    browser.evaluate(
        "{ const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script); }",
    );
    browser.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color:red\">x</p>')");
    browser.evaluate("new Promise(done => setTimeout(done, 200))");
    assert_eq!(browser.evaluate("window.ran === undefined"), json!(true));
    let messages = browser.take_noise(&url);
    let refused = messages.iter().filter(|line| line.contains("Content Security Policy")).count();
    assert!(refused >= 4, "{messages:#?}");
    browser.evaluate("console.log('x')");
    browser.evaluate("setTimeout(() => { throw Error('y') })");
    browser.evaluate("new Promise(done => setTimeout(done, 50))");
    let messages = browser.take_noise(&url);
    assert!(
        messages.iter().any(|line| line.starts_with("console"))
            && messages.iter().any(|line| line.starts_with("exception"))
    );
}

fn narrow(browser: &mut Browser, site: &Site) {
    for page in kinds() {
        browser.open(&site.url(&page));
        let banner = browser.evaluate("document.querySelector('.synthetic').textContent");
        assert!(banner.as_str().is_some_and(|banner| banner.len() > 20), "{page}: {banner}");
        for width in [360, 720, 721, 1439, 1440] {
            browser.set_width(width);
            let size = browser.evaluate("[document.documentElement.scrollWidth, innerWidth]");
            let sizes: Vec<u64> = size.as_array().expect("two").iter().filter_map(Value::as_u64).collect();
            assert!(sizes[0] <= sizes[1], "{page} at {width}: {sizes:?}");
        }
    }
    // Canary: a line that cannot be broken is wider than the window.
    browser.set_width(360);
    browser.evaluate("document.body.insertAdjacentHTML('beforeend', '<pre>' + 'x'.repeat(400) + '</pre>')");
    assert_eq!(browser.evaluate("document.documentElement.scrollWidth > 360"), json!(true));
}

/// The longest numbers of a telephone's table: a grade with two decimals on the right edge.
fn whole_numbers(browser: &mut Browser, site: &Site) {
    const CUT: &str = "{ const rows = [...document.querySelectorAll('#students tbody tr')]; \
        rows.forEach(row => row.style.contentVisibility = 'visible'); \
        rows.flatMap(row => [...row.cells]).filter(cell => cell.scrollWidth > cell.clientWidth).length }";
    browser.set_width(360);
    browser.open(&site.url("private/index.html"));
    browser.evaluate(
        "document.querySelectorAll('td.sum:not(.total)').forEach(cell => cell.textContent = '28.88')",
    );
    assert_eq!(browser.evaluate(CUT), json!(0));
    // Canary: a number that no column has room for.
    browser.evaluate("document.querySelector('td.sum:not(.total)').textContent = '28.8888888'");
    assert_eq!(browser.evaluate(CUT), json!(1));
}

fn sticky(browser: &mut Browser, site: &Site) {
    for width in [1439, 1440] {
        browser.set_width(width);
        browser.open(&site.url("private/index.html"));
        let scroll = "const region = document.querySelector('.scroll'); region.scrollIntoView(); region.scrollTop = 1500; \
            if (region.scrollTop === 0) scrollTo(0, 1500)";
        browser.evaluate(&format!("{{ {scroll} }}"));
        let tops = "[...document.querySelectorAll('.over, [data-key=\"1.S\"], [data-key=total]')].map(th => \
            th.getBoundingClientRect()).map(box => box.top >= 0 && box.bottom <= innerHeight)";
        assert_eq!(browser.evaluate(tops), json!([true, true, true, true, true]), "{width}");
        let overlap = "document.querySelector('.over').getBoundingClientRect().bottom - \
            document.querySelector('[data-key=\"1.S\"]').getBoundingClientRect().top";
        let overlap = browser.evaluate(overlap).as_f64().expect("a number");
        assert!(overlap.abs() <= 1.0, "{width}: {overlap}");
    }
}

fn theme(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("private/index.html"));
    browser.evaluate("localStorage.removeItem('wb-theme')");
    let ground = "getComputedStyle(document.body).backgroundColor";
    let scheme = |browser: &mut Browser, value: &str| {
        browser.call(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": value}]}),
        );
    };
    scheme(browser, "light");
    browser.open(&site.url("private/index.html"));
    let light = browser.evaluate(ground);
    scheme(browser, "dark");
    let dark = browser.evaluate(ground);
    assert_ne!(light, dark, "the colours follow the system");
    browser.evaluate("document.getElementById('theme').click()");
    assert_eq!(browser.evaluate(ground), light, "light is chosen");
    browser.open(&site.url("private/class.html"));
    assert_eq!(browser.evaluate(ground), light, "the next page keeps the choice");
    assert_eq!(browser.evaluate("document.getElementById('theme').textContent"), json!("Colours: light"));
    browser.evaluate("localStorage.removeItem('wb-theme')");
    scheme(browser, "");
}

fn quick(browser: &mut Browser, site: &Site) {
    let path = site.folder().join("private/index.html");
    let bytes = fs::metadata(path).expect("the page").len();
    assert!(bytes < 1_500_000, "{bytes} bytes");
    browser.open(&site.url("private/index.html"));
    let script = "(() => { const from = performance.now(); \
        for (const key of ['total', 'name']) document.querySelector(`[data-key=${key}] button`).click(); \
        document.body.offsetHeight; return performance.now() - from; })()";
    let milliseconds = browser.evaluate(script).as_f64().expect("a time");
    println!("page: {bytes} bytes; two sorts and a layout: {milliseconds:.0} ms");
    assert!(milliseconds < 2_000.0, "{milliseconds}");
}
