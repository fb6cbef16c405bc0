#!/usr/bin/env bash
# Fails unless two programs make the same stores and give the same answers, to the byte. Each is
# named by the directory in which it is called `recall`; the programs may be built for different
# CPUs.
#
#   same_bytes.sh DIRECTORY DIRECTORY
#
# A store is made in steps: files are added, edited, removed, and the store is compacted. Four stores
# take turns in four ways: all steps by one program, all by the other, and alternately. Compared
# are their contents (chunks, postings, models, vectors, metadata), and the answers of both programs
# about each other's stores. Only the random identifier of a store, the identity of its directory
# (which has the number of an inode) and the times of its commits may differ.
set -euo pipefail
readonly first=$1 second=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work LC_ALL=C.UTF-8 TZ=UTC
# The programs may be built with other grammars (docs/code.md).
export RECALL_CODE_CHUNKER=plain

# run DIRECTORY ARGUMENTS...
run() { PATH=$1:/usr/bin:/bin recall "${@:2}"; }

# The files in two versions, with fixed modification times.
mkdir files
cp -r "$root"/docs "$root"/index "$root"/tests/golden/corpus files
rm -r files/docs/schema
mkdir edited
cp -r files/docs edited
sed -i 's/segment/division/g' edited/docs/*.md
printf 'naïve Straße ﬁne Ⅷ\n東京は日本の首都です。กรุงเทพมหานคร\n' >files/docs/scripts.txt
find files edited -exec touch -d '2026-01-01 UTC' {} +

# One step of a store's history by the program in DIRECTORY.
step() { # step DIRECTORY NUMBER
  case $2 in
    1) run "$1" init --embedder "$embedder" --chunk-tokens 32 --overlap-tokens 4 ;;
    2) cp -r --preserve=timestamps ../files/. . && run "$1" add index corpus --extract-meta --tag code ;;
    3) run "$1" add docs --source handbook ;;
    4) cp -r --preserve=timestamps ../edited/. . && run "$1" add docs ;;
    5) run "$1" rm index/search/vector && run "$1" compact --keep-snapshots 0 ;;
  esac
}
readonly steps=5

# All rows of a store, except its random identifier, its directory and the time of each commit.
contents() { # contents STORE
  sqlite3 -readonly "$1" .dump |
    sed -E "/^INSERT INTO meta VALUES\('(uuid|home)',/d; s/^(INSERT INTO commit_log VALUES\([0-9]+),[0-9]+,/\1,/"
}

# The answers of the program in DIRECTORY to questions about the store in the working directory.
answers() { # answers DIRECTORY
  local uuid
  uuid=$(sqlite3 -readonly recall.db "SELECT value FROM meta WHERE key = 'uuid'")
  export RECALL_STABLE=1
  {
    local query how
    for query in 'how are segments merged' 'kMinSegment +vector' '"memory mapping" -windows' 'determinis*' \
      'GetOverflowPage' '東京' 'straße' 'die Größe'; do
      for how in '' --bm25 --vector --exact; do
        run "$1" search --json --explain ${how:+"$how"} -- "$query"
      done
    done
    run "$1" search --json --explain --fusion rrf --stages mmr,near-duplicates 'page checksum'
    run "$1" search --json --explain --fusion weighted --stages rm3:terms=5 'page checksum'
    run "$1" search --json --explain --stages per-document:max=1,recency:half-life=30d --as-of 2026-02-01 'a budget'
    run "$1" search --json --explain --filter "doc.path GLOB 'docs/**' AND chunk.tokens > 20" 'stable sort'
    run "$1" query --json --explain "FROM doc USING semantic('a wrong byte') LIMIT 20 SELECT score, doc.*"
    run "$1" query --json --explain "FROM chunk USING semantic('lock'), lexical('writer queue') SELECT *, score"
    run "$1" query --json "FROM doc ORDER BY doc.size DESC, doc.path LIMIT 50 SELECT doc.*"
    run "$1" context --json --explain --budget-tokens 600 'how does a reader see a commit'
    run "$1" context --format markdown --expand 1 'IVF lists'
    run "$1" similar --json --explain docs/RETRIEVAL.md
    run "$1" similar --json --explain --stages mmr docs/format/segment.md:40:12
    run "$1" doctor --json
    run "$1" export
  } | sed "s/$uuid/UUID/g; s/${uuid:0:8}-/STORE-/g"
}

# expect_same WHAT FILE FILE
expect_same() {
  cmp -s "$2" "$3" && return
  echo "$1 differ:" >&2
  diff "$2" "$3" | cut -c 1-300 | head -n 20 >&2
  exit 1
}

for embedder in lsa hash; do
  mkdir "$embedder"
  for turns in 11111 22222 12121 21212; do
    mkdir store
    cd store
    for ((i = 1; i <= steps; ++i)); do
      program=$first
      [ "${turns:i-1:1}" = 1 ] || program=$second
      step "$program" "$i" >>log 2>&1 || { cat log >&2 && exit 1; }
    done
    contents recall.db >"../$embedder/$turns.sql"
    expect_same "contents of stores made in the turns 11111 and $turns" ../"$embedder"/{11111,"$turns"}.sql
    # A store of one program alone, read by both.
    case $turns in
      11111 | 22222)
        answers "$first" >"../$embedder/$turns.first"
        answers "$second" >"../$embedder/$turns.second"
        for asked in "$turns".first "$turns".second; do
          expect_same "answers 11111.first and $asked ($embedder)" ../"$embedder"/{11111.first,"$asked"}
        done
        ;;
    esac
    cd ..
    rm -r store
  done
  echo "$embedder: $(grep -c '^INSERT' "$embedder/11111.sql") rows," \
    "$(wc -c <"$embedder/11111.first") bytes of answers are equal"
done
