"""Tables of documents in Python's sqlite3: documents_python.py EXTENSION

Processes that are killed, processes that write at the same time, a database that is dumped and read again.
"""

import os
import signal
import sqlite3
import subprocess
import sys

extension = sys.argv[1]
ROWS = 20  # of each writer


def connect(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(name, timeout=60)
    connection.enable_load_extension(True)
    connection.load_extension(extension.removesuffix(".so"))
    return connection


def found(connection: sqlite3.Connection, word: str) -> list[str]:
    sql = """SELECT path FROM docs WHERE docs MATCH ? AND options = '{"bm25": true, "no_expand": true}' ORDER BY path"""
    return [row[0] for row in connection.execute(sql, (word,))]


def check(connection: sqlite3.Connection) -> None:
    """Each row has a word of its own, and the word `heron`."""
    rows = dict(connection.execute("SELECT path, text FROM docs"))
    assert found(connection, "heron") == sorted(rows), "not all rows are found"
    for path, text in rows.items():
        assert found(connection, text.split()[-1]) == [path], path


def write(name: str, writer: str, count: int) -> None:
    """Adds rows, and searches each, also before it is committed."""
    connection = connect(name)
    for i in range(count):
        word = f"{writer}n{i}word"
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO docs(path, text) VALUES(?, ?)", (f"{writer}/{i}.md", f"A heron. {word}"))
        if i % 5 == 0:
            assert found(connection, word) == [f"{writer}/{i}.md"]
        connection.execute("COMMIT")
        assert found(connection, word) == [f"{writer}/{i}.md"]
        print(i, flush=True)


def start(name: str, writer: str, count: int) -> subprocess.Popen:
    command = [sys.executable, __file__, extension, name, writer, str(count)]
    environment = {**os.environ, "TMPDIR": os.getcwd()}  # a process that is killed leaves files there
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


if len(sys.argv) > 2:
    write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    sys.exit(0)

# What a transaction adds and rolls back; Unicode and NULL; the default embedding.
database = connect("default.db")
database.execute("CREATE VIRTUAL TABLE docs USING recall")
database.executemany("INSERT INTO docs(path, title, text, meta) VALUES(?, ?, ?, ?)",
                     [("größe.md", "Größe", "# Höhe\n\nReiher sind groß.", '{"jahr": 2024}'),
                      ("leer", None, None, None)])
assert found(database, "reiher") == ["größe.md"]
database.rollback()
assert found(database, "reiher") == [] and database.execute("SELECT count(*) FROM docs").fetchone() == (0,)
database.close()

# Processes that are killed while they write: at another moment each time.
connect("killed.db").execute("CREATE VIRTUAL TABLE docs USING recall(embedding = 'hash')").connection.close()
for lines in (1, 2, 5):
    child = start("killed.db", f"k{lines}", 10_000)
    for _ in range(lines):
        assert child.stdout.readline()
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    database = connect("killed.db")
    check(database)
    database.close()

# Processes that write and search at the same time.
database = connect("shared.db")
database.execute("PRAGMA journal_mode = WAL")
database.execute("CREATE VIRTUAL TABLE docs USING recall(embedding = 'hash')")
children = [start("shared.db", writer, ROWS) for writer in ("a", "b")]
for child in children:
    child.communicate()
    assert child.returncode == 0
assert database.execute("SELECT count(*) FROM docs").fetchone() == (2 * ROWS,)
check(database)
database.close()

# A dump does not need the extension.
dump = subprocess.run(["sqlite3", "shared.db", ".dump"], capture_output=True, check=True).stdout
subprocess.run(["sqlite3", "again.db"], input=dump, check=True)
database = connect("again.db")
assert database.execute("SELECT count(*) FROM docs").fetchone() == (2 * ROWS,)
check(database)
database.execute("DELETE FROM docs WHERE path LIKE 'a/%'")
database.commit()
check(database)
database.execute("DROP TABLE docs")
database.close()
assert not [name for name in os.listdir(".") if name.startswith("again.db-")]
