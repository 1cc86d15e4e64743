//! What a user interface says, and what needs no search to be answered.

use yomikiri_engine::protocol::{Command, Id, PositionText, Reply, shown};

use super::state::Front;
use crate::board::Board;
use crate::options::{self, Change};
use crate::readiness::{Readiness, Standing};

impl Front {
    pub(super) fn hear(&mut self, command: Command) {
        if let Some(waiting) = &mut self.waiting {
            waiting.commands.push_back(command);
            return;
        }
        let ends = self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some());
        if ends && !matches!(command, Command::Stop | Command::Nothing) {
            // Answers come in the order of the questions.
            self.finish();
        }
        match command {
            Command::Handshake => self.introduce(),
            // During a search the question is whether we live.
            Command::IsReady if self.thinking.is_some() || self.mates.is_searching() => {
                self.say(Reply::ReadyOk);
            }
            Command::IsReady => {
                self.waiting = Some(Readiness::ask(&mut self.pool));
                self.answer_ready();
            }
            Command::NewGame => {
                self.finish_if_thinking();
                self.position = PositionText::initial();
                self.master.rest();
                self.master.new_game();
                self.pool.new_game();
            }
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Position(text) => match Board::new(self.game(), &text) {
                Ok(_) => self.position = text,
                Err(error) => self.remark(format!("{error}; the position stays as it was")),
            },
            Command::Go(go) => self.go(go),
            Command::Stop => {
                self.call_off_mate();
                self.end();
            }
            Command::PonderHit => self.ponder_hit(),
            Command::GameOver(_) => {
                self.finish_if_thinking();
                self.master.rest();
            }
            Command::Debug(on) => self.debug = on,
            Command::TableReport(_) => self.say(Reply::TableEnd),
            Command::Unknown(line) if line.trim() == "tree" => self.show_tree(),
            Command::Unknown(line) => {
                self.remark(format!("unknown command '{}'", shown(&line)));
            }
            Command::Register(_) | Command::Nothing | Command::Quit => {}
        }
    }

    /// An answer that is due is given.
    pub(super) fn quit(&mut self) {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some()) {
            self.finish();
        }
    }

    fn introduce(&self) {
        Id::of_yomikiri("Yomikiri cluster").into_iter().for_each(|id| self.say(id));
        for option in options::specs(self.setup.dialect, self.patience) {
            self.say(Reply::Option(option));
        }
        self.say(Reply::HandshakeOk);
    }

    fn set_option(&mut self, name: &str, value: Option<String>) {
        let change = self.options.set(self.setup.dialect, name, value.as_deref());
        // It is worked off between searches: who thinks in the opponent's time ends that.
        let is_own = matches!(change, Ok(Change::Own | Change::Patience));
        if self.thinking.is_none() && (!is_own || !self.options.ponder) {
            self.master.rest();
        }
        match change {
            Err(error) => return self.remark(error.to_string()),
            Ok(Change::Own) => return,
            Ok(Change::Patience) => return self.pool.set_patience(self.options.patience),
            Ok(Change::Pass) => {}
            Ok(Change::Notation) => {
                self.finish_if_thinking();
                self.position = PositionText::initial();
                self.master.change_game(self.game());
            }
        }
        self.pool.set_option(name, value);
    }

    /// Says that it is ready as soon as the workers are, or there is no hope of any.
    pub(super) fn answer_ready(&mut self) {
        let Some(waiting) = &mut self.waiting else { return };
        let remark = match waiting.look(&self.pool) {
            Standing::Waits(remark) => {
                remark.into_iter().for_each(|remark| self.remark(remark));
                return;
            }
            Standing::Ready(remark) => remark,
        };
        remark.into_iter().for_each(|remark| self.remark(remark));
        self.say(Reply::ReadyOk);
        let mut queue = self.waiting.take().map(|waiting| waiting.commands).unwrap_or_default();
        while let Some(command) = queue.pop_front() {
            self.hear(command);
            // A second `isready` may make the rest wait again.
            if let Some(waiting) = &mut self.waiting {
                waiting.commands.append(&mut queue);
            }
        }
    }
}
