"""Frozen dataclasses that are made when they are first needed.

Problem: the module `dataclasses` imports `inspect`, which takes longer than the first search of a process.

Idea: a class gets a base with stand-ins for the methods of a frozen dataclass, and for `__dataclass_fields__`, by which
`dataclasses` knows its classes. The first one that is used has `dataclasses.dataclass` finish the class, and is called
again. Objects made by `make` need no method until they are compared or printed.

Invariants: a class always has each of these methods, its own or the stand-in, whatever other threads do meanwhile.
`dataclass` adds to a class and takes nothing from it, and who meets a stand-in waits until it has added everything.

Type checkers are told that these are ordinary dataclasses.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import RLock
    from typing import Any, Callable, Dict, Set, Type, TypeVar

    T = TypeVar("T")
else:
    from _thread import RLock  # without the rest of `threading`

_METHODS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")
_lock = RLock()
_unfinished: "Set[type]" = set()


def _finish(cls: type) -> None:
    with _lock:
        for base in cls.__mro__:
            if base in _unfinished:
                import dataclasses

                _unfinished.discard(base)
                dataclasses.dataclass(frozen=True)(base)


class _Fields:
    """The stand-in for `__dataclass_fields__`."""

    def __get__(self, instance: object, owner: "Type[Any]") -> "Any":
        if owner is _Base:
            raise AttributeError("__dataclass_fields__")  # it is none itself
        _finish(owner)
        return owner.__dataclass_fields__


def _stand_in(name: str) -> "Callable[..., Any]":
    def method(self: object, *args: "Any", **named: "Any") -> "Any":
        _finish(type(self))
        return getattr(self, name)(*args, **named)

    return method


_members: "Dict[str, object]" = {name: _stand_in(name) for name in _METHODS}
_members["__dataclass_fields__"] = _Fields()
_Base = type("_Base", (), _members)


def dataclass(*, frozen: bool) -> "Callable[[Type[T]], Type[T]]":
    """`dataclasses.dataclass(frozen=True)`, later."""
    assert frozen

    def prepared(cls: "Type[T]") -> "Type[T]":
        members = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
        members.update(__qualname__=cls.__qualname__, __match_args__=tuple(cls.__annotations__))
        made: "Type[T]" = type(cls.__name__, (_Base,), members)
        _unfinished.add(made)
        return made

    return prepared


def make(cls: "Type[T]", values: "Dict[str, Any]") -> "T":
    """An object of a frozen dataclass with these values of all its fields, without a call of `__init__`."""
    made: T = object.__new__(cls)
    object.__setattr__(made, "__dict__", values)
    return made
