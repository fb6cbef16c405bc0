#!/usr/bin/env python3
"""Ctrl-C on a terminal reaches the program behind the npm launcher once: terminal_interrupt.py PACKAGES

The program is a script here, which says what it gets. The launcher forwards signals that are sent to it alone, and
must not forward those that the terminal has sent to both.
"""

import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tarfile
import tempfile

PROGRAM = """#!/usr/bin/env python3
import signal, sys

def end(*_):
    print("terminated", flush=True)
    sys.exit(3)

signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
while True:
    signal.pause()
"""


def read_until(descriptor, text, seen=""):
    while text not in seen:
        some = os.read(descriptor, 4096).decode()
        assert some, f"the output has ended without {text}: {seen}"
        seen += some
    return seen


def install(packages, directory):
    """The launcher, with the script in place of the program; the path to start."""
    (launcher,) = (path for path in packages.glob("*.tgz") if re.search(r"-recall-\d", path.name))
    with tarfile.open(launcher) as archive:
        archive.extractall(directory / "node_modules/@recall-db")
    (directory / "node_modules/@recall-db/package").rename(directory / "node_modules/@recall-db/recall")
    program = directory / "node_modules/@recall-db/recall-linux-x64/bin/recall"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return directory / "node_modules/@recall-db/recall/launcher.js"


def in_terminal(launcher):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("node", ["node", str(launcher)])
    read_until(terminal, "ready")
    os.write(terminal, b"\x03")
    seen = read_until(terminal, "interrupted")
    os.kill(pid, signal.SIGTERM)  # forwarded behind anything that was to be forwarded before
    seen = read_until(terminal, "terminated", seen)
    assert seen.count("interrupted") == 1, seen
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status == 3, status


def without_terminal(launcher):
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "start_new_session": True}
    child = subprocess.Popen(["node", str(launcher)], **options)
    out = child.stdout.fileno()
    read_until(out, "ready")
    child.send_signal(signal.SIGINT)
    read_until(out, "interrupted")
    child.send_signal(signal.SIGTERM)
    read_until(out, "terminated")
    assert child.wait() == 3


with tempfile.TemporaryDirectory() as home:
    path = install(pathlib.Path(sys.argv[1]), pathlib.Path(home))
    in_terminal(path)
    without_terminal(path)
print("an interrupt reaches the program once, from a terminal and from a process")
