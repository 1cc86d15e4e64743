//! The module that is shipped, in node.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use yomikiri_session::{Ceilings, Place, Reply, Session};
use yomikiri_tsume::OWN_PROBLEMS;

/// What our own problems take a native engine, each on a table of its own.
fn native_nodes() -> u64 {
    let mut session = Session::new(Place::Browser, Ceilings::default());
    let mut nodes = 0;
    for line in OWN_PROBLEMS.lines().filter(|line| !line.starts_with('#')) {
        let text = line.split('\t').next();
        let solve = json!({"type": "solve", "id": 1, "text": text, "hash": 1, "length": "first"});
        session.receive(&solve.to_string(), &mut |_| ());
        session.step(Duration::from_secs(1000), &mut |said| {
            if let Reply::Answer(answer) = said {
                nodes += answer.nodes;
            }
        });
    }
    nodes
}

#[test]
fn the_module_solves_and_says_what_it_cannot() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let node =
        Command::new("node").arg("--version").output().ok().filter(|out| out.status.success());
    if yomikiri_needs::program("node", node).is_none() {
        return;
    }
    let out = Command::new("node")
        .arg(here.join("tests/engine.mjs"))
        .arg(here.join("../dist/engine.wasm"))
        .arg(native_nodes().to_string())
        .output()
        .expect("node was there a moment ago");
    let (said, complained) =
        (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{said}{complained}");
    assert!(said.contains("all holds"), "{said}{complained}");
}
