//! Many visitors, and how they share what there is.

use serde_json::json;
use yomikiri_server::{Pace, Settings};
use yomikiri_session::Ceilings;

use crate::{ENDLESS, LONG, Site, THREE};

#[tokio::test]
async fn fifty_visitors_at_once_are_answered_or_told_their_place() {
    let pace = Pace { turn: LONG, ..Pace::default() };
    let settings = Settings { searches: 2, visitors: 50, pace, ..Settings::default() };
    let site = Site::open(settings);
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut page = site.visitor().await;
        page.begins(1).await;
        page.find("started").await;
        busy.push(page);
    }
    let mut waiting = Vec::new();
    for place in 1..=48 {
        let mut page = site.visitor().await;
        page.say(&json!({"type": "solve", "id": 7, "text": THREE, "hash": 1})).await;
        assert_eq!(page.hear().await, json!({"type": "queued", "id": 7, "place": place}));
        waiting.push(page);
    }
    assert_eq!(site.window.census().visitors, 50);
    assert_eq!(site.connect(&[]).await.err().map(|(status, _)| status), Some(503));
    // What takes no time is answered meanwhile.
    for page in &mut waiting {
        page.say(&json!({"type": "moves", "id": 8, "text": THREE})).await;
        assert_eq!(page.hear().await["type"], "moves");
    }
    for page in &mut busy {
        page.say(&json!({"type": "stop", "id": 1})).await;
        assert_eq!(page.find("answer").await["verdict"], "unknown");
    }
    for (before, page) in waiting.iter_mut().enumerate() {
        let said = page.until("answer").await;
        assert_eq!(said.last().map(|answer| &answer["verdict"]), Some(&json!("proven")));
        // Places only fall, and the search begins once.
        let places: Vec<u64> = said.iter().filter_map(|said| said["place"].as_u64()).collect();
        assert!(places.is_sorted_by(|a, b| a > b), "{places:?}");
        assert!(places.iter().all(|&place| place <= before as u64), "{places:?}");
        assert_eq!(said.iter().filter(|said| said["type"] == "started").count(), 1);
    }
}

#[tokio::test]
async fn a_search_without_end_does_not_keep_others_from_theirs() {
    let pace = Pace { turn: Pace::default().slice, ..Pace::default() };
    let site = Site::open(Settings { searches: 1, pace, ..Settings::default() });
    let mut endless = site.visitor().await;
    endless.begins(1).await;
    endless.find("progress").await;
    let mut other = site.visitor().await;
    for id in 1..=3 {
        other.solves(id).await;
    }
    // Two of them take turns, and both get on.
    other.begins(4).await;
    for page in [&mut endless, &mut other] {
        for _ in 0..2 {
            page.find("queued").await;
            page.find("started").await;
            page.find("progress").await;
        }
    }
}

#[tokio::test]
async fn memory_is_for_all_and_who_rests_gives_way() {
    let ceilings = Ceilings { hash: 8, ..Settings::default().ceilings };
    let pace = Pace { turn: Pace::default().slice, ..Pace::default() };
    let memory = 8 << 20;
    let site = Site::open(Settings { searches: 2, memory, ceilings, pace, ..Settings::default() });
    let solve = |id| json!({"type": "solve", "id": id, "text": ENDLESS, "hash": 8});
    let mut first = site.visitor().await;
    first.say(&solve(1)).await;
    first.find("progress").await;
    // There is a slot, but no memory.
    let mut second = site.visitor().await;
    second.say(&solve(1)).await;
    assert_eq!(second.find("queued").await["place"], 1);
    first.find("progress").await;
    assert_eq!(site.window.census().memory, memory);
    // The first rests, and is answered when the second needs what it holds.
    first.say(&json!({"type": "pause", "id": 1})).await;
    let said = first.until("answer").await;
    assert!(said.iter().any(|said| said["type"] == "paused"), "{said:?}");
    assert_eq!(said.last().map(|answer| &answer["verdict"]), Some(&json!("unknown")));
    second.find("progress").await;
    assert_eq!(site.window.census().memory, memory);
    second.say(&json!({"type": "stop", "id": 1})).await;
    second.find("answer").await;
    // Of a search whose table another has taken there is no certificate any more.
    second.say(&json!({"type": "solve", "id": 2, "text": THREE, "hash": 8})).await;
    assert_eq!(second.find("answer").await["verdict"], "proven");
    first.say(&json!({"type": "solve", "id": 2, "text": THREE, "hash": 8})).await;
    assert_eq!(first.find("answer").await["verdict"], "proven");
    let why = second.refused(&json!({"type": "certificate", "id": 3, "of": 2})).await;
    assert!(why.contains("nothing is kept"), "{why}");
}

#[tokio::test]
async fn certificates_wait_for_a_slot_too_and_too_many_open_ones_are_refused() {
    let pace = Pace { turn: LONG, ..Pace::default() };
    // A shelf of 256 KiB.
    let memory = 1 << 20;
    let ceilings = Ceilings { hash: 1, ..Settings::default().ceilings };
    let site = Site::open(Settings { searches: 1, memory, ceilings, pace, ..Settings::default() });
    let mut page = site.visitor().await;
    page.solves(1).await;
    page.say(&json!({"type": "certificate", "id": 2, "of": 1})).await;
    let data = page.find("certificate").await["data"].clone();
    let long = "A".repeat(1 << 20);
    let why = page.refused(&json!({"type": "open", "id": 3, "certificate": long})).await;
    assert!(why.contains("no room for another open certificate"), "{why}");
    let mut busy = site.visitor().await;
    busy.begins(1).await;
    busy.find("started").await;
    page.say(&json!({"type": "check", "id": 4, "certificate": data})).await;
    assert_eq!(page.hear().await, json!({"type": "queued", "id": 4, "place": 1}));
    busy.say(&json!({"type": "stop", "id": 1})).await;
    assert_eq!(page.find("checked").await["accepted"], true);
}

#[tokio::test]
async fn whatever_takes_long_waits_for_a_slot_and_what_does_not_is_answered_meanwhile() {
    let pace = Pace { turn: LONG, ..Pace::default() };
    let site = Site::open(Settings { searches: 1, pace, ..Settings::default() });
    let mut page = site.visitor().await;
    page.solves(1).await;
    page.say(&json!({"type": "certificate", "id": 2, "of": 1})).await;
    let data = page.find("certificate").await["data"].clone();
    page.say(&json!({"type": "open", "id": 3, "certificate": data})).await;
    page.find("opened").await;
    let mut busy = site.visitor().await;
    busy.begins(1).await;
    busy.find("started").await;
    let long = format!("{THREE}{}", "\n# a comment".repeat(2000));
    for (id, ask) in (4..).zip([
        json!({"type": "read", "text": long}),
        json!({"type": "moves", "text": long}),
        json!({"type": "node", "proof": 3}),
        json!({"type": "export", "of": 1, "format": "kif"}),
    ]) {
        let mut ask = ask;
        ask["id"] = id.into();
        let mut other = site.visitor().await;
        let asks = if id < 6 { &mut other } else { &mut page };
        asks.say(&ask).await;
        assert_eq!(asks.hear().await, json!({"type": "queued", "id": id, "place": 1}), "{ask}");
        // Others are heard.
        let mut third = site.visitor().await;
        third.say(&json!({"type": "moves", "id": 1, "text": THREE})).await;
        assert_eq!(third.hear().await["type"], "moves");
        busy.say(&json!({"type": "stop", "id": id - 3})).await;
        busy.find("answer").await;
        assert_eq!(asks.hear().await["id"], id);
        busy.begins(id - 2).await;
        busy.find("started").await;
    }
}
