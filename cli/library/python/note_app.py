#!/usr/bin/env python3
"""note_app.py: notes in one file, found by what they say.

    note_app.py new TITLE [#TAG]     a note; its text is read from standard input
    note_app.py edit TITLE           another text for it
    note_app.py show TITLE
    note_app.py list [#TAG]          all notes, the newest first
    note_app.py find QUESTION        the notes that answer it
    note_app.py ask QUESTION         the passages that answer it, each with its place
    note_app.py remove TITLE

The file is notes.db, or that of the variable NOTES. This is an example of docs/python.md.
"""

import os
import re
import sys
from datetime import datetime, timezone
from typing import Callable, Dict

import recall


def name_of(*title: str) -> str:
    """The path of a note: its title in lower case, with dashes."""
    name = "-".join(re.findall(r"\w+", " ".join(title).lower()))
    if not name:
        raise recall.UsageError("a title needs letters or digits")
    return name


def write(store: recall.Store, title: str, tag: str = "") -> str:
    """Adds a note, in place of one that has this title."""
    text = f"# {title}\n\n{sys.stdin.read().strip()}\n"
    now = datetime.now(timezone.utc)
    store.add([recall.Document(name_of(title), text, tag=tag or None, mtime=now, metadata={"title": title})])
    return title


def new(store: recall.Store, *words: str) -> str:
    tags = [word[1:] for word in words if word.startswith("#")]
    return write(store, " ".join(word for word in words if not word.startswith("#")), *tags[:1])


def edit(store: recall.Store, *title: str) -> str:
    return write(store, store.get(name_of(*title)).metadata["title"])


def show(store: recall.Store, *title: str) -> str:
    return store.get(name_of(*title)).text.rstrip()


def list_notes(store: recall.Store, *tag: str) -> str:
    wanted = f"FILTER doc.tag = {quoted(tag[0].lstrip('#'))}" if tag else ""
    rows = store.query(f"FROM doc {wanted} ORDER BY doc.mtime DESC SELECT doc.mtime, doc.meta.title")
    return "\n".join(f"{row['doc.mtime'][:10]}  {row['doc.meta.title']}" for row in rows)


def find(store: recall.Store, *question: str) -> str:
    hits = store.search(" ".join(question), k=5)
    return "\n".join(f"{hit.score:.2f}  {hit.metadata['title']}: {hit.snippet.splitlines()[-1]}" for hit in hits)


def ask(store: recall.Store, *question: str) -> str:
    return store.context(" ".join(question), budget=500).text


def remove(store: recall.Store, *title: str) -> str:
    store.remove(name_of(*title))
    return "removed"


def quoted(text: str) -> str:
    """A text in a query."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


COMMANDS: Dict[str, Callable[..., str]] = {
    **{function.__name__: function for function in (new, edit, show, find, ask, remove)},
    "list": list_notes,
}


def main() -> int:
    command = COMMANDS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if command is None:
        print("usage:" + (__doc__ or "").partition(".\n")[2].rpartition("The file")[0], file=sys.stderr)
        return 2
    try:
        with recall.open(os.environ.get("NOTES", "notes.db"), create=True) as store:
            print(command(store, *sys.argv[2:]))
    except recall.RecallError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
