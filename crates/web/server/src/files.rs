//! The page, carried in the program: what can be asked for is this list, and no file of the machine.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode};

use crate::words::plain;

/// A file of the page.
struct File {
    path: &'static str,
    kind: &'static str,
    tag: &'static str,
    bytes: &'static [u8],
}

/// As `dist` was when the program was built.
const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The paths of all files of the page.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.path)
}

/// What is at a path. It is compared letter by letter with those of the list: nothing is decoded, so
/// there is no way around it.
pub(crate) fn get(method: &Method, path: &str, headers: &HeaderMap) -> Response<Body> {
    if method != Method::GET && method != Method::HEAD {
        return plain(
            StatusCode::METHOD_NOT_ALLOWED,
            "Pages can only be read here (GET). ここでは読むこと（GET）だけができます。",
        );
    }
    let path = if path == "/" { "/index.html" } else { path };
    let Some(file) = FILES.iter().find(|file| file.path == path) else {
        return plain(
            StatusCode::NOT_FOUND,
            "There is nothing at this address; the page is at /. このアドレスには何もありません。ページは / にあります。",
        );
    };
    // The names of what lies in `assets` change with the contents.
    let cache =
        if path.starts_with("/assets/") { "max-age=31536000, immutable" } else { "no-cache" };
    let is_known = headers.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let is_known = is_known.is_some_and(|tags| {
        tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == file.tag)
    });
    let mut response = match is_known {
        true => Response::new(Body::empty()),
        false => Response::new(Body::from(file.bytes)),
    };
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(ETAG, HeaderValue::from_static(file.tag));
    response
}
