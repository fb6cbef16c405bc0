#!/usr/bin/env bash
# Runs the benchmarks of docs/PERFORMANCE.md one after another; ./x bench without arguments calls this after a release
# build. BENCH_CORPUS names directories of text, which should be about 100 MB.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=build/release/bench
read -r -a corpus <<<"${BENCH_CORPUS:-/usr/share/doc /usr/include /usr/share/perl /usr/lib/python3}"

section() { printf '\n## %s\n' "$*"; }

texts='^(tokenizer|chunker|postings|bm25|lsa|extraction|outline|redaction)/'
section "Within one process, a million chunks or vectors"
"$bin/recall_bench" --large --benchmark_min_time=0.3 --benchmark_filter="-$texts"
section "Within one process, texts of ${corpus[*]}"
"$bin/recall_bench" --chunks=100000 "${corpus[@]/#/--files=}" --benchmark_min_time=0.3 --benchmark_filter="$texts"
section "Ingest of ${corpus[*]}"
"$bin/ingest_bench" "${corpus[@]}"
section "A search as a whole process"
"$bin/process_bench" build/release/recall "${corpus[@]}"
section "Notes: saving, views, hops, lists"
"$bin/notes_bench" build/release/recall "${corpus[@]}"
section "Transcripts of coding agents"
"$bin/transcript_bench"
section "From a saved file to a found one"
"$bin/watch_bench" build/release/recall
section "How searches grow with the store: docs/performance"
bench/curves/measure.py build/release/recall docs/performance "${corpus[@]}"
