//! Where connections stand before they have said hello.
//!
//! Who knows no token may not keep others out: a connection has no seat before it has said hello, whatever
//! it is at until then, be it a request that does not end or nothing at all. All of them stand here, so many
//! at a time. When one more comes, one has to go: of those from the address that has most of them here the
//! one that came first.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// The entrance.
pub(crate) struct Entrance {
    places: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    latest: u64,
    /// In the order in which they came.
    guests: VecDeque<(u64, IpAddr, watch::Sender<bool>)>,
}

/// A connection. Its place is free when the last of these is dropped.
#[derive(Clone)]
pub(crate) struct Guest {
    is_displaced: watch::Receiver<bool>,
    _place: Arc<Place>,
}

/// A place that is taken.
struct Place {
    entrance: Arc<Entrance>,
    number: u64,
}

impl Entrance {
    /// One with so many places.
    pub fn new(places: usize) -> Arc<Entrance> {
        Arc::new(Entrance { places, state: Mutex::default() })
    }

    /// Somebody comes; somebody else may have to go.
    pub fn enter(self: &Arc<Entrance>, from: IpAddr) -> Guest {
        let mut state = self.lock();
        if state.guests.len() >= self.places {
            state.displace();
        }
        state.latest += 1;
        let number = state.latest;
        let (tell, is_displaced) = watch::channel(false);
        state.guests.push_back((number, site(from), tell));
        Guest { is_displaced, _place: Arc::new(Place { entrance: self.clone(), number }) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn displace(&mut self) {
        let mut counts = HashMap::new();
        self.guests.iter().for_each(|(_, site, _)| *counts.entry(*site).or_insert(0) += 1);
        let most = counts.values().max().copied();
        let first = self.guests.iter().position(|(_, site, _)| counts.get(site).copied() == most);
        if let Some((_, _, guest)) = first.and_then(|first| self.guests.remove(first)) {
            guest.send_replace(true);
        }
    }
}

impl Guest {
    /// Waits until the connection has to go.
    pub async fn displaced(&self) {
        let mut is_displaced = self.is_displaced.clone();
        // If nobody can tell any more, it is not here any more.
        let _ = is_displaced.wait_for(|is_displaced| *is_displaced).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.entrance.lock().guests.retain(|(number, ..)| *number != self.number);
    }
}

/// What one person can have many addresses of is one address.
fn site(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_displaced(guest: &Guest) -> bool {
        *guest.is_displaced.borrow()
    }

    #[test]
    fn the_first_of_those_who_are_most_gives_way() {
        let entrance = Entrance::new(3);
        let enter = |from: &str| entrance.enter(from.parse().expect("an address"));
        let own = enter("192.0.2.1");
        let (first, second) = (enter("2001:db8::1"), enter("2001:db8::2"));
        let third = enter("2001:db8::3");
        let gone = [&own, &first, &second, &third].map(is_displaced);
        assert_eq!(gone, [false, true, false, false]);
        // Who has gone by himself makes room.
        drop(third);
        let fourth = enter("198.51.100.1");
        assert!(![&own, &second, &fourth].into_iter().any(is_displaced));
        // If all are from elsewhere, the first of all goes.
        let fifth = enter("198.51.100.2");
        assert!(is_displaced(&own) && !is_displaced(&fifth));
    }
}
