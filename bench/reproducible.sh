#!/usr/bin/env bash
# Prints one SHA-256 of the answers to questions about this repository's documents (docs/reproducible.md). The same
# program, documents and number of questions give the same sum on every machine.
set -euo pipefail

# The environment must not matter, but for what may be chosen.
if [ "${1-}" != --clean-environment ]; then
  exec env -i PATH="$PATH" HOME="$HOME" RECALL_SIMD="${RECALL_SIMD-}" RECALL_THREADS="${RECALL_THREADS-0}" \
    RECALL_FTS="${RECALL_FTS-native}" LC_ALL=C TZ=UTC bash "$0" --clean-environment "$@"
fi
shift

usage() {
  cat <<'TEXT'
bench/reproducible.sh [OPTIONS] [RECALL]
  RECALL            the program (default: recall on the PATH)
  --commit REV      documents of this commit of the repository (default: HEAD)
  --directory DIR   the Markdown files in DIR instead, which needs no git
  --questions N     how many questions (default: 1000)
  --every-target    once with each of the machine's SIMD targets; fails if two sums differ
  --keep FILE       also write all answers to FILE, to find the first difference
TEXT
}

commit=HEAD directory='' questions=1000 every='' keep='' recall=recall
while [ $# -gt 0 ]; do
  case $1 in
    --commit) commit=$2 && shift ;;
    --directory) directory=$2 && shift ;;
    --questions) questions=$2 && shift ;;
    --every-target) every=1 ;;
    --keep) keep=$(realpath "$2") && shift ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) recall=$1 ;;
  esac
  shift
done
recall=$(realpath "$(command -v "$recall")")
repository=$(dirname "$(dirname "$(realpath "$0")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The documents, with times that do not depend on the machine.
if [ -n "$directory" ]; then
  cp -R "$directory" "$work/docs"
  find "$work/docs" -type f -exec touch -d 2026-01-01T00:00:00Z {} +
else
  git -C "$repository" archive "$commit" docs | tar -x -C "$work" # with the time of the commit
fi

# No settings of the user, and no running server.
export HOME=$work TMPDIR=$work RECALL_STABLE=1 RECALL_SERVE=never

# Lines of prose without their Markdown; of those with at least four words, QUESTIONS at equal distances. A line is the
# number of the question, its kind, and up to nine words.
make_questions() {
  find "$work/docs" -name '*.md' | sort | xargs cat |
    sed -E 's/\]\([^)]*\)/ /g; s/[^A-Za-z0-9_.'\''-]+/ /g; s/^[ .-]+//; s/[ .-]+$//' |
    awk -v wanted="$questions" '
      NF >= 4 && !seen[$0]++ { line[++count] = $0 }
      END {
        split("search search context search bm25 vector", kinds, " ")
        for (i = 0; i < wanted; ++i) {
          words = split(line[1 + int(i * count / wanted)], word, " ")
          text = ""
          for (w = 1; w <= words && w <= 9; ++w) text = text " " word[w]
          printf "%05d %s%s\n", i + 1, kinds[1 + i % 6], text
        }
      }'
}

# Answers the question on a line that make_questions printed.
answer() { # answer NUMBER KIND WORDS...
  local number=$1 kind=$2
  shift 2
  local -a command=(search)
  case $kind in
    context) command=(context --budget-tokens 300 --cite) ;;
    bm25 | vector) command=(search "--$kind") ;;
  esac
  "$recall" "${command[@]}" --json --no-check -- "$@" </dev/null >"answers/$number"
}

# Makes a store and prints the sum of all answers.
sum_of_answers() {
  rm -rf "$work"/recall.db* "$work/answers"
  mkdir "$work/answers"
  (
    cd "$work"
    "$recall" init >init.log
    "$recall" add docs --glob '**/*.md' --quiet
    local cores worker
    cores=$(nproc)
    for ((worker = 0; worker < cores; ++worker)); do
      awk -v cores="$cores" -v worker="$worker" 'NR % cores == worker' questions |
        while read -r number kind words; do
          # shellcheck disable=SC2086
          answer "$number" "$kind" $words || echo "no answer to $number: $words" >>failures
        done &
    done
    wait
    if [ -e failures ]; then cat failures >&2 && exit 1; fi
  )
  # Snapshots name the store, which is a new one in each run.
  find "$work/answers" -type f | sort | xargs cat | sed -E 's/"snapshot":"[^"]*"/"snapshot":""/g' >"$work/all"
  if [ -n "$keep" ]; then cp "$work/all" "$keep"; fi
  sha256sum <"$work/all" | cut -d' ' -f1
}

make_questions >"$work/questions"
if [ -z "$every" ]; then
  sum_of_answers
  exit
fi
for target in $("$recall" version --verbose | sed -n 's/^SIMD targets: *\(.*\) (.*/\1/p'); do
  sum=$(RECALL_SIMD=$target sum_of_answers)
  echo "$sum  $target"
  if [ "$sum" != "${first:=$sum}" ]; then echo "the sums differ" >&2 && exit 1; fi
done
