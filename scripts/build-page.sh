#!/usr/bin/env bash
# Builds the page (crates/web/page) into crates/web/dist, which is committed, so that nobody else needs Node.
#
#   scripts/build-page.sh           builds
#   scripts/build-page.sh --check   builds elsewhere and says whether dist is what the sources give (exit 1: no)
#   scripts/build-page.sh --install installs the packages that this and the tests need, and no more
#   scripts/build-page.sh --pictures  takes pictures of every view into docs/pictures (needs chromium)
#
# engine.wasm and engine.inputs are another script's and stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
page=crates/web/page dist=crates/web/dist

mode=${1-}
case $mode in
    "" | --check | --install | --pictures) ;;
    *) echo "build-page: unknown argument '$mode'; there are --check, --install and --pictures" >&2; exit 2 ;;
esac
command -v npm >/dev/null || { echo "build-page: needs Node 20.19 or newer, with npm" >&2; exit 2; }

# What is installed is what the lock file says, or it is installed again. (Not by `npm ci`, which wants the bundler's
# programs for all other systems in the lock file, too.)
stamp=$page/node_modules/.yomikiri-lock
if ! cmp -s "$page/package-lock.json" "$stamp"; then
    (cd "$page" && npm install --silent)
    cp "$page/package-lock.json" "$stamp"
fi
[ "$mode" != --install ] || exit 0
if [ "$mode" = --pictures ]; then
    exec node "$page/tests/pictures.mjs" docs/pictures
fi
(cd "$page" && npm run --silent check)

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
(cd "$page" && npx --no-install vite build --logLevel warn --outDir "$made" --emptyOutDir)

if [ "$mode" = --check ]; then
    if ! diff -rq -x engine.wasm -x engine.inputs "$made" "$dist"; then
        echo "build-page: $dist is not what $page gives: run scripts/build-page.sh and commit the result" >&2
        exit 1
    fi
    echo "build-page: $dist is up to date"
    exit 0
fi
mkdir -p "$dist"
find "$dist" -mindepth 1 -maxdepth 1 ! -name engine.wasm ! -name engine.inputs -exec rm -rf {} +
cp -R "$made"/. "$dist"/
chmod -R u+rwX,go+rX "$dist"
bytes=$(find "$dist" -type f ! -name engine.wasm ! -name engine.inputs -exec gzip -9c {} + | wc -c)
echo "build-page: $dist, $bytes bytes compressed"
