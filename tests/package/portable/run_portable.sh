#!/usr/bin/env bash
# Runs the portable program in the smallest systems of several releases, without a network, and compares every answer
# with those of the same program on this machine. Then that of 64-bit ARM, if there is a tarball of it, under qemu.
#
#   run_portable.sh [SUITE...]
#
# Needs root. Systems are made once, in build/chroots (make_chroot.sh). One that cannot be made, because its archive is
# not in reach, is named, and no failure unless it was asked for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
readonly here=$PWD/tests/package/portable
suites=(bionic focal bullseye jammy trixie)
asked=("$@")
[ $# -eq 0 ] || suites=("$@")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 absent=()

note() { printf '%-10s %s\n' "$1" "$2"; }

# Unpacks the tarball of an architecture into a folder, and sets `program`.
unpack() { # unpack ARCHITECTURE
  local tarball
  tarball=$(ls -t build/package/recall-*-linux-"$1".tar.xz | head -n 1)
  mkdir -p "$work/$1"
  tar -xJf "$tarball" -C "$work/$1" --strip-components=1
  program=$work/$1/bin/recall
  (cd build/package && sha256sum --check --quiet --ignore-missing SHA256SUMS)
}

# Compares the answers in a folder with those of this machine. (What `version` says of the CPU and of the sandbox depends
# on the machine.)
compare() { # compare NAME FOLDER
  local file
  for file in "$work"/host/answers/*; do
    [ "$(basename "$file")" != version ] || continue
    cmp -s "$file" "$2/answers/$(basename "$file")" && continue
    note "$1" "FAILED: another answer: $(basename "$file")"
    diff "$file" "$2/answers/$(basename "$file")" | cut -c 1-300 | head -n 6 || true
    return 1
  done
}

# Runs the session in a system.
in_chroot() { # in_chroot SUITE FOLDER
  local root=$2 suite=$1
  rm -rf "$root/home/tester"
  mkdir -p "$root/home/tester/files" "$root/usr/local"
  cp -r "$work/x86_64/bin" "$work/x86_64/share" "$root/usr/local/"
  cp -rp "$work/files/." "$root/home/tester/files/"
  cp "$here/session.sh" "$root/home/tester/"
  unshare --mount --net --pid --fork --mount-proc="$root/proc" chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin \
    sh -c 'cd /home/tester && ./session.sh recall /home/tester/files' >"$work/$suite.log" 2>&1 || {
    note "$suite" "FAILED: $(tail -n 3 "$work/$suite.log")"
    tail -n 3 "$root"/home/tester/answers/*.messages | grep -v '^$' | tail -n 8 || true
    return 1
  }
  grep -q 'poppler-utils is not installed' "$root/home/tester/pdf.messages" || {
    note "$suite" "FAILED: a PDF is not answered with what is missing: $(cat "$root/home/tester/pdf.messages")"
    return 1
  }
  compare "$suite" "$root/home/tester"
}

glibc_of() { # glibc_of ROOT
  sed -n 's/^libc-bin=\([0-9]*\.[0-9]*\).*/\1/p' "$1/packages"
}

unpack x86_64
"$here/make_files.py" "$work/files"
mkdir "$work/host"
(cd "$work/host" && "$here/session.sh" "$program" "$work/files" >/dev/null)
note "here" "glibc $(ldd --version | sed -n '1s/.* //p'), $(find "$work/host/answers" -type f ! -name '*.messages' | wc -l) answers"

for suite in "${suites[@]}"; do
  root=build/chroots/$suite
  if ! "$here/make_chroot.sh" "$suite" "$root"; then
    absent+=("$suite")
    continue
  fi
  if in_chroot "$suite" "$root"; then
    note "$suite" "passed, glibc $(glibc_of "$root")"
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done

if [ -n "$(compgen -G 'build/package/recall-*-linux-aarch64.tar.xz')" ] && command -v qemu-aarch64-static >/dev/null; then
  unpack aarch64
  # A program that starts itself again must start qemu.
  mkdir -p "$work/arm/bin"
  printf '#!/bin/sh\nexec qemu-aarch64-static -L %s %s "$@"\n' "$PWD/build/portable-parts/glibc-aarch64" "$program" \
    >"$work/arm/bin/recall"
  chmod +x "$work/arm/bin/recall"
  if (cd "$work/arm" && "$here/session.sh" "$work/arm/bin/recall" "$work/files" >"$work/arm.log" 2>&1); then
    if compare aarch64 "$work/arm"; then
      note aarch64 "passed under qemu, glibc 2.31"
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
    fi
  else
    note aarch64 "FAILED: $(tail -n 3 "$work/arm.log")"
    failed=$((failed + 1))
  fi
else
  note aarch64 "not run: ./x package aarch64 makes its tarball"
fi

[ ${#absent[@]} -eq 0 ] || note "not made" "${absent[*]}: their archives are not in reach"
[ ${#asked[@]} -eq 0 ] || failed=$((failed + ${#absent[@]}))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
