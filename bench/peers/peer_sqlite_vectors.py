"""Vectors in SQLite by third-party extensions of npm: sqlite-vec and sqlite-vector."""

import sqlite3
import time

import data
from common import Missing, Peer, clocked, ids_of_lines, size_of, timed


class Extension(Peer):
    parts = (3, 4)
    pattern = ""  # of the extension's file name
    setup = ""  # SQL that each connection runs first
    select = ""  # SQL of the search; {} stands for the query vector
    connection = None

    def __init__(self, work):
        super().__init__(work)
        self.extension = str(work.package(self.pattern).with_suffix(""))
        if not hasattr(sqlite3.Connection, "enable_load_extension"):
            raise Missing("this Python's sqlite3 loads no extensions; Debian's own does")

    def open(self, file):
        connection = sqlite3.connect(file)
        connection.enable_load_extension(True)
        connection.load_extension(self.extension)
        return connection

    def fill(self, name, create, insert, rows):
        place = self.work.place(name)
        self.file = place / "vectors.db"
        self.connection = self.open(self.file)
        start = time.perf_counter()
        with self.connection:
            self.connection.execute(create)
            self.connection.executemany(
                insert, ((i, row.tobytes()) for i, row in enumerate(rows, 1))
            )
        self.finish()
        seconds = time.perf_counter() - start
        self.bytes = size_of(place)
        return seconds

    def finish(self):
        """Called when all rows are inserted."""

    def blob(self, i):
        return self.work.questions[i].tobytes()

    def ask_process(self, i):
        select = self.select.format(f"x'{self.blob(i).hex()}'")
        command = ["sqlite3", "-cmd", f".load {self.extension}", self.file, self.setup + select]
        milliseconds, output = timed(self.work, command)
        return milliseconds, ids_of_lines(output)

    def ask_inside(self, i):
        sql, blob = self.select.format("?"), self.blob(i)
        milliseconds, rows = clocked(lambda: self.connection.execute(sql, (blob,)).fetchall())
        return milliseconds, [row[0] - 1 for row in rows]

    def close(self):
        if self.connection:
            self.connection.close()


class SqliteVec(Extension):
    name = "sqlite-vec"
    label = "sqlite-vec, float32"
    pattern = "sqlite-vec-*/vec0.*"
    select = "SELECT rowid FROM v WHERE e MATCH {} AND k = 10 ORDER BY distance"

    def build(self):
        create = f"CREATE VIRTUAL TABLE v USING vec0(e float[{data.DIM}] distance_metric=cosine)"
        return self.fill(
            "sqlite-vec", create, "INSERT INTO v(rowid, e) VALUES(?, ?)", self.work.vectors
        )

    def finish(self):
        self.version = self.connection.execute("SELECT vec_version()").fetchone()[0]


class SqliteVecInt8(SqliteVec):
    label = "sqlite-vec, int8"
    select = SqliteVec.select.replace("{}", "vec_int8({})")

    def build(self):
        self.scale = data.int8_scale(self.work.vectors)
        rows = data.to_int8(self.work.vectors, self.scale)
        create = f"CREATE VIRTUAL TABLE v USING vec0(e int8[{data.DIM}] distance_metric=cosine)"
        insert = "INSERT INTO v(rowid, e) VALUES(?, vec_int8(?))"
        return self.fill("sqlite-vec-int8", create, insert, rows)

    def blob(self, i):
        return data.to_int8(self.work.questions[i], self.scale).tobytes()


class SqliteVector(Extension):
    name = "sqlite-vector"
    label = "sqlite-vector, full scan"
    pattern = "@sqliteai/sqlite-vector-*/vector.*"
    setup = f"SELECT vector_init('v', 'e', 'type=FLOAT32,dimension={data.DIM},distance=COSINE');"
    select = "SELECT rowid FROM vector_full_scan('v', 'e', {}, 10)"

    def build(self):
        create = "CREATE TABLE v(id INTEGER PRIMARY KEY, e BLOB)"
        insert = "INSERT INTO v(id, e) VALUES(?, ?)"
        return self.fill(type(self).__name__, create, insert, self.work.vectors)

    def finish(self):
        self.connection.execute(self.setup)
        self.version = self.connection.execute("SELECT vector_version()").fetchone()[0]


class SqliteVectorQuantized(SqliteVector):
    """Quantised vectors, preloaded into memory in a long-lived process, as its manual advises."""

    label = "sqlite-vector, 8 bits"
    inside_label = "sqlite-vector, 8 bits, preloaded"
    select = "SELECT rowid FROM vector_quantize_scan('v', 'e', {}, 10)"

    def finish(self):
        super().finish()
        with self.connection:
            self.connection.execute("SELECT vector_quantize('v', 'e')").fetchall()
        self.connection.execute("SELECT vector_quantize_preload('v', 'e')").fetchall()
