//! An engine as a child process, in a process group of its own: a signal from the terminal does
//! not reach it, and when the link is dropped it is killed with all that it has started.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::line::{LineReader, read_lines, write_lines};
use super::link::{Incoming, Link, OpenError, Opening, QUEUE, Transport};
use super::tcp::Tasks;
use crate::program::find_program;

/// So many lines of what it said on standard error are kept for messages.
const LAST_WORDS: usize = 4;

/// A process that has closed its output has so long to end by itself.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// A child process.
#[derive(Clone, Debug)]
pub struct Process {
    program: PathBuf,
    arguments: Vec<String>,
    is_modest: bool,
}

impl Process {
    /// The program and its arguments. The program is looked for at once, see [`find_program`].
    pub fn new(words: Vec<String>) -> Result<Process, OpenError> {
        let mut words = words.into_iter();
        let name = words.next().ok_or_else(|| OpenError("the engine's command is empty".into()))?;
        let program = find_program(&name).ok_or_else(|| {
            OpenError(format!("there is no program {name}: give its full path, or mend PATH"))
        })?;
        Ok(Process { program, arguments: words.collect(), is_modest: false })
    }

    /// The engine runs with a lower priority than this process, so that however many there are,
    /// whoever drives them is not late.
    pub fn modest(self) -> Process {
        Process { is_modest: true, ..self }
    }

    fn start(&self) -> Result<Link, OpenError> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let failed = |why: &dyn std::fmt::Display| {
            OpenError(format!("cannot start {}: {why}", self.program.display()))
        };
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        #[cfg(unix)]
        if self.is_modest {
            lower_priority(&child);
        }
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed(&"it has no pipes"));
        };
        let (sender, to_engine) = mpsc::channel(QUEUE);
        let (from_engine, receiver) = mpsc::channel(QUEUE);
        let group = Arc::new(Group { child: Mutex::new(Some(child)) });
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let writer = tokio::spawn(write_lines(to_engine, stdin));
        let listener = tokio::spawn(keep_last_words(stderr, last_words.clone()));
        let listening = listener.abort_handle();
        let reader = tokio::spawn({
            let (group, name) = (group.clone(), self.name());
            async move {
                if read_lines(stdout, &from_engine).await {
                    let how = group.end().await;
                    // What it said last may still be on its way.
                    let _ = timeout(LAST_BREATH, listener).await;
                    let reason = format!("{name} {how}{}", quote(&last_words));
                    let _ = from_engine.send(Incoming::Closed(reason)).await;
                }
            }
        });
        let guard =
            (Killer(group), Tasks(vec![writer.abort_handle(), listening, reader.abort_handle()]));
        Ok(Link::new(sender, receiver, guard))
    }
}

impl Transport for Process {
    fn open(&self) -> Opening<'_> {
        Box::pin(std::future::ready(self.start()))
    }

    fn name(&self) -> String {
        self.program.file_name().unwrap_or(self.program.as_os_str()).to_string_lossy().into_owned()
    }
}

/// Lowers the priority of a process. Where that is not possible it stays as it is.
#[cfg(unix)]
fn lower_priority(child: &Child) {
    const NICER: i32 = 5;
    let pid = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()));
    if let (Some(pid), Ok(own)) = (pid, rustix::process::getpriority_process(None)) {
        let _ = rustix::process::setpriority_process(Some(pid), own + NICER);
    }
}

/// A child and all that it has started.
struct Group {
    /// `None` once it has been waited for: from then on its number may be another's.
    child: Mutex<Option<Child>>,
}

impl Group {
    /// Waits a little for the child to end by itself, ends what is left, and says how it went.
    async fn end(&self) -> String {
        let until = tokio::time::Instant::now() + LAST_BREATH;
        while !self.has_exited() && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let is_alive = !self.has_exited();
        let Some(mut child) = self.child.lock().ok().and_then(|mut child| child.take()) else {
            return "has ended".into();
        };
        kill(&mut child);
        match child.wait().await {
            _ if is_alive => "has closed its output".into(),
            Ok(status) => format!("has ended ({status})"),
            Err(error) => format!("has ended ({error})"),
        }
    }

    /// Has the child exited? It keeps its number until it is waited for.
    fn has_exited(&self) -> bool {
        let Ok(child) = self.child.lock() else { return true };
        child.as_ref().is_none_or(exited)
    }
}

/// Kills the group when it is dropped, without waiting for anybody.
struct Killer(Arc<Group>);

impl Drop for Killer {
    fn drop(&mut self) {
        if let Ok(Some(child)) = self.0.child.lock().as_deref_mut() {
            kill(child);
        }
    }
}

#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    child.id().and_then(|id| rustix::process::Pid::from_raw(id.try_into().ok()?))
}

#[cfg(unix)]
fn exited(child: &Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    pid(child).is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
}

#[cfg(unix)]
fn kill(child: &mut Child) {
    if let Some(pid) = pid(child) {
        // Too late is as good.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn exited(_: &Child) -> bool {
    false
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.start_kill();
}

async fn keep_last_words(stderr: ChildStderr, last_words: Arc<Mutex<VecDeque<String>>>) {
    let mut reader = LineReader::new(stderr);
    while let Ok(Some(Incoming::Line(line) | Incoming::Cut(line))) = reader.next().await {
        let Ok(mut last_words) = last_words.lock() else { return };
        if last_words.len() == LAST_WORDS {
            last_words.pop_front();
        }
        last_words.push_back(line.chars().take(200).collect());
    }
}

fn quote(last_words: &Mutex<VecDeque<String>>) -> String {
    match last_words.lock() {
        Ok(lines) if !lines.is_empty() => {
            format!("; it said: {}", Vec::from(lines.clone()).join(" | "))
        }
        _ => String::new(),
    }
}
