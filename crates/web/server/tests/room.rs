//! The room by itself: who works, who waits.

use std::sync::Arc;
use std::time::Duration;

use andor::Stop;
use tokio::time::timeout;
use yomikiri_server::room::{BYTES_A_SECOND, Full, Next, Room, Seat, Size, Want};

fn room(slots: usize, memory: usize, turn: Duration) -> Arc<Room> {
    let (visitors, shelf, moment, mail) = (8, 10, 0, 4 << 10);
    let grace = Duration::from_millis(10);
    Room::new(Size { visitors, slots, memory, moment, shelf, mail, turn, grace, inbox: (2, 100) })
}

fn sit(room: &Arc<Room>) -> Seat {
    room.sit().expect("a seat")
}

fn search(bytes: usize) -> Want {
    Want::Search { id: 1, bytes, stop: Stop::new() }
}

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn slots_go_to_the_first_in_line_and_places_move_up() {
    let room = room(1, 100, LONG);
    let (a, b, c) = (sit(&room), sit(&room), sit(&room));
    assert_eq!(a.next(search(10)), Next::Work);
    assert_eq!(b.next(search(10)), Next::Place(1));
    assert_eq!(c.next(search(10)), Next::Place(2));
    assert_eq!(a.next(search(10)), Next::Work);
    // It is done; its table stays.
    a.door().post("next".into(), None).expect("room");
    assert_eq!(a.next(Want::Message), Next::Message("next".into()));
    assert_eq!(c.next(search(10)), Next::Place(1));
    assert_eq!(b.next(search(10)), Next::Work);
    drop(b);
    assert_eq!(c.next(search(10)), Next::Work);
    let census = room.census();
    assert_eq!((census.visitors, census.working, census.waiting, census.memory), (2, 1, 0, 20));
}

#[test]
fn after_its_turn_a_search_lets_others_work() {
    let room = room(1, 100, Duration::ZERO);
    let (a, b) = (sit(&room), sit(&room));
    // Alone it goes on.
    assert_eq!(a.next(search(10)), Next::Work);
    assert_eq!(a.next(search(10)), Next::Work);
    assert_eq!(b.next(search(10)), Next::Place(1));
    for _ in 0..3 {
        assert_eq!(a.next(search(10)), Next::Place(1));
        assert_eq!(b.next(search(10)), Next::Work);
        assert_eq!(b.next(search(10)), Next::Place(1));
        assert_eq!(a.next(search(10)), Next::Work);
    }
}

#[test]
fn who_waits_for_memory_is_passed_by_those_who_have_theirs_and_no_others() {
    let room = room(2, 100, Duration::ZERO);
    let (a, b, c) = (sit(&room), sit(&room), sit(&room));
    assert_eq!(a.next(search(60)), Next::Work);
    assert_eq!(b.next(search(60)), Next::Place(1));
    // It would fit, but the one before it came first.
    assert_eq!(c.next(search(10)), Next::Place(2));
    // Its turn is over, and there is nobody who could take it.
    assert_eq!(a.next(search(60)), Next::Work);
    drop(a);
    assert_eq!(b.next(search(60)), Next::Work);
    assert_eq!(c.next(search(10)), Next::Work);
}

#[test]
fn who_rested_longest_gives_up_its_table_when_another_needs_it() {
    let room = room(1, 100, LONG);
    let (a, b, c) = (sit(&room), sit(&room), sit(&room));
    for seat in [&a, &b] {
        assert_eq!(seat.next(search(50)), Next::Work);
        seat.door().post(String::new(), None).expect("room");
        assert_eq!(seat.next(Want::Message), Next::Message(String::new()));
    }
    assert_eq!(c.next(search(50)), Next::Place(1));
    assert_eq!(a.next(Want::Message), Next::Forget);
    a.keep(0);
    assert_eq!(c.next(search(50)), Next::Work);
    // The other keeps its own.
    b.door().post("still here".into(), None).expect("room");
    assert_eq!(b.next(Want::Message), Next::Message("still here".into()));
    assert_eq!(room.census().memory, 100);
}

