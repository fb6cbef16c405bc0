#!/usr/bin/env bash
# Packs the portable program of a build directory, with what belongs to it:
#
#   portable_tarball.sh BUILD_DIRECTORY OUTPUT
#
#   OUTPUT/recall-VERSION-linux-ARCHITECTURE.tar.xz        bin, share, INSTALL
#   OUTPUT/recall-VERSION-linux-ARCHITECTURE.cdx.json      what is linked in (CycloneDX)
#
# The same commit gives the same bytes in any directory: times are that of the commit (SOURCE_DATE_EPOCH, if set), files
# are sorted and belong to nobody. Fails if the program needs more than its promise says, or has paths of this machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readonly build=$1 output=$2
# shellcheck source=cmake/package/portable_pack.sh
. cmake/package/portable_pack.sh

version=$(version_of "$build")
architecture=$(architecture_of "$build/portable/recall")
case $architecture in
  x86_64) machine='Intel and AMD processors' ;;
  aarch64) machine='64-bit ARM processors' ;;
esac
readonly name=recall-$version-linux-$architecture
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
readonly root=$stage/$name

cmake --install "$build" --prefix "$root" >/dev/null
rm "$root/bin/recall" # CMake takes a program that was linked in the same second for the same
cmake --install "$build" --prefix "$root" --component portable --strip >/dev/null
check_needs "$root/bin/recall"

# ~/.local/share/systemd/user is a folder of systemd, ~/.local/lib is not.
mkdir -p "$root/share/systemd"
mv "$root/lib/systemd/user" "$root/share/systemd/user"
rm -r "${root:?}/lib"
sed -i 's|^ExecStart=[^ ]*|ExecStart=%h/.local/bin/recall|' "$root"/share/systemd/user/*.service
sed "s/@VERSION@/$version/; s/@MACHINE@/$machine/; s/@ARCHITECTURE@/$architecture/" cmake/package/INSTALL >"$root/INSTALL"
mkdir -p "$output" "$root/share/doc/recall/licenses"
python3 cmake/package/portable_sbom.py "$build" "$name" "$root/share/doc/recall/sbom.cdx.json" \
  "$root/share/doc/recall/licenses"
pack "$stage" "$name" "$output"
cp "$root/share/doc/recall/sbom.cdx.json" "$output/$name.cdx.json"
