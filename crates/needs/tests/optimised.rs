//! What is measured is compiled as searches are.
//!
//! The release profile compiles the crates that only talk with few passes. Generic code is compiled in
//! the crate that uses it, so a loop over the table that stood in one of them would be slow, and what
//! it measures wrong.

use std::fs;
use std::path::Path;

/// What works on a table, rather than look something up to show it.
const WORK: [&str; 4] = [".store_open(", ".store_solved(", ".touch(", "Agent::new("];

/// All text of a folder of sources, without unit tests, which stand at the end of a file.
fn text(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.unwrap().path());
    let of = |path: std::path::PathBuf| match path.is_dir() {
        true => text(&path),
        false => {
            let text = fs::read_to_string(&path).expect("a source");
            text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
        }
    };
    entries.map(of).collect()
}

#[test]
fn crates_that_only_talk_do_not_work_on_a_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the workspace");
    let profiles = manifest.split("\n[profile.release.package.").skip(1);
    let slow = profiles.filter(|profile| profile.contains("opt-level = 1"));
    let names: Vec<&str> = slow.filter_map(|profile| profile.split(']').next()).collect();
    assert!(names.contains(&"yomikiri") && names.contains(&"yomikiri-question"), "{names:?}");
    for name in names.iter().filter(|name| **name != "\"*\"") {
        let folder = root.join("crates").join(name.trim_start_matches("yomikiri-"));
        let text = text(&folder.join("src"));
        for work in WORK {
            assert!(!text.contains(work), "{name} works on a table: `{work}`");
        }
    }
}
