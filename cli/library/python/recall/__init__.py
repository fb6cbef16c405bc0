"""Recall, a search database in one file, in the process of Python (docs/python.md).

>>> import recall
>>> with recall.open("birds.db", create=True) as store:
...     _ = store.add([
...         {"path": "birds/heron", "text": "Herons stand still at the pond."},
...         {"path": "birds/kingfisher", "text": "Kingfishers dive for fish from a branch."},
...     ])
...     for hit in store.search("who stands at the water?", k=1):
...         print(hit.path, hit.first_line)
birds/heron 1
"""

from ._errors import AbsentError, BusyError, CancelledError, CorruptError, RecallError, UnavailableError, UsageError
from ._hit import Hit
from ._store import Store, open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List

    from ._answers import AddError, Added, AddFailure, Answer, Context, Near, Passage, Piece, Progress, Row, Saved
    from ._asynchronous import AsyncStore, open_async
    from ._documents import Document, DocumentSet
    from ._program import program_path

__all__ = [
    "AbsentError",
    "AddError",
    "AddFailure",
    "Added",
    "Answer",
    "AsyncStore",
    "BusyError",
    "CancelledError",
    "Context",
    "CorruptError",
    "Document",
    "DocumentSet",
    "Hit",
    "Near",
    "Passage",
    "Piece",
    "Progress",
    "RecallError",
    "Row",
    "Saved",
    "Store",
    "UnavailableError",
    "UsageError",
    "open",
    "open_async",
    "program_path",
    "version",
]

# A first search needs none of these modules, nor what they import.
_LATER = {
    "_answers": "AddError Added AddFailure Answer Context Near Passage Piece Progress Row Saved",
    "_asynchronous": "AsyncStore open_async",
    "_documents": "Document DocumentSet",
    "_program": "program_path",
}


def _public(value: object) -> object:
    """Messages and documents name the package alone."""
    if isinstance(value, type):
        value.__module__ = __name__
    return value


for _class in (
    AbsentError,
    BusyError,
    CancelledError,
    CorruptError,
    Hit,
    RecallError,
    Store,
    UnavailableError,
    UsageError,
):
    _public(_class)


def __getattr__(name: str) -> object:
    for module, names in _LATER.items():
        if name in names.split():
            from importlib import import_module

            value: object = _public(getattr(import_module("." + module, __name__), name))
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> "List[str]":
    return sorted({*globals(), *__all__})


def version() -> str:
    """The version of the library that is loaded.

    >>> import recall
    >>> recall.version().count(".")
    2
    """
    from ._native import load

    return str(load().recall_version().decode())
