#!/bin/sh
# What a user does with a program, in a system that has the C library and a shell. Files are made in the working
# directory, and the answers written to ./answers.
#
#   session.sh RECALL FILES
set -eu
recall=$1
files=$2
here=$(pwd)
export HOME="$here" LC_ALL=C.UTF-8 TZ=UTC RECALL_STABLE=1
mkdir store answers
cd store
cp -rp "$files" files

answer() { # answer NAME ARGUMENTS...
  name=$1
  shift
  "$recall" "$@" >"../answers/$name" 2>"../answers/$name.messages"
}

"$recall" init >/dev/null
answer add add files files/logs.zip files/logs.tar.gz files/logs.tar.xz files/logs.tar.bz2
answer version version --verbose
answer ls ls --json
answer stats stats --json
answer search search --json --explain --k 20 'how is a filter written'
answer lexical search --json --bm25 --k 20 'writer AND queue'
answer vector search --json --vector --k 20 'several processes at the same time'
answer harbour search --json --k 5 'dredging of the northern channel'
answer wind search --json --k 5 'beaufort'
answer umlaut search --json --k 5 'die Größe des Schiffs'
answer han search --json --k 5 '東京'
answer context context --json --explain --budget-tokens 600 'how does a reader see a commit'
answer symbols symbols '*' --json
answer grep grep 'segment[s]* of' --json
answer similar similar --json --k 5 files/docs/rql.md
answer rql query --json 'FROM doc ORDER BY doc.size DESC, doc.path LIMIT 50 SELECT doc.*'
answer math query --json "FROM chunk USING semantic('lock'), lexical('writer queue') SELECT chunk.id, score"
answer page get files/page.html
answer mail get files/mail.eml
answer doctor doctor --json
answer export export
# A format whose extractor is a program that is not there.
mkdir pdf
printf '%%PDF-1.4\n' >pdf/report.pdf
"$recall" add pdf/report.pdf >../pdf.messages 2>&1 || true
answer wrong search --store nowhere x && exit 1
cd ..
# Identifiers of stores are random.
uuid=$(sed -n 's/.*"uuid":"\([0-9a-f]*\)".*/\1/p' answers/stats)
short=$(echo "$uuid" | cut -c 1-8)
for file in answers/*; do
  sed "s/$uuid/UUID/g; s/$short-/STORE-/g; s|$here|HERE|g" "$file" >normal
  cat normal >"$file"
done
rm normal
