//! `cargo wb watch`: at each save it builds the test programs of a task and runs them, first on threads and in virtual time, then on MPI. The
//! screen is redrawn.
//!
//! [`Screen`] and [`Watched`] decide what is shown and what runs, without a terminal. This file connects them with the events: saved files,
//! keys, and the progress of the one [`Run`] that there is at a time.

mod file_watch;
mod page;
mod page_server;
mod run;
mod saved_files;
mod screen;
mod step_result;
pub(crate) mod terminal;

use std::{
    collections::BTreeSet,
    env, io,
    io::IsTerminal,
    path::PathBuf,
    process::Command,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

use tempfile::TempDir;
use wb_messages::{Lang, watch as text};

use self::{
    page::PageState,
    page_server::PageServer,
    run::{Progress, Run, TestRequest},
    saved_files::{Reaction, Watched},
    screen::Screen,
};
use crate::{
    CommandStatus, arguments,
    backend::SelectedBackend,
    error::{CliError, Result},
    workspace::Workspace,
};

/// The interval of checks for another size of the terminal and for the progress of a build.
const TICK: Duration = Duration::from_millis(200);

/// The folder of the logs, removed at the end of this process.
static LOGS: Mutex<Option<TempDir>> = Mutex::new(None);

pub(crate) fn run(wanted: &arguments::WatchArgs, lang: Lang) -> Result<CommandStatus> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(CliError::Usage(text::needs_terminal(lang)));
    }
    let workspace = Workspace::find()?;
    let folders = workspace.task_folders();
    let first = match &wanted.task {
        Some(name) => Some(workspace.task(name, lang)?.name),
        None => {
            let here = env::current_dir().map_err(CliError::system("read", "."))?;
            folders.into_iter().find(|(_, folder)| here.starts_with(folder)).map(|(name, _)| name)
        }
    };
    let backend = SelectedBackend::select(None, lang)?;
    // The folder that the command was started in may be deleted, and the page of a trace is written here.
    env::set_current_dir(workspace.root()).map_err(CliError::system("read", workspace.root()))?;
    wb_process::handle_signals().map_err(CliError::system("run", "cargo wb watch"))?;
    let mut watch = Watch::new(workspace, backend, wanted.task.clone(), lang)?;
    if wanted.page {
        watch.serve_page()?;
    }
    let (root, target) = (watch.workspace.root().to_owned(), watch.workspace.target().to_owned());
    let sender = watch.sender.clone();
    let receive = move |files| drop(sender.send(Event::Saved(files)));
    let _files = file_watch::watch(&root, &[target.as_path(), &root.join("reports")], receive)
        .map_err(CliError::system("read", &root))?;
    let keys = watch.sender.clone();
    terminal::read_keys(move |key| keys.send(Event::Key(key)).is_ok());
    terminal::enter()?;
    let ended = watch.serve(first);
    terminal::leave();
    ended.map(|()| CommandStatus::Success)
}

enum Event {
    Key(u8),
    /// Files relative to the root of the workspace.
    Saved(BTreeSet<PathBuf>),
    /// The progress of the run with this number.
    Progress(u64, Progress),
}

/// What the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Screen,
    /// The output of a command on the main screen, while it runs.
    Command,
    /// The same after its end.
    CommandEnded,
}

struct Watch {
    workspace: Arc<Workspace>,
    backend: SelectedBackend,
    /// The task of the command line.
    asked: Option<String>,
    lang: Lang,
    logs: PathBuf,
    screen: Screen,
    view: View,
    /// The size of the terminal and the rows that were drawn last.
    drawn: ((usize, usize), Vec<String>),
    /// What the page shows.
    page: Arc<Mutex<PageState>>,
    /// The current run, its number and its start.
    run: Option<Run>,
    number: u64,
    started: Instant,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl Watch {
    fn new(
        workspace: Workspace,
        backend: SelectedBackend,
        asked: Option<String>,
        lang: Lang,
    ) -> Result<Self> {
        let scratch = workspace.scratch("watch")?;
        let folder = tempfile::tempdir_in(&scratch).map_err(CliError::system("create", scratch))?;
        let logs = folder.path().to_owned();
        *LOGS.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder);
        wb_process::at_exit(|| drop(LOGS.lock().unwrap_or_else(PoisonError::into_inner).take()));
        let (sender, events) = mpsc::channel();
        let screen = Screen::new(backend.is_mpi().then(|| backend.describe(lang)), lang);
        let (workspace, view, drawn) = (Arc::new(workspace), View::Screen, ((0, 0), vec![]));
        let (run, number, started, page) = (None, 0, Instant::now(), Arc::default());
        Ok(Self {
            workspace,
            backend,
            asked,
            lang,
            logs,
            screen,
            view,
            drawn,
            page,
            run,
            number,
            started,
            sender,
            events,
        })
    }

    /// Serves the page, whose address is then on the screen.
    fn serve_page(&mut self) -> Result<()> {
        let (root, target) = (self.workspace.root().to_owned(), self.workspace.target().to_owned());
        let server = PageServer { state: Arc::clone(&self.page), root, target, lang: self.lang };
        let address = server.start().map_err(CliError::system("run", "cargo wb watch --page"))?;
        self.screen.show_address(&address);
        Ok(())
    }