#[test]
fn a_table_as_large_as_all_memory_is_the_most_that_is_waited_for() {
    let room = room(1, 100, LONG);
    assert_eq!(sit(&room).next(search(1000)), Next::Work);
}

#[test]
fn a_task_waits_like_a_search_but_hears_no_message() {
    let room = room(1, 100, LONG);
    let (a, b) = (sit(&room), sit(&room));
    assert_eq!(a.next(search(10)), Next::Work);
    b.door().post("later".into(), None).expect("room");
    assert_eq!(b.next(Want::Task { bytes: 0 }), Next::Place(1));
    drop(a);
    assert_eq!(b.next(Want::Task { bytes: 0 }), Next::Work);
    assert_eq!(b.next(Want::Message), Next::Message("later".into()));
    assert_eq!(room.census().working, 0);
}

#[test]
fn a_task_waits_for_the_memory_that_it_takes() {
    let room = room(2, 100, LONG);
    let (a, b) = (sit(&room), sit(&room));
    assert_eq!(a.next(search(60)), Next::Work);
    assert_eq!(b.next(Want::Task { bytes: 0 }), Next::Work);
    b.door().post("done".into(), None).expect("room");
    assert_eq!(b.next(Want::Message), Next::Message("done".into()));
    assert_eq!(b.next(Want::Task { bytes: 50 }), Next::Place(1));
    drop(a);
    assert_eq!(b.next(Want::Task { bytes: 50 }), Next::Work);
    assert_eq!(room.census().memory, 50);
    b.keep(0);
    assert_eq!(room.census().memory, 0);
    // What does not fit beside what a visitor has takes its place.
    assert_eq!(b.next(search(60)), Next::Work);
    assert_eq!(b.next(Want::Task { bytes: 110 }), Next::Forget);
    b.keep(0);
    assert_eq!(b.next(Want::Task { bytes: 50 }), Next::Work);
}

#[test]
fn if_all_who_wait_have_something_and_want_more_the_last_gives_way() {
    let room = room(2, 100, LONG);
    let (a, b) = (sit(&room), sit(&room));
    assert_eq!(a.next(search(50)), Next::Work);
    assert_eq!(b.next(search(50)), Next::Work);
    assert_eq!(a.next(search(80)), Next::Place(1));
    // It waits as long as another works, who might end.
    assert_eq!(b.next(search(50)), Next::Work);
    assert_eq!(b.next(search(80)), Next::Forget);
    b.keep(0);
    assert_eq!(a.next(search(80)), Next::Work);
}

#[tokio::test]
async fn unread_answers_are_given_up_when_others_need_the_memory_and_somebody_reads_slowly() {
    let room = room(2, 100, LONG);
    let (deaf, reader, other) = (sit(&room), sit(&room), sit(&room));
    assert_eq!(deaf.next(search(10)), Next::Work);
    deaf.wait_for_reader(40);
    reader.wait_for_reader(40);
    // Who does not read has no slot.
    assert_eq!((room.census().working, room.census().memory), (0, 80));
    let sent = reader.door().sent;
    assert_eq!(other.next(search(40)), Next::Place(1));
    let waits = std::thread::spawn(move || (other.next(search(40)), other));
    // What would take an hour.
    sent.add(3600 * BYTES_A_SECOND);
    deaf.door().expelled().await;
    assert_eq!(deaf.next(Want::Message), Next::Gone);
    drop(deaf);
    let (next, _other) = waits.join().expect("its thread");
    assert_eq!(next, Next::Work);
    reader.door().post("read".into(), None).expect("room");
    assert_eq!(reader.next(Want::Message), Next::Message("read".into()));
}

