"""The package in a process of others: threads, signals, fork, memory, and what the first search imports."""

import asyncio
import gc
import locale
import os
import signal
import subprocess
import sys
import threading
import unittest
import warnings

import recall
from python_rig import InDirectory, descriptors
from recall import _documents, _interrupts


def signal_sets() -> "list[str]":
    with open("/proc/self/status") as status:
        return [line for line in status if line.startswith(("SigCgt", "SigBlk", "SigIgn"))]


def documents(count: int) -> "list[dict[str, str]]":
    """Enough for a call that takes a while."""
    return [
        {"path": f"many/{number}", "text": f"Text {number}. " + f"word{number} and more words. " * 40}
        for number in range(count)
    ]


class Threads(InDirectory):
    def test_threads_may_share_a_store(self) -> None:
        store = self.open()
        expected = store.search("fish pond")
        wrong = []

        def ask() -> None:
            for _ in range(20):
                if store.search("fish pond") != expected:
                    wrong.append(threading.current_thread())

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_each_thread_may_have_its_own(self) -> None:
        expected = self.open().search("fish pond")
        found = []

        def ask(number: int) -> None:
            with recall.open("birds.db") as store:
                store.add_text(f"of/{number}", f"Document {number}")
                found.append(store.search("fish pond", documents=["birds/heron", "birds/kingfisher"]))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([[hit.path for hit in hits] for hits in found], [[hit.path for hit in expected]] * 8)

    def test_close_waits_for_the_call_of_another_thread(self) -> None:
        store = self.open()
        begun, added = threading.Event(), []
        store.progress = lambda progress: begun.set()
        thread = threading.Thread(target=lambda: added.append(store.add(documents(200)).added))
        thread.start()
        begun.wait()
        store.close()
        thread.join()
        self.assertEqual(added, [200])

    def test_cancel_ends_the_call_of_another_thread(self) -> None:
        store = self.open()
        begun, raised = threading.Event(), []

        def add() -> None:
            try:
                store.add(documents(20_000), progress=lambda progress: begun.set())
            except recall.CancelledError as error:
                raised.append(error.code)

        thread = threading.Thread(target=add)
        thread.start()
        begun.wait()
        store.cancel()
        thread.join()
        self.assertEqual(raised, ["cancelled"])
        self.assertEqual(store.search("pond", 1)[0].path, "birds/heron")

    def test_cancel_ends_an_add_between_its_commits(self) -> None:
        store = self.open()
        whole, _documents.BATCH_BYTES = _documents.BATCH_BYTES, 1
        self.addCleanup(setattr, _documents, "BATCH_BYTES", whole)

        def two() -> "object":
            yield {"path": "first", "text": "x"}
            store.cancel()
            yield {"path": "second", "text": "x"}

        with self.assertRaises(recall.CancelledError):
            store.add(two())
        self.assertEqual(store.get("first").text, "x")
        with self.assertRaises(recall.AbsentError):
            store.get("second")


class Interrupts(InDirectory):
    def interrupted_add(self, store: recall.Store) -> None:
        """Adds documents; another thread sends SIGINT once the call is running."""

        def interrupt() -> None:
            while _interrupts._running is None:
                os.sched_yield()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            store.add(documents(20_000))
        finally:
            thread.join()

    def test_ctrl_c_ends_a_call(self) -> None:
        store = self.open()
        store.search("pond")
        with self.assertRaises(KeyboardInterrupt):
            self.interrupted_add(store)
        self.assertLess(store.call("stats")["stats"]["doc_count"], 20_000)
        self.assertEqual(store.search("pond", 1)[0].path, "birds/heron")

    def test_a_handler_of_others_sees_the_signal_and_the_call_ends(self) -> None:
        store, seen = self.open(), []
        before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with self.assertRaises(recall.CancelledError):
            self.interrupted_add(store)
        self.assertEqual(seen, [signal.SIGINT])

    def test_ctrl_c_ends_a_call_that_tells_of_progress(self) -> None:
        store, sent = self.open(), []

        def told(progress: recall.Progress) -> None:
            if not sent:
                sent.append(progress)
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            store.add(documents(5_000), progress=told)
        self.assertEqual(len(sent), 1)

    def test_waiting_for_another_thread_can_be_interrupted(self) -> None:
        store, begun, end = self.open(), threading.Event(), threading.Event()

        def wait(progress: recall.Progress) -> None:
            begun.set()
            end.wait()

        thread = threading.Thread(target=lambda: store.add(documents(10), progress=wait))
        thread.start()
        begun.wait()
        asking = threading.Event()

        def interrupt() -> None:
            asking.wait()
            os.kill(os.getpid(), signal.SIGINT)

        interrupting = threading.Thread(target=interrupt)
        interrupting.start()
        with self.assertRaises(KeyboardInterrupt):
            asking.set()
            store.search("pond")
        interrupting.join()
        end.set()
        thread.join()
        self.assertEqual(len(store.search("pond", 1)), 1)

    def test_signals_and_their_descriptor_are_as_before(self) -> None:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        before = signal.set_wakeup_fd(writer)
        self.addCleanup(signal.set_wakeup_fd, before)
        handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
        caught = signal_sets()
        store = self.open()
        store.search("pond")
        with self.assertRaises(KeyboardInterrupt):
            self.interrupted_add(store)
        self.assertEqual(signal.set_wakeup_fd(writer), writer)
        self.assertEqual(os.read(reader, 1)[0], signal.SIGINT, "the descriptor of others gets the signal, too")
        self.assertEqual({number: signal.getsignal(number) for number in signal.valid_signals()}, handlers)
        self.assertEqual(signal_sets(), caught)


