//! What a cluster's master says is shown to all who look.

use tokio::sync::watch;
use yomikiri_server::{Settings, Token};

use crate::Site;

#[tokio::test]
async fn everybody_gets_the_newest_news() {
    let (master, news) = watch::channel(String::new());
    let site = Site::open(Settings { cluster: Some(news), ..Settings::default() });
    let mut first = site.connect_to("cluster", &[]).await.expect("a connection");
    master.send_replace(r#"{"nodes":1}"#.into());
    assert_eq!(first.hear().await["nodes"], 1);
    // Who comes later begins with what is newest.
    let mut second = site.connect_to("cluster", &[]).await.expect("a connection");
    assert_eq!(second.hear().await["nodes"], 1);
    master.send_replace(r#"{"nodes":2}"#.into());
    assert_eq!(
        (first.hear().await["nodes"].as_u64(), second.hear().await["nodes"].as_u64()),
        (Some(2), Some(2))
    );
    // The master ends.
    drop(master);
    assert!(first.listen().await.is_none());
}

#[tokio::test]
async fn other_pages_see_nothing() {
    let (_master, news) = watch::channel("{}".to_owned());
    let site = Site::open(Settings { cluster: Some(news.clone()), ..Settings::default() });
    let stranger = site.connect_to("cluster", &[("origin", "http://elsewhere.example")]).await;
    assert_eq!(stranger.err().map(|(status, _)| status), Some(403));
    drop(site);
    let none = Site::open(Settings::default());
    assert_eq!(none.connect_to("cluster", &[]).await.err().map(|(status, _)| status), Some(404));
    drop(none);
    let token = Token::new("0123456789abcdef").ok();
    let secret = Site::open(Settings { cluster: Some(news), token, ..Settings::default() });
    assert_eq!(secret.connect_to("cluster", &[]).await.err().map(|(status, _)| status), Some(404));
}
