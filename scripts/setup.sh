#!/usr/bin/env bash
# Installs what the tests need beyond a Rust toolchain. Safe to run again; changes nothing that is there.
#
#   cargo-nextest   the test runner that CI uses (the tests run with plain `cargo test` too)
#   cargo-deny      checks the licences of what we ship
set -euo pipefail

have() { command -v "$1" >/dev/null 2>&1; }

have cargo || { echo "setup: needs a Rust toolchain: https://rustup.rs" >&2; exit 1; }
have cargo-nextest || cargo install cargo-nextest --locked
have cargo-deny || cargo install cargo-deny --locked
echo "setup: done"
