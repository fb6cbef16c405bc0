"""Stores that are open in this process."""

import _thread
import os
from _warnings import warn  # that of `warnings`, also when Python ends
from ctypes import byref, c_size_t, c_void_p, string_at

from . import _interrupts
from ._errors import CancelledError, RecallError, UsageError, bytes_of, class_of, closed, text_of
from ._hit import read_hits
from ._native import PROGRESS, is_bundled, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import RLock as _RLock
    from types import TracebackType
    from typing import Any, Callable, ContextManager, Iterable, Iterator, List, Mapping, Optional, Type, Union

    from ._answers import Added, Answer, Context, Passage, Progress, Row, Saved
    from ._documents import Document, DocumentSet
    from ._hit import Hit
    from ._native import Native
    from ._vectors import Vector

    StrPath = Union[str, os.PathLike[str]]
    _quoted: Callable[[str], str]
else:
    # Those of `threading` and of `json`, which take longer to import than a search.
    from _thread import RLock as _RLock

    try:
        from _json import encode_basestring_ascii as _quoted
    except ImportError:
        from json.encoder import py_encode_basestring_ascii as _quoted

#: Types of values of requests, and how they are written as JSON.
_SIMPLE: "Mapping[type, Callable[[Any], str]]" = {
    str: _quoted,
    int: str,
    bool: lambda value: "true" if value else "false",
}


