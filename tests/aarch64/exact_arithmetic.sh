#!/usr/bin/env bash
# Fails if the libraries in a build directory compute with anything that rounds differently on
# another CPU or with another C library:
#
# - a fused multiply-add, which rounds once where a multiplication and an addition round twice:
#   vfmadd and its relatives on x86-64, fmadd, fmla and theirs on 64-bit ARM;
# - a function of libm whose result the standard does not define to the last bit, such as exp.
#
#   exact_arithmetic.sh BUILD_DIRECTORY...
set -euo pipefail
# These have exact or correctly rounded results.
readonly exact='ceil|floor|fmod|ilogb|ldexp|nextafter|round|sqrt|trunc'

fail() {
  echo "$1" >&2
  exit 1
}

libm=$(nm --dynamic --defined-only --format=just-symbols "$(c++ -print-file-name=libm.so.6)" | sed 's/@.*//' | sort -u)
for build in "$@"; do
  mapfile -t libraries < <(find "$build" -path "$build/tests" -prune -o -name 'librecall_*.a' -print)
  [ "${#libraries[@]}" -gt 0 ] || fail "no libraries in $build"
  objdump=objdump
  if readelf --file-header "${libraries[0]}" | grep -q AArch64; then objdump=aarch64-linux-gnu-objdump; fi

  fused=$("$objdump" --disassemble --demangle "${libraries[@]}" | awk '
    /^[0-9a-f]+ </ { name = $0 }
    /\t(vfn?m(add|sub|addsub|subadd)[0-9]*[ps][sdh]|fn?m(add|sub)|fml[as]l?2?)[ \t]/ { print name; print }')
  [ -z "$fused" ] || fail "fused multiply-add in $build:"$'\n'"$fused"

  inexact=$(nm --undefined-only --format=just-symbols "${libraries[@]}" 2>/dev/null | sort -u |
    comm -12 - <(echo "$libm") | grep -vxE "($exact)[fl]?" || true)
  [ -z "$inexact" ] || fail "libm functions in $build: $inexact"
done
