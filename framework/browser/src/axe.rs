//! The accessibility of pages, by axe-core: the rules of WCAG 2 and of good practice that a program can check.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{browser::Browser, test_main::Site};

/// What it finds that a rule forbids: the rule, the first places, and what is wrong with the first one.
const RUN: &str = "axe.run(document, {preload: false, iframes: false, resultTypes: ['violations']}).then(({violations}) => \
    violations.map(({id, nodes}) => `${id}: ${nodes.length} times, ${nodes.slice(0, 3).map(node => node.target.join(' ')).join(', ')}: \
    ${nodes[0].failureSummary}`))";

/// A pale text, and a button without a name.
const MISTAKES: &str = "{ const text = document.createElement('p'); text.textContent = 'pale'; text.id = 'pale'; \
    Object.assign(text.style, {color: '#999', background: '#fff'}); document.body.append(text, document.createElement('button')); }";

/// The program, if `.ci/axe-core` has installed it.
pub(crate) fn program() -> Option<PathBuf> {
    let workspace = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    Some(workspace.join("target/wb/axe-core-4.10.3.min.js")).filter(|program| program.is_file())
}

/// Opens every page of the site, the English one in light and the Russian one in dark: none has a violation.
pub(crate) fn check<S: Site>(browser: &mut Browser, site: &S) {
    let program = fs::read_to_string(program().expect("it is installed")).expect("axe-core");
    let load = format!("{program}; 0");
    let mut found = vec![];
    for (page, scheme) in site.pages().iter().flat_map(|languages| languages.iter().zip(["light", "dark"])) {
        set_scheme(browser, scheme);
        browser.open(&site.url(page));
        browser.wait(S::READY);
        browser.evaluate(&load);
        found.extend(violations(browser).iter().map(|line| format!("{page}, {scheme}: {line}")));
    }
    assert!(found.is_empty(), "{found:#?}");
    browser.evaluate(MISTAKES);
    let found = violations(browser);
    for canary in ["button-name: 1 times", "color-contrast: 1 times, #pale"] {
        assert!(
            found.iter().any(|line| line.starts_with(canary)),
            "axe-core does not find {canary}: {found:?}"
        );
    }
    set_scheme(browser, "");
}

/// What axe-core finds.
fn violations(browser: &mut Browser) -> Vec<String> {
    let found = browser.evaluate(RUN);
    found.as_array().expect("a list").iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The colours that the user prefers; nothing moves while they are compared.
fn set_scheme(browser: &mut Browser, scheme: &str) {
    let feature = |name: &str, value: &str| json!({"name": name, "value": value});
    let still = if scheme.is_empty() { "" } else { "reduce" };
    let features = [feature("prefers-color-scheme", scheme), feature("prefers-reduced-motion", still)];
    browser.call("Emulation.setEmulatedMedia", json!({"features": features}));
}
