#!/bin/sh
# Makes notes.db: notes with cards, links of each origin, uses and reviews; one note is retired, one
# has an older version.
set -eu
export LC_ALL=C.UTF-8 TZ=UTC RECALL_STORE="$PWD/notes.db" RECALL_EMBEDDING=hash

recall init --chunk-tokens 16 --overlap-tokens 2
at() { recall "$@" --quiet; }
at save lesson Do not stack focus styles --id focus --when 'new input' --tag css --topic web/forms \
  --text 'Stacked rings look broken. See [[tokens]].' --summary 'One ring.' \
  --at 2026-01-05T10:00:00Z
at save decision Rotate tokens --id tokens --text 'Every hour.' --at 2026-01-06T10:00:00Z
at save bug Cookie lost --id cookie --text 'SameSite was None.' --link caused_by=tokens \
  --at 2026-01-07T10:00:00Z
at save decision Rotate tokens daily --id tokens-daily --text 'Every day.' --supersedes tokens \
  --at 2026-01-08T10:00:00Z
at save bug Cookie lost --id cookie --replace --text 'SameSite was missing.' \
  --at 2026-01-09T10:00:00Z
at link focus cookie --as related_to --reason 'same page' --at 2026-01-10T10:00:00Z
at used focus --at 2026-01-11T10:00:00Z
at used focus --at 2026-01-12T10:00:00Z
at review focus --rate 4 --at 2026-01-13T10:00:00Z
at review cookie --rate 2 --at 2026-01-14T10:00:00Z
