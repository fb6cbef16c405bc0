"""What calls raise."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Type, Union


class RecallError(Exception):
    """A call failed. Its class says how, by the exit status of the command; `code` says why.

    >>> import recall
    >>> try:
    ...     recall.open("no/such.db")
    ... except recall.RecallError as error:
    ...     print(error.code)
    store_not_found
    """

    #: The exit status of the command.
    status = 3

    def __init__(
        self,
        message: str,
        *,
        code: str = "invalid_argument",
        hint: str = "",
        line: int = 0,
        column: int = 0,
        excerpt: str = "",
        json: bytes = b"",
    ) -> None:
        super().__init__(message, code, hint, line, column, excerpt, json)
        #: A sentence without a full stop.
        self.message = message
        #: ``"not_found"``, ``"invalid_argument"``, ... (docs/json.md, "error").
        self.code = code
        #: What to do next, or ``""``.
        self.hint = hint
        #: Of a query, a filter or a file, from 1; 0: none.
        self.line = line
        #: In characters, from 1; 0: the whole line.
        self.column = column
        #: That line, and below it a caret under the column; or ``""``.
        self.excerpt = excerpt
        #: The answer, as the command prints it with ``--json``; ``b""`` if the call did not reach the library.
        self.json = json

    def __str__(self) -> str:
        parts = [self.message]
        if self.excerpt:
            parts.append(self.excerpt)
        if self.hint:
            parts.append("hint: " + self.hint)
        return "\n".join(parts)

    def __reduce__(self) -> "Any":
        named = {name: getattr(self, name) for name in ("code", "hint", "line", "column", "excerpt", "json")}
        return _again, (type(self), self.message, named)

    @property
    def answer(self) -> "Optional[Dict[str, Any]]":
        """The answer as an object, if there is one."""
        if not self.json:
            return None
        from json import loads

        parsed: "Dict[str, Any]" = loads(self.json)
        return parsed


def _again(cls: "Any", message: str, named: "Dict[str, Any]") -> RecallError:
    error: RecallError = cls(message, **named)
    return error


class AbsentError(RecallError, LookupError):
    """What was asked for does not exist, or differs from what was expected."""

    status = 1


class UsageError(RecallError, ValueError):
    """The request or a setting is wrong, or exceeds a limit, as of memory."""

    status = 2


class UnavailableError(RecallError):
    """No store, no permission, no space, unreadable files, or no library."""

    status = 3


class CorruptError(RecallError):
    """The store is damaged, or has an unknown format."""

    status = 4


class BusyError(RecallError):
    """Another process holds the store; trying again may succeed."""

    status = 5


class CancelledError(RecallError):
    """`Store.cancel` ended the call. What was committed stays."""

    status = 130


_CLASSES: "Dict[int, Type[RecallError]]" = {
    cls.status: cls for cls in (AbsentError, UsageError, UnavailableError, CorruptError, BusyError, CancelledError)
}


def class_of(status: int) -> "Type[RecallError]":
    return _CLASSES.get(status, UnavailableError)


def closed() -> UsageError:
    return UsageError("the store is closed", hint="open it again")


def text_of(raw: bytes) -> str:
    """Texts of the library. Bytes of paths that are not UTF-8 become surrogates, as in `os.fsdecode`."""
    return raw.decode("utf-8", "surrogateescape")


def bytes_of(text: "Union[str, os.PathLike[str]]", what: str) -> bytes:
    """A text for the library, which takes a zero byte for its end."""
    raw = os.fspath(text).encode("utf-8", "surrogateescape")
    if b"\0" in raw:
        raise UsageError(what + " has a zero byte")
    return raw
