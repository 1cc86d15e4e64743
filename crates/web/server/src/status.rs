//! `/cluster`: what a cluster's master says of its tree, for whoever looks at the page.
//!
//! Nothing is asked here. Everybody gets the newest news when it comes; a slow reader misses some.

use axum::extract::ws::{Message, WebSocket};
use tokio::time::timeout;

use crate::house::{House, News};

/// Tells a visitor all that is new, until either goes.
pub(crate) async fn tell(mut socket: WebSocket, mut news: News, house: &House) {
    let mut closing = house.closing.subscribe();
    news.mark_changed();
    loop {
        tokio::select! {
            // What a visitor says is nobody's concern, but that he leaves.
            said = socket.recv() => match said {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            changed = news.changed() => {
                if changed.is_err() {
                    return;
                }
                let newest = news.borrow_and_update().clone();
                if newest.is_empty() {
                    continue;
                }
                let sent = timeout(house.settings.pace.stall, socket.send(Message::Text(newest.into())));
                if !matches!(sent.await, Ok(Ok(()))) {
                    return;
                }
            }
            () = async { drop(closing.wait_for(|closing| *closing).await) } => return,
        }
    }
}
