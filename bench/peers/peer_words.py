"""Lexical search by other programs: SQLite's FTS5, Xapian, ripgrep."""

import re
import shutil
import sqlite3
import time

from common import Failed, Missing, Peer, clocked, size_of, timed
from data import K


class Fts5(Peer):
    """A plain FTS5 table with the same stemmer, searched as its documentation shows."""

    name = "fts5"
    label = "SQLite FTS5, `ORDER BY rank`"
    parts = (1, 2, 5)
    build_label = "SQLite FTS5, `porter`, one transaction, from memory"
    connection = None
    SQL = "SELECT rowid, rank, body FROM pieces WHERE pieces MATCH {} ORDER BY rank LIMIT 10"

    def build(self):
        self.close()
        place = self.work.place("fts5")
        self.file = place / "fts5.db"
        start = time.perf_counter()
        with sqlite3.connect(self.file) as connection:
            connection.execute(
                "CREATE VIRTUAL TABLE pieces USING fts5(body, tokenize = 'porter unicode61')"
            )
            rows = enumerate(self.work.pieces, 1)
            connection.executemany("INSERT INTO pieces(rowid, body) VALUES(?, ?)", rows)
        connection.close()
        seconds = time.perf_counter() - start
        self.bytes = size_of(place)
        self.connection = sqlite3.connect(self.file)
        self.version = sqlite3.sqlite_version
        return seconds

    def ask_process(self, words):
        # Prints the id on its own line, before the text.
        sql = self.SQL.format(f"'{self.match(words)}'").replace("rowid,", "rowid || char(10),", 1)
        milliseconds, output = timed(self.work, ["sqlite3", "-readonly", self.file, sql])
        pattern = rb"^(\d+)\n\|-\d+\.\d+"
        return milliseconds, [int(n) - 1 for n in re.findall(pattern, output, re.MULTILINE)]

    def ask_inside(self, words):
        sql = self.SQL.format("?")
        match = self.match(words)
        milliseconds, rows = clocked(lambda: self.connection.execute(sql, (match,)).fetchall())
        return milliseconds, [row[0] - 1 for row in rows]

    @staticmethod
    def match(words):
        return " OR ".join(f'"{word}"' for word in words)

    def close(self):
        if self.connection:
            self.connection.close()


class Xapian(Peer):
    """Terms, stems and positions of Xapian's own TermGenerator for English."""

    name = "xapian"
    label = "Xapian (`quest`)"
    parts = (1, 2, 5)
    inside_label = "Xapian, through python3-xapian"
    build_label = "Xapian, stems and positions, one commit, from memory"
    database = None

    def __init__(self, work):
        super().__init__(work)
        try:
            import xapian
        except ImportError as error:
            raise Missing("the Python module xapian (python3-xapian)") from error
        self.xapian = xapian
        self.version = xapian.version_string()
        self.stem = xapian.Stem("en")

    def build(self):
        self.close()
        self.place = self.work.place("xapian")
        start = time.perf_counter()
        database = self.xapian.WritableDatabase(str(self.place), self.xapian.DB_CREATE_OR_OVERWRITE)
        generator = self.xapian.TermGenerator()
        generator.set_stemmer(self.stem)
        for piece in self.work.pieces:
            document = self.xapian.Document()
            generator.set_document(document)
            generator.index_text(piece)
            document.set_data(piece)
            database.add_document(document)
        database.commit()
        database.close()
        seconds = time.perf_counter() - start
        self.bytes = size_of(self.place)
        self.database = self.xapian.Database(str(self.place))
        return seconds

    def ask_process(self, words):
        command = ["quest", f"--db={self.place}", f"--msize={K}", " ".join(words)]
        milliseconds, output = timed(self.work, command)
        return milliseconds, [int(n) - 1 for n in re.findall(rb"^(\d+): \[", output, re.MULTILINE)]

    def ask_inside(self, words):
        stems = ["Z" + self.stem(word).decode() for word in words]

        def ask():
            enquire = self.xapian.Enquire(self.database)
            enquire.set_query(self.xapian.Query(self.xapian.Query.OP_OR, stems))
            hits = enquire.get_mset(0, K)
            return [(hit.docid, hit.document.get_data()) for hit in hits]

        milliseconds, hits = clocked(ask)
        return milliseconds, [docid - 1 for docid, _ in hits]

    def close(self):
        if self.database:
            self.database.close()


class Ripgrep(Peer):
    """Has no index and no ranking: reads all of the text. It counts, so that it cannot stop early."""

    name = "ripgrep"
    label = "ripgrep, counting lines of one file"
    parts = (1,)

    def __init__(self, work):
        super().__init__(work)
        if not shutil.which("rg"):
            raise Missing("there is no program rg (ripgrep)")

    def build(self):
        self.file = self.work.place("ripgrep") / "pieces.txt"
        with open(self.file, "w", encoding="utf-8") as out:
            out.writelines(" ".join(piece.split()) + "\n" for piece in self.work.pieces)
        self.version = timed(self.work, ["rg", "--version"])[1].split()[1].decode()
        return None

    def ask_process(self, words):
        options = ["--no-config", "--count", "--ignore-case", "--word-regexp", "--fixed-strings"]
        chosen = [option for word in words for option in ("-e", word)]
        milliseconds, output = timed(self.work, ["rg", *options, *chosen, self.file])
        if int(output) < K:
            raise Failed(f"{int(output)} lines")
        return milliseconds, None
