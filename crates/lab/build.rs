//! Tells the crate which compiler builds it, for the reports.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    let version = version.as_deref().map_or("rustc, version unknown", str::trim);
    println!("cargo::rustc-env=LAB_RUSTC={version}");
    println!("cargo::rerun-if-changed=build.rs");
}
