"""Answers of the library as objects."""

import re
from contextlib import contextmanager
from json import loads
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from ._errors import RecallError, class_of
from ._native import PROGRESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from ._lazy_dataclasses import dataclass


class Answer(Dict[str, Any]):
    """The answer of a command: the JSON object that it prints with ``--json`` (docs/json.md)."""

    #: Its bytes.
    json: bytes

    def __init__(self, json: bytes) -> None:
        super().__init__(loads(json))
        self.json = json

    @property
    def warnings(self) -> "Tuple[str, ...]":
        return tuple(self.get("warnings", ()))


class Row(Dict[str, Any]):
    """A row of a query. Fields have their names of the query: ``row["doc.path"]``, or ``row["doc"]["path"]``."""

    def __missing__(self, name: str) -> Any:
        # A key of metadata may have dots itself.
        value: Any = self
        rest = name
        while rest:
            part = rest.partition(".")[0] if isinstance(value, Row) or rest.startswith(("meta.", "link.")) else rest
            if not isinstance(value, dict) or part not in value:
                raise KeyError(name)
            value, rest = value[part], rest[len(part) + 1 :]
        return value


@dataclass(frozen=True)
class Progress:
    """What a running call tells of itself."""

    #: ``"add"``
    command: str
    #: ``"documents"``, ``"derived"``, or a stage of a search: ``"bm25.search"``.
    stage: str
    #: Documents, or steps.
    done: int
    #: 0: not known.
    total: int


@dataclass(frozen=True)
class AddFailure:
    """A document that was not added."""

    path: "Optional[str]"
    reason: str


@dataclass(frozen=True)
class Added:
    """What became of documents that were given to `add`: `found` is the sum of the six counts after it."""

    found: int
    added: int
    updated: int
    #: Same text, but a new time, tag, source or metadata.
    refreshed: int
    unchanged: int
    skipped: int
    failed: int
    #: Chunks that were written, and bytes of texts that were read.
    chunks: int
    bytes: int
    failures: "Tuple[AddFailure, ...]"
    warnings: "Tuple[str, ...]"


class AddError(RecallError):
    """Some documents could not be added; the others were."""

    def __init__(self, error: RecallError, added: Added) -> None:
        super().__init__(
            "documents could not be added: " + "; ".join(_reasons(added)),
            code=error.code,
            hint=error.hint,
            json=error.json,
        )
        self.status = error.status
        #: What became of all documents; `added.failures` says which were not added, and why.
        self.added = added

    def __reduce__(self) -> Any:
        return AddError, (
            class_of(self.status)(self.message, code=self.code, hint=self.hint, json=self.json),
            self.added,
        )


@dataclass(frozen=True)
class Piece:
    """A part of a context. Its text is a range of the bytes of the document."""

    path: str
    text: str
    heading: str
    score: float
    first_line: int
    last_line: int
    start_byte: int
    end_byte: int
    #: Cut inside a sentence or a chunk, to fit.
    truncated: bool
    #: Ids of the document and of the chunk.
    document: str
    chunk: str


@dataclass(frozen=True)
class Context:
    """The text for a model, and the pieces that it consists of, in its order."""

    text: str
    used_tokens: int
    budget_tokens: int
    pieces: "Tuple[Piece, ...]"
    warnings: "Tuple[str, ...]"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Passage:
    """A document, or lines of it."""

    path: str
    text: str
    #: ``path@hash:9-17``
    citation: str
    heading: str
    first_line: int
    last_line: int
    start_byte: int
    end_byte: int
    whole_document: bool
    #: Id of the document, and of the chunk if the target was one, or ``""``.
    document: str
    chunk: str
    #: When the document was changed, RFC 3339.
    mtime: str
    tag: str
    source: str
    metadata: "Dict[str, Any]"
    #: With ``verify=True``: ``"same"``, ``"same_text"``, ``"changed"``, ``"missing"`` or ``"no_file"``.
    verify: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Near:
    """A note that says nearly the same as one that was saved."""

    path: str
    title: str
    score: float


@dataclass(frozen=True)
class Saved:
    """A note that was saved."""

    id: str
    path: str
    #: An older version was replaced.
    replaced: bool
    #: The same note was there already.
    unchanged: bool
    near: "Tuple[Near, ...]"
    warnings: "Tuple[str, ...]"


_COUNTS = ("found", "added", "updated", "refreshed", "unchanged", "skipped", "failed", "chunks", "bytes")


def added_of(answer: "Dict[str, Any]") -> Added:
    add = answer["add"]
    failures = tuple(AddFailure(failure["path"], failure["reason"]) for failure in add["failures"])
    counts = {name: add[name] for name in _COUNTS}
    return Added(**counts, failures=failures, warnings=tuple(answer.get("warnings", ())))


