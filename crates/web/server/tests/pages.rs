//! The page's files, and that there are no others.

use yomikiri_server::{Settings, files};

use crate::Site;

#[test]
fn every_file_of_the_page_is_there_with_its_type_and_all_headers() {
    let site = Site::open(Settings::default());
    let page = site.get("/");
    assert!(page.0.starts_with("http/1.1 200"), "{}", page.0);
    assert_eq!(page.1, site.get("/index.html").1);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist");
    for path in files::paths() {
        let (head, body) = site.get(path);
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        let on_disk = std::fs::read(folder.join(&path[1..])).expect("a file");
        assert_eq!(body, String::from_utf8_lossy(&on_disk), "{path}");
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("wasm") => "application/wasm",
            Some("svg") => "image/svg+xml",
            Some("webmanifest") => "application/manifest+json",
            _ => "",
        };
        assert!(head.contains(&format!("content-type: {kind}")), "{path}: {head}");
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
        let host = site.address;
        let again = format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nif-none-match: {tag}\r\n\r\n"
        );
        let again = site.raw(again.as_bytes());
        assert!(again.starts_with("HTTP/1.1 304") && again.ends_with("\r\n\r\n"), "{again}");
    }
    assert!(files::paths().any(|path| path == "/engine.wasm"));
    assert!(files::paths().all(|path| !path.ends_with(".inputs")));
}

#[test]
fn every_answer_forbids_what_the_page_does_not_need() {
    let site = Site::open(Settings::default());
    for path in ["/", "/engine.wasm", "/engine", "/nothing"] {
        let (head, _) = site.get(path);
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "permissions-policy: camera=()",
        ] {
            assert!(head.contains(header), "{path} without {header}: {head}");
        }
        assert!(!head.contains("unsafe-inline") && !head.contains("unsafe-eval';;"), "{head}");
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let site = Site::open(Settings::default());
    let tricks = [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/assets/../../Cargo.toml",
        "/assets/..%5c..%5cCargo.toml",
        "//etc/passwd",
        "///etc/passwd",
        "/etc/passwd",
        "/index.html/",
        "/index.html%00.txt",
        "/assets",
        "/assets/",
        "/engine.inputs",
        "/INDEX.HTML",
        "/.git/config",
        "/engine/",
        "/engine/../index.html",
    ];
    for path in tricks {
        let (head, body) = site.get(path);
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
        assert!(body.contains("nothing at this address"), "{path}: {body}");
    }
    for request in
        ["GET http://evil.example/etc/passwd HTTP/1.1", "GET * HTTP/1.1", "GET \\..\\x HTTP/1.1"]
    {
        let said =
            site.raw(format!("{request}\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes());
        assert!(said.starts_with("HTTP/1.1 40"), "{request}: {said}");
    }
    let said =
        site.raw(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 405"), "{said}");
    let (head, body) = site.get("/engine");
    assert!(head.starts_with("http/1.1 426") && body.contains("WebSocket"), "{head} {body}");
}
