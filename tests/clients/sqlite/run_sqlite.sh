#!/usr/bin/env bash
# Loads the extension for SQLite into the shell of SQLite, Python's sqlite3, and better-sqlite3, which has a copy of SQLite
# in it, and compares what they find with the answers of the program:
# tests/clients/sqlite/run_sqlite.sh RECALL EXTENSION
#
# Datasette is not in Debian. What it does is done here with Python: it opens the file read-only, and runs statements in
# other threads, with a time limit by a progress handler.
set -euo pipefail
recall=$(realpath "$1")
extension=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work
mkdir docs
cp "$root"/docs/*.md docs
"$recall" init --quiet >/dev/null
"$recall" add --quiet docs >/dev/null
question='how are segments merged'
"$recall" search --json --stable --cite --k 5 "$question" >answer.json

echo "shell of SQLite: $(sqlite3 --version | cut -d' ' -f1)"
sqlite3 recall.db <<SQL >shell.json
.load ${extension%.so}
.once /dev/null
SELECT recall_options('{"stable": true}');
SELECT answer FROM recall_search('$question', 5) LIMIT 1;
SQL
cmp shell.json answer.json
sqlite3 own.db <<SQL >joined.txt
.load ${extension%.so}
ATTACH 'recall.db' AS store;
CREATE TABLE owner(path TEXT PRIMARY KEY, name TEXT);
INSERT INTO owner SELECT DISTINCT path, 'owner of ' || path FROM recall_search('$question', 5);
SELECT name FROM recall_search('$question', 5) AS found JOIN owner USING (path) ORDER BY found.rank LIMIT 1;
SQL
grep -q '^owner of docs/' joined.txt

# One's mail, joined with a table of contacts.
mkdir mail
cat >mail/inbox.mbox <<'MBOX'
From ann@example.org Mon Feb  2 09:30:00 2026
From: Ann Lee <ann@example.org>
Subject: Invoice for the roof
Date: Mon, 02 Feb 2026 09:30:00 +0000
Message-ID: <1@example.org>

The invoice for the roof is attached. Please pay it by March.

From bob@example.net Tue Feb  3 10:00:00 2026
From: bob@example.net
Subject: Boat trip
Date: Tue, 03 Feb 2026 10:00:00 +0000
Message-ID: <2@example.net>

Shall we take the boat on Saturday?

MBOX
(
  cd mail
  "$recall" init --quiet >/dev/null
  "$recall" add --quiet inbox.mbox >/dev/null
  sqlite3 contacts.db "CREATE TABLE contact(address TEXT PRIMARY KEY, name TEXT, company TEXT);
    INSERT INTO contact VALUES('ann@example.org', 'Ann', 'Roofs Ltd')"
  search() {
    sqlite3 -cmd ".load ${extension%.so}" -cmd ".parameter set :question '$1'" contacts.db \
      <"$root/cli/sqlite/mail_search.sql" | head -n 1 | cut -d '|' -f 1-4
  }
  [ "$(search 'invoice for the roof')" = '2026-02-02|Ann|Roofs Ltd|Invoice for the roof' ]
  [ "$(search 'boat on Saturday')" = '2026-02-03|bob@example.net||Boat trip' ]
)

# That of Debian: others are often built without extensions.
/usr/bin/python3 "$here/host_python.py" "$extension" answer.json "$question"
/usr/bin/python3 "$here/documents_python.py" "$extension"

# better-sqlite3 needs a newer Node than that of Debian; npm has one as a package.
clients=$root/build/clients-sqlite
mkdir -p "$clients"
if ! cmp -s "$here/package-lock.json" "$clients/package-lock.json" || [ ! -d "$clients/node_modules" ]; then
  rm -rf "$clients/node_modules"
  cp "$here/package.json" "$here/package-lock.json" "$clients"
  (cd "$clients" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) ||
    { rm -rf "$clients"; exit 1; }
fi
cp "$here/host_better_sqlite3.cjs" "$clients"
node=$(echo "$clients"/node_modules/node-linux-*/bin/node)
[ -x "$node" ] || node=node
"$node" "$clients/host_better_sqlite3.cjs" "$extension" answer.json "$question"
"$recall" doctor --quiet >/dev/null
echo "all answers are those of the program"
