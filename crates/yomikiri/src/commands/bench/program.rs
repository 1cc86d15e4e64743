//! A program that runs while something is measured.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// A program that is told to end has so long before it is killed.
const LAST_BREATH: Duration = Duration::from_secs(3);

/// A longer line comes in pieces.
const MOST_BYTES: u64 = 1 << 20;

/// So many lines may wait; then the program has to.
const QUEUE: usize = 4096;

/// What there is to be heard of a program.
pub enum Heard {
    /// A line.
    Line(String),
    /// Nothing.
    Silence,
    /// It has closed its output: nothing more will come.
    End,
}

/// A program, and what it says. It ends when this is dropped.
pub struct Program {
    name: String,
    child: Child,
    stdin: Option<ChildStdin>,
    /// Lines of standard output and standard error, and when they came.
    lines: Receiver<(Instant, String)>,
    last: String,
}

impl Program {
    /// Starts a program that is spoken to. Ctrl-C does not reach it: it ends when its input does.
    pub fn speaking(name: &str, command: &mut Command) -> Result<Program> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Program::start(name, command.stdin(Stdio::piped()))
    }

    /// Starts a program that serves until it is interrupted.
    #[cfg(feature = "cluster")]
    pub fn serving(name: &str, command: &mut Command) -> Result<Program> {
        Program::start(name, command.stdin(Stdio::null()))
    }

    fn start(name: &str, command: &mut Command) -> Result<Program> {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        let (sender, lines) = sync_channel(QUEUE);
        if let Some(output) = child.stdout.take() {
            forward(output, sender.clone());
        }
        if let Some(output) = child.stderr.take() {
            forward(output, sender);
        }
        let stdin = child.stdin.take();
        Ok(Program { name: name.into(), child, stdin, lines, last: String::new() })
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the program, and all that it has started, at once.
    pub fn kill(&mut self) {
        kill_group(&self.child);
        let _ = self.child.kill();
    }

    /// The next line, if one comes within this time.
    pub fn listen(&mut self, within: Duration) -> Heard {
        match self.lines.recv_timeout(within) {
            Ok((_, line)) => {
                self.last.clone_from(&line);
                Heard::Line(line)
            }
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) -> Result<()> {
        let Program { name, stdin, .. } = self;
        let said = stdin.as_mut().map(|stdin| writeln!(stdin, "{line}"));
        // One that has ended is found when it is listened to.
        match said {
            Some(Err(error)) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(error).with_context(|| format!("cannot write to {name}"))
            }
            _ => Ok(()),
        }
    }

    /// Listens until a line is what is waited for, and tells when it came. Nothing if it is broken
    /// off; an error if the program ends, or the time is over.
    #[cfg(feature = "cluster")]
    pub fn hear<T>(
        &mut self,
        what: &str,
        within: Duration,
        stop: &andor::Stop,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<(Instant, T)>> {
        /// So often it is looked whether it is broken off.
        const SLICE: Duration = Duration::from_millis(50);
        let end = Instant::now() + within;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(SLICE)) {
                Ok((at, line)) => match read(&line) {
                    Some(found) => return Ok(Some((at, found))),
                    None => self.last = line,
                },
                Err(_) if stop.is_raised() => return Ok(None),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    anyhow::bail!(
                        "{}: no {what} within {within:?}{}",
                        self.name,
                        self.last_words()
                    );
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    anyhow::bail!("{} has ended without {what}{}", self.name, self.last_words());
                }
            }
        }
    }

    /// The last line that nobody waited for, in brackets.
    pub fn last_words(&self) -> String {
        match self.last.trim_start_matches("error: ") {
            "" => String::new(),
            last => format!(" ({last})"),
        }
    }
}

/// Sends every line on, until nobody wants it.
fn forward(output: impl Read + Send + 'static, lines: SyncSender<(Instant, String)>) {
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            let now = Instant::now();
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            // A program whose output nobody reads any more would be stuck: the rest is read, too.
            let _ = lines.send((now, text));
            line.clear();
        }
    });
}

impl Drop for Program {
    fn drop(&mut self) {
        match self.stdin.take() {
            // Its input is closed as well.
            Some(mut stdin) => drop(writeln!(stdin, "quit")),
            None => interrupt(&self.child),
        }
        let end = Instant::now() + LAST_BREATH;
        while !has_ended(&mut self.child) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.kill();
        let _ = self.child.wait();
    }
}

/// Has it ended? It is left as it is, so that its number is not given to another one.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(id) = Pid::from_raw(child.id().cast_signed()) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(id), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills a program that is spoken to with all that it has started: it has a group of its own.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, getpgid, kill_process_group};
    let id = Pid::from_raw(child.id().cast_signed());
    if let Some(id) = id.filter(|&id| getpgid(Some(id)).is_ok_and(|group| group == id)) {
        let _ = kill_process_group(id, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// What Ctrl-C does. Where there is nothing like it the program is killed a little later.
#[cfg(unix)]
fn interrupt(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(id) = Pid::from_raw(child.id().cast_signed()) {
        let _ = kill_process(id, Signal::INT);
    }
}

#[cfg(not(unix))]
fn interrupt(_: &Child) {}
