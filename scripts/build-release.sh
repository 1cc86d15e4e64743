#!/usr/bin/env bash
# Builds the program that is handed to others: stripped, and without the paths of this machine, which
# messages of dependencies would show otherwise. Arguments go to cargo, such as `--features lab`.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
home=${CARGO_HOME:-$HOME/.cargo}
RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$home/registry/src=dependencies --remap-path-prefix=$PWD=yomikiri" \
    cargo build --release --locked --target-dir "$target/shipped" "$@"
program=$target/shipped/release/yomikiri
for path in "$home" "$PWD"; do
    if grep -qaF "$path" "$program"; then
        echo "build-release: $program has a path of this machine in it: $path" >&2
        exit 1
    fi
done
bytes=$(wc -c <"$program")
echo "$program: $((bytes / 1048576)).$((bytes % 1048576 * 10 / 1048576)) MiB, no path of this machine"
