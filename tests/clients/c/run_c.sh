#!/usr/bin/env bash
# Builds cli/library/ask_program.c against an installed librecall, with pkg-config and with CMake, runs it, and looks at
# its errors and at the manual page:
# tests/clients/c/run_c.sh PREFIX
#
# PREFIX is what `cmake --install BUILD --component library` has made, the folder of the tarball, or usr of the packages
# of Debian.
set -eEuo pipefail
prefix=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "$here/../../../cli/library/ask_program.c")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'echo "run_c.sh: line $LINENO fails" >&2' ERR

fail() { echo "run_c.sh: $*" >&2 && exit 1; }
has() { grep -F -- "$2" "$1" >/dev/null || { cat "$1" >&2 && fail "\"$2\" is missing"; }; }

libraries=$(dirname "$(find "$prefix/lib" -name librecall.so.1)")
[ -e "$libraries/librecall.so.1" ] || fail "there is no librecall.so.1 in $prefix/lib"
cd "$work"
# Not in a folder that the loader or CMake searches anyway, so that what is found is what was installed.
export PKG_CONFIG_LIBDIR=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries

echo "pkg-config: recall $(pkg-config --modversion recall)"
read -ra flags <<<"$(pkg-config --cflags --libs recall)"
cc -std=c11 -Wall -Wextra -Werror -o ask "$program" "${flags[@]}"

printf 'Herons stand still at the pond.\n\nKingfishers dive from a branch.\n' >birds.txt
./ask notes.db birds 'birds.txt' 'who stands still at the pond' >out
has out '  birds@'
has out 'Herons stand still at the pond.'
has out '"used_tokens":'

./ask absent/sub/notes.db birds absent.txt pond >out 2>&1 && fail "an absent text is added"
has out "absent.txt: "
./ask notes.db birds birds.txt '' >out 2>&1 && fail "an empty question is answered"
has out 'search: '
has out 'hint: '

echo "CMake: $(cmake --version | head -n 1)"
cmake -S "$here" -B with-cmake -DASK_PROGRAM="$program" -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 || { cat log && exit 1; }
cmake --build with-cmake >log 2>&1 || { cat log && exit 1; }
with-cmake/ask other.db birds birds.txt 'who stands still at the pond' >out
has out '  birds@'

page=$(find "$prefix/share/man/man3" -name 'recall.3*')
case $page in *.gz) zcat "$page" >recall.3 ;; *) cp "$page" recall.3 ;; esac
groff -man -ww -z recall.3 2>warnings
[ ! -s warnings ] || { cat warnings && fail "groff warns of recall(3)"; }
echo "a program in C: passed"
