#!/usr/bin/env bash
# Compares the words of PDF files with pdf.js: bench/pdf_words/measure_words.sh EXTRACT_PDF FILE.pdf...
# EXTRACT_PDF: the test program extract_pdf of the build. Needs node 20.16 or later.
set -euo pipefail
program=$(realpath "$1")
shift
files=()
for file in "$@"; do files+=("$(realpath "$file")"); done
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dir=$PWD/build/pdf_words
mkdir -p "$dir"
cp bench/pdf_words/*.mjs bench/pdf_words/package.json "$dir"
if ! cmp -s bench/pdf_words/package-lock.json "$dir/package-lock.json" || [ ! -d "$dir/node_modules" ]; then
  rm -rf "$dir/node_modules"
  cp bench/pdf_words/package-lock.json "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --omit=optional --loglevel=error) ||
    { rm -rf "$dir"; exit 1; }
fi
EXTRACT_PDF=$program node "$dir/words.mjs" "${files[@]}"
