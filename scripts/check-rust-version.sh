#!/usr/bin/env bash
# Does the program compile with the Rust version that Cargo.toml states? With that compiler, where it is
# installed; elsewhere by what can be known without it: what the dependencies state, and clippy's lint
# `incompatible_msrv`, on by default, which knows since when the standard library has what we use.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

# The version that each package states, of those that are shipped.
newer=$(
    join <(cargo tree --workspace --all-features --edges normal,build --locked --prefix none --format '{p}' | awk 'NF { print $1 "@" substr($2, 2) }' | sort -u) \
        <(cargo metadata --format-version 1 --locked | jq -r '.packages[] | select(.rust_version) | "\(.name)@\(.version) \(.rust_version)"' | sort -u) |
        while read -r package needs; do
            [ "$(printf '%s\n' "$needs" "$version" | sort -V | tail -n 1)" = "$version" ] || [ "$needs" = "$version.0" ] || echo "$package needs $needs"
        done
)
[ -z "$newer" ] || { echo "Rust $version is stated, but $newer" >&2; exit 1; }

if command -v rustup >/dev/null && rustup toolchain list | grep -q "^$version"; then
    CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/minimum rustup run "$version" cargo check --workspace --all-features --locked
    echo "Rust $version compiles it"
else
    echo "not checked: Rust $version is not installed here: only lints and what dependencies state (compiled with $(rustc --version))"
fi
