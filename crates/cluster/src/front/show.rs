//! What is shown: lines of play, and the tree.

use std::time::Duration;

use yomikiri_engine::protocol::{Info, Reply, Score};

use super::state::Front;
use crate::master::{Decision, Master};
use crate::status::status;

impl Front {
    pub(super) fn show(&self, decision: &Decision) {
        let Some(thinking) = &self.thinking else { return };
        let nodes = self.master.nodes().saturating_sub(thinking.nodes_before);
        let time = thinking.start.elapsed();
        let lines = (self.options.multipv, thinking.go.depth.unwrap_or(0));
        for info in infos(&self.master, decision, lines, nodes, time) {
            self.say(Reply::Info(Box::new(info)));
        }
    }

    pub(super) fn show_tree(&self) {
        for line in status(&self.setup.name, &self.master).to_string().lines() {
            self.remark(line);
        }
    }

    pub(super) fn publish(&self) {
        let Some(publish) = &self.setup.publish else { return };
        let status = status(&self.setup.name, &self.master);
        if let Ok(json) = serde_json::to_vec(&status) {
            // Where there is no place for it, it is shown another time.
            let _ = publish.try_send(json);
        }
    }
}

/// What is shown of a decision: one line, or as many as are wanted and known, best first, if there
/// are enough of this depth.
fn infos(
    master: &Master,
    decision: &Decision,
    (most, wanted): (usize, u64),
    nodes: u64,
    time: Duration,
) -> Vec<Info> {
    let Some(score) = decision.score else { return Vec::new() };
    let time = time.as_millis() as u64;
    let info = |multipv: Option<u64>, depth: u64, score: Score, pv: Vec<String>| Info {
        depth: Some(depth),
        multipv,
        score: Some(score),
        nodes: Some(nodes),
        time: Some(time),
        nps: Some(nodes * 1000 / time.max(1)),
        pv,
        ..Info::default()
    };
    let lines = if most > 1 { master.variations(most, wanted) } else { Vec::new() };
    if lines.is_empty() {
        return vec![info(None, decision.depth, score, decision.pv.clone())];
    }
    let dialect = master.tree().game().dialect();
    let ranked = (1..).zip(lines);
    ranked
        .map(|(rank, line)| info(Some(rank), line.depth, line.value.score(dialect), line.pv))
        .collect()
}
