"""Vectors of callers: arrays of numpy, of the standard library, or sequences of numbers."""

from ctypes import addressof, c_char, c_float

from ._errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence, Tuple, Union

    #: A vector: floats, or an object with the buffer protocol that has one dimension, as numpy.ndarray.
    Vector = Union[Sequence[float], Any]


def _view(vector: "Vector") -> "Optional[memoryview]":
    """Its memory, if it is that of 32-bit floats, one after the other."""
    try:
        view = memoryview(vector)  # type: ignore[arg-type]
    except TypeError:
        return None
    return view if view.ndim == 1 and view.format == "f" and view.c_contiguous else None


def floats_of(vector: "Vector") -> "List[float]":
    """Raises UsageError."""
    try:
        return [float(component) for component in vector]
    except (TypeError, ValueError):
        raise UsageError("a vector must have numbers, in one dimension") from None


def address_of(vector: "Vector") -> "Tuple[int, int, Any]":
    """The address of its floats and their number, and what must live as long as the address is used.

    Memory of 32-bit floats is not copied, unless it is read-only and not that of numpy.
    """
    view = _view(vector)
    if view is None or len(view) == 0:
        numbers = floats_of(vector)
        copied = (c_float * len(numbers))(*numbers)
        return addressof(copied), len(numbers), copied
    if not view.readonly:
        return addressof(c_char.from_buffer(view)), len(view), view
    interface = getattr(vector, "__array_interface__", None)
    if interface is not None:
        return interface["data"][0], len(view), view
    held = (c_float * len(view)).from_buffer_copy(view)
    return addressof(held), len(view), held


def as_json(vector: "Vector") -> "Union[List[float], str]":
    """As the member `embedding` of a line of `add`: numbers, or their bytes in base64."""
    view = _view(vector)
    if view is None or len(view) == 0:
        return floats_of(vector)
    import sys
    from binascii import b2a_base64

    if sys.byteorder == "big":
        return floats_of(vector)
    return b2a_base64(view, newline=False).decode()
