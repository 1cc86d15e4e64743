//! The module that is shipped, in node.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use yomikiri_tsume::OWN_PROBLEMS;
use yomikiri_web_wasm::Engine;

/// What our own problems take a native engine, one after the other on one table.
fn native_nodes() -> u64 {
    let mut engine = Engine::default();
    let mut nodes = 0;
    for line in OWN_PROBLEMS.lines().filter(|line| !line.starts_with('#')) {
        let text = line.split('\t').next();
        let message = json!({"type": "solve", "text": text, "hash": 16}).to_string();
        engine.receive(message.as_bytes(), &mut |said| panic!("{line}: {said}"));
        engine.step(Duration::from_secs(1000), &mut |said| {
            let said: Value = serde_json::from_str(said).expect("what is sent is JSON");
            nodes += said["nodes"].as_u64().expect("an answer tells its nodes");
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
