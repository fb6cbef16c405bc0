#!/usr/bin/env bash
# Runs every libFuzzer target for some seconds; ./x fuzz calls this after building the fuzz preset.
# New inputs go to build/fuzz/found/<target>. A crash stops the run and leaves its input there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}

for target in build/fuzz/fuzz/fuzz_*; do
  [ -x "$target" ] && [ ! -d "$target" ] || continue
  name=$(basename "$target")
  found=build/fuzz/found/$name
  mkdir -p "$found"
  echo "== $name, $seconds s"
  "$target" -max_total_time="$seconds" -max_len=16384 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$found/" "$found" "fuzz/corpus/${name#fuzz_}"
done
