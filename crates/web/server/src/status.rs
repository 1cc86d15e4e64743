//! `/cluster`: what a cluster's master says of its tree, for whoever looks at the page.
//!
//! Nothing is asked here. Everybody gets the newest news when it comes; a slow reader misses some.

use tokio::io::{AsyncRead, AsyncWrite, split};
use tokio::time::timeout;

use crate::entrance::Guest;
use crate::house::{House, News};
use crate::websocket::{Reader, Writer};

/// Nobody has anything to say here.
const MOST: usize = 1 << 10;

/// Tells a visitor all that is new, until either goes, or others need the place.
pub(crate) async fn tell(
    io: impl AsyncRead + AsyncWrite + Unpin,
    guest: Guest,
    mut news: News,
    house: &House,
) {
    let (read, write) = split(io);
    let (mut reader, mut writer) = (Reader::new(read), Writer::new(write));
    let mut closing = house.closing.subscribe();
    news.mark_changed();
    let tell = async {
        while news.changed().await.is_ok() {
            let newest = news.borrow_and_update().clone();
            if newest.is_empty() {
                continue;
            }
            let sent = timeout(house.settings.pace.stall, writer.text(&newest, |_| ())).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
    };
    tokio::select! {
        () = tell => {}
        // What a visitor says is nobody's concern, but that he leaves.
        () = reader.leaves(MOST) => {}
        () = guest.displaced() => {}
        () = async { drop(closing.wait_for(|closing| *closing).await) } => {}
    }
}
