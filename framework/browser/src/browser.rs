//! A headless Chromium with one page, by its DevTools protocol, as far as the tests of pages use it.
//!
//! A crate for all of the protocol is generated code of many thousand lines; the tests use a dozen commands.

use std::{
    env,
    io::{BufRead, BufReader},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client};

/// The longest start of the browser, and the longest answer.
const LIMIT: Duration = Duration::from_secs(60);

/// The browser's program, if there is one on the path.
pub(crate) fn program() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    folders.iter().flat_map(|folder| names.map(|name| folder.join(name))).find(|program| program.is_file())
}

/// A browser with one page.
pub struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    last_id: u64,
    /// Events of the page since the last [`Browser::take_noise`].
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts the browser with an empty profile.
    pub(crate) fn start(program: &PathBuf) -> Self {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut process = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-default-apps", "--hide-scrollbars", "--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let url = debugging_url(&mut process);
        let address = url.strip_prefix("ws://").and_then(|rest| rest.split('/').next()).expect("an address");
        let stream = TcpStream::connect(address).expect("the browser listens");
        stream.set_read_timeout(Some(LIMIT)).expect("a limit of time");
        let (socket, _) = client(&url, stream).expect("the browser answers");
        let mut browser =
            Self { process, socket, session: String::new(), last_id: 0, events: vec![], _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Network.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        browser
    }

    /// Sends a command and waits for its result, which must not be an error.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and waits for its result or the browser's error.
    fn try_call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut command = json!({"id": id, "method": method, "params": params});
        if !self.session.is_empty() {
            command["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(command.to_string())).expect("the browser listens");
        loop {
            let message = self.receive();
            if message["id"] == json!(id) {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].clone()) } else { Err(error.clone()) };
            }
        }
    }

    /// The next message; an event is kept too.
    fn receive(&mut self) -> Value {
        let message = self.socket.read().expect("the browser answers in time");
        let message: Value = serde_json::from_str(message.to_text().expect("text")).expect("JSON");
        if message["method"].is_string() {
            self.events.push(message.clone());
        }
        message
    }

    /// Opens the address and waits until the page has loaded.
    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.wait_for_load("about:blank");
        self.call("Page.navigate", json!({"url": url}));
        self.wait_for_load(url);
    }

    /// Waits until the page of this address has loaded.
    pub fn wait_for_load(&mut self, url: &str) {
        let wanted =
            format!("location.href.startsWith({}) && document.readyState === 'complete'", json!(url));
        self.wait(&wanted);
    }

    /// Waits until the expression is true. A page that is left while it is asked has no value; the next one is asked.
    pub fn wait(&mut self, expression: &str) {
        let end = Instant::now() + LIMIT;
        loop {
            let value = self.try_evaluate(expression);
            if value == Ok(json!(true)) {
                return;
            }
            assert!(Instant::now() < end, "this did not become true: {expression}: {value:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The value of an expression in the page, or the browser's error. An exception of the expression is a panic.
    fn try_evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.try_call("Runtime.evaluate", params)?;
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        Ok(result["result"]["value"].clone())
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            " " => (32, " "),
            "Tab" => (9, ""),
            "Escape" => (27, ""),
            "End" => (35, ""),
            "Home" => (36, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            letter if letter.chars().count() == 1 => (0, letter),
            other => panic!("the key {other} has no code here"),
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let mut params = json!({"type": down, "key": key, "windowsVirtualKeyCode": code});
        if !text.is_empty() {
            params["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", params);
        self.call(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}),
        );
    }

    /// Presses and releases the left button of the mouse at a place of the window, in CSS pixels; between, moves it by `dx`.
    pub fn drag(&mut self, x: f64, y: f64, dx: f64) {
        let steps = [
            ("mouseMoved", x, "none"),
            ("mousePressed", x, "left"),
            ("mouseMoved", x + dx, "left"),
            ("mouseReleased", x + dx, "left"),
        ];
        for (kind, x, button) in steps {
            self.call(
                "Input.dispatchMouseEvent",
                json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}),
            );
        }
    }

    /// The width of the window, in CSS pixels.
    pub fn set_width(&mut self, width: u32) {
        let params = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 700});
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    /// What pages have requested besides addresses that begin with `own`, logged or thrown since the last call.
    pub fn take_noise(&mut self, own: &str) -> Vec<String> {
        let events = std::mem::take(&mut self.events);
        let about = |event: &Value| match event["method"].as_str()? {
            "Network.requestWillBeSent" => {
                let requested = event["params"]["request"]["url"].as_str()?;
                let is_own = [own, "about:blank", "data:"].iter().any(|own| requested.starts_with(own));
                (!is_own).then(|| format!("request: {requested}"))
            }
            "Log.entryAdded" => {
                let text = event["params"]["entry"]["text"].to_string();
                // Tests read pixels, and Chromium knows a faster way.
                (!text.contains("willReadFrequently")).then(|| format!("log: {text}"))
            }
            "Runtime.exceptionThrown" => Some(format!("exception: {}", event["params"]["exceptionDetails"])),
            "Runtime.consoleAPICalled" => Some(format!("console: {}", event["params"]["args"])),
            _ => None,
        };
        events.iter().filter_map(about).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser may have ended; there is nothing to do then.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address of the debugger, which the browser prints.
fn debugging_url(process: &mut Child) -> String {
    let errors = process.stderr.take().expect("a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(errors).lines().map_while(Result::ok) {
            if let Some((_, url)) = line.split_once("DevTools listening on ") {
                // The receiver waits for the first address only.
                let _ = sender.send(url.trim().to_owned());
            }
        }
    });
    receiver.recv_timeout(LIMIT).expect("the browser prints the address of its debugger")
}
