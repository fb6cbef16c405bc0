#!/usr/bin/env bash
# Makes documents of random texts with other people's libraries, reads them with the extractors, and compares texts,
# order and places: tests/clients/office/run_office.sh EXTRACT_DOCUMENTS [SEED [DOCUMENTS]]
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"

# Node finds packages beside the scripts, so these are copied. Installed only if the lock file has changed.
dir=${OFFICE_DIR:-$PWD/../../../build/clients_office}
mkdir -p "$dir"
cp ./*.mjs package.json "$dir"
if ! cmp -s package-lock.json "$dir/package-lock.json" || [ ! -d "$dir/node_modules" ]; then
  rm -rf "$dir/node_modules"
  cp package-lock.json "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$dir"; exit 1; }
fi
node "$dir/ods.mjs" "$program"
node "$dir/epub.mjs" "$program"
# Debian's python3-odf, for Debian's Python.
if /usr/bin/python3 -c 'import odf' 2>/dev/null; then
  /usr/bin/python3 odf_documents.py "$program"
else
  echo "odf: left out, because python3-odf is not installed" >&2
fi
node "$dir/office_check.mjs" "$program" "${2:-1}" "${3:-20}"