class Asyncio(InDirectory):
    def test_calls_run_beside_each_other(self) -> None:
        self.open()

        async def main() -> None:
            async with recall.open_async("birds.db", connections=3) as store:
                hits = await asyncio.gather(*(store.search("fish pond") for _ in range(12)))
                self.assertEqual([[hit.path for hit in found] for found in hits], [[hit.path for hit in hits[0]]] * 12)
                self.assertEqual(len(hits[0]), 2)
                self.assertEqual((await store.add([{"path": "wren", "text": "Wrens are loud."}])).added, 1)
                self.assertEqual((await store.get("wren")).text, "Wrens are loud.")
                rows = [row["doc.path"] async for row in store.query("FROM doc ORDER BY doc.path ASC SELECT doc.path")]
                self.assertEqual(rows, ["birds/heron", "birds/kingfisher", "wren"])
                with self.assertRaises(recall.AbsentError):
                    await store.get("none")
            with self.assertRaises(recall.UsageError):
                await store.get("wren")
            with self.assertRaises(recall.UnavailableError):
                await recall.open_async("none.db")

        asyncio.run(main())

    def test_a_cancelled_task_ends_its_call(self) -> None:
        self.open()

        async def main() -> None:
            async with recall.open_async("birds.db", connections=1) as store:
                begun = asyncio.Event()
                loop = asyncio.get_running_loop()
                task = asyncio.ensure_future(
                    store.add(documents(20_000), progress=lambda progress: loop.call_soon_threadsafe(begun.set))
                )
                await begun.wait()
                waiting = asyncio.ensure_future(store.search("pond", 1))
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertEqual((await waiting)[0].path, "birds/heron")
                self.assertLess((await store.call("stats"))["stats"]["doc_count"], 20_000)

        asyncio.run(main())


class Processes(InDirectory):
    def test_a_child_of_fork_opens_its_own(self) -> None:
        store = self.open()
        store.search("pond")
        child = os.fork()
        if child == 0:
            status = 1
            try:
                try:
                    store.search("pond")
                except recall.UsageError as error:
                    store.close()
                    with recall.open("birds.db") as own:
                        own.add_text("of/child", "Added by a child.")
                        status = 0 if "fork" in error.message and own.search("pond") else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(store.get("of/child").text, "Added by a child.")
        self.assertEqual(store.search("pond", 1)[0].path, "birds/heron")

    def test_a_store_that_is_forgotten_is_closed(self) -> None:
        self.open().search("pond")
        gc.collect()
        before = descriptors()
        store = recall.open("birds.db")
        store.progress = lambda progress, store=store: None  # a cycle
        store.search("pond")
        self.assertGreater(descriptors(), before)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del store
            gc.collect()
        self.assertEqual([warning.category for warning in caught], [ResourceWarning])
        self.assertEqual(descriptors(), before)

    def test_a_thousand_openings_leave_nothing(self) -> None:
        self.open().close()

        def used() -> int:
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        def ask(times: int) -> None:
            for _ in range(times):
                with recall.open("birds.db") as store:
                    store.search("fish pond", documents=["birds/heron"])

        state = (os.getcwd(), locale.setlocale(locale.LC_ALL), os.umask(0o27))
        ask(100)
        before = descriptors(), used()
        ask(1_000)
        self.assertEqual(descriptors(), before[0])
        self.assertLess(used() - before[1], 4 << 20)
        self.assertEqual((os.getcwd(), locale.setlocale(locale.LC_ALL), os.umask(state[2])), (*state[:2], 0o27))

    def test_a_first_search_imports_little(self) -> None:
        """These take longer to import than a search."""
        self.open()
        script = (
            "import sys\n"
            f"sys.path[:0] = {[path for path in sys.path if path.endswith('cli/library/python')]}\n"
            "import recall\n"
            "with recall.open('birds.db', program='/usr/bin/none') as store:\n"
            "  hits = store.search('pond', 1, filter=\"doc.path LIKE 'birds/%'\")\n"
            "  print(hits[0].path, *sorted({'dataclasses', 'json', 're', 'enum', 'typing', 'threading', 'signal',"
            " 'asyncio', 'inspect'} & set(sys.modules)))"
        )
        done = subprocess.run([sys.executable, "-I", "-S", "-c", script], stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(done.stdout, "birds/heron\n")


if __name__ == "__main__":
    unittest.main()
