//! What a page does on a good day.

use serde_json::json;
use yomikiri_server::{Pace, Sets, Settings, Token};

use crate::{ENDLESS, Site, THREE};

#[tokio::test]
async fn a_position_is_read_solved_certified_checked_and_played_against() {
    let site = Site::open(Settings::default());
    let mut page = site.connect(&[]).await.expect("a connection");
    page.say(&json!({"type": "hello", "version": 1})).await;
    let welcome = page.hear().await;
    assert_eq!((&welcome["type"], &welcome["engine"]), (&json!("welcome"), &json!("server")));
    page.say(&json!({"type": "read", "id": 1, "text": THREE})).await;
    assert_eq!(page.hear().await["game"], "shogi");
    page.say(&json!({"type": "solve", "id": 2, "text": THREE, "hash": 1})).await;
    let said = page.until("answer").await;
    let begun = said.iter().filter(|message| message["type"] == "started").count();
    assert_eq!(begun, 1, "{said:?}");
    let answer = said.last().expect("an answer");
    assert_eq!((&answer["verdict"], &answer["plies"]), (&json!("proven"), &json!(3)));
    page.say(&json!({"type": "certificate", "id": 3, "of": 2})).await;
    let data = page.find("certificate").await["data"].clone();
    page.say(&json!({"type": "check", "id": 4, "certificate": data, "text": THREE})).await;
    let checked = page.find("checked").await;
    assert_eq!((&checked["accepted"], &checked["where"]), (&json!(true), &json!("server")));
    page.say(&json!({"type": "open", "id": 5, "certificate": data})).await;
    assert_eq!(page.find("opened").await["value"], "proven");
    assert!(site.window.census().shelf > 0);
    page.say(&json!({"type": "node", "id": 6, "proof": 5})).await;
    let node = page.find("node").await;
    assert_eq!((&node["holder"], &node["plies"]), (&json!(true), &json!(3)));
    page.say(&json!({"type": "close", "id": 7, "proof": 5})).await;
    page.find("closed").await;
    site.wait("the shelf is empty", |window| window.census().shelf == 0).await;
}

#[tokio::test]
async fn a_search_tells_how_it_gets_on_rests_and_is_stopped() {
    let site = Site::open(Settings { searches: 1, ..Settings::default() });
    let mut page = site.visitor().await;
    page.begins(1).await;
    assert_eq!(page.find("started").await["id"], 1);
    assert_eq!(page.find("progress").await["id"], 1);
    page.say(&json!({"type": "pause", "id": 1})).await;
    page.find("paused").await;
    // A search that rests has given its slot back.
    site.wait("the slot is free", |window| window.census().working == 0).await;
    let mut other = site.visitor().await;
    other.solves(1).await;
    page.say(&json!({"type": "go-on", "id": 1})).await;
    page.find("started").await;
    page.find("progress").await;
    page.say(&json!({"type": "stop", "id": 1})).await;
    assert_eq!(page.find("answer").await["verdict"], "unknown");
    page.solves(2).await;
}

#[tokio::test]
async fn a_search_is_stopped_in_the_middle_of_a_slice_and_in_the_line() {
    let pace = Pace { slice: crate::LONG, turn: crate::LONG, ..Pace::default() };
    let site = Site::open(Settings { searches: 1, pace, ..Settings::default() });
    let mut page = site.visitor().await;
    page.begins(1).await;
    page.find("started").await;
    let mut waiting = site.visitor().await;
    waiting.begins(1).await;
    waiting.find("queued").await;
    assert!(waiting.refused(&json!({"type": "stop", "id": 2})).await.contains("no search 2"));
    waiting.say(&json!({"type": "stop", "id": 1})).await;
    assert_eq!(waiting.find("answer").await["verdict"], "unknown");
    assert_eq!(site.window.census().working, 1);
    page.say(&json!({"type": "stop", "id": 1})).await;
    assert_eq!(page.find("answer").await["verdict"], "unknown");
    waiting.solves(2).await;
}

