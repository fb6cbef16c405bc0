#!/usr/bin/env bash
# Asks `recall mcp` with the clients of the MCP SDK, of both generations, and with that of Vercel's AI SDK, compares its
# memory tools with Anthropic's memory server, holds `recall serve` against its OpenAPI document, and plays events of
# opencode to our plugin for it:
# tests/clients/run_clients.sh RECALL
set -euo pipefail
recall=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
docs=$PWD/docs

# Node finds packages beside the scripts, so these are copied. Installed only if the lock file has changed.
dir=$PWD/build/clients
mkdir -p "$dir"
cp tests/clients/*.mjs tests/clients/package.json "$dir"
if ! cmp -s tests/clients/package-lock.json "$dir/package-lock.json" || [ ! -d "$dir/node_modules" ]; then
  rm -rf "$dir/node_modules"
  cp tests/clients/package-lock.json "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$dir"; exit 1; }
fi

store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
cp -r "$docs" "$store/docs"
(cd "$store" && "$recall" init >/dev/null && "$recall" add docs >/dev/null)
for client in sdk_v1 client_v2 ai_sdk; do
  if [ "$client" != sdk_v1 ] && [ "$(node --print 'process.versions.node.split(".")[0]')" -lt 20 ]; then
    echo "$client: left out, because it needs node 20" >&2
    continue
  fi
  node "$dir/$client.mjs" "$recall" "$store"
done
node "$dir/memory_server.mjs" "$recall" "$store"
node "$dir/openapi.mjs" "$recall" "$store"
node "$dir/opencode_plugin.mjs" "$recall" "$store"
