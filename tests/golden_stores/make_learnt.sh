#!/bin/sh
# Makes learnt.db of documents that make.sh left in the working directory: one with a user-supplied
# embedding; then activates the LSA embedder, with a segment and a delta.
set -eu
export LC_ALL=C.UTF-8 TZ=UTC RECALL_STORE="$PWD/learnt.db"

RECALL_EMBEDDING=given RECALL_EMBEDDING_DIM=8 recall init --chunk-tokens 8 --overlap-tokens 2
printf '%s\n' '{"path": "given.txt", "text": "A grebe came with its vector.",
  "embedding": [0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0]}' | tr -d '\n' | recall add --jsonl -
recall add docs/start.md src notes many.txt
recall embed --as lsa
recall add docs/late.md
