//! The connection of a process to its coordinator.
use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    time::Duration,
};

use wb_runner::RunnerLink;

use crate::{coordinator::Instruction, evidence::event::TestEvent};

/// The longest time between two calls that let a library continue what others wait for.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(1);

pub(crate) struct CoordinatorLink {
    link: Arc<RunnerLink>,
    sender: Sender<Instruction>,
    instructions: Mutex<Receiver<Instruction>>,
}

impl CoordinatorLink {
    pub(crate) fn new(link: Arc<RunnerLink>) -> Self {
        let (sender, instructions) = mpsc::channel();
        Self { link, sender, instructions: Mutex::new(instructions) }
    }

    /// Takes the instructions of the coordinator from now on. `handle` is called for those that do not answer a step.
    pub(crate) fn listen(&self, handle: impl Fn(&Instruction) + Send + 'static) -> io::Result<()> {
        let sender = self.sender.clone();
        self.link.listen(move |instruction: Instruction| match instruction {
            Instruction::Interrupt | Instruction::Leave(_) => handle(&instruction),
            // The process may be about to exit.
            answer => drop(sender.send(answer)),
        })
    }

    /// Reports an event that no process waits for. An event that cannot be sent is missing in the evidence.
    pub(crate) fn report(&self, event: &TestEvent) {
        let _unsent = self.link.send(event, None);
    }

    /// Reports that this process has come to a step, and waits for the answer; calls `progress` meanwhile.
    pub(crate) fn step(&self, event: &TestEvent, progress: impl Fn()) -> Instruction {
        self.report(event);
        let instructions = self.instructions.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Ok(instruction) = instructions.recv_timeout(PROGRESS_INTERVAL) {
                return instruction;
            }
            progress();
        }
    }

    /// This process exits in an orderly way: it may outlive its coordinator.
    pub(crate) fn exit(&self) {
        self.link.permit_end();
        self.report(&TestEvent::Exiting);
    }
}
