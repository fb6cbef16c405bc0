"""Lexical search by npm programs with an index of their own: qmd and memvid."""

import json
import shutil

from common import Failed, Missing, Peer, timed, timed_json
from data import K


class Qmd(Peer):
    """`qmd search` is SQLite's FTS5 in a Node process. Its commands that need models are not used."""

    name = "qmd"
    label = "qmd, `search` and `query` of `lex:` lines"
    parts = (1, 5)
    build_label = "qmd, `collection add` of a file for each piece"

    def __init__(self, work):
        super().__init__(work)
        package = "@tobilu/qmd"
        self.version = json.loads(work.package(f"{package}/package.json").read_text())["version"]
        self.program = work.package(f"{package}/bin/qmd")
        self.node = self.find_node()

    def find_node(self):
        """qmd needs a newer Node than the other peers, so package.json installs one."""
        try:
            return self.work.package("node-linux-*/bin/node")
        except Missing:
            node = shutil.which("node")
            if not node or int(timed(self.work, [node, "--version"])[1][1:].split(b".")[0]) < 22:
                raise Missing("qmd wants Node 22 or newer") from None
            return node

    def run(self, *arguments):
        """Returns milliseconds and the standard output of qmd, with an index and settings of its own."""
        own = {"INDEX_PATH": str(self.index), "QMD_CONFIG_DIR": str(self.index.parent / "config")}
        return timed(self.work, [self.node, self.program, *arguments], own)

    def build(self):
        files = self.work.place("qmd-files")
        for i, piece in enumerate(self.work.pieces):
            (files / f"{i}.md").write_text(piece, encoding="utf-8", newline="")
        self.index = self.work.place("qmd") / "index.sqlite"
        milliseconds, _ = self.run("collection", "add", files, "--name", "pieces")
        self.bytes = self.index.stat().st_size
        return milliseconds / 1e3

    def ask_process(self, words):
        options = ["--format", "json", "--full", "-n", str(K)]
        if len(words) == 1:
            milliseconds, output = self.run("search", *words, *options)
        else:
            # `search` joins words with AND. `query` runs a search for each line and merges the
            # rankings.
            lines = "\n".join(f"lex: {word}" for word in words)
            milliseconds, output = self.run("query", lines, "--no-rerank", *options)
        hits = json.loads(output)
        return milliseconds, [int(hit["file"].rsplit("/", 1)[1].split(".")[0]) for hit in hits]


class Memvid(Peer):
    """The native program: npm's launcher would add a Node process to each question."""

    name = "memvid"
    label = "memvid, `find --mode lex --no-sketch`"
    parts = (1, 5)
    build_label = "memvid, `put-many`"
    MOST = 5000  # pieces: without an account a file ends at 50 MB, and each takes 7 to 9 kB
    QUIET = {"MEMVID_OFFLINE": "1", "MEMVID_TELEMETRY": "0"}

    def __init__(self, work):
        super().__init__(work)
        self.program = work.package("@memvid/cli-*/memvid")
        self.version = timed(work, [self.program, "--version"], self.QUIET)[1].split()[1].decode()

    def build(self):
        if len(self.work.pieces) > self.MOST:
            raise Failed(f"its file ends at 50 MB without an account: --chunks {self.MOST}")
        place = self.work.place("memvid")
        requests = self.work.scratch / "memvid.json"
        pieces = enumerate(self.work.pieces)
        # The label is required, but may be empty.
        rows = [{"uri": f"mv2://{i}", "title": str(i), "label": "", "text": p} for i, p in pieces]
        requests.write_text(json.dumps(rows))
        self.file = place / "memvid.mv2"
        timed(self.work, [self.program, "create", self.file], self.QUIET)
        command = [self.program, "put-many", self.file, "--input", requests, "--json"]
        milliseconds, _ = timed(self.work, command, self.QUIET)
        self.tell_kept()
        self.bytes = self.file.stat().st_size
        return milliseconds / 1e3

    def tell_kept(self):
        """`put-many` loses pieces of a large batch and exits with 0, so the tables show the number."""
        stats = timed_json(self.work, [self.program, "stats", self.file, "--json"], self.QUIET)[1]
        kept, given = stats["raw"]["active_frame_count"], len(self.work.pieces)
        if kept < given:
            self.label = f"{Memvid.label}: kept {kept} of {given} pieces"
            self.build_label = f"{Memvid.build_label}: kept {kept} of {given} pieces"

    def ask_process(self, words):
        # --no-sketch, because the sketch drops texts that contain the word; --no-adaptive, because
        # it cuts off results that score much worse than the first. Words without an operator are
        # OR-ed.
        options = ["--mode", "lex", "--no-sketch", "--no-adaptive", "--snippet-chars", "2000"]
        options += ["--json", "--top-k", str(K), "--query", " ".join(words)]
        command = [self.program, "find", self.file, *options]
        milliseconds, answer = timed_json(self.work, command, self.QUIET)
        return milliseconds, [int(hit["uri"].removeprefix("mv2://")) for hit in answer["hits"]]
