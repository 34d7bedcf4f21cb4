//! A program in a pseudo-terminal, and what its screen shows.
#![allow(dead_code)] // Each test program uses its own part.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    process::{Child, Command, ExitStatus},
    sync::{Arc, Mutex, MutexGuard},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize},
};

/// The time limit of a wait: cargo builds in it.
const LIMIT: Duration = Duration::from_secs(120);

/// A program in a terminal of 80 columns and 24 rows.
pub(crate) struct PseudoTerminal {
    child: Child,
    /// The end of the terminal that has the keyboard and the screen.
    keyboard: File,
    /// The end of the program, so that the terminal outlives it.
    line: File,
    screen: Arc<Mutex<vt100::Parser>>,
    reader: Option<JoinHandle<()>>,
}

impl PseudoTerminal {
    /// Starts the program of `command` in a session of its own, whose terminal this is.
    pub(crate) fn start(command: &Command) -> Self {
        let keyboard =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&keyboard).and_then(|()| unlockpt(&keyboard)).expect("usable");
        let name = ptsname(&keyboard, vec![]).expect("its name").into_string().expect("text");
        let keyboard = File::from(keyboard);
        let line = OpenOptions::new().read(true).write(true).open(name).expect("the terminal opens");
        tcsetwinsize(&line, size(24, 80)).expect("a size");
        let mut session = Command::new("setsid");
        session.arg("--ctty").arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => session.env(name, value),
                None => session.env_remove(name),
            };
        }
        session.current_dir(command.get_current_dir().expect("a folder"));
        let end = || line.try_clone().expect("a file");
        let child = session.stdin(end()).stdout(end()).stderr(end()).spawn().expect("setsid starts");
        let screen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let (shown, mut output) = (Arc::clone(&screen), keyboard.try_clone().expect("a file"));
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shown.lock().expect("no panic").process(&bytes[..count]);
            }
        });
        Self { child, keyboard, line, screen, reader: Some(reader) }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn screen(&self) -> MutexGuard<'_, vt100::Parser> {
        self.screen.lock().expect("no panic")
    }

    fn rows(&self) -> Vec<String> {
        let parser = self.screen();
        let columns = parser.screen().size().1;
        parser.screen().rows(0, columns).collect()
    }

    /// Waits until the rows of the screen are as expected.
    #[track_caller]
    pub(crate) fn wait_for(&self, what: &str, is_expected: impl Fn(&[String]) -> bool) {
        let start = Instant::now();
        while !is_expected(&self.rows()) {
            assert!(start.elapsed() < LIMIT, "{what}:\n{}", self.rows().join("\n"));
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a word of the screen begins so; the word.
    #[track_caller]
    pub(crate) fn wait_for_word(&self, what: &str, beginning: &str) -> String {
        let find = |rows: &[String]| {
            let mut words = rows.iter().flat_map(|row| row.split_whitespace());
            words.find(|word| word.starts_with(beginning)).map(str::to_owned)
        };
        self.wait_for(what, |rows| find(rows).is_some());
        find(&self.rows()).expect("found above")
    }

    /// Waits until a process of the session has this text in its command line.
    #[track_caller]
    pub(crate) fn wait_for_process(&self, name: &str) {
        self.wait_for(name, |_| self.processes().iter().any(|process| process.contains(name)));
    }

    pub(crate) fn press(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).expect("the terminal is open");
    }

    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        self.screen().screen_mut().set_size(rows, columns);
        tcsetwinsize(&self.line, size(rows, columns)).expect("a size");
    }

    /// Waits for the end of the program.
    #[track_caller]
    pub(crate) fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                // What it has written last.
                thread::sleep(Duration::from_millis(100));
                return status;
            }
            assert!(start.elapsed() < LIMIT, "it does not end:\n{}", self.rows().join("\n"));
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn is_alternate(&self) -> bool {
        self.screen().screen().alternate_screen()
    }

    /// Whether the terminal reads lines and echoes them, and shows its cursor on the main screen.
    pub(crate) fn is_restored(&self) -> bool {
        let modes = tcgetattr(&self.line).expect("a terminal").local_modes;
        let reads_lines = modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        reads_lines && !self.is_alternate() && !self.screen().screen().hide_cursor()
    }

    /// Whether the text is on the screen, in a colour.
    pub(crate) fn is_coloured(&self, text: &str) -> bool {
        let rows = self.rows();
        let place = (0_u16..).zip(&rows).find_map(|(row, line)| Some((row, line.find(text)?)));
        let parser = self.screen();
        let colour = |(row, column): (u16, usize)| {
            Some(parser.screen().cell(row, u16::try_from(column).ok()?)?.fgcolor())
        };
        place.and_then(colour).is_some_and(|colour| colour != vt100::Color::Default)
    }

    /// The command lines of all processes of the session that run.
    pub(crate) fn processes(&self) -> Vec<String> {
        let session = self.child.id().to_string();
        let found = fs::read_dir("/proc").expect("Linux").flatten().filter_map(|entry| {
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // After the name: the state, the parent, the group and the session.
            let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
            let command = fs::read_to_string(entry.path().join("cmdline")).ok()?;
            (fields[3] == session && fields[0] != "Z").then(|| command.replace('\0', " "))
        });
        found.collect()
    }
}

impl Drop for PseudoTerminal {
    fn drop(&mut self) {
        // It has ended, unless the test has failed.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
        // The reader keeps its own handle of the terminal; it ends with the last handle of the line, after this.
        drop(self.reader.take());
    }
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}
