"""Python's sqlite3 as a host of the extension: host_python.py EXTENSION ANSWER QUESTION"""

import json
import sqlite3
import sys
import threading

extension, answer_file, question = sys.argv[1:]
with open(answer_file, encoding="utf-8") as file:
    printed = file.read().rstrip("\n")


def connect(name: str, **options) -> sqlite3.Connection:
    connection = sqlite3.connect(name, **options)
    connection.enable_load_extension(True)
    connection.load_extension(extension.removesuffix(".so"))
    connection.enable_load_extension(False)
    return connection


def answers(connection: sqlite3.Connection) -> str:
    connection.execute("SELECT recall_options(?)", (json.dumps({"stable": True}),)).fetchone()
    row = connection.execute("SELECT answer FROM recall_search(?, 5) LIMIT 1", (question,)).fetchone()
    return row[0]


print("Python's sqlite3:", sqlite3.sqlite_version)
store = connect("recall.db")
assert answers(store) == printed
paths = [row["doc"]["path"] for row in json.loads(printed)["results"]]
assert [row[0] for row in store.execute("SELECT path FROM recall_search(?, 5)", (question,))] == paths
citation = store.execute("SELECT recall_cite(?)", (paths[0],)).fetchone()[0]
assert store.execute("SELECT recall_get(?)", (citation,)).fetchone()[0]
try:
    store.execute("SELECT * FROM recall_search('x', 5, 'doc.path =')").fetchall()
    raise AssertionError("a filter that is none was accepted")
except sqlite3.OperationalError as error:
    assert str(error).startswith("recall_search: "), error
store.close()

# As Datasette: read-only or immutable files, statements in other threads, a progress handler that ends what takes long.
for name in ("file:recall.db?mode=ro", "file:recall.db?immutable=1"):
    connection = connect(name, uri=True, check_same_thread=False)
    found: list[str] = []

    def ask(connection=connection, found=found) -> None:
        connection.set_progress_handler(lambda: 0, 1000)
        found.append(answers(connection))
        connection.set_progress_handler(None, 1000)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert found == [printed], name
    connection.set_progress_handler(lambda: 1, 1)
    try:
        answers(connection)
        raise AssertionError("a statement was not ended by its progress handler")
    except sqlite3.OperationalError:
        pass
    connection.set_progress_handler(None, 1)
    assert answers(connection) == printed
    connection.close()
