//! Many questions at once.
//!
//! One large question goes to a team, whose agents share its tree. Of many small ones each goes to one
//! agent, and there are as many agents as threads: they share nothing but the table, so none waits for
//! another, and none searches what nobody asked for. When a question turns out to have a proof, all end:
//! what it proves changes what is to be asked. And when there is no question left to begin and most
//! agents are idle, those still at work give theirs back unanswered, for a team to go on with.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::ask::{Asker, Watcher, settings_for};
use crate::control::{REPORT, Stop};
use crate::dfpn::{Agent, Dfpn, Step};
use crate::known::known;
use crate::plies::Plies;
use crate::problem::Problem;
use crate::rules::Value;
use crate::search::HAS_THREADS;
use crate::table::Solved;
use crate::team::desk::{self, Place};

/// Nodes that a question had before it is worth a team.
const LARGE: u64 = 1 << 14;

/// One of several questions that do not depend on each other: is there a proof within so many plies?
pub(crate) struct Question<P> {
    pub at: P,
    pub plies: Plies,
    /// It had so many nodes before, in vain.
    pub had: u64,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard<S> {
    /// Its answer.
    Answer(Solved<S>),
    /// It has none, within its nodes.
    Nothing,
    /// It was not asked, or not with all its nodes.
    NotAsked,
}

impl<P: Problem, W: Watcher> Asker<'_, P, W> {
    /// How many questions can be asked at a time.
    pub(crate) fn questions_at_once(&self) -> usize {
        self.scheme().filter(|_| HAS_THREADS).map_or(1, |scheme| scheme.threads())
    }

    /// Asks many questions, in their order, as many at a time as there are threads. Each gets as many
    /// nodes as `share` says when so many others have had no answer, unless it had them before. Ends
    /// when a question has a proof, or all nodes together are about `end`. What is heard of each; nothing is, if there are no threads.
    pub(crate) fn ask_all(
        &mut self,
        questions: &[Question<P>],
        end: u64,
        share: impl Fn(u32) -> u64 + Sync,
    ) -> Vec<Heard<P::Stock>> {
        let threads = self.questions_at_once();
        if !HAS_THREADS {
            return vec![Heard::NotAsked; questions.len()];
        }
        let (table, settings, patience) = (self.table(), self.settings(), self.patience);
        // All together have as much room as one agent has for a large question.
        let path_bytes = (settings.path_bytes / threads).max(1 << 16);
        let desk = Desk {
            questions,
            next: AtomicUsize::new(0),
            at_work: AtomicUsize::new(threads),
            threads,
            unanswered: AtomicU32::new(0),
            heard: Mutex::new(vec![Heard::NotAsked; questions.len()]),
        };
        let new_agent = |question: &Question<P>, stop: &Stop| {
            let settings = Dfpn { path_bytes, ..settings_for(settings, question.plies) };
            Agent::new(question.at.clone(), settings, table, stop.clone())
        };
        let work = |_: usize, place: &Place<'_>| {
            let mut agent: Option<Agent<'_, P>> = None;
            let found = desk.take_questions(|question| {
                let budget = share(desk.unanswered.load(Ordering::Relaxed)).min(patience);
                if budget <= question.had {
                    return Some(Heard::NotAsked);
                }
                if let Some(solved) =
                    known(&mut question.at.clone(), table, question.plies).solved()
                {
                    return Some(Heard::Answer(solved));
                }
                let agent = match &mut agent {
                    Some(agent) => {
                        agent.restart(question.at.clone(), question.plies);
                        agent
                    }
                    None => agent.insert(new_agent(question, place.over)),
                };
                desk.search(question, agent, budget, place)
            });
            desk.at_work.fetch_sub(1, Ordering::Relaxed);
            found
        };
        let (outcome, _) = self.watched(end, |control| desk::run(threads, table, control, work));
        self.count(&outcome);
        desk.heard.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the agents take their questions, and leave what they heard.
struct Desk<'q, P: Problem> {
    questions: &'q [Question<P>],
    next: AtomicUsize,
    at_work: AtomicUsize,
    threads: usize,
    unanswered: AtomicU32,
    heard: Mutex<Vec<Heard<P::Stock>>>,
}

