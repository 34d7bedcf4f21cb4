//! The page of `cargo wb watch --page` in a browser: a save that breaks the task, and its repair.

use std::{cell::RefCell, path::Path, process::Command, time::Duration};

use serde_json::json;
use wb_browser::{Browser, BrowserTest};
use wb_process::job_status::{JobStatus, RankStatus};
use wb_record::{FunctionalRecord, RankWait, Record};

use crate::{
    pseudo_terminal::PseudoTerminal,
    workspace::{TASK, workspace, write},
};

pub(crate) const TESTS: &[BrowserTest<Site>] = &[("a_save_renews_the_page_and_its_end_is_named", renewed)];

/// A test that leaves the record of a hang, as the harness does, and fails.
const HANGS: &str = "#[test]\nfn hangs() {\n    let record = include_str!(\"hang.jsonl\");\n    \
    std::fs::write(std::env::var(\"WB_RECORDS\").unwrap(), record).unwrap();\n    panic!(\"<b>\");\n}\n";

/// The beginning of the address of every page.
const ADDRESS: &str = "http://127.0.0.1:";

pub(crate) struct Site {
    folder: tempfile::TempDir,
    /// Those of the pages for the test of accessibility.
    terminals: RefCell<Vec<PseudoTerminal>>,
}

impl Site {
    pub(crate) fn new() -> Self {
        let site = Self { folder: workspace(TASK), terminals: RefCell::default() };
        let wait = |(rank, waits_for, tag)| {
            let (call, line) = ("recv".to_owned(), format!("src/mpi.rs:{}", 9 + rank));
            RankWait { rank, waits_for, call, tag, line }
        };
        let waits = [(0, 1, Some(7)), (1, 0, None)].map(wait).to_vec();
        let hang = FunctionalRecord {
            waits,
            reason: Some("none can continue".into()),
            ..FunctionalRecord::example()
        };
        site.save(
            "hang.jsonl",
            &(Record { measurement: hang.into(), ..wb_record::example() }.to_line() + "\n"),
        );
        site.save("functional.rs", HANGS);
        site
    }

    /// The command in this language, and the address of its page.
    fn watch(&self, lang: &str) -> (PseudoTerminal, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
        command.args(["watch", "--page", "-p", "ivanov_i_scatter"]).current_dir(self.folder.path());
        command.env("WB_LANG", lang).env("TERM", "xterm-256color").env_remove("CARGO_TARGET_DIR");
        let terminal = PseudoTerminal::start(&command);
        let url = terminal.wait_for_word("the address", ADDRESS);
        (terminal, url)
    }

    fn save(&self, name: &str, text: &str) {
        write(&self.folder.path().join("tasks/ivanov_i_scatter/tests").join(name), text);
    }
}

impl wb_browser::Site for Site {
    const ACCESSIBILITY: &'static str = "the_watched_page_passes_axe_in_both_languages_and_in_light_and_dark";
    const READY: &'static str =
        "document.getElementById('verdict').textContent.includes('functional.rs:5:5')";

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn pages(&self) -> Vec<[String; 2]> {
        self.save("functional.rs", HANGS);
        let page = |lang| {
            let (terminal, url) = self.watch(lang);
            self.terminals.borrow_mut().push(terminal);
            url
        };
        vec![["en", "ru"].map(page)]
    }

    fn url(&self, page: &str) -> String {
        if page.is_empty() { ADDRESS.to_owned() } else { page.to_owned() }
    }
}

fn renewed(browser: &mut Browser, site: &Site) {
    let (mut terminal, url) = site.watch("en");
    browser.take_noise("");
    browser.open(&url);
    let shows = |part: &str, text: &str| {
        format!("document.getElementById('{part}').textContent.includes({})", json!(text))
    };
    browser.wait(&shows("verdict", "FAILED"));
    browser.wait(&shows("verdict", "First failing line: tasks/ivanov_i_scatter/tests/functional.rs:5:5"));
    browser.wait(&shows("report", "<b>"));
    browser.wait(&shows("waits", "none can continue"));
    let words = "rank 0 waits for rank 1: recv, tag 7 at src/mpi.rs:9; rank 1 waits for rank 0: recv at src/mpi.rs:10";
    browser.wait(&format!("document.querySelector('#waits svg desc').textContent === {}", json!(words)));
    assert_eq!(browser.evaluate("document.querySelectorAll('#waits li, #waits circle').length"), json!(4));
    let calls =
        browser.evaluate("[...document.querySelectorAll('#waits .call')].map(text => text.textContent)");
    assert_eq!(calls, json!(["recv, tag 7", "recv"]));
    let shown = browser
        .evaluate("[document.getElementById('waits').hidden, document.getElementById('trace').hidden]");
    assert_eq!(shown, json!([false, true]));

    let folder = site.folder.path().join("target/wb/run-a");
    std::fs::create_dir_all(&folder).expect("made");
    let rank = RankStatus { rank: 1, since: Some(Duration::from_secs(3)), ..RankStatus::default() };
    JobStatus::new("hangs".into(), Some(vec![rank])).publish(&folder).expect("written");
    write(&site.folder.path().join("trace.html"), "<title>The trace</title>");
    browser.wait(&shows("ranks", "3.0 s"));
    browser.wait("!document.getElementById('trace').hidden");

    browser.set_width(360);
    assert_eq!(browser.evaluate("document.documentElement.scrollWidth"), json!(360));
    browser.press("Tab");
    assert_eq!(browser.evaluate("document.activeElement.closest('section').id"), json!("verdict"));
    assert_eq!(browser.take_noise(&url), [""; 0]);
    site.save("functional.rs", "#[test]\nfn passes() {}\n");
    browser.wait(&shows("verdict", "PASSED"));
    browser.wait("document.getElementById('waits').hidden");
    assert_eq!(browser.evaluate("document.getElementById('gone').hidden"), json!(true));
    browser.evaluate("document.querySelector('#trace a').click()");
    browser.wait("document.title === 'The trace'");
    browser.open(&url);
    terminal.press(b"q");
    assert_eq!(terminal.end().code(), Some(0));
    browser.wait("!document.getElementById('gone').hidden");
    browser.open("about:blank");
    let noise = browser.take_noise("");
    assert!(
        noise.iter().all(|line| line.contains("ERR_CONNECTION_REFUSED")),
        "the command has ended: {noise:?}"
    );
}
