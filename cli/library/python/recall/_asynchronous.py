"""Stores for asyncio: calls run in threads."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, AsyncIterator, Callable, Iterable, List, Mapping, Optional, Type, TypeVar, Union

from ._answers import Added, Answer, Context, Pages, Passage, Row, Saved, rows_of
from ._documents import Document, DocumentSet
from ._errors import closed
from ._hit import Hit
from ._store import Store, open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from ._vectors import Vector

T = TypeVar("T")


class AsyncStore:
    """A store for asyncio, made by `open_async`. Its methods are those of `Store`, as coroutines.

    It opens the store `connections` times, so as many calls run at the same time; others wait for their turn. If a task
    is cancelled, its call is ended first.

    >>> import asyncio, recall
    >>> async def main():
    ...     async with recall.open_async("birds.db", create=True) as store:
    ...         await store.add_text("heron", "Herons stand still at the pond.")
    ...         hits, text = await asyncio.gather(store.search("pond"), store.get("heron"))
    ...         return hits[0].path, text.last_line
    >>> asyncio.run(main())
    ('heron', 1)
    """

    def __init__(self, opened: "Callable[[], Store]", connections: int = 2) -> None:
        """`open_async` has a friendlier signature."""
        self._opened = opened
        self._connections = max(1, connections)
        self._stores: "List[Store]" = []  # all that are open
        self._idle: "Optional[asyncio.LifoQueue[Store]]" = None
        self._executor = ThreadPoolExecutor(self._connections, thread_name_prefix="recall")

    # ---- Opening and closing ----

    async def __aenter__(self) -> "AsyncStore":
        await self._open()
        return self

    def __await__(self) -> "Any":
        return self._open().__await__()

    async def __aexit__(
        self, kind: "Optional[Type[BaseException]]", error: "Optional[BaseException]", where: "Optional[TracebackType]"
    ) -> None:
        await self.close()

    async def _open(self) -> "AsyncStore":
        """Opens the first connection, which may make the store, and then the others."""
        if self._idle is None:
            self._idle = asyncio.LifoQueue()
            loop = asyncio.get_running_loop()
            try:
                for _ in range(self._connections):
                    self._stores.append(await loop.run_in_executor(self._executor, self._opened))
            except BaseException:
                await self.close()
                raise
            for store in self._stores:
                self._idle.put_nowait(store)
        return self

    async def close(self) -> None:
        """Closes the store, after the calls that are running."""
        stores, self._stores = self._stores, []
        loop = asyncio.get_running_loop()
        for store in stores:
            await loop.run_in_executor(self._executor, store.close)
        self._executor.shutdown(wait=False)

    # ---- Calls ----

    async def _run(self, call: "Callable[[Store], T]") -> T:
        if self._idle is None or not self._stores:
            raise closed()
        store = await self._idle.get()
        if not self._stores:
            self._idle.put_nowait(store)  # for the next one that waits
            raise closed()
        running = asyncio.get_running_loop().run_in_executor(self._executor, call, store)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            # Repeated, because a call that has only just begun does not see the first one.
            while not running.done():
                store.cancel()
                await asyncio.wait([running], timeout=0.02)
            if not running.cancelled():
                running.exception()  # it has been told
            raise
        finally:
            self._idle.put_nowait(store)

    async def search(
        self,
        query: str,
        k: int = 8,
        *,
        filter: "Optional[str]" = None,
        documents: "Optional[Union[DocumentSet, Iterable[str]]]" = None,
        embedding: "Optional[Vector]" = None,
        **options: Any,
    ) -> "List[Hit]":
        return await self._run(
            lambda store: store.search(query, k, filter=filter, documents=documents, embedding=embedding, **options)
        )

    async def context(self, query: str, budget: int = 1200, **options: Any) -> Context:
        return await self._run(lambda store: store.context(query, budget, **options))

    async def get(self, target: str, **options: Any) -> Passage:
        return await self._run(lambda store: store.get(target, **options))

    async def query(self, rql: str, **options: Any) -> "AsyncIterator[Row]":
        """The rows, for ``async for``."""
        answer = await self.call("query", **dict(options, rql=rql))
        pages = Pages(answer)
        while True:
            for row in rows_of(answer):
                yield row
            following = pages.following(answer)
            if following is None:
                return
            answer = await self.call("query", **dict(options, **following))

    async def add_text(
        self,
        path: str,
        text: str,
        *,
        metadata: "Optional[Mapping[str, Any]]" = None,
        embedding: "Optional[Vector]" = None,
    ) -> Added:
        return await self._run(lambda store: store.add_text(path, text, metadata=metadata, embedding=embedding))

    async def add(self, documents: "Iterable[Union[Document, Mapping[str, Any]]]", **options: Any) -> Added:
        """`documents` is read in a thread."""
        return await self._run(lambda store: store.add(documents, **options))

    async def add_files(self, *paths: "Union[str, os.PathLike[str]]", **options: Any) -> Added:
        return await self._run(lambda store: store.add_files(*paths, **options))

    async def remove(self, *targets: str, **options: Any) -> Answer:
        return await self._run(lambda store: store.remove(*targets, **options))

    async def save(self, type: str, title: str, text: str, **options: Any) -> Saved:
        return await self._run(lambda store: store.save(type, title, text, **options))

    async def call(self, command: str, /, **arguments: Any) -> Answer:
        return await self._run(lambda store: store.call(command, **arguments))


def open_async(path: "Union[str, os.PathLike[str]]", *, connections: int = 2, **options: Any) -> AsyncStore:
    """Opens a store for asyncio: ``async with recall.open_async(path) as store``, or ``await recall.open_async(path)``.

    `options`: those of `open`. `connections`: how many calls run at the same time.
    """
    return AsyncStore(partial(open, path, **options), connections)
