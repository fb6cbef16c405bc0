#!/usr/bin/env bash
# Reads made PDF files: tests/clients/pdf/run_pdf.sh EXTRACT_PDF [options of node --test]
# EXTRACT_PDF: the test program extract_pdf of the build, which runs pdftotext (poppler-utils).
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# Node finds packages beside the scripts, so these are copied. Installed only if the lock file has changed.
dir=$PWD/build/clients/pdf
mkdir -p "$dir"
cp tests/clients/pdf/*.mjs tests/clients/pdf/package.json "$dir"
if ! cmp -s tests/clients/pdf/package-lock.json "$dir/package-lock.json" || [ ! -d "$dir/node_modules" ]; then
  rm -rf "$dir/node_modules"
  cp tests/clients/pdf/package-lock.json "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$dir"; exit 1; }
fi
EXTRACT_PDF=$program node --test "${@:2}" "$dir/pdf.test.mjs"