    /// Handles events until the user quits.
    fn serve(&mut self, first: Option<String>) -> Result<()> {
        if let Some(task) = first {
            self.test(&task)?;
        }
        loop {
            self.draw()?;
            match self.events.recv_timeout(TICK) {
                Ok(Event::Key(b'q' | terminal::CTRL_C)) => return Ok(()),
                Ok(Event::Key(key)) => self.press(key)?,
                Ok(Event::Saved(files)) => self.save(&files.into_iter().collect::<Vec<_>>())?,
                Ok(Event::Progress(number, progress)) if number == self.number => self.proceed(progress)?,
                // Of a run that was ended.
                Ok(Event::Progress(..)) => {}
                Err(RecvTimeoutError::Timeout) => self.tick(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Shows what cargo is doing: it may wait for another cargo.
    fn tick(&mut self) {
        if self.screen.is_building() {
            self.screen.build_progress(&run::last_build_line(&self.logs));
        }
    }

    fn draw(&mut self) -> Result<()> {
        *self.page.lock().unwrap_or_else(PoisonError::into_inner) =
            self.screen.page_state(self.started.elapsed());
        if self.view != View::Screen {
            return Ok(());
        }
        let size = terminal::size();
        let shown = (size, self.screen.rows(size.0, size.1, self.started.elapsed()));
        if shown != self.drawn {
            terminal::draw(&shown.1)?;
            self.drawn = shown;
        }
        Ok(())
    }

    fn press(&mut self, key: u8) -> Result<()> {
        match (self.view, key) {
            // The terminal collects lines while a command runs.
            (View::Command, _) => Ok(()),
            (View::CommandEnded, _) => self.show_screen(),
            (View::Screen, b'r' | b'c' | b't') => {
                let Some(task) = self.screen.task().map(str::to_owned) else {
                    self.screen.note(text::save_first(self.lang));
                    return Ok(());
                };
                match key {
                    b'r' => self.test(&task),
                    b'c' => self.command(&["check", "--package", &task, "--lang", self.lang.code()]),
                    _ => self.command(&["trace", "--package", &task, "--lang", self.lang.code()]),
                }
            }
            (View::Screen, _) => Ok(()),
        }
    }

    /// Reacts to saved files.
    fn save(&mut self, files: &[PathBuf]) -> Result<()> {
        if saved_files::change_tasks(files) {
            match Workspace::find() {
                Ok(workspace) => self.workspace = Arc::new(workspace),
                Err(error) => {
                    self.stop();
                    self.screen.failed(&error.render(self.lang));
                    return self.show_screen();
                }
            }
        }
        let tasks = self.workspace.task_names();
        let current = self.screen.task().map(str::to_owned);
        let members = self.workspace.members();
        let (asked, followed) = (self.asked.as_deref(), current.as_deref());
        match (
            Watched { members: &members, tasks: &tasks, asked, current: followed }.reaction(files),
            current,
        ) {
            (Reaction::Run(task), _) => self.test(&task)?,
            (_, Some(task)) if !tasks.contains(&task) => {
                self.stop();
                self.screen.gone(&task);
                self.show_screen()?;
            }
            (Reaction::OtherTask { file, other, task }, _) => {
                self.screen.note(text::other_task(self.lang, file.display(), other, task));
            }
            (Reaction::NoTask(file), _) => self.screen.note(text::no_task(self.lang, file.display())),
            (Reaction::Nothing, _) => {}
        }
        Ok(())
    }

    /// Ends the current run, and starts the tests of a task.
    fn test(&mut self, task: &str) -> Result<()> {
        let folder = self.workspace.task_folders().into_iter().find(|(name, _)| name == task);
        let Some((_, folder)) = folder else {
            self.screen.gone(task);
            return self.show_screen();
        };
        let request = TestRequest {
            workspace: Arc::clone(&self.workspace),
            backend: self.backend.clone(),
            task: task.to_owned(),
            folder,
            logs: self.logs.clone(),
            lang: self.lang,
        };
        self.start(move |jobs, report| request.execute(jobs, report));
        self.screen.start(task);
        self.show_screen()
    }

    /// Ends the current run, and runs a command of this program on the main screen.
    fn command(&mut self, arguments: &[&str]) -> Result<()> {
        let program = env::current_exe().map_err(CliError::system("run", "cargo wb"))?;
        let mut command = Command::new(program);
        command.args(arguments);
        self.stop();
        terminal::leave();
        self.view = View::Command;
        self.start(move |jobs, _| jobs.run_command(command));
        Ok(())
    }

    /// Starts a run; the one before is ended.
    fn start(&mut self, body: impl FnOnce(&run::Jobs, &dyn Fn(Progress)) -> Result<()> + Send + 'static) {
        self.stop();
        self.started = Instant::now();
        let (number, sender) = (self.number, self.sender.clone());
        self.run = Some(Run::start(move |jobs| {
            // The receiver ends after the run.
            let report = |progress| drop(sender.send(Event::Progress(number, progress)));
            report(Progress::Ended(body(jobs, &report)));
        }));
    }

    fn stop(&mut self) {
        self.run = None;
        self.number += 1;
        self.screen.stopped();
    }

    fn proceed(&mut self, progress: Progress) -> Result<()> {
        match progress {
            Progress::StepEnded(step, result) => self.screen.ended(step, result),
            Progress::Ended(ended) => {
                self.run = None;
                if let Err(error) = ended {
                    self.screen.failed(&error.render(self.lang));
                }
                if self.view == View::Command {
                    self.view = View::CommandEnded;
                    let prompt = text::press_key(self.lang);
                    terminal::wait_for_key(&prompt)?;
                }
                return Ok(());
            }
        }
        self.started = Instant::now();
        Ok(())
    }

    /// Returns from the main screen.
    fn show_screen(&mut self) -> Result<()> {
        if self.view != View::Screen {
            self.view = View::Screen;
            self.drawn.1.clear();
            terminal::enter()?;
        }
        Ok(())
    }
}
