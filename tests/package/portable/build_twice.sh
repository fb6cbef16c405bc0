#!/usr/bin/env bash
# Builds the tarball of the present commit twice, in directories with other names and without a compiler cache, and fails
# unless both have the same bytes. Takes as long as two builds.
#
#   build_twice.sh [aarch64]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CCACHE_DISABLE=1
for clone in one another/longer-name; do
  git clone --quiet --shared "$root" "$work/$clone"
  mkdir "$work/$clone/build"
  # What is fetched by hash or signature is not fetched again.
  for fetched in grammars portable-parts aarch64-sysroot; do
    if [ -e "build/$fetched" ]; then ln -s "$(realpath "build/$fetched")" "$work/$clone/build/$fetched"; fi
  done
  (cd "$work/$clone" && ./x package "$@" >&2)
done
cd "$work"
for file in one/build/package/{recall,librecall}-*-linux-*; do
  cmp "$file" "another/longer-name/build/package/$(basename "$file")"
  sha256sum "$file"
done
echo "both builds have the same bytes"
