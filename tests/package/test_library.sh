#!/usr/bin/env bash
# Builds and runs a program in C with each package of the portable librecall in build/package: the tarball, and the two for
# Debian, unpacked. Then runs it with the oldest glibc that there is a system of (tests/package/portable/make_chroot.sh).
#   tests/package/test_library.sh [PACKAGES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
packages=$(realpath "${1:-build/package}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$packages" && sha256sum --check --quiet --ignore-missing SHA256SUMS)
mkdir "$work/tarball" "$work/debian"
tar -xJf "$(echo "$packages"/librecall-*-linux-x86_64.tar.xz)" -C "$work/tarball" --strip-components=1
tests/clients/c/run_c.sh "$work/tarball"
for package in "$packages"/librecall{1,-dev}_*_amd64.deb; do dpkg-deb --extract "$package" "$work/debian"; done
tests/clients/c/run_c.sh "$work/debian/usr"
cmp "$work/tarball/lib/librecall.so.1" "$work/debian/usr/lib/x86_64-linux-gnu/librecall.so.1"

# The program is linked as the library: against the glibc of Debian 11.
glibc=$PWD/build/portable-parts/glibc-x86_64
parts=$glibc/usr/lib/x86_64-linux-gnu
cc -std=c11 -o "$work/ask" cli/library/ask_program.c -I "$work/tarball/include" --sysroot="$glibc" -B"$parts" -L"$parts" \
  -L "$work/tarball/lib" -lrecall
for root in build/chroots/*/; do
  [ -x "$root/usr/bin/env" ] || continue
  mkdir -p "$root/home/tester/library"
  rm -f "$root"/home/tester/library/*
  cp "$work/ask" "$work/tarball/lib/librecall.so.1" "$root/home/tester/library/"
  echo 'Herons stand still at the pond.' >"$root/home/tester/library/birds.txt"
  chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin LD_LIBRARY_PATH=/home/tester/library \
    sh -c 'cd /home/tester/library && ./ask notes.db birds birds.txt "who stands still at the pond"' >"$work/out"
  grep -F '  birds@' "$work/out" >/dev/null || { cat "$work/out" >&2 && exit 1; }
  echo "a program in C: passed in $(basename "$root"), $(grep -m 1 '^libc' "$root/packages")"
done
