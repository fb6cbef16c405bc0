#!/usr/bin/env bash
# Tests the npm package in Node.js: `run_node.sh LIBRARY PROGRAM [TEST...]`. LIBRARY is a librecall.so.1, with
# recall.node beside it; PROGRAM is a `recall` of the same build. TEST is a file of this folder; without one, all run.
#
#   node_golden.mjs     the golden scenarios have the bytes of the program
#   node_stores.mjs     each function, by promises and at once; errors, sets, vectors, iterators, progress
#   node_lives.mjs      aborts, the event loop, workers, many stores, stores that are dropped, exits with running calls
#   node_pages.mjs      the examples of docs/node.md and of docs/examples
#   node_types.mjs      the types, by `tsc --strict`
set -euo pipefail
library=$(realpath "$1")
program=$(realpath "$2")
addon=$(dirname "$(realpath --no-symlinks "$1")")/recall.node
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
tests=$PWD/tests/clients/node
[ -e "$addon" ] || { echo "run_node.sh: there is no $addon: build recall_node, with the headers of Node.js" >&2 && exit 1; }

# Node finds packages beside the scripts, so these are copied. Installed only if the lock file has changed.
dir=$PWD/build/clients_node
mkdir -p "$dir"
if ! cmp -s "$tests/package-lock.json" "$dir/package-lock.json" || [ ! -d "$dir/node_modules/typescript" ]; then
  rm -rf "$dir/node_modules"
  cp "$tests/package.json" "$tests/package-lock.json" "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$dir"; exit 1; }
fi
cp "$tests"/*.mjs "$tests"/*.mts "$tests"/*.cts "$dir"
cmake/package/registries/npm_tree.py "$dir" "$program" "$library" "$addon"

[ $# -gt 0 ] || set -- node_golden.mjs node_stores.mjs node_lives.mjs node_pages.mjs node_types.mjs
export RECALL_PROGRAM=$program RECALL_SOURCES=$PWD RECALL_LIBRARY_FILE=$library
for test in "$@"; do
  echo "node: $test" >&2
  node --test "$dir/$test"
done
