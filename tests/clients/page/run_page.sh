#!/usr/bin/env bash
# Drives the page of `recall serve` in a browser: tests/clients/page/run_page.sh RECALL [options of node --test]
set -euo pipefail
recall=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# Node finds packages beside the scripts, so these are copied. Installed only if the lock file has changed.
dir=$PWD/build/clients/page
mkdir -p "$dir"
cp tests/clients/page/*.mjs tests/clients/page/package.json "$dir"
rm -rf "$dir/modules" && mkdir "$dir/modules" && cp cli/server/web/page/*.js "$dir/modules" # for lexer.test.mjs
if ! cmp -s tests/clients/page/package-lock.json "$dir/package-lock.json" || [ ! -d "$dir/node_modules" ]; then
  rm -rf "$dir/node_modules"
  cp tests/clients/page/package-lock.json "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$dir"; exit 1; }
fi
RECALL=$recall CHROMIUM=$(command -v chromium) node --test "${@:2}" "$dir"/*.test.mjs
