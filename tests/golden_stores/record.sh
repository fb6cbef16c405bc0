#!/bin/sh
# Runs each line of the standard input, a shell command, on the store in the working directory, with
# the `recall` on the PATH. Prints the line after "$ ", then the output. $STORE is the part of the
# store's snapshot tokens before the number.
set -eu
STORE=$(recall stats --json | sed -n 's/.*"snapshot": "\([0-9a-f]*\)-.*/\1/p')
export STORE LC_ALL=C.UTF-8 TZ=UTC
while IFS= read -r line; do
  printf '$ %s\n' "$line"
  bash -c "$line" < /dev/null 2>&1 || true
done
