#!/usr/bin/env bash
# The page in a real browser, without a server and with `yomikiri serve`: crates/web/page/tests.
#
#   scripts/test-page.sh             all of it
#   scripts/test-page.sh NAME…       tests whose names have this in them
#
# Needs chromium, node and npm (scripts/setup.sh installs them). Without them it says so and passes; with CI=true it
# fails. `yomikiri` is looked for in YOMIKIRI, then in the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in chromium node npm; do
    command -v $program >/dev/null && continue
    echo "skipped: needs $program"
    [ "${CI-}" != true ] || exit 1
    exit 0
done
scripts/build-page.sh --install

target=${CARGO_TARGET_DIR:-$PWD/target}
for built in "${YOMIKIRI-}" "$target/release/yomikiri" "$target/debug/yomikiri"; do
    if [ -x "$built" ]; then export YOMIKIRI=$built; break; fi
done
cd crates/web/page
patterns=()
for name in "$@"; do patterns+=(--test-name-pattern "$name"); done
# Two files at a time: a search keeps one core busy, and the browser is idle meanwhile.
exec node --test --test-concurrency=2 "${patterns[@]}" tests/*.test.mjs
