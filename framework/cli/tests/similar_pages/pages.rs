//! The tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use wb_browser::{Browser, BrowserTest, Site as _};

use crate::workspace::{TASK, output_text, wb, workspace, write};

pub(crate) const TESTS: &[BrowserTest<Site>] = &[
    ("the_list_leads_to_the_pair_and_back_in_both_languages", links_of_the_list),
    ("a_shared_line_leads_to_the_other_text", links_of_lines),
    ("a_link_is_reached_and_followed_by_keyboard", keyboard),
    ("hostile_texts_are_text", hostile_texts),
    ("no_page_scrolls_sideways_at_360_pixels", narrow),
    ("a_page_that_is_left_while_it_is_asked_is_no_failure", left_while_asked),
];

const PAGES: [&str; 4] = ["index.en.html", "index.ru.html", "pair-1.en.html", "pair-1.ru.html"];

/// A solution and, with another name of a variable, its copy. Its comments and strings are hostile.
const SOLUTION: &str = r#"//! </pre><script>document.title = 'executed'</script>
/// <img src="http://127.0.0.1:9/x.png">
impl Task for Mpi {
    fn run(&self, n: usize) {
        let mut values = vec![0.0; n];
        for i in 1..n - 1 {
            values[i] = values[i - 1] * 0.25 + values[i + 1] * 0.25 + f(i, n) / 2.0;
        }
        while largest(&values) > n as f64 * 0.5 {
            values.iter_mut().for_each(|value| *value -= value.abs().sqrt() / 3.0);
        }
        let name = "</span><b onclick=\"alert(1)\">bold</b> a very long line of text that has to be scrolled inside of its half of the page";
        world.allgather(&values[n / 4..n / 2], &mut values, name.len() % 7);
    }
}
"#;

/// The pages of two alike solutions in a folder.
pub(crate) struct Site {
    pages: PathBuf,
    _workspace: tempfile::TempDir,
}

impl Site {
    pub(crate) fn new() -> Self {
        let folder = workspace(TASK);
        let (one, other) =
            (folder.path().join("tasks/ivanov_i_scatter"), folder.path().join("tasks/petrov_p_scatter"));
        let manifest = fs::read_to_string(one.join("Cargo.toml")).expect("a manifest");
        write(&other.join("Cargo.toml"), &manifest.replace("ivanov_i_scatter", "petrov_p_scatter"));
        write(&other.join("task.yaml"), &TASK.replace("Ivan Ivanov", "Petr Petrov"));
        for file in ["src/lib.rs", "tests/functional.rs", "benches/performance.rs"] {
            write(&other.join(file), &fs::read_to_string(one.join(file)).expect("a text"));
        }
        write(&one.join("src/mpi.rs"), SOLUTION);
        write(&other.join("src/mpi.rs"), &SOLUTION.replace("values", "numbers"));
        output_text(&wb(folder.path(), &["similar", "--out", "pages"]), 0);
        Self { pages: folder.path().join("pages"), _workspace: folder }
    }
}

impl wb_browser::Site for Site {
    fn folder(&self) -> &Path {
        &self.pages
    }

    fn pages(&self) -> Vec<[String; 2]> {
        ["index", "pair-1"].map(|name| ["en", "ru"].map(|lang| format!("{name}.{lang}.html"))).into()
    }
}

fn links_of_the_list(browser: &mut Browser, site: &Site) {
    for (own, other) in [("en", "ru"), ("ru", "en")] {
        browser.open(&site.url(&format!("index.{own}.html")));
        let row = browser.evaluate("document.querySelector('tbody tr').textContent");
        let row = row.as_str().expect("a row");
        assert!(row.contains("ivanov_i_scatter") && row.contains("petrov_p_scatter"), "{row}");
        browser.evaluate("document.querySelector('tbody a').click()");
        browser.wait_for_load(&site.url(&format!("pair-1.{own}.html")));
        assert_eq!(browser.evaluate("document.querySelectorAll('.side').length"), json!(2));
        browser.evaluate("document.querySelector('a[lang]').click()");
        browser.wait_for_load(&site.url(&format!("pair-1.{other}.html")));
        assert_eq!(browser.evaluate("document.documentElement.lang"), json!(other));
        browser.evaluate(&format!("document.querySelector('a[href^=\"index.{other}\"]').click()"));
        browser.wait_for_load(&site.url(&format!("index.{other}.html")));
    }
}

fn links_of_lines(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("pair-1.en.html"));
    let links = "[...document.querySelectorAll('a.number')]";
    let count = browser.evaluate(&format!("{links}.length")).as_u64().expect("a number");
    assert!(count >= 10, "{count}");
    let lost = format!("{links}.filter(link => !document.getElementById(link.hash.slice(1))).length");
    assert_eq!(browser.evaluate(&lost), json!(0));
    // The line of the loop leads to the same line of the other text.
    browser.evaluate(&format!(
        "{links}.find(link => link.parentElement.textContent.includes('while largest(&values)')).click()"
    ));
    browser.wait("document.querySelector(':target') !== null");
    let target = browser.evaluate("document.querySelector(':target').textContent");
    assert!(target.as_str().is_some_and(|line| line.contains("numbers")), "{target}");
    let is_seen = "(box => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector(':target').getBoundingClientRect())";
    assert_eq!(browser.evaluate(is_seen), json!(true));
}

fn keyboard(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("index.en.html"));
    // The other language, then the first pair.
    browser.press("Tab");
    browser.press("Tab");
    assert_eq!(browser.evaluate("document.activeElement.closest('tbody') !== null"), json!(true));
    browser.press("Enter");
    browser.wait_for_load(&site.url("pair-1.en.html"));
}

fn hostile_texts(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("pair-1.en.html"));
    assert_eq!(browser.evaluate("document.querySelectorAll('script, img, b, [onclick]').length"), json!(0));
    assert_eq!(browser.evaluate("document.title.includes('executed')"), json!(false));
    let text = browser.evaluate("document.body.textContent");
    let text = text.as_str().expect("a text");
    for part in ["<script>document.title = 'executed'</script>", "<img src=", "<b onclick="] {
        assert_eq!(text.matches(part).count(), 2, "{part}");
    }
}

fn narrow(browser: &mut Browser, site: &Site) {
    browser.set_width(360);
    for page in PAGES {
        browser.open(&site.url(page));
        let size = browser.evaluate("[document.documentElement.scrollWidth, innerWidth]");
        let sizes: Vec<u64> = size.as_array().expect("two").iter().filter_map(Value::as_u64).collect();
        assert!(sizes[0] <= sizes[1], "{page}: {sizes:?}");
    }
    browser.evaluate("document.body.insertAdjacentHTML('beforeend', '<pre>' + 'x'.repeat(400) + '</pre>')");
    assert_eq!(browser.evaluate("document.documentElement.scrollWidth > 360"), json!(true));
}

fn left_while_asked(browser: &mut Browser, site: &Site) {
    browser.open(&site.url("index.en.html"));
    let pair = json!(site.url("pair-1.en.html"));
    browser.evaluate(&format!("void setTimeout(() => location.assign({pair}), 100)"));
    // The first page never answers.
    browser.wait(&format!("location.href === {pair} || new Promise(() => {{}})"));
}
