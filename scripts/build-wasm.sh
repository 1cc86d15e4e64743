#!/usr/bin/env bash
# Builds the engine of the page, crates/web/dist/engine.wasm: `crates/web/wasm` as WebAssembly, the same bytes
# from the same sources with the same compiler, without paths of this machine.
#
#   scripts/build-wasm.sh           builds it, and records what it was made of in engine.inputs beside it
#   scripts/build-wasm.sh --check   is it made of what is here? Says so at once, by the record; builds nothing
#
# The compiler is the usual one where it knows this target (`rustup target add wasm32-unknown-unknown`);
# else Debian's, which has the sources of the standard library and compiles that along (packages
# rustc-web, rust-web-src and lld, installed here if they are missing and that is allowed).
set -euo pipefail
cd "$(dirname "$0")/.."
package=yomikiri-web-wasm triple=wasm32-unknown-unknown
dist=crates/web/dist
home=${CARGO_HOME:-$HOME/.cargo}
target=${CARGO_TARGET_DIR:-$PWD/target}/wasm

die() { echo "build-wasm: $*" >&2; exit 1; }

# The fingerprint of all it is made of: our crates that it needs, the versions of all others, how it is
# compiled, and this script.
inputs() {
    local tree
    tree=$(cargo tree --quiet --locked --package $package --edges normal,build --target $triple --prefix none --no-dedupe) ||
        die "cargo cannot tell what the engine needs"
    tree=$(sed "s| (\*)$||; s|($PWD/|(|" <<<"$tree" | LC_ALL=C sort -u)
    {
        grep -v '(crates/' <<<"$tree"
        awk '/^\[/ { inside = /^\[profile\.(release|wasm)/ } inside' Cargo.toml
        sed -n 's/.*(\(crates\/[^)]*\)).*/\1/p' <<<"$tree" | while read -r folder; do
            git ls-files -- "$folder/Cargo.toml" "$folder/src" "$folder/tests/data"
        done | LC_ALL=C sort | xargs sha256sum
        sha256sum scripts/build-wasm.sh
    } | sha256sum | cut -d ' ' -f 1
}

if [ "${1-}" = --check ]; then
    [ -s $dist/engine.wasm ] || die "there is no $dist/engine.wasm: run scripts/build-wasm.sh"
    now=$(inputs) made=$(sed -n 's/^inputs //p' $dist/engine.inputs 2>/dev/null || true)
    is=$(sha256sum <$dist/engine.wasm) was=$(sed -n 's/^engine //p' $dist/engine.inputs 2>/dev/null || true)
    [ "$now" = "$made" ] || die "$dist/engine.wasm is made of other sources than these: run scripts/build-wasm.sh"
    [ "${is%% *}" = "$was" ] || die "$dist/engine.wasm is not what the script wrote: run scripts/build-wasm.sh"
    echo "build-wasm: $dist/engine.wasm is made of these sources"
    exit
fi
[ $# = 0 ] || die "usage: scripts/build-wasm.sh [--check]"

knows_target() { [ -d "$(rustc --print target-libdir --target $triple 2>/dev/null)" ]; }
# A Debian compiler that is new enough, with the sources of its standard library.
has_debian() {
    [ -x /usr/bin/rustc ] && [ -e /usr/lib/rustlib/src/rust/library/Cargo.lock ] && command -v wasm-ld >/dev/null &&
        [ "$(/usr/bin/rustc --version | sed 's/^rustc 1\.\([0-9]*\).*/\1/')" -ge 90 ]
}
install_debian() {
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
    echo "build-wasm: installs rustc-web, rust-web-src and lld"
    DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y rustc-web rust-web-src lld >/dev/null
}

remaps="--remap-path-prefix=$PWD=yomikiri"
for folder in "$home"/registry/src/*; do
    remaps+=" --remap-path-prefix=$folder=dependencies"
done
build=(cargo build --quiet --locked --profile wasm --package $package --target $triple --target-dir "$target")
if knows_target || { command -v rustup >/dev/null && timeout 60 rustup target add $triple >/dev/null 2>&1 && knows_target; }; then
    compiler=$(rustc --version)
    echo "build-wasm: with $compiler"
    RUSTFLAGS="$remaps" "${build[@]}"
elif has_debian || { install_debian && has_debian; }; then
    compiler="Debian's $(/usr/bin/rustc --version)"
    echo "build-wasm: with $compiler, standard library and all"
    remaps+=" --remap-path-prefix=/usr/lib/rustlib/src/rust=std --remap-path-prefix=$(realpath /usr/lib/rustlib/src/rust)=std"
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="$remaps -C linker=wasm-ld" \
        "${build[@]}" -Zbuild-std=std,panic_abort
else
    die "no compiler for $triple: run 'rustup target add $triple', or install rustc-web, rust-web-src and lld (Debian)"
fi

made=$target/$triple/wasm/yomikiri_web_wasm.wasm
for path in "$home" "$PWD" /usr/ /home/ /root/; do
    ! grep -qaF "$path" "$made" || die "$made has a path of this machine in it: $path"
done
mkdir -p $dist
cp "$made" $dist/engine.wasm
hash=$(sha256sum <$dist/engine.wasm)
printf "inputs %s\nengine %s\ncompiler %s\n" "$(inputs)" "${hash%% *}" "$compiler" >$dist/engine.inputs
echo "build-wasm: $dist/engine.wasm, $(wc -c <$dist/engine.wasm) bytes, $(gzip -9 <$dist/engine.wasm | wc -c) compressed"
