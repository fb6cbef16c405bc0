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
readonly newest_glibc=2.27
export LC_ALL=C TZ=UTC

fail() {
  echo "portable_tarball.sh: $1" >&2
  exit 1
}

# Of a commit, or of an archive of one, whose files have its time.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y cmake/archived_commit.txt)
fi
export SOURCE_DATE_EPOCH

# What the program needs: libraries of glibc, in versions up to the newest.
check_program() { # check_program FILE
  local needed versions
  needed=$(readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vxE 'lib(c|m|pthread|dl)\.so\.[0-9]+|ld-linux-(x86-64|aarch64)\.so\.[0-9]+' || true)
  [ -z "$needed" ] || fail "the program needs $needed"
  versions=$(readelf --version-info "$1" | grep -o 'Name: GLIBC_[0-9.]*' | sed 's/.*_//' | sort -Vu)
  [ "$(printf '%s\n' "$versions" $newest_glibc | sort -V | tail -n 1)" = $newest_glibc ] ||
    fail "the program needs glibc $(tail -n 1 <<<"$versions"), not $newest_glibc at most"
  if grep -qF "$PWD/" "$1"; then fail "the program has the path $PWD/"; fi
}

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
case $(readelf --file-header "$build/portable/recall" | sed -n 's/.*Machine: *//p') in
  *X86-64*) architecture=x86_64 machine='Intel and AMD processors' ;;
  AArch64) architecture=aarch64 machine='64-bit ARM processors' ;;
  *) fail "the program is for another processor" ;;
esac
readonly name=recall-$version-linux-$architecture
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
readonly root=$stage/$name

cmake --install "$build" --prefix "$root" >/dev/null
rm "$root/bin/recall" # CMake takes a program that was linked in the same second for the same
cmake --install "$build" --prefix "$root" --component portable --strip >/dev/null
check_program "$root/bin/recall"

# ~/.local/share/systemd/user is a folder of systemd, ~/.local/lib is not.
mkdir -p "$root/share/systemd"
mv "$root/lib/systemd/user" "$root/share/systemd/user"
rm -r "${root:?}/lib"
sed -i 's|^ExecStart=[^ ]*|ExecStart=%h/.local/bin/recall|' "$root"/share/systemd/user/*.service
sed "s/@VERSION@/$version/; s/@MACHINE@/$machine/; s/@ARCHITECTURE@/$architecture/" cmake/package/INSTALL >"$root/INSTALL"
mkdir -p "$output" "$root/share/doc/recall/licenses"
python3 cmake/package/portable_sbom.py "$build" "$name" "$root/share/doc/recall/sbom.cdx.json" \
  "$root/share/doc/recall/licenses"
if grep -rlF "$PWD/" "$root"; then fail "these files have the path $PWD/"; fi

cp "$root/share/doc/recall/sbom.cdx.json" "$output/$name.cdx.json"
rm -f "$output/$name.tar.xz"
tar --create --directory "$stage" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
  --numeric-owner --mode='u=rwX,go=rX' "$name" | xz -9e --threads=1 >"$output/$name.tar.xz.new"
mv "$output/$name.tar.xz.new" "$output/$name.tar.xz"
