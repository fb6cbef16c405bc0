#!/usr/bin/env bash
# Tests that librecall is no burden to the program that it is in: opened ten thousand times, without memory, and by
# eight threads:
#   tests/clients/library/run_library.sh RECALL LIBRECALL [SANITIZERS]
#
# RECALL is the program, LIBRECALL librecall.so.1. The programs are C, compiled with `cc`, and with -fsanitize=SANITIZERS
# for a library that is compiled so. With `thread` there is no test without memory.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
sanitizers=${3:-}
recall=$(realpath "$1")
library=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# compile PROGRAM SOURCE...
compile() {
  local program=$1
  shift
  cc -std=c11 -D_GNU_SOURCE -O1 -g -fno-builtin -Wall -Wextra -Wpedantic -Werror -I "$root/cli/library" -I "$here" \
    ${sanitizers:+-fsanitize=$sanitizers -fno-omit-frame-pointer} \
    -o "$program" "${@/#/$here/}" "$library" -Wl,-rpath,"$(dirname "$library")" -rdynamic -pthread
}

# store DIRECTORY: makes a small store, DIRECTORY/recall.db.
store() {
  mkdir -p "$1/docs"
  cp "$root"/docs/format/*.md "$1/docs"
  "$recall" init --store "$1/recall.db" --embedder hash --quiet >/dev/null
  "$recall" add --store "$1/recall.db" --root "$1/docs" --quiet "$1/docs" >/dev/null
}

# run PROGRAM [ARGUMENT...]: it prints one line, and the library nothing. RE2 says on standard error that it was left by
# an exception.
run() {
  local failed=0
  "$@" >out 2>all_errors || failed=1
  grep -v '^\./re2/walker' all_errors >err || true
  if [ $failed -ne 0 ] || [ -s err ] || [ "$(wc -l <out)" -ne 1 ]; then
    echo "$1 failed, or something was printed:" >&2
    cat out err >&2
    return 1
  fi
  cat out
}

export HOME=$work RECALL_SERVE=never
store lives_store
compile lives lives.c
run ./lives lives_store/recall.db
store threads_store
compile threads threads.c
run ./threads threads_store/recall.db
"$recall" doctor --store threads_store/recall.db --quiet >/dev/null
[ "$sanitizers" != thread ] || exit 0
# Glibc loses a block where it has no memory to load a library.
echo 'leak:_dl_map_object_deps' >lost
export LSAN_OPTIONS=suppressions=$work/lost:print_suppressions=0
store memory_store
mkdir made
compile memory memory.c failing_malloc.c
run ./memory memory_store/recall.db "$work/made"
"$recall" doctor --store memory_store/recall.db --quiet >/dev/null
"$recall" doctor --store made/copy.db --quiet >/dev/null
