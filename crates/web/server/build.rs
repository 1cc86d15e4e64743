//! Lists the page's files, as they lie in `dist`, for the program to carry them.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    // Beside this crate; in a package of it, inside.
    let folder = ["../dist", "dist"].map(Path::new).into_iter().find(|folder| folder.is_dir());
    let folder = folder.ok_or_else(|| io::Error::other("there is no `dist` with the page"))?;
    let folder = folder.canonicalize()?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let inside = file.strip_prefix(&folder).map_err(io::Error::other)?;
        let parts: Vec<_> = inside.iter().map(OsStr::to_string_lossy).collect();
        let path = format!("/{}", parts.join("/"));
        let mut hasher = DefaultHasher::new();
        hasher.write(&fs::read(file)?);
        let tag = format!("\"{:016x}\"", hasher.finish());
        list += &format!(
            "    File {{ path: {path:?}, kind: {:?}, tag: {tag:?}, bytes: include_bytes!({file:?}) }},\n",
            kind(file)
        );
    }
    list += "]\n";
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets no OUT_DIR"))?;
    fs::write(Path::new(&out).join("files.rs"), list)
}

/// All files below a folder, but for the record of what the engine was built from.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_none_or(|extension| extension != "inputs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The media type, by the name's ending.
fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(OsStr::to_str) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        Some("tsv") => "text/tab-separated-values; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/vnd.microsoft.icon",
        Some("woff2") => "font/woff2",
        Some("mp3") => "audio/mpeg",
        Some("ogg") => "audio/ogg",
        Some("wav") => "audio/wav",
        _ => "application/octet-stream",
    }
}
