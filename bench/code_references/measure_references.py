#!/usr/bin/env python3
"""Compares `recall symbols NAME --references` with a language server: precision and recall.

Samples functions that the store has definitions of, by the hash of their names, asks both for the
places that use them, and compares sets of path:line. The server is clangd (C and C++; the tree needs
a compile_commands.json) or tsserver (JavaScript and TypeScript; the tree needs a tsconfig.json or
jsconfig.json). Declarations and definitions do not count, nor places in files that either does not
know: no code of the store, or no part of the project of the definition.

    measure_references.py RECALL TREE clangd|tsserver SERVER_COMMAND [--sample 40] [--kind function]
"""

import argparse
import hashlib
import json
import os
import subprocess
import tempfile
import threading
from urllib.parse import unquote, urlparse


class LanguageServer:
    """JSON messages over the standard streams of a program, with headers as LSP has them."""

    def __init__(self, command, directory):
        self.process = subprocess.Popen(
            command, cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.answers = {}
        self.indexed = threading.Event()
        self.changed = threading.Condition()
        self.next_id = 1
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message, headers):
        body = json.dumps(message).encode()
        if headers:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        else:
            self.process.stdin.write(body + b"\n")
        self.process.stdin.flush()

    def read(self):
        out = self.process.stdout
        while True:
            size = 0
            while True:
                line = out.readline()
                if not line:
                    return
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
                if line in (b"\r\n", b"\n"):
                    break
            message = json.loads(out.read(size))
            if message.get("method") == "$/progress" and message["params"]["value"].get("kind") == "end":
                self.indexed.set()
            if message.get("method") == "window/workDoneProgress/create":
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None}, True)
            key = message.get("id") if "method" not in message else None
            if message.get("type") == "response":
                key = message["request_seq"]
            if key is not None:
                with self.changed:
                    self.answers[key] = message
                    self.changed.notify_all()

    def wait(self, key, seconds=120):
        with self.changed:
            self.changed.wait_for(lambda: key in self.answers, seconds)
            return self.answers.pop(key, {})


class Clangd(LanguageServer):
    def __init__(self, command, tree):
        super().__init__([command, "--background-index", "-j=2", "--limit-references=0"], tree)
        self.tree = tree
        self.opened = set()
        self.request("initialize", {
            "processId": None, "rootUri": "file://" + tree,
            "capabilities": {"window": {"workDoneProgress": True}}})
        self.notify("initialized", {})

    def request(self, method, params):
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}, True)
        return self.wait(self.next_id).get("result")

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params}, True)

    def files(self, _):
        """The files that are compiled."""
        with open(os.path.join(self.tree, "compile_commands.json"), encoding="utf-8") as file:
            return {os.path.relpath(os.path.join(unit["directory"], unit["file"]), self.tree) for unit in json.load(file)}

    def references(self, path, line, column):
        uri = "file://" + os.path.join(self.tree, path)
        if path not in self.opened:
            self.opened.add(path)
            with open(os.path.join(self.tree, path), encoding="utf-8", errors="replace") as file:
                text = file.read()
            self.notify("textDocument/didOpen", {"textDocument": {
                "uri": uri, "languageId": "cpp" if path.endswith(("pp", ".cc", ".hh")) else "c", "version": 1,
                "text": text}})
            self.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            self.indexed.wait(600)
        found = self.request("textDocument/references", {
            "textDocument": {"uri": uri}, "position": {"line": line - 1, "character": column},
            "context": {"includeDeclaration": False}})
        return {
            (os.path.relpath(unquote(urlparse(place["uri"]).path), self.tree), place["range"]["start"]["line"] + 1)
            for place in found or []
        }


