//! What happens to workers, and what they say.

use yomikiri_engine::protocol::BestMove;

use super::state::Front;
use crate::master::WorkerId;
use crate::pool::Happening;

impl Front {
    pub(super) fn notice(&mut self, happening: Happening) {
        match happening {
            Happening::Joined { worker, reports } => {
                self.master.join(worker, reports);
                self.answer_ready();
            }
            Happening::Left { worker, reason } => {
                self.lose(worker);
                self.remark(format!("worker {} ({}): {reason}", worker.0, self.pool.name(worker)));
                self.answer_ready();
            }
            Happening::SetAside { worker, reason } => {
                self.lose(worker);
                self.remark(format!("worker {} is set aside: {reason}", worker.0));
                self.answer_ready();
            }
            Happening::Info(worker, job, info) => {
                if !self.master.info(worker, job, &info) {
                    let m = info.pv.first().cloned().unwrap_or_default();
                    self.pool.complain(worker, &format!("its line begins with '{m}', not legal"));
                }
            }
            Happening::Ended(worker, job, best) => {
                let m = match &best {
                    BestMove::Move(m) => Some(m.as_str()),
                    _ => None,
                };
                if !self.master.ended(worker, job, m) {
                    let m = m.unwrap_or_default();
                    self.pool.complain(worker, &format!("its move '{m}' is not legal"));
                }
                if self.mates.is_asked(worker, job) {
                    let outcome = self.mates.does_not_know(worker, &self.pool);
                    self.answer_mate(outcome);
                }
                self.has_said_all(worker);
            }
            Happening::Checkmate(worker, job, checkmate) => {
                let outcome = self.mates.heard(worker, job, checkmate, &self.pool);
                self.answer_mate(outcome);
            }
            Happening::Ready => self.answer_ready(),
            Happening::Table(worker, job, entries) => {
                self.master.table_report(worker, job, &entries);
                self.pace.reported(&mut self.master);
            }
            Happening::Remark(text) => self.remark(text),
        }
    }

    /// A worker is gone, for now or for ever.
    fn lose(&mut self, worker: WorkerId) {
        self.master.leave(worker);
        self.has_said_all(worker);
        let outcome = self.mates.left(worker, &self.pool);
        self.answer_mate(outcome);
    }
}
