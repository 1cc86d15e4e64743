//! Who may speak to the engine, and what every answer tells the browser to forbid.
//!
//! Any page that somebody opens may try to connect to a server on his machine, and the browser lets it.
//! It sends along, though, where the page is from (`Origin`), and that has to be the host that the request
//! is for (`Host`). A page from elsewhere can give its own host name this machine's address, so that both
//! agree; therefore a server without a token answers only to the names of loopback. Programs that are no
//! browsers send no `Origin` and are let in, like everybody, with the token where there is one.

use std::net::IpAddr;

use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Uri};

/// What every answer carries: the page may load from here and nowhere else, and is shown nowhere else.
pub(crate) fn secure(headers: &mut HeaderMap) {
    const ALL: [(HeaderName, &str); 6] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ];
    for (name, value) in ALL {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// See `docs/web-protocol.md`.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// May a page from where this request comes speak to the engine?
pub(crate) fn is_own(headers: &HeaderMap, has_token: bool) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let Some(host) = host else { return false };
    if !has_token && !is_loopback(host) {
        return false;
    }
    // More than one would be nobody's browser.
    let mut origins = headers.get_all(ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => true,
        (Some(origin), None) => origin.to_str().is_ok_and(|origin| {
            let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            place.is_some_and(|place| place.eq_ignore_ascii_case(host))
        }),
        _ => false,
    }
}

/// Is a host, with or without a port, this machine by its own name?
fn is_loopback(host: &str) -> bool {
    let Ok(uri) = host.parse::<Uri>() else { return false };
    let Some(name) = uri.host() else { return false };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a host"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("an origin"));
        }
        headers
    }

    #[test]
    fn only_pages_from_here_may_speak() {
        let own = [
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("localhost:8080", Some("http://localhost:8080")),
            ("LOCALHOST", Some("http://localhost")),
            ("[::1]:8080", Some("http://[::1]:8080")),
            ("127.0.0.1:8080", None),
        ];
        for (host, origin) in own {
            assert!(is_own(&headers(host, origin), false), "{host} {origin:?}");
        }
        let foreign = [
            ("127.0.0.1:8080", Some("http://evil.example")),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8081")),
            ("127.0.0.1:8080", Some("http://localhost:8080")),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080.evil.example")),
            ("127.0.0.1:8080", Some("null")),
            ("127.0.0.1:8080", Some("file://127.0.0.1:8080")),
            // A name that somebody has given this machine's address.
            ("evil.example:8080", Some("http://evil.example:8080")),
            ("localhost.evil.example", None),
            ("127.0.0.1.evil.example:8080", None),
            ("user@127.0.0.1", Some("http://127.0.0.1")),
            ("", None),
        ];
        for (host, origin) in foreign {
            assert!(!is_own(&headers(host, origin), false), "{host} {origin:?}");
        }
        assert!(!is_own(&HeaderMap::new(), false));
        let named = headers("solver.example", Some("https://solver.example"));
        assert!(is_own(&named, true) && !is_own(&named, false));
        assert!(!is_own(&headers("solver.example", Some("https://evil.example")), true));
    }
}
