//! What is shown: lines of play, and the tree.

use yomikiri_engine::protocol::Reply;

use super::state::Front;
use crate::master::Decision;
use crate::multipv;
use crate::status::status;

impl Front {
    pub(super) fn show(&self, decision: &Decision) {
        let Some(thinking) = &self.thinking else { return };
        let nodes = self.master.nodes().saturating_sub(thinking.nodes_before);
        let (time, most) = (thinking.start.elapsed(), self.options.multipv);
        for info in multipv::infos(&self.master, decision, most, nodes, time) {
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
