#!/usr/bin/env bash
# Builds the fuzz targets and runs them, two at a time.
#
#   fuzz/run.sh                        all targets, 30 seconds each
#   SECONDS_EACH=600 fuzz/run.sh pgn   this one, for ten minutes
#
# It needs a stable Rust toolchain and a C++ compiler (for libFuzzer), no cargo-fuzz. New inputs that
# reach new code are kept in fuzz/corpus, failing ones in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"

# What cargo-fuzz sets, without a sanitizer: there is no unsafe code in what is fuzzed.
flags=(-Ccodegen-units=4 -Cpasses=sancov-module)
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=("-Cllvm-args=-sanitizer-coverage-$option")
done
# With a target named, programs that run while compiling are left as they are.
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-target}
# The same versions of everything as in the workspace.
cp ../Cargo.lock Cargo.lock
RUSTFLAGS="${flags[*]}" cargo build --release --target "$host" --bins --target-dir "$target"

targets=("$@")
[ "$#" -gt 0 ] || mapfile -t targets < <(basename -as .rs fuzz_targets/*.rs)

# Runs one target, and shows what it says if it fails.
one() {
    local seeds=() options=(-max_total_time="${SECONDS_EACH:-30}" -timeout=10 -rss_limit_mb=1024)
    case $1 in
        play_undo) options+=(-max_len=64) ;;
        records) seeds=(../crates/games/shogi/tests/data/notation) ;;
        sfen) options+=(-dict=sfen.dict) ;;
    esac
    [ ! -d "seeds/$1" ] || seeds+=("seeds/$1")
    mkdir -p "corpus/$1" artifacts
    local log=corpus/$1.log
    if "$target/$host/release/$1" "${options[@]}" -artifact_prefix="artifacts/$1-" "corpus/$1" "${seeds[@]}" >"$log" 2>&1; then
        echo "fuzz: $1: $(tail -n 1 "$log")"
    else
        cat "$log" >&2
        echo "fuzz: $1 fails" >&2
        return 1
    fi
}

failed=0
while [ "${#targets[@]}" -gt 0 ]; do
    running=()
    for name in "${targets[@]:0:2}"; do
        one "$name" &
        running+=($!)
    done
    targets=("${targets[@]:2}")
    for job in "${running[@]}"; do wait "$job" || failed=1; done
done
exit "$failed"
