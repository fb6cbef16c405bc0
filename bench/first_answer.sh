#!/usr/bin/env bash
# How long does it take from a package to the first answer over 1,000 files?
#
#   bench/first_answer.sh TARBALL [DIRECTORY]
#
# TARBALL is build/package/recall-*-linux-*.tar.xz, of ./x package. The files are those of DIRECTORY, or the first 1,000
# documents and sources of the present commit. Each step is a command as a newcomer types it, in an empty home; its time
# is wall time in seconds. A repetition of all of it shows how much of that is the disk.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
tarball=$(realpath "$1")
repository=$(dirname "$(dirname "$(realpath "$0")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%R

if [ -n "${2:-}" ]; then
  cp -R "$2" "$work/files"
else
  mkdir "$work/files"
  mapfile -d '' -t names < <(git -C "$repository" ls-tree -r -z --name-only HEAD | grep -zE '\.(md|cc|h|py|mjs)$')
  git -C "$repository" archive HEAD -- "${names[@]:0:1000}" | tar -x -C "$work/files"
fi
files=$(find "$work/files" -type f | wc -l)

step() { # step NAME COMMAND...
  local seconds name=$1
  shift
  { seconds=$({ time "$@" >"$work/out" 2>&1; } 2>&1) || { cat "$work/out" >&2 && exit 1; }; }
  printf '%-24s %6.2f s\n' "$name" "$seconds"
  total=$(awk -v a="$total" -v b="$seconds" 'BEGIN { print a + b }')
}

for run in first second; do
  echo "$run time, $files files"
  mkdir "$work/$run"
  cp -R "$work/files" "$work/$run/files"
  total=0
  step 'tar -x' tar -xJf "$tarball" -C "$work/$run" --strip-components=1
  cd "$work/$run/files"
  recall=(env -i HOME="$work/$run" PATH="$work/$run/bin:$PATH" recall)
  step 'recall init' "${recall[@]}" init
  step 'recall add' "${recall[@]}" add
  step 'recall search' "${recall[@]}" search how are segments merged
  [ -s "$work/out" ] || { echo "no answer" >&2 && exit 1; }
  printf '%-24s %6.2f s\n' together "$total"
done
