"""Frozen dataclasses that are made when they are first needed.

Problem: the module `dataclasses` imports `inspect`, which takes longer than the first search of a process.

Idea: a class gets stand-ins for the methods of a frozen dataclass. The first one that is used removes all of them, has
`dataclasses.dataclass` finish the class, and is called again. `__dataclass_fields__`, by which `dataclasses` knows its
classes, is one of them. Objects made by `make` need no method until they are compared or printed.

Type checkers are told that these are ordinary dataclasses.
"""

import _thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Type, TypeVar

    T = TypeVar("T")

_METHODS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")
_FIELDS = "__dataclass_fields__"
_lock = _thread.allocate_lock()


class _Fields:
    """The stand-in for `__dataclass_fields__` of a class."""

    def __init__(self, finish: "Callable[[], None]") -> None:
        self._finish = finish

    def __get__(self, instance: object, owner: "Type[Any]") -> "Any":
        self._finish()
        return getattr(owner, _FIELDS)


def _stand_in(name: str, finish: "Callable[[], None]") -> "Callable[..., Any]":
    def method(self: object, *args: "Any", **named: "Any") -> "Any":
        finish()
        return getattr(self, name)(*args, **named)

    return method


def dataclass(*, frozen: bool) -> "Callable[[Type[T]], Type[T]]":
    """`dataclasses.dataclass(frozen=frozen)`, later."""

    def prepared(cls: "Type[T]") -> "Type[T]":
        def finish() -> None:
            with _lock:
                if not isinstance(cls.__dict__.get(_FIELDS), _Fields):
                    return  # another thread was faster
                import dataclasses

                for name in (*_METHODS, _FIELDS):
                    delattr(cls, name)
                dataclasses.dataclass(frozen=frozen)(cls)

        for name in _METHODS:
            setattr(cls, name, _stand_in(name, finish))
        setattr(cls, _FIELDS, _Fields(finish))
        setattr(cls, "__match_args__", tuple(cls.__annotations__))
        return cls

    return prepared


def make(cls: "Type[T]", values: "Dict[str, Any]") -> "T":
    """An object of a frozen dataclass with these values of all its fields, without a call of `__init__`."""
    made: T = object.__new__(cls)
    object.__setattr__(made, "__dict__", values)
    return made
