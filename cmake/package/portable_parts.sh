#!/usr/bin/env bash
# Unpacks what the portable program is linked with besides Debian's archives, into build/portable-parts: the C library of
# Debian 11 for a processor, and the sources of CRoaring, of which Debian has no archive, and of RE2, whose archive can
# only be linked into programs.
#
#   portable_parts.sh x86_64|aarch64
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
case $1 in
  x86_64) architecture=amd64 ;;
  aarch64) architecture=arm64 ;;
esac
cmake/package/portable_packages.sh bullseye "$architecture" "build/portable-parts/glibc-$1" libc6 libc6-dev
cmake/package/portable_packages.sh bookworm source build/portable-parts/sources croaring re2
