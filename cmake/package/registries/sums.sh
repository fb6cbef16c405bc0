#!/usr/bin/env bash
# Writes SHA256SUMS of all files in a directory, sorted by name: sums.sh DIRECTORY
# To compare: (cd DIRECTORY && sha256sum --check SHA256SUMS)
set -euo pipefail
cd "$1"
sums=$(find . -type f ! -path ./SHA256SUMS -printf '%P\0' | LC_ALL=C sort -z | xargs -0r sha256sum --)
printf '%s\n' "$sums" >SHA256SUMS
