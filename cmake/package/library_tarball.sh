#!/usr/bin/env bash
# Packs the portable library of a build directory, for programs that are built with it:
#
#   library_tarball.sh BUILD_DIRECTORY OUTPUT
#
#   OUTPUT/librecall-VERSION-linux-ARCHITECTURE.tar.xz        lib, include, share
#   OUTPUT/librecall-VERSION-linux-ARCHITECTURE.cdx.json      what is linked in (CycloneDX)
#   OUTPUT/librecall1_VERSION_amd64.deb, librecall-dev_VERSION_amd64.deb     the same for Debian (library_debs.sh)
#
# As portable_tarball.sh. Fails if the library exports another symbol than the functions of recall.h, opens a library that
# only the program has, or is too large.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readonly build=$1 output=$2
# The promise of docs/decisions/0097-small-library.md.
readonly most_bytes=15000000
# The program alone reads documents and source code (cmake/RecallPortable.cmake).
readonly of_program='lib(gumbo|expat|seccomp|tree-sitter)\.so\.[0-9]+'
# shellcheck source=cmake/package/portable_pack.sh
. cmake/package/portable_pack.sh

architecture=$(architecture_of "$build/librecall.so.1")
version=$(version_of "$build")
readonly name=librecall-$version-linux-$architecture
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
readonly root=$stage/$name

cmake --install "$build" --prefix "$root" --component library --strip >/dev/null
readonly library=$root/lib/librecall.so.1
check_needs "$library"
others=$(nm --dynamic --defined-only "$library" | grep -v ' T recall_[a-z_]*@@RECALL_1$' || true)
[ -z "$others" ] || fail "librecall.so.1 exports $others"
others=$(grep --text -oiE "$of_program" "$library" | sort -u || true)
[ -z "$others" ] || fail "librecall.so.1 has what only the program needs: $others"
bytes=$(stat --dereference --format=%s "$library")
[ "$bytes" -le $most_bytes ] || fail "librecall.so.1 has $bytes bytes, more than $most_bytes"

mkdir -p "$output" "$root/share/doc/librecall/licenses"
python3 cmake/package/portable_sbom.py "$build" "$name" "$root/share/doc/librecall/sbom.cdx.json" \
  "$root/share/doc/librecall/licenses"
pack "$stage" "$name" "$output"
cp "$root/share/doc/librecall/sbom.cdx.json" "$output/$name.cdx.json"
[ "$architecture" != x86_64 ] || cmake/package/library_debs.sh "$root" "$version" "$output"
