#!/usr/bin/env bash
# Installs what CI needs beyond a Rust toolchain. Safe to run again; changes nothing that is there.
#
#   cargo-deny      checks the licences of what we ship
set -euo pipefail

have() { command -v "$1" >/dev/null 2>&1; }

have cargo || { echo "setup: needs a Rust toolchain (rustup)" >&2; exit 1; }
have cargo-deny || cargo install cargo-deny --locked
echo "setup: done"
