"""Ctrl-C ends a running call of librecall.

Problem: while the main thread is in the library, Python runs no handlers of signals, so KeyboardInterrupt waits until
the call returns. The library must not change how signals are handled, and neither must this package.

Idea: Python's own handler writes the number of each signal to the file descriptor of `signal.set_wakeup_fd`. For the
time of a call it is a pipe, which a thread reads: after SIGINT it cancels the call. The bytes are passed on to the
descriptor that was set before, as that of asyncio.

Invariants:
- `_running` is the call of the main thread, with its store, or None. The thread cancels it while it holds `_lock`, and
  `forget` takes that before a store is closed; so it cancels open stores only, even if a second Ctrl-C comes while the
  main thread is in `end`, and `_running` is stale.
- The descriptor is changed by the main thread alone, which Python demands.

Cost: two system calls for each call of the main thread, and a thread from the first one on.
"""

import _thread
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from typing import List, Optional, Tuple

    from ._native import Native
else:
    import _signal  # without the names of `signal`, which are enumerations and take longer

_lock = _thread.allocate_lock()
_pipe: "List[int]" = []  # both ends, while there is a thread
_running: "Optional[Tuple[int]]" = None  # a new object for each call
_outside = -1  # the descriptor that was set before the call


def begin(native: "Native", store: int) -> bool:
    """Watches a call that the main thread is about to make. Other threads get False, and nothing is done."""
    global _running, _outside
    try:
        if not _pipe:
            _start(native)
        before = _signal.set_wakeup_fd(_pipe[1], warn_on_full_buffer=False)
    except ValueError:
        return False
    if before != _pipe[1]:
        _outside = before
    _running = (store,)
    return True


def end() -> None:
    """After a call for which `begin` was true."""
    global _running
    _running = None
    _signal.set_wakeup_fd(_outside, warn_on_full_buffer=False)


def forget(store: int) -> None:
    """Before a store is closed."""
    global _running
    with _lock:
        if _running is not None and _running[0] == store:
            _running = None


def _start(native: "Native") -> None:
    _signal.set_wakeup_fd(_signal.set_wakeup_fd(-1))  # raises ValueError in other threads
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    _pipe.extend((reader, writer))
    _thread.start_new_thread(_watch, (native, reader))


def _watch(native: "Native", reader: int) -> None:
    while True:
        try:
            signals = os.read(reader, 64)
        except OSError:  # closed, in a child
            return
        if _outside != -1:
            _pass_on(signals)
        call = _running if _signal.SIGINT in signals else None
        # Repeated, because a call that has only just begun does not see the first one.
        while call is not None and _cancel(native, call):
            _sleep()


def _pass_on(signals: bytes) -> None:
    try:
        os.write(_outside, signals)
    except OSError:
        pass  # full: it has bytes to wake up from


def _cancel(native: "Native", call: "Tuple[int]") -> bool:
    with _lock:
        if _running is not call:
            return False
        native.recall_cancel(call[0])
        return True


def _sleep() -> None:
    from time import sleep

    sleep(0.01)


def _after_fork() -> None:
    """In the child the thread is gone, and the pipe is that of the parent."""
    global _running, _lock
    _lock = _thread.allocate_lock()
    _running = None
    if not _pipe:
        return
    try:
        current = _signal.set_wakeup_fd(-1)
        if current != -1:
            _signal.set_wakeup_fd(_outside if current == _pipe[1] else current)
    except ValueError:
        pass
    for end_of_pipe in _pipe:
        os.close(end_of_pipe)
    _pipe.clear()


os.register_at_fork(after_in_child=_after_fork)
