"""Finds and loads librecall, and declares its functions (cli/library/recall.h).

The library is loaded once in a process: the one that `recall.open` names, or else that of the variable
`RECALL_LIBRARY`, the one beside this file, or that of the system.
"""

import _thread
import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from ._errors import UnavailableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Tuple, Union

FILE_NAME = "librecall.so.1"
ABI_VERSION = 1


class HitStruct(ctypes.Structure):
    """recall_hit. Texts that may have zero bytes are addresses."""

    _fields_ = [
        ("score", c_double),
        ("path", c_char_p),
        ("citation", c_char_p),
        ("document", c_char_p),
        ("chunk", c_char_p),
        ("first_line", c_uint32),
        ("last_line", c_uint32),
        ("start_byte", c_uint64),
        ("end_byte", c_uint64),
        ("heading", c_char_p),
        ("text", c_void_p),
        ("text_size", c_size_t),
        ("snippet", c_void_p),
        ("snippet_size", c_size_t),
        ("snippet_first_line", c_uint32),
        ("snippet_last_line", c_uint32),
        ("place", c_char_p),
        ("metadata", c_char_p),
        ("tag", c_char_p),
        ("source", c_char_p),
        ("stale", c_int),
    ]


class ErrorStruct(ctypes.Structure):
    """recall_error."""

    _fields_ = [
        ("status", c_int),
        ("code", c_char_p),
        ("message", c_char_p),
        ("hint", c_char_p),
        ("line", c_int64),
        ("column", c_int64),
        ("excerpt", c_char_p),
    ]


class ProgressStruct(ctypes.Structure):
    """recall_progress."""

    _fields_ = [("command", c_char_p), ("stage", c_char_p), ("done", c_int64), ("total", c_int64)]


PROGRESS = ctypes.CFUNCTYPE(c_int, POINTER(ProgressStruct), c_void_p)

_OUT = POINTER(c_void_p)
_STORE = (c_void_p,)
# Functions that may take long: other threads of Python run meanwhile.
_CALLS = {
    "recall_open": (c_char_p, c_char_p, _OUT, _OUT),
    "recall_set_progress": (c_void_p, PROGRESS, c_void_p),
    "recall_call": (c_void_p, c_char_p, c_char_p, _OUT),
    "recall_context": (c_void_p, c_char_p, c_int64, c_char_p, _OUT),
    "recall_get": (c_void_p, c_char_p, c_char_p, _OUT),
    # The vector is given by its address, so that numpy's memory need not be wrapped.
    "recall_add_text": (c_void_p, c_char_p, c_char_p, c_size_t, c_char_p, c_void_p, c_size_t, _OUT),
    "recall_add_lines": (c_void_p, c_char_p, c_size_t, c_char_p, _OUT),
    "recall_save": (c_void_p, c_char_p, c_char_p, c_char_p, c_char_p, _OUT),
    "recall_set_new": (c_int, POINTER(c_char_p), c_size_t, _OUT, _OUT),
    "recall_search": (c_void_p, c_char_p, c_char_p, c_void_p, _OUT, _OUT),
}
# Functions that return at once, so that handing over the interpreter would cost more than they do.
_SHORT = {
    "recall_version": (c_char_p, ()),
    "recall_abi_version": (c_int, ()),
    "recall_cancel": (None, _STORE),
    "recall_json": (c_void_p, (c_void_p, POINTER(c_size_t))),
    "recall_error_of": (POINTER(ErrorStruct), (c_void_p,)),
    "recall_free": (None, (c_void_p,)),
    "recall_set_free": (None, (c_void_p,)),
    "recall_next": (c_void_p, (c_void_p,)),
    "recall_hits_free": (None, (c_void_p,)),
}


class Native:
    """The functions of a library, as attributes with their names."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            calls, short = ctypes.CDLL(path), ctypes.PyDLL(path)
            for name, (result, arguments) in _SHORT.items():
                self._take(short, name, result, arguments)
            if self.recall_abi_version() < ABI_VERSION:
                raise UnavailableError(
                    f"{path} is too old for this package", code="unsupported", hint="update librecall"
                )
            for name, arguments in _CALLS.items():
                self._take(calls, name, c_int, arguments)
            self._take(calls, "recall_close", None, _STORE)
        except (OSError, AttributeError) as error:
            raise UnavailableError(f"librecall cannot be loaded: {error}", code="not_found", hint=_HINT) from None

    def _take(self, library: ctypes.CDLL, name: str, result: "Any", arguments: "Tuple[Any, ...]") -> None:
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
        setattr(self, name, function)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> "Callable[..., Any]":
            ...


_HINT = "install a package with the library, or name it: RECALL_LIBRARY=/path/of/" + FILE_NAME
_lock = _thread.allocate_lock()
_loaded: "List[Native]" = []


def _places() -> "List[str]":
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), FILE_NAME)
    named = os.environ.get("RECALL_LIBRARY")
    if named:
        return [named]
    return [beside] if os.path.exists(beside) else [FILE_NAME]


def load(path: "Optional[Union[str, os.PathLike[str]]]" = None) -> Native:
    """The library of this process. Raises UnavailableError if there is none, or another one is named than is loaded."""
    with _lock:
        named = None if path is None else os.fspath(path)
        if not _loaded:
            _loaded.append(Native(named or _places()[0]))
        elif named is not None and os.path.realpath(named) != os.path.realpath(_loaded[0].path):
            raise UnavailableError("this process has loaded another library, " + _loaded[0].path, code="exists")
        return _loaded[0]


def is_bundled(native: Native) -> bool:
    """Whether the library came with this package."""
    return os.path.dirname(native.path) == os.path.dirname(os.path.abspath(__file__))
