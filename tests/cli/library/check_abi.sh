#!/usr/bin/env bash
# Compares the interface of recall.h and recall.map with the one that programs were compiled against, librecall.abi:
#
#   check_abi.sh [--write] [HEADER MAP]     fails if a program that uses the older one may break
#
# --write writes librecall.abi again. Functions, members at the end of structs and values may be added; that is a
# failure, too, until it is written.
#
# The functions are compiled as C, without their code: so the file has the types of the header and nothing of the
# library's own. That the library defines and exports what header and map say, and the statuses, which no type of the
# header leads to, are checked by CHeaderTest (c_header_test.cc) and by the compiler.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
write=
if [ "${1:-}" = --write ]; then write=yes && shift; fi
header=$(realpath "${1:-$here/../../../cli/library/recall.h}")
map=$(realpath "${2:-$here/../../../cli/library/recall.map}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$header" "$work/recall.h"
cd "$work"
awk '
  BEGIN { RS = ";"; print "#include \"recall.h\"" }
  match($0, /\nRECALL_API /) {
    declaration = substr($0, RSTART + 1)
    print declaration, declaration ~ /^RECALL_API void recall_/ ? "{}" : "{ return 0; }"
  }' recall.h >recall.c
cc -std=c11 -w -g -fPIC -shared -Wl,-soname,librecall.so.1 -Wl,--version-script="$map" -o librecall.so.1 recall.c
# No paths and no places in sources: the file is to change with the interface alone.
abidw --exported-interfaces-only --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed --out-file new.abi \
  librecall.so.1
sed -i "s| path='[^']*recall\.c'||" new.abi
for text in "name='recall_open'" "name='snippet_last_line'" "name='RECALL_DOCUMENTS'"; do
  grep -F "$text" new.abi >/dev/null || { echo "check_abi.sh: abidw does not see $text" >&2 && exit 1; }
done
if [ -n "$write" ]; then
  cp new.abi "$here/librecall.abi"
  exit
fi

# The lines of a report in which members and values are added and nothing else is different: all others may break a program.
readonly additions="^(|\
(Functions|Variables) changes summary: 0 Removed, .*|\
 *[0-9]+ functions? with some indirect sub-type change:|\
 *\[C\] 'function .*' has some indirect sub-type changes:|\
 *parameter [0-9]+ of type '.*' has sub-type changes:|\
 *return type changed:|\
 *in pointed to type '.*':|\
 *in unqualified underlying type '.*':|\
 *underlying type '(struct recall_(hit|error|progress)|enum .*)' changed:|\
 *type size (hasn't changed|changed from [0-9]+ to [0-9]+ \(in bits\))|\
 *[0-9]+ (data member|enumerator) insertions?:|\
 *'[^']*', at offset [0-9]+ \(in bits\)|\
 *'[^']*' value '[0-9]+'\
)\$"
abidiff --no-added-syms "$here/librecall.abi" new.abi >difference || true
if grep -vE "$additions" difference >changes; then
  cat difference >&2
  echo "check_abi.sh: programs that were built with an older recall.h may break: add, do not change:" >&2
  head -n 5 changes >&2
  exit 1
fi
if ! abidiff --harmless "$here/librecall.abi" new.abi >difference; then
  cat difference >&2
  echo "check_abi.sh: the interface has grown: raise RECALL_ABI_VERSION if it is that of a release, and write it:" >&2
  echo "tests/cli/library/check_abi.sh --write" >&2
  exit 1
fi
echo "the interface is that of tests/cli/library/librecall.abi"