#[tokio::test]
async fn who_knows_the_token_is_let_in() {
    let token = Token::new("correct-horse-battery").ok();
    let site = Site::open(Settings { token, ..Settings::default() });
    let hello = json!({"type": "hello", "version": 1, "token": "correct-horse-battery"});
    let mut page = site.connect(&[]).await.expect("a connection");
    page.say(&hello).await;
    assert_eq!(page.hear().await["type"], "welcome");
    page.solves(1).await;
    // A name of its own, as behind a proxy that speaks TLS.
    let own = [("host", "solver.example"), ("origin", "https://solver.example")];
    let mut page = site.connect(&own).await.expect("a connection");
    page.say(&hello).await;
    assert_eq!(page.hear().await["type"], "welcome");
}

#[tokio::test]
async fn who_leaves_frees_the_slot_and_the_memory() {
    let pace = Pace { turn: crate::LONG, ..Pace::default() };
    let site = Site::open(Settings { searches: 1, pace, ..Settings::default() });
    for algorithm in ["auto", "pn"] {
        let mut page = site.visitor().await;
        let ask =
            json!({"type": "solve", "id": 1, "text": ENDLESS, "hash": 64, "algorithm": algorithm});
        page.say(&ask).await;
        page.find("started").await;
        site.wait("it works", |window| window.census().working == 1).await;
        drop(page);
        site.wait("it has left", |window| window.census().visitors == 0).await;
        let census = site.window.census();
        assert_eq!((census.working, census.memory), (0, 0));
    }
    site.visitor().await.solves(1).await;
}

#[tokio::test]
async fn a_server_that_ends_takes_leave_of_those_at_work() {
    let site = Site::open(Settings { searches: 1, ..Settings::default() });
    let mut page = site.visitor().await;
    page.begins(1).await;
    page.find("progress").await;
    let mut waiting = site.visitor().await;
    waiting.begins(1).await;
    waiting.find("queued").await;
    // Waits for the server's end, and that nobody is left.
    let closed = tokio::task::spawn_blocking(move || drop(site));
    while page.listen().await.is_some() {}
    while waiting.listen().await.is_some() {}
    closed.await.expect("a clean end");
}

#[tokio::test]
async fn an_inspection_works_in_a_slot_and_leaves_no_table() {
    let site = Site::open(Settings::default());
    let mut page = site.visitor().await;
    page.say(&json!({"type": "inspect", "id": 1, "text": THREE, "hash": 16})).await;
    page.find("started").await;
    page.find("inspected").await;
    site.wait("its table is gone", |window| window.census().memory == 0).await;
    page.solves(2).await;
    // It can still be certified.
    assert_eq!(site.window.census().memory, 1 << 20);
    page.say(&json!({"type": "export", "id": 3, "of": 2, "format": "kif"})).await;
    assert_eq!(page.find("exported").await["name"], "solution.kif");
}

#[tokio::test]
async fn sets_of_this_machine_are_offered_by_name_alone() {
    let folder = std::env::temp_dir().join(format!("yomikiri-sets-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("mine.tsv", &format!("# sfen, name, plies\n{THREE}\tthree\t3\nnonsense\tx\t1\n"));
    write("other.tsv", "nothing that could be solved\n");
    write("secret.txt", &format!("{THREE}\tthree\t3\n"));
    let sets = Sets::in_folder(&folder);
    std::fs::remove_dir_all(&folder).expect("to remove it");
    let site = Site::open(Settings { shelf: std::sync::Arc::new(sets), ..Settings::default() });
    let mut page = site.visitor().await;
    page.say(&json!({"type": "sets", "id": 1})).await;
    let sets = page.hear().await["sets"].clone();
    let names: Vec<_> = sets.as_array().expect("sets").iter().map(|set| &set["name"]).collect();
    assert_eq!(names, ["own", "mine"]);
    page.say(&json!({"type": "set", "id": 2, "name": "mine"})).await;
    let problems = page.hear().await["problems"].clone();
    assert_eq!(problems, json!([{"name": "three", "text": THREE, "plies": 3}]));
    for name in ["secret", "../mine", "/etc/passwd", "mine.tsv", ""] {
        let why = page.refused(&json!({"type": "set", "id": 3, "name": name})).await;
        assert!(why.contains("no set"), "{why}");
    }
}
