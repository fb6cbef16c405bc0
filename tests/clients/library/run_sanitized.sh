#!/usr/bin/env bash
# Tests librecall and the extension for SQLite of a build with sanitizers: in programs in C, which are compiled with the
# same, and with the address sanitizer also in Python and in the shell of SQLite, which are as Debian has them:
#   tests/clients/library/run_sanitized.sh BUILD
#
# BUILD is build/asan-ubsan or build/tsan, with recall, librecall.so.1 and sqlite/recall.so.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
sanitizers=$(sed -n 's/^RECALL_SANITIZE:[A-Z]*=//p' "$build/CMakeCache.txt")
[ -n "$sanitizers" ] || { echo "run_sanitized.sh: $build is a build without sanitizers" >&2 && exit 1; }

"$here/run_library.sh" "$build/recall" "$build/librecall.so.1" "$sanitizers"
# A program that is not compiled with the thread sanitizer cannot load a library that is.
[ "$sanitizers" != thread ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work RECALL_SERVE=never
# The runtime of the sanitizers must be the first library of a program. Python and the shell leave memory at their end;
# that the library leaves none is tested in C.
preload=$(cc -print-file-name=libasan.so):$(cc -print-file-name=libubsan.so)
export ASAN_OPTIONS=detect_leaks=0
mkdir docs
cp "$root"/docs/format/*.md docs
"$build/recall" init --embedder hash --quiet >/dev/null
"$build/recall" add --quiet docs >/dev/null
"$build/recall" search --json --stable --cite --k 3 'how are segments merged' >program.json
LD_PRELOAD=$preload sqlite3 recall.db >shell.json <<SQL
.load $build/sqlite/recall
.once /dev/null
SELECT recall_options('{"stable": true}');
SELECT answer FROM recall_search('how are segments merged', 3) LIMIT 1;
SQL
cmp shell.json program.json
echo "the shell of SQLite: the answer is that of the program"
LD_PRELOAD=$preload "$root/tests/clients/python/run_python.sh" "$build/librecall.so.1" "$build/recall" 'python_*_test.py'
