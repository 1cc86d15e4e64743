#!/usr/bin/env bash
# Installs what CI needs beyond a Rust toolchain. Safe to run again; changes nothing that is there.
#
#   stockfish, fairy-stockfish, gpsshogi
#                   engines of chess and shogi that tests play with
#   nats-server     the server over which tests connect machines
#   iproute2        makes hosts for a test of two of them (as root)
#   jq              reads what cargo says about dependencies
#   fonts-ipaexfont-mincho, fonts-ipaexfont-gothic
#                   kanji for pictures in pixels, and for the page
#   chromium, nodejs, npm
#                   the browser that the page is tried in, and what builds the page
#
# Without the engines and the server the tests that need them say so and pass; with CI=true they fail.
set -euo pipefail

# Debian keeps games where not every PATH looks.
have() { PATH="$PATH:/usr/games:/usr/sbin" command -v "$1" >/dev/null 2>&1; }

have cargo || { echo "setup: needs a Rust toolchain (rustup)" >&2; exit 1; }

missing=()
for program in stockfish fairy-stockfish gpsusi nats-server ip jq chromium node npm; do
    # The package has the name of the program, but for three.
    package=${program/#gpsusi/gpsshogi} package=${package/#ip/iproute2} package=${package/%node/nodejs}
    have "$program" || missing+=("$package")
done
for font in mincho gothic; do
    [ -e /usr/share/fonts/opentype/ipaexfont-$font ] || missing+=(fonts-ipaexfont-$font)
done
as_root() {
    if [ "$(id -u)" = 0 ]; then env "$@"; else sudo -n env "$@"; fi
}
install_missing() {
    have apt-get || return 1
    [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; } || return 1
    as_root apt-get -qq update >/dev/null || return 1
    as_root DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y \
        "${missing[@]}" >/dev/null
}
if [ "${#missing[@]}" -gt 0 ] && ! install_missing; then
    echo "setup: cannot install ${missing[*]}; what needs them is skipped, or fails in CI" >&2
fi
# The page's packages come from the network; where there is none, what needs them says so.
if have npm && ! "$(dirname "$0")/build-page.sh" --install; then
    echo "setup: cannot install the packages of crates/web/page; the page can be used, not built" >&2
fi
echo "setup: done"