impl<P: Problem> Desk<'_, P> {
    /// Puts one question after the other to `ask`, until there are none left or it says nothing. Gives
    /// the first proof.
    fn take_questions(
        &self,
        mut ask: impl FnMut(&Question<P>) -> Option<Heard<P::Stock>>,
    ) -> Option<Solved<P::Stock>> {
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let heard = ask(self.questions.get(i)?)?;
            self.heard.lock().unwrap_or_else(PoisonError::into_inner)[i] = heard;
            match heard {
                Heard::Answer(solved) if solved.value == Value::Proven => return Some(solved),
                Heard::Nothing => _ = self.unanswered.fetch_add(1, Ordering::Relaxed),
                Heard::Answer(_) | Heard::NotAsked => {}
            }
        }
    }

    /// Searches a question with so many nodes. Nothing if it was stopped, or is left to a team.
    fn search(
        &self,
        question: &Question<P>,
        agent: &mut Agent<'_, P>,
        budget: u64,
        place: &Place<'_>,
    ) -> Option<Heard<P::Stock>> {
        let begin = agent.nodes();
        let end = begin.saturating_add(budget);
        loop {
            let left = end.saturating_sub(agent.nodes());
            let step = agent.run_for(left.min(place.quantum), REPORT);
            match step {
                Step::Solved => {
                    place.count(agent.totals());
                    return agent.result().map(Heard::Answer);
                }
                Step::Stopped => return None,
                Step::Budget if agent.nodes() >= end => {
                    place.count(agent.totals());
                    return Some(Heard::Nothing);
                }
                Step::Budget => place.report(&question.at, agent, agent.totals()),
            }
            if agent.nodes() - begin >= LARGE && self.is_nearly_over() {
                return None;
            }
        }
    }

    /// Are most agents idle?
    fn is_nearly_over(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.questions.len()
            && 2 * self.at_work.load(Ordering::Relaxed) <= self.threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Limits;
    use crate::rules::{NodeKind, Repetition};
    use crate::search::Scheme;
    use crate::simple::{Game, Simple};
    use crate::table::Table;
    use crate::virtual_numbers::Agents;

    /// Both sides have two moves each, ten in all. What the moves come to is lost for the attacker but
    /// for one number: `wins`.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Needle {
        moves: u32,
        played: u32,
        wins: Option<u32>,
    }

    impl Game for Needle {
        type Move = u32;
        const REPETITION: Repetition = Repetition::Never;
        fn kind(&self) -> NodeKind {
            if self.played.is_multiple_of(2) { NodeKind::Or } else { NodeKind::And }
        }
        fn over(&self) -> Option<Value> {
            let value = match self.wins {
                Some(wins) if self.moves >> 5 & 1 == wins => Value::Proven,
                _ => Value::Disproven,
            };
            (self.played == 10).then_some(value)
        }
        fn moves(&self) -> Vec<u32> {
            vec![0, 1]
        }
        fn after(&self, m: u32) -> Needle {
            Needle { moves: self.moves << 1 | m, played: self.played + 1, wins: self.wins }
        }
    }

    fn question(id: u32, wins: Option<u32>, had: u64) -> Question<Simple<Needle>> {
        let at = Simple(Needle { moves: 2 + id, played: 0, wins });
        Question { at, plies: Plies::at_most(10), had }
    }

    fn ask(
        questions: &[Question<Simple<Needle>>],
        limit: Option<u64>,
        share: impl Fn(u32) -> u64 + Sync,
    ) -> (Vec<Option<Value>>, Vec<Heard<()>>) {
        let table = Table::new(1 << 18).expect("a small table");
        let scheme = Some(Scheme::Virtual(Agents::on_threads(3)));
        let limits = Limits { nodes: limit, time: None };
        let mut asker =
            Asker::new(&table, (Dfpn::default(), scheme), limits, Stop::new(), None::<()>);
        let heard = asker.ask_all(questions, u64::MAX, share);
        let known = questions.iter().map(|question| {
            let mut at = question.at.clone();
            known(&mut at, &table, question.plies).solved().map(|solved| solved.value)
        });
        (known.collect(), heard)
    }

    #[test]
    fn all_are_answered_and_in_the_table() {
        let questions: Vec<_> = (0..20).map(|id| question(id, None, 0)).collect();
        let (known, heard) = ask(&questions, None, |_| u64::MAX);
        assert_eq!(known, [Some(Value::Disproven); 20]);
        let is_no = |heard: &Heard<()>| match heard {
            Heard::Answer(solved) => solved.value == Value::Disproven,
            Heard::Nothing | Heard::NotAsked => false,
        };
        assert!(heard.iter().all(is_no), "{heard:?}");
    }

    #[test]
    fn a_proof_ends_it() {
        // The attacker has the sixth move from the end, which decides.
        let questions: Vec<_> = (0..5000).map(|id| question(id, Some(1), 0)).collect();
        let (known, heard) = ask(&questions, None, |_| u64::MAX);
        let proven = known.iter().filter(|&&value| value == Some(Value::Proven)).count();
        assert!((1..=3).contains(&proven), "{proven}");
        assert_eq!(heard.iter().filter(|heard| matches!(heard, Heard::Answer(_))).count(), proven);
        assert_eq!(heard[4999], Heard::NotAsked);
    }

    #[test]
    fn each_gets_its_share() {
        let questions: Vec<_> = (0..20).map(|id| question(id, None, u64::from(id) / 10)).collect();
        // None is answered by three nodes; after a few of these the rest get one, which some had.
        let share = |unanswered| if unanswered < 5 { 3 } else { 1 };
        let (known, heard) = ask(&questions, None, share);
        assert_eq!(known, [None; 20]);
        assert_eq!(heard[..10], [Heard::Nothing; 10]);
        assert_eq!(heard[10..], [Heard::NotAsked; 10]);
    }

    #[test]
    fn limits_end_it() {
        let questions: Vec<_> = (0..5000).map(|id| question(id, None, 0)).collect();
        let (_, heard) = ask(&questions, Some(200), |_| u64::MAX);
        assert_eq!(heard[4999], Heard::NotAsked);
    }
}
