#!/usr/bin/env bash
# Can every crate be published? Packs them all as `cargo publish` would, without uploading, and
# compiles what was packed: a file that is not in the package is missed there. Types are checked only,
# with what the lints have compiled already; here with the default features, which most people build.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
log=$(mktemp)
packed=$(mktemp -d)
trap 'rm -rf "$log" "$packed"' EXIT

rm -rf "$target/package"
cargo publish --workspace --dry-run --no-verify --locked --allow-dirty >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
# Nobody is to get the engine with bad habits.
grep -q 'ignoring binary `misbehaving-engine`' "$log" || { echo "packages: misbehaving-engine is in one" >&2; exit 1; }

{
    sed -e '/^members = /d; /^default-members = /d' -e '/^\[workspace\]/a members = ["*-*.*.*"]' Cargo.toml
    echo '[patch.crates-io]'
} >"$packed/Cargo.toml"
for crate in "$target"/package/tmp-crate/*.crate; do
    tar -xzf "$crate" -C "$packed"
    folder=$(basename "$crate" .crate)
    for file in LICENSE-MIT LICENSE-APACHE README.md; do
        [ -s "$packed/$folder/$file" ] || { echo "packages: $folder has no $file" >&2; exit 1; }
    done
    # The lock file of the whole is the one that counts.
    rm -f "$packed/$folder/Cargo.lock"
    echo "${folder%-*} = { path = \"$folder\" }" >>"$packed/Cargo.toml"
done
cp Cargo.lock "$packed/"
(cd "$packed" && CARGO_TARGET_DIR=$target cargo check --workspace --quiet)
echo "packages: $(ls "$target"/package/tmp-crate/*.crate | wc -l) crates can be published"