class Store:
    """A store that is open in this process, made by `open`. It can be used in a ``with`` statement.

    Threads may share a store: calls wait for each other. For searches at the same time, open it once in each thread.
    In a child of ``os.fork`` it cannot be used.

    Ctrl-C ends a call of the main thread; what was committed stays.

    All methods raise `RecallError`, and take further options: the flags of the command, with ``_`` for ``-``.

    >>> import recall
    >>> with recall.open("birds.db", create=True) as store:
    ...     _ = store.add_text("heron", "Herons stand still at the pond.")
    ...     [hit.path for hit in store.search("pond")]
    ['heron']
    """

    def __init__(self, native: "Native", path: str, options: bytes) -> None:
        """`open` has a friendlier signature."""
        self._handle: "Optional[int]" = None
        self._native = native
        self._path = path
        self._pid = os.getpid()
        self._lock = _thread.allocate_lock()  # during a call
        self._handle_lock: "ContextManager[object]" = _RLock()  # while the handle is taken away, or cancelled
        self._caller = 0  # the thread of the call
        self._cancelled = 0  # how often
        self._callback = PROGRESS(0)
        self._progress: "Optional[Callable[[Progress], object]]" = None
        self._raised: "List[BaseException]" = []  # by the function for progress
        handle, answer = c_void_p(), c_void_p()
        try:
            status = native.recall_open(bytes_of(path, "the path"), options, byref(handle), byref(answer))
            self._handle = handle.value
            if status:
                raise error_of(self._native, status, answer)
        finally:
            native.recall_free(answer)

    @property
    def path(self) -> str:
        """As it was given to `open`."""
        return self._path

    # ---- Reading ----

    def search(
        self,
        query: str,
        k: int = 8,
        *,
        filter: "Optional[str]" = None,
        documents: "Optional[Union[DocumentSet, Iterable[str]]]" = None,
        embedding: "Optional[Vector]" = None,
        **options: "Any",
    ) -> "List[Hit]":
        """The `k` chunks that answer a question best, the best first; options as of ``recall search``.

        `filter`: documents that satisfy it (docs/rql.md). `documents`: only these, a `DocumentSet` or paths.
        `embedding`: the vector of the question, for a store with ``{"embedding": "given"}``.

        >>> [hit.citation.split("@")[0] for hit in store.search("who dives for fish?", k=1)]
        ['birds/kingfisher']
        """
        if filter is None and embedding is None and not options:
            request = b'{"k":%d}' % k
        else:
            numbers = None if embedding is None else _numbers(embedding)
            request = _request(options, k=k, filter=filter, embedding=numbers)
        chosen = _chosen(documents)
        native = self._native
        hits, answer = c_void_p(), c_void_p()
        try:
            status = self._run(
                native.recall_search,
                bytes_of(query, "the query"),
                request,
                None if chosen is None else chosen.handle(native),
                byref(hits),
                byref(answer),
            )
            if status:
                raise error_of(self._native, status, answer)
            return read_hits(native, hits.value or 0)
        finally:
            native.recall_hits_free(hits)
            native.recall_free(answer)

    def context(self, query: str, budget: int = 1200, **options: "Any") -> "Context":
        """The passages that answer a question, packed into a budget of tokens; options as of ``recall context``.

        >>> print(store.context("who dives for fish?", budget=40).text)
        [birds/kingfisher:1]
        Kingfishers dive for fish from a branch.
        """
        from ._answers import context_of

        answer = self._answer(self._native.recall_context, bytes_of(query, "the query"), budget, _request(options))
        return context_of(answer)

    def get(self, target: str, **options: "Any") -> "Passage":
        """A document, lines of it, or a citation, as ``recall get``. Raises AbsentError.

        >>> store.get("birds/heron").text
        'Herons stand still at the pond.'
        >>> store.get("birds/wren")
        Traceback (most recent call last):
        ...
        recall.AbsentError: no such document or chunk: birds/wren
        hint: specify the path of a document, its lines (path:9-17), or an id
        """
        from ._answers import passage_of

        request = _request(options, cite=True)
        return passage_of(self._answer(self._native.recall_get, bytes_of(target, "the target"), request))

    def query(self, rql: str, **options: "Any") -> "Iterator[Row]":
        """The rows of a query in RQL (docs/rql.md), one after the other; options as of ``recall query``.

        Without LIMIT all rows are read, a page at a time, of the commit that the first page was read from.

        >>> for row in store.query("FROM doc ORDER BY doc.path ASC SELECT doc.path, doc.chunks"):
        ...     print(row["doc.path"], row["doc.chunks"])
        birds/heron 1
        birds/kingfisher 1
        """
        return self._rows(self.call("query", **dict(options, rql=rql)), options)

    def _rows(self, answer: "Answer", options: "Mapping[str, Any]") -> "Iterator[Row]":
        from ._answers import Pages, rows_of

        pages = Pages(answer)
        while True:
            yield from rows_of(answer)
            following = pages.following(answer)
            if following is None:
                return
            answer = self.call("query", **dict(options, **following))

    # ---- Writing ----

    def add_text(
        self,
        path: str,
        text: str,
        *,
        metadata: "Optional[Mapping[str, Any]]" = None,
        embedding: "Optional[Vector]" = None,
    ) -> "Added":
        """Adds a text as the document `path`, in place of an older one. Each call is a commit: use `add` for many.

        `embedding`: its vector, for a store with ``{"embedding": "given"}``. The memory of an array of 32-bit floats,
        as of numpy, is read where it is.

        >>> store.add_text("birds/wren", "Wrens are small and loud.", metadata={"year": 2024}).added
        1
        """
        from ._answers import Adding

        raw = text.encode("utf-8", "surrogateescape")
        address, dimensions, held = None, 0, None
        if embedding is not None:
            from ._vectors import address_of

            address, dimensions, held = address_of(embedding)
        given = None if metadata is None else _json_of_object(metadata)
        adding = Adding()
        with adding.part():
            adding.take(
                self._answer(
                    self._native.recall_add_text, bytes_of(path, "the path"), raw, len(raw), given, address, dimensions
                )
            )
        del held
        return adding.added()

    def add(
        self,
        documents: "Iterable[Union[Document, Mapping[str, Any]]]",
        *,
        progress: "Optional[Callable[[Progress], object]]" = None,
        **options: "Any",
    ) -> "Added":
        """Adds objects of `Document`, or of ``recall add --jsonl`` (docs/cli/add.md), some megabytes a commit.

        `documents` may be a generator: it is read as documents are added. `progress` is called from time to time.
        Raises AddError if some of them could not be added; the others are added.

        >>> store.add([
        ...     recall.Document("birds/owl", "Owls hunt at night.", tag="night"),
        ...     {"path": "birds/stork", "text": "Storks clatter."},
        ... ]).added
        2
        """
        from ._answers import Adding
        from ._documents import batches_of

        request = _request(options)
        adding = Adding()
        before, cancelled = self._progress, self._cancelled
        if progress is not None:
            self.progress = progress
        try:
            for lines in batches_of(documents):
                if self._cancelled != cancelled:  # while no call of the library was running
                    raise CancelledError("the call was cancelled", code="cancelled")
                with adding.part():
                    adding.take(self._answer(self._native.recall_add_lines, lines, len(lines), request))
        finally:
            if progress is not None:
                self.progress = before
        return adding.added()

    def add_files(self, *paths: "StrPath", **options: "Any") -> "Added":
        """Adds files and directories, as ``recall add``. Documents that are extracted need the program (`open`).

        Raises AddError if some of them could not be added; the others are added.
        """
        from ._answers import Adding

        adding = Adding()
        with adding.part():
            adding.take(self.call("add", **dict(options, path=[os.fspath(path) for path in paths])))
        return adding.added()

    def remove(self, *targets: str, **options: "Any") -> "Answer":
        """Removes documents by their paths, patterns or ids, as ``recall rm``.

        >>> store.remove("birds/heron")["rm"]["removed"][0]["path"]
        'birds/heron'
        """
        return self.call("rm", **dict(options, target=list(targets)))

    def save(self, type: str, title: str, text: str, **options: "Any") -> "Saved":
        """Saves a note (docs/notes.md); options as of ``recall save``, as ``tag=["storage"]``, ``when=["merging"]``.

        >>> store.save("decision", "We keep one file", "It is recall.db.", tag=["storage"]).path
        'notes/we-keep-one-file.md'
        """
        from ._answers import saved_of

        return saved_of(
            self._answer(
                self._native.recall_save,
                bytes_of(type, "the type"),
                bytes_of(title, "the title"),
                bytes_of(text, "the text"),
                _request(options),
            )
        )

    # ---- Any command ----

    def call(self, command: str, /, **arguments: "Any") -> "Answer":
        """Runs a command of the program; arguments as in the body of ``POST /v1/COMMAND`` (docs/http.md).

        A name that Python reserves has ``_`` behind it: ``call("link", target=["a", "b"], as_="supports")``.

        >>> store.call("stats")["stats"]["doc_count"]
        2
        >>> answer = store.call("similar", target="birds/heron", k=1)
        >>> answer["results"][0]["doc"]["path"]
        'birds/kingfisher'
        >>> answer.json[:11]
        b'{"ok":true,'
        """
        return self._answer(self._native.recall_call, bytes_of(command, "the command"), _request(arguments))

    # ---- Progress, the end ----

    @property
    def progress(self) -> "Optional[Callable[[Progress], object]]":
        """Is called with the progress of calls, on their thread. An exception that it raises ends the call.

        It may call `cancel` and nothing else of the store.
        """
        return self._progress

    @progress.setter
    def progress(self, function: "Optional[Callable[[Progress], object]]") -> None:
        callback = PROGRESS(0)
        if function is not None:
            from ._answers import progress_callback

            callback = progress_callback(function, self._raised)
        self._run(self._native.recall_set_progress, callback, None)
        self._progress, self._callback = function, callback

    def cancel(self) -> None:
        """Ends the call that is running in another thread, soon; it raises CancelledError. What was committed stays."""
        self._cancelled += 1
        with self._handle_lock:
            if self._handle is not None and self._pid == os.getpid():
                self._native.recall_cancel(self._handle)

    def close(self) -> None:
        """Closes the store, after the call that is running. A closed store may be closed again."""
        if self._handle is None or self._pid != os.getpid():
            self._handle = None  # in a child the store is that of the parent
            return
        if self._caller == _thread.get_ident():
            raise _nested()
        with self._lock, self._handle_lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                _interrupts.forget(handle)
                self._native.recall_close(handle)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: "Optional[Type[BaseException]]", error: "Optional[BaseException]", where: "Optional[TracebackType]"
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            if self._pid == os.getpid():
                warn(f"{self!r} was not closed", ResourceWarning, source=self)
            self.close()

    def __repr__(self) -> str:
        return f"<recall.Store {self._path!r}{'' if self._handle is not None else ', closed'}>"

    # ---- Calls ----

    def _run(self, function: "Callable[..., int]", *arguments: "Any") -> int:
        """Calls a function with the handle before the arguments. Returns its status."""
        me = _thread.get_ident()
        if self._pid != os.getpid():
            raise UsageError("the store was opened before fork", hint="open it again in the child")
        if self._caller == me and self._lock.locked():
            raise _nested()
        with self._lock:
            handle = self._handle
            if handle is None:
                raise closed()
            watched = _interrupts.begin(self._native, handle)
            try:
                self._caller = me
                status = function(handle, *arguments)
            finally:
                self._caller = 0
                if watched:
                    _interrupts.end()
        if self._raised:
            error = self._raised[0]
            self._raised.clear()
            raise error
        return status

    def _answer(self, function: "Callable[..., int]", *arguments: "Any") -> "Answer":
        """Calls a function that has an answer."""
        from ._answers import Answer

        answer = c_void_p()
        try:
            status = self._run(function, *arguments, byref(answer))
            if status:
                raise error_of(self._native, status, answer)
            return Answer(_bytes_of_answer(self._native, answer))
        finally:
            self._native.recall_free(answer)


