"""Documents to add, and sets of documents to search."""

import os
from ctypes import byref, c_char_p, c_void_p

from ._errors import UsageError, bytes_of
from ._native import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
    from datetime import datetime
    from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Union

    from ._native import Native
    from ._vectors import Vector
else:
    from ._lazy_dataclasses import dataclass

#: Bytes of the lines that become a commit, or little more.
BATCH_BYTES = 8 << 20


@dataclass(frozen=True)
class Document:
    """A document to add (docs/cli/add.md, "Documents as lines").

    What is None of a document that is in the store already stays as it is.
    """

    path: str
    text: str
    tag: "Optional[str]" = None
    source: "Optional[str]" = None
    #: A datetime, or RFC 3339.
    mtime: "Optional[Union[str, datetime]]" = None
    metadata: "Optional[Mapping[str, Any]]" = None
    #: Its vector, for a store with ``{"embedding": "given"}``; arrays of 32-bit floats are fastest.
    embedding: "Optional[Vector]" = None
    #: ISO 639-1, or ``"none"``.
    lang: "Optional[str]" = None


_FIELDS = ("path", "text", "tag", "source", "mtime", "metadata", "embedding", "lang")
_MEMBERS = {"metadata": "meta"}


def _members_of(document: "Union[Document, Mapping[str, Any]]") -> "Dict[str, Any]":
    """As the members of a line. Of a mapping, None stays: it removes what is stored."""
    if isinstance(document, Document):
        values = ((name, getattr(document, name)) for name in _FIELDS)
        return {_MEMBERS.get(name, name): value for name, value in values if value is not None}
    try:
        return {_MEMBERS.get(name, name): value for name, value in document.items()}
    except AttributeError:
        raise UsageError(f"a document is a recall.Document or a mapping, not {type(document).__name__}") from None


def line_of(document: "Union[Document, Mapping[str, Any]]") -> bytes:
    """A line of `add`."""
    from json import dumps

    from ._store import _plain

    members = _members_of(document)
    if members.get("embedding") is not None and not isinstance(members["embedding"], str):
        from ._vectors import as_json

        members["embedding"] = as_json(members["embedding"])
    mtime = members.get("mtime")
    if mtime is not None and not isinstance(mtime, str):
        members["mtime"] = mtime.astimezone().isoformat()
    if isinstance(members.get("path"), os.PathLike):
        members["path"] = os.fspath(members["path"])
    for name in ("path", "text"):
        _take_bytes(members, name)
    try:
        return dumps(members, default=_plain, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except ValueError as error:
        raise UsageError(f"the document {members.get('path')!r} is no JSON: {error}") from None


def _take_bytes(members: "Dict[str, Any]", name: str) -> None:
    """Gives a text that is not UTF-8, as a path of os.fsdecode may be, as its bytes."""
    text = members.get(name)
    if not isinstance(text, str) or text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        from base64 import b64encode

        members[name + "_base64"] = b64encode(text.encode("utf-8", "surrogateescape")).decode()
        del members[name]


def batches_of(documents: "Iterable[Union[Document, Mapping[str, Any]]]") -> "Iterator[bytes]":
    """Lines for calls of `add`, of about BATCH_BYTES. At least one batch, which may be empty."""
    lines: "List[bytes]" = []
    size = given = 0
    for document in documents:
        lines.append(line_of(document))
        size += len(lines[-1])
        if size >= BATCH_BYTES:
            yield b"".join(lines)
            lines, size = [], 0
            given += 1
    if lines or not given:
        yield b"".join(lines)


class DocumentSet:
    """Documents that searches are restricted to: at most 4096, by their paths, or by their ids (`Hit.document`).

    It may be used for several searches, and for several stores. Documents that a store does not have are ignored.

    >>> import recall
    >>> water = recall.DocumentSet(["birds/heron", "birds/kingfisher"])
    >>> len(water)
    2
    >>> sorted(hit.path for hit in store.search("still fish", documents=water))
    ['birds/heron', 'birds/kingfisher']
    """

    def __init__(self, paths: "Iterable[str]" = (), *, ids: "Iterable[str]" = ()) -> None:
        self._handle = c_void_p()
        self._native: "Optional[Native]" = None
        self._of_ids = not isinstance(ids, tuple) or bool(ids)
        self._names = [bytes_of(name, "a name of the set") for name in (ids if self._of_ids else paths)]
        if isinstance(paths, str) or isinstance(ids, str):
            raise UsageError("a set takes several names, not one text", hint="for example [path]")
        if self._of_ids and not isinstance(paths, tuple):
            raise UsageError("a set has paths or ids, not both")

    def __len__(self) -> int:
        return len(self._names)

    def handle(self, native: "Optional[Native]" = None) -> c_void_p:
        """That of the library. Raises UsageError for an empty set, and for one that is too large."""
        if not self._handle:
            from ._store import error_of

            self._native = native or load()
            names = (c_char_p * len(self._names))(*self._names)
            answer = c_void_p()
            try:
                status = self._native.recall_set_new(
                    int(self._of_ids), names, len(names), byref(self._handle), byref(answer)
                )
                if status:
                    raise error_of(self._native, status, answer)
            finally:
                self._native.recall_free(answer)
        return self._handle

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and self._native is not None:
            self._native.recall_set_free(self._handle)

    def __repr__(self) -> str:
        return f"<recall.DocumentSet of {len(self)} {'ids' if self._of_ids else 'paths'}>"
