#!/bin/sh
# Runs each line of the standard input, a shell command, on the store in the working directory, with
# the `recall` on the PATH. Prints the line after "$ ", then the output. $STORE is the part of the
# store's snapshot tokens before the number.
set -eu
STORE=$(recall stats --json | sed -n 's/.*"snapshot": "\([0-9a-f]*\)-.*/\1/p')
export STORE LC_ALL=C.UTF-8 TZ=UTC
# The programs of the older formats expanded no words and showed every chunk. Newer ones are asked to
# do the same.
as_before=
if recall search --help | grep -q -e --no-expand; then
  as_before='recall() {
    case $1 in
      search) command recall "$1" --no-expand --identical keep "${@:2}" ;;
      query | context) command recall "$1" --no-expand "${@:2}" ;;
      *) command recall "$@" ;;
    esac
  };'
fi
while IFS= read -r line; do
  printf '$ %s\n' "$line"
  bash -c "$as_before $line" < /dev/null 2>&1 || true
done
