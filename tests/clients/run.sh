#!/usr/bin/env bash
# Asks `recall mcp` with the clients of the MCP SDK, of both generations: tests/clients/run.sh RECALL
set -euo pipefail
recall=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"

# Installed only if the lock file has changed.
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
  touch node_modules/.package-lock.json
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r ../../docs "$dir/docs"
(cd "$dir" && "$recall" init >/dev/null && "$recall" add docs >/dev/null)
for client in sdk_v1 client_v2; do
  if [ "$client" = client_v2 ] && [ "$(node --print 'process.versions.node.split(".")[0]')" -lt 20 ]; then
    echo "client 2: left out, because it needs node 20" >&2
    continue
  fi
  node "$client.mjs" "$recall" "$dir"
done
