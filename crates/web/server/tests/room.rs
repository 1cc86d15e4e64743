//! The room by itself: who works, who waits.

use std::sync::Arc;
use std::time::Duration;

use andor::Stop;
use yomikiri_server::room::{Full, Next, Room, Seat, Size, Want};

fn room(slots: usize, memory: usize, turn: Duration) -> Arc<Room> {
    Room::new(Size { visitors: 8, slots, memory, shelf: 10, turn, inbox: (2, 100) })
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
    a.door().post("next".into()).expect("room");
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
        seat.door().post(String::new()).expect("room");
        assert_eq!(seat.next(Want::Message), Next::Message(String::new()));
    }
    assert_eq!(c.next(search(50)), Next::Place(1));
    assert_eq!(a.next(Want::Message), Next::Forget);
    a.release();
    assert_eq!(c.next(search(50)), Next::Work);
    // The other keeps its own.
    b.door().post("still here".into()).expect("room");
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
    b.door().post("later".into()).expect("room");
    assert_eq!(b.next(Want::Task), Next::Place(1));
    drop(a);
    assert_eq!(b.next(Want::Task), Next::Work);
    assert_eq!(b.next(Want::Message), Next::Message("later".into()));
    assert_eq!(room.census().working, 0);
}

#[test]
fn messages_do_not_pile_up() {
    let room = room(1, 100, LONG);
    let seat = sit(&room);
    let door = seat.door();
    assert_eq!(door.post("x".repeat(1000)), Ok(()), "one is always taken");
    assert_eq!(door.post("y".into()), Err(Full));
    assert_eq!(seat.next(Want::Message), Next::Message("x".repeat(1000)));
    assert_eq!((door.post("1".into()), door.post("2".into())), (Ok(()), Ok(())));
    assert_eq!(door.post("3".into()), Err(Full));
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
    assert_eq!(waiting.next(Want::Task), Next::Place(1));
    room.close();
    assert!(search.is_raised() && session.is_raised());
    assert_eq!(working.next(Want::Search { id: 1, bytes: 1, stop: search }), Next::Gone);
    assert_eq!(waiting.next(Want::Task), Next::Gone);
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
