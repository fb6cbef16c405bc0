#!/usr/bin/env bash
# Attacks `recall serve`: tests/clients/attack/run_attack.sh RECALL [ATTACK...]
set -euo pipefail
recall=$(realpath "$1")
attack=$(realpath "$(dirname "${BASH_SOURCE[0]}")")/attack.py
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
cd "$store"
mkdir docs
for i in $(seq 300); do
  printf '# Document %d\n\nThe walrus number %d lies on the ice and looks at document %d.\n' "$i" "$i" $((i * 7)) >"docs/$i.md"
done
"$recall" init >/dev/null
"$recall" add docs >/dev/null
python3 "$attack" "$recall" "$store" "${@:2}"
