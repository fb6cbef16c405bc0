"""Hits of a search."""

from ctypes import string_at

from ._errors import text_of
from ._lazy_dataclasses import make
from ._native import HitStruct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
    from typing import Any, Dict, List

    from ._native import Native
else:
    from ._lazy_dataclasses import dataclass

_STALE = ("", "changed", "deleted")


@dataclass(frozen=True)
class Hit:
    """A chunk of a document that answers a search. Texts are ``""`` if there are none."""

    #: From 0 to 1.
    score: float
    #: Of the document.
    path: str
    #: ``path@hash:9-17``, which `Store.get` reads and checks.
    citation: str
    #: Id of the document.
    document: str
    #: Id of the chunk.
    chunk: str
    #: Of the chunk in the document, from 1.
    first_line: int
    last_line: int
    #: Of the chunk in the text of the document, in UTF-8.
    start_byte: int
    #: Behind its last one.
    end_byte: int
    heading: str
    text: str
    #: The part of the text that shows best why it was found.
    snippet: str
    snippet_first_line: int
    snippet_last_line: int
    #: In a document of another format: ``"pp. 12-13"``.
    place: str
    #: `metadata` as JSON.
    metadata_json: str
    tag: str
    source: str
    #: ``"changed"`` or ``"deleted"``, if the file of the document was since.
    stale: str

    @property
    def metadata(self) -> "Dict[str, Any]":
        """The metadata of the document."""
        parsed: "Dict[str, Any]" = {}
        if self.metadata_json:
            from json import loads

            parsed = loads(self.metadata_json)
        return parsed


def read_hits(native: "Native", hits: int) -> "List[Hit]":
    """Copies the hits out of the library."""
    found: "List[Hit]" = []
    following = native.recall_next
    address = following(hits)
    while address:
        hit = HitStruct.from_address(address)
        found.append(
            make(
                Hit,
                {
                    "score": hit.score,
                    "path": text_of(hit.path),
                    "citation": text_of(hit.citation),
                    "document": hit.document.decode(),
                    "chunk": hit.chunk.decode(),
                    "first_line": hit.first_line,
                    "last_line": hit.last_line,
                    "start_byte": hit.start_byte,
                    "end_byte": hit.end_byte,
                    "heading": text_of(hit.heading),
                    "text": text_of(string_at(hit.text, hit.text_size)),
                    "snippet": text_of(string_at(hit.snippet, hit.snippet_size)),
                    "snippet_first_line": hit.snippet_first_line,
                    "snippet_last_line": hit.snippet_last_line,
                    "place": text_of(hit.place),
                    "metadata_json": text_of(hit.metadata),
                    "tag": text_of(hit.tag),
                    "source": text_of(hit.source),
                    "stale": _STALE[hit.stale],
                },
            )
        )
        address = following(hits)
    return found
