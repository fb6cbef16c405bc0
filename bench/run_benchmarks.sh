#!/usr/bin/env bash
# Runs the benchmarks of docs/PERFORMANCE.md one after another; ./x bench calls this after a release
# build. BENCH_CORPUS names directories of text, which should be about 100 MB.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=build/release/bench
read -r -a corpus <<<"${BENCH_CORPUS:-/usr/share/doc /usr/include /usr/share/perl /usr/lib/python3}"

section() { printf '\n## %s\n' "$*"; }

section "Within one process, at the sizes of docs/PERFORMANCE.md"
"$bin/recall_bench" --large --benchmark_min_time=0.3
section "Vector segments, scanned in place"
"$bin/vector_scan_bench"
section "Vector search in cells"
"$bin/ivf_bench"
section "Vector search within filters"
"$bin/filtered_scan_bench"
"$bin/filtered_scan_bench" holes
section "BM25 against ORDER BY rank"
"$bin/bm25_bench" "${corpus[@]}"
section "The corpus-trained model"
"$bin/lsa_bench" "${corpus[@]}"
section "Filters to sets of chunks, a million chunks"
"$bin/filter_bench"
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