class Adding:
    """Sums the answers of several calls of `add`."""

    def __init__(self) -> None:
        self._parts: "List[Added]" = []
        self._error: "Optional[RecallError]" = None

    @contextmanager
    def part(self) -> "Iterator[None]":
        """Around a call. The error of one that failed for some documents only is kept."""
        try:
            yield
        except RecallError as error:
            answer = error.answer
            if answer is None or "add" not in answer or answer["add"]["cancelled"]:
                raise
            self.take(answer)
            self._error = self._error or error

    def take(self, answer: "Dict[str, Any]") -> None:
        self._parts.append(added_of(answer))

    def added(self) -> Added:
        """The sums. Raises AddError."""
        sums = {name: sum(getattr(part, name) for part in self._parts) for name in _COUNTS}
        failures = tuple(failure for part in self._parts for failure in part.failures)
        warnings = tuple(warning for part in self._parts for warning in part.warnings)
        added = Added(**sums, failures=failures, warnings=warnings)
        if self._error is not None:
            raise AddError(self._error, added)
        return added


def _reasons(added: Added) -> "Iterator[str]":
    for failure in added.failures[:3]:
        yield f"{failure.path}: {failure.reason}" if failure.path else failure.reason
    if len(added.failures) > 3:
        yield f"and {len(added.failures) - 3} more"


def context_of(answer: Answer) -> Context:
    context = answer["context"]
    pieces = tuple(
        Piece(
            path=chunk["path"],
            text=chunk["text"],
            heading=chunk["heading"],
            score=chunk["score"],
            first_line=chunk["start_line"],
            last_line=chunk["end_line"],
            start_byte=chunk["start_byte"],
            end_byte=chunk["end_byte"],
            truncated=chunk["truncated"],
            document=chunk["doc_id"],
            chunk=chunk["id"],
        )
        for chunk in context["chunks"]
    )
    return Context(context["text"], context["used_tokens"], context["budget_tokens"], pieces, answer.warnings)


def passage_of(answer: Answer) -> Passage:
    got = answer["get"]
    if "chunk" not in got:
        raise class_of(2)("these options give no passage", hint='call("get", target=...) has answers of every form')
    doc, chunk = got["doc"], got["chunk"]
    return Passage(
        path=doc["path"],
        text=chunk["text"],
        citation=got["cite"],
        heading=chunk["heading"],
        first_line=chunk["start_line"],
        last_line=chunk["end_line"],
        start_byte=chunk["start_byte"],
        end_byte=chunk["end_byte"],
        whole_document=got["whole_doc"],
        document=doc["id"],
        chunk=chunk["id"],
        mtime=doc["mtime"],
        tag=doc["tag"] or "",
        source=doc["source"] or "",
        metadata=doc.get("meta", {}),
        verify=got["verify"] or "",
    )


def saved_of(answer: Answer) -> Saved:
    save = answer["save"]
    near = tuple(Near(note["path"], note["title"] or "", note["score"]) for note in save["near"])
    return Saved(save["id"], save["path"], save["replaced"], save["unchanged"], near, answer.warnings)


def rows_of(answer: Answer) -> "Iterator[Row]":
    return map(Row, answer["results"])


_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"", re.DOTALL)
_OWN_PAGE = re.compile(r"\b(LIMIT|OFFSET|VIEW)\b")


class Pages:
    """Asks for the rest of the rows of a query that says nothing of pages itself."""

    def __init__(self, first: Answer) -> None:
        asked = first["query"]
        self._rql: str = asked["rql"]
        self._snapshot: str = asked["snapshot"]
        self._all = not _OWN_PAGE.search(_QUOTED.sub("''", self._rql))

    def following(self, answer: Answer) -> "Optional[Dict[str, Any]]":
        """The members of the request for the next page, if there is one."""
        if not self._all or "next_offset" not in answer:
            return None
        return {"rql": f"{self._rql}\nOFFSET {answer['next_offset']}", "snapshot": self._snapshot}


def progress_callback(function: "Callable[[Progress], object]", raised: "List[BaseException]") -> Any:
    """A function for the library. What `function` raises is put into `raised`, and ends the call."""

    def tell(told: Any, user: object) -> int:
        if raised:
            return 1  # the call is ending
        try:
            now = told.contents
            function(Progress(now.command.decode(), now.stage.decode(), now.done, now.total))
        except BaseException as error:
            raised.append(error)
            return 1
        return 0

    return PROGRESS(tell)
