#!/usr/bin/env bash
# Runs the tests of everything that knows SQLite's insides (docs/sqlite-internals.md) with the newest
# tested version of SQLite in place of the system's. The test programs are those of the preset dev,
# which load the library when they start.
#
# The source of SQLite comes with an npm package of this name, version and hash. To test another
# version, change these three lines and kNewestTestedSqlite (storage/sqlite/tested_sqlite.h).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

package=better-sqlite3@13.2.0
archive=better-sqlite3-13.2.0.tgz
sha512=67c43ff71fee3722b1035bf814da1dc88b51551c354de281ae68f7d89871851d1c78d70163ec0ca1bb7f06fecced3cf03c05e39d946d35a12c0139d465229665

dir=$PWD/build/newest-sqlite
library=$dir/libsqlite3.so.0

# Debian's options, of those that change what Recall uses or measures.
options=(
  -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_FTS3
  -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS3_TOKENIZER -DSQLITE_ENABLE_FTS4
  -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_LOAD_EXTENSION -DSQLITE_ENABLE_MATH_FUNCTIONS
  -DSQLITE_ENABLE_PREUPDATE_HOOK -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_SESSION
  -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_HAVE_ISNAN
  -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_MAX_DEFAULT_PAGE_SIZE=32768
  -DSQLITE_MAX_VARIABLE_NUMBER=250000 -DSQLITE_OMIT_LOOKASIDE -DSQLITE_SECURE_DELETE
  -DSQLITE_SOUNDEX -DSQLITE_TEMP_STORE=1 -DSQLITE_USE_URI
)

fetch() {
  mkdir -p "$dir"
  (cd "$dir" && npm pack --silent "$package" >/dev/null)
  echo "$sha512  $dir/$archive" | sha512sum --check --quiet
  tar -xzf "$dir/$archive" -C "$dir" --strip-components=3 package/deps/sqlite3/sqlite3.c
}

# Built only if the package or this script has changed.
if [ ! -e "$library" ] || [ "${BASH_SOURCE[0]}" -nt "$library" ]; then
  rm -rf "$dir"
  fetch
  ccache cc -shared -fPIC -O2 -Wl,-soname,libsqlite3.so.0 "${options[@]}" -o "$library" \
    "$dir/sqlite3.c" -lm
fi

export LD_LIBRARY_PATH=$dir

# The programs must have loaded that library, and the range in the code must end with it.
version=$(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"/\1/p' "$dir/sqlite3.c")
loaded=$(build/dev/recall version --json | tr -d ' \n')
for expected in "\"sqlite\":\"$version\"" '"sqlite_tested":true' "\"$version\"]"; do
  if ! grep -qF "$expected" <<<"$loaded"; then
    echo "recall version --json lacks $expected: $loaded" >&2
    exit 1
  fi
done
echo "SQLite $version" >&2

# A test program and its gtest filter, one after the other; as many at a time as there are cores. Of the older stores
# there are the oldest and newest, and the last without checksums of pages and the first with them: `./x test` reads all.
tests=(
  storage/storage_test '*'
  query/query_test 'Doctor*:*Snapshot*:WalReset*'
  index/index_test '*FulltextCheck*:*Lexical*:*PostingLists*:*TermLists*:*Compact*:*Purge*'
  cli/cli_test 'FtsWays*:*GoldenStore*/V1:*GoldenStore*/V9:*GoldenStore*/V10:*GoldenStore*/V16'
  damage/damage_test 'ForeignSchema*'
)
printf '%s\0' "${tests[@]}" | xargs -0 -n 2 -P "$(nproc)" sh -c \
  'exec "build/dev/tests/$1" --gtest_brief=1 --gtest_filter="$2"' run
