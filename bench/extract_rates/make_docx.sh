#!/usr/bin/env bash
# Makes DOCX files with the npm package docx, the same each time: bench/extract_rates/make_docx.sh OUT [FILES]
# `./x test clients`, or tests/clients/office/run_office.sh, has installed the packages.
set -euo pipefail
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dir=${OFFICE_DIR:-$PWD/build/clients_office}
[ -d "$dir/node_modules" ] || { echo "$dir has no packages: run ./x test clients" >&2; exit 1; }
cp tests/clients/office/*.mjs bench/extract_rates/make_docx.mjs "$dir"
node "$dir/make_docx.mjs" "$out" "${2:-1000}"