def error_of(native: "Native", status: int, answer: c_void_p) -> RecallError:
    """What to raise for a status that is not 0."""
    found = native.recall_error_of(answer)
    cls = class_of(status)
    if not found:
        return cls("the call failed", code="internal")
    error = found.contents
    return cls(
        text_of(error.message),
        code=error.code.decode(),
        hint=text_of(error.hint),
        line=error.line,
        column=error.column,
        excerpt=text_of(error.excerpt),
        json=_bytes_of_answer(native, answer),
    )


def _bytes_of_answer(native: "Native", answer: c_void_p) -> bytes:
    size = c_size_t()
    return string_at(native.recall_json(answer, byref(size)), size.value)


def _nested() -> UsageError:
    return UsageError(
        "this thread is in a call of the same store already", hint="a function for progress may call cancel alone"
    )


def _plain(value: "Any") -> "Any":
    """What JSON has no form for: paths, arrays of numpy and their numbers, sets, times."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    for method in ("tolist", "isoformat"):
        if hasattr(value, method):
            return getattr(value, method)()
    try:
        return list(value)
    except TypeError:
        raise UsageError(f"JSON has no {type(value).__name__}") from None


def _request(options: "Mapping[str, Any]", **more: "Any") -> bytes:
    """The JSON of a request. None is no member, and ``as_`` is ``as``."""
    members = {name.rstrip("_"): value for name, value in {**options, **more}.items() if value is not None}
    if all(type(value) in _SIMPLE for value in members.values()):
        simple = (f"{_quoted(name)}:{_SIMPLE[type(value)](value)}" for name, value in members.items())
        return f"{{{','.join(simple)}}}".encode()
    return _json_of_object(members)


def _json_of_object(members: "Mapping[str, Any]") -> bytes:
    from json import dumps

    try:
        return dumps(dict(members), default=_plain, allow_nan=False).encode()
    except ValueError as error:
        raise UsageError(f"these values have no JSON: {error}") from None


def _numbers(vector: "Vector") -> "List[float]":
    from ._vectors import floats_of

    return floats_of(vector)


def _chosen(documents: "Optional[Union[DocumentSet, Iterable[str]]]") -> "Optional[DocumentSet]":
    if documents is None:
        return None
    from ._documents import DocumentSet

    return documents if isinstance(documents, DocumentSet) else DocumentSet(documents)


def open(
    path: "StrPath",
    *,
    create: bool = False,
    settings: "Optional[Mapping[str, Any]]" = None,
    settings_from: str = "store",
    settings_file: "Optional[StrPath]" = None,
    program: "Optional[StrPath]" = None,
    scope: "Optional[str]" = None,
    hide_private: bool = False,
    stable: bool = False,
    library: "Optional[StrPath]" = None,
) -> Store:
    """Opens the store at `path`: a file, a directory with recall.db in it, or the address of a store on a server.

    `create`: makes the store if there is none.
    `settings`: keys of recall.toml, as ``{"embedding": "hash"}``.
    `settings_from`: ``"store"``, also those of the recall.toml beside the store; ``"user"``, as the program does;
    ``"none"``. `settings_file`: a file that is read instead of any recall.toml.
    `program`: the program ``recall``, which extracts PDF, HTML and office documents and finds definitions in source
    code; that of this package if it has one; ``""``: none.
    `scope`: a filter; documents that do not satisfy it do not exist. `hide_private`: nor do private notes.
    `stable`: answers leave out what differs from run to run.
    `library`: the file of librecall, if it is not that of this package or of the system.

    >>> import recall
    >>> with recall.open("notes.db", create=True, settings={"embedding": "hash"}) as store:
    ...     store.call("stats")["store"]["embedding"]
    'hash'
    """
    native = load(library)
    if program is None and is_bundled(native):
        from ._program import find_program

        program = find_program()
    options = {
        "create": create or None,
        "settings": None if settings is None else dict(settings),
        "settings_from": None if settings_from == "store" else settings_from,
        "settings_file": settings_file,
        "program": program or None,
        "scope": scope,
        "hide_private": hide_private or None,
        "stable": stable or None,
        # Python waits for the other thread, and can be interrupted then.
        "threads": "single",
    }
    return Store(native, os.fspath(path), _request(options))