class TsServer(LanguageServer):
    def __init__(self, command, tree):
        super().__init__(["node", command, "--disableAutomaticTypingAcquisition"], tree)
        self.tree = tree
        self.projects = {}

    def files(self, path):
        """The files of the project of a file."""
        if path not in self.projects:
            file = os.path.join(self.tree, path)
            self.next_id += 1
            self.send({"seq": self.next_id, "type": "request", "command": "open", "arguments": {"file": file}}, False)
            self.next_id += 1
            self.send({"seq": self.next_id, "type": "request", "command": "projectInfo",
                       "arguments": {"file": file, "needFileNameList": True}}, False)
            names = (self.wait(self.next_id).get("body") or {}).get("fileNames", [])
            project = {os.path.relpath(name, self.tree) for name in names}
            for name in project:
                self.projects.setdefault(name, project)
            self.projects[path] = project
        return self.projects[path]

    def references(self, path, line, column):
        file = os.path.join(self.tree, path)
        self.next_id += 1
        self.send({"seq": self.next_id, "type": "request", "command": "open", "arguments": {"file": file}}, False)
        self.next_id += 1
        self.send({"seq": self.next_id, "type": "request", "command": "references",
                   "arguments": {"file": file, "line": line, "offset": column + 1}}, False)
        body = self.wait(self.next_id).get("body") or {}
        return {
            (os.path.relpath(place["file"], self.tree), place["start"]["line"])
            for place in body.get("refs", []) if not place.get("isDefinition")
        }


def recall_json(recall, store, *arguments):
    done = subprocess.run([recall, "--store", store, *arguments, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def name_column(tree, row):
    """The line and column of the name in its definition; nothing if it is not there."""
    with open(os.path.join(tree, row["doc"]["path"]), encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    for number in range(row["start_line"], min(row["end_line"], row["start_line"] + 12) + 1):
        column = lines[number - 1].find(row["name"])
        if column >= 0:
            return number, column
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recall")
    parser.add_argument("tree")
    parser.add_argument("server", choices=["clangd", "tsserver"])
    parser.add_argument("command")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--kind", default="function")
    parser.add_argument("--show", action="store_true", help="print what differs")
    options = parser.parse_args()
    recall, tree = os.path.abspath(options.recall), os.path.realpath(options.tree)
    # In the tree, so that the paths of its documents are those of the files in the tree.
    with tempfile.TemporaryDirectory(dir=tree, prefix=".references-") as directory:
        store = os.path.join(tree, os.path.basename(directory) + ".db")
        subprocess.run([recall, "init", store, "--embedder", "hash"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([recall, "--store", store, "add", tree, "--quiet"], check=True)
        rows = recall_json(recall, store, "symbols", "*", "--kind", options.kind, "-k", "1000000")["results"]
        code = {row["doc"]["path"] for row in recall_json(recall, store, "symbols", "*", "-k", "1000000")["results"]}
        rows.sort(key=lambda row: hashlib.sha256(
            (row["doc"]["path"] + row["scope"] + row["name"]).encode()).hexdigest())
        server = Clangd(options.command, tree) if options.server == "clangd" else TsServer(options.command, tree)
        totals = [0, 0, 0]  # both, ours, theirs
        shares = []
        for row in rows:
            if len(shares) == options.sample:
                break
            place = name_column(tree, row)
            if place is None:
                continue
            files = code & server.files(row["doc"]["path"])
            if row["doc"]["path"] not in files:
                continue
            theirs = {use for use in server.references(row["doc"]["path"], *place) if use[0] in files}
            if not theirs:
                continue  # an entry of the library, or unknown to the server
            name = f'{row["doc"]["path"]}:{row["start_line"]}'
            found = recall_json(recall, store, "symbols", os.path.join(tree, name), "--references", "-k", "1000000")["results"]
            ours = {(use["doc"]["path"], use["line"]) for use in found if use["doc"]["path"] in files}
            both = len(ours & theirs)
            for i, count in enumerate((both, len(ours), len(theirs))):
                totals[i] += count
            shares.append((both / len(ours) if ours else 1.0, both / len(theirs)))
            if options.show and ours != theirs:
                print(name, row["name"], "more:", sorted(ours - theirs)[:5], "less:", sorted(theirs - ours)[:5])
        server.process.kill()
        os.remove(store)
    count = max(len(shares), 1)
    print(f"{len(shares)} definitions; places: precision {totals[0] / max(totals[1], 1):.3f}, "
          f"recall {totals[0] / max(totals[2], 1):.3f}; means of definitions: "
          f"{sum(p for p, _ in shares) / count:.3f}, {sum(r for _, r in shares) / count:.3f}")


if __name__ == "__main__":
    main()