#[tokio::test]
async fn a_sender_who_sends_nothing_is_sent_away_when_others_want_to_send() {
    let room = room(1, 100, LONG);
    let (silent, sender, other) = (sit(&room), sit(&room), sit(&room));
    let doors = [&silent, &sender, &other].map(Seat::door);
    let [silent_door, sender_door, other_door] = &doors;
    let _first = silent_door.make_room(2 << 10, || ()).await;
    let mut second = sender_door.make_room(2 << 10, || ()).await.expect("room");
    sender_door.received.add(100 * BYTES_A_SECOND);
    // There is room for four.
    let third = async {
        tokio::select! {
            third = other_door.make_room(1 << 10, || ()) => third.is_some(),
            () = silent_door.expelled() => false,
        }
    };
    assert!(!third.await, "there was no room");
    assert_eq!(silent.next(Want::Message), Next::Gone);
    // A message that is shorter than it might have been gives room back.
    second.shrink(1 << 10);
    let third = other_door.make_room(1 << 10, || ()).await.expect("room");
    other_door.post("long".into(), Some(third)).expect("room");
    // The next one waits until that is taken, and something else is asked for.
    let fourth = other_door.make_room(1, || ());
    assert!(timeout(Duration::from_millis(50), fourth).await.is_err());
    assert_eq!(other.next(Want::Message), Next::Message("long".into()));
    other_door.post("short".into(), None).expect("room");
    assert_eq!(other.next(Want::Message), Next::Message("short".into()));
    assert!(timeout(LONG, other_door.make_room(1, || ())).await.is_ok());
}

#[test]
fn as_many_pass_the_gate_at_a_time_as_there_are_slots() {
    let room = room(2, 100, LONG);
    let seat = sit(&room);
    let (first, _second) = (seat.pass(), seat.pass());
    std::thread::scope(|scope| {
        let third = scope.spawn(|| seat.pass());
        std::thread::sleep(Duration::from_millis(20));
        assert!(!third.is_finished());
        drop(first);
        third.join().expect("its thread");
    });
}

#[test]
fn messages_do_not_pile_up() {
    let room = room(1, 100, LONG);
    let seat = sit(&room);
    let door = seat.door();
    assert_eq!(door.post("x".repeat(1000), None), Ok(()), "one is always taken");
    assert_eq!(door.post("y".into(), None), Err(Full));
    assert_eq!(seat.next(Want::Message), Next::Message("x".repeat(1000)));
    assert_eq!((door.post("1".into(), None), door.post("2".into(), None)), (Ok(()), Ok(())));
    assert_eq!(door.post("3".into(), None), Err(Full));
}

#[test]
fn the_shelf_is_for_all() {
    let room = room(1, 100, LONG);
    let (a, b) = (sit(&room), sit(&room));
    assert_eq!(a.shelve(6), Ok(()));
    assert_eq!(b.shelve(5), Err(Full));
    assert_eq!(b.shelve(4), Ok(()));
    assert_eq!(a.shelve(2), Ok(()));
    assert_eq!(b.shelve(8), Ok(()));
    drop(b);
    assert_eq!(a.shelve(10), Ok(()));
}

#[test]
fn who_leaves_is_told_wherever_it_is() {
    let room = room(1, 100, LONG);
    let (working, waiting, idle) = (sit(&room), sit(&room), sit(&room));
    let (search, session) = (Stop::new(), Stop::new());
    working.on_leave(session.clone());
    assert_eq!(working.next(Want::Search { id: 1, bytes: 1, stop: search.clone() }), Next::Work);
    assert_eq!(waiting.next(Want::Task { bytes: 0 }), Next::Place(1));
    room.close();
    assert!(search.is_raised() && session.is_raised());
    assert_eq!(working.next(Want::Search { id: 1, bytes: 1, stop: search }), Next::Gone);
    assert_eq!(waiting.next(Want::Task { bytes: 0 }), Next::Gone);
    assert_eq!(idle.next(Want::Message), Next::Gone);
    // What is registered later is raised at once.
    let late = Stop::new();
    idle.on_leave(late.clone());
    assert!(late.is_raised());
    assert!(room.sit().is_none(), "nobody comes any more");
}

#[test]
fn there_are_as_many_seats_as_there_are() {
    let room = room(1, 100, LONG);
    let mut seats: Vec<Seat> = (0..8).map(|_| sit(&room)).collect();
    assert!(room.sit().is_none());
    seats.pop();
    assert!(room.sit().is_some());
}
