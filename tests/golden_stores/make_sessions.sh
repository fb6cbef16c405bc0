#!/bin/sh
# Makes sessions.db: two sessions, of which one has grown, their transcripts, and a session that was
# forgotten.
set -eu
export LC_ALL=C.UTF-8 TZ=UTC RECALL_STORE="$PWD/sessions.db" RECALL_EMBEDDING=hash

recall init --chunk-tokens 16 --overlap-tokens 2
said() { # said SESSION ROLE TEXT TIME
  printf '{"session": "%s", "role": "%s", "text": "%s", "at": "%s"}\n' "$@"
}
keep() { recall capture talks.jsonl --from jsonl --all --quiet --at "$1"; }
{
  said otters user 'Where do the otters sleep?' 2026-01-05T10:00:00Z
  said otters assistant 'Under the roots of alders.' 2026-01-05T10:00:10Z
  said herons user 'How tall is a heron?' 2026-01-06T10:00:00Z
  said secret user 'Forget the owls.' 2026-01-06T11:00:00Z
} > talks.jsonl
touch -d '2026-01-06 12:00' talks.jsonl
keep 2026-01-06T12:00:00Z
said herons assistant 'As tall as a child of five.' 2026-01-07T10:00:00Z >> talks.jsonl
touch -d '2026-01-07 12:00' talks.jsonl
keep 2026-01-07T12:00:00Z
recall forget sessions/jsonl/secret --quiet
rm talks.jsonl
