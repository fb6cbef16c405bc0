#!/usr/bin/env python3
"""wheel_package.py PROGRAM: the package `recall` that pip has installed finds the program, PROGRAM, and the library.

With a library in the package a store is made, and a page in HTML is extracted by the program. Without one, an error
says what to do. Nothing of the source tree is used.
"""

import filecmp
import os
import pathlib
import sys
import tempfile

import recall

assert filecmp.cmp(recall.program_path(), sys.argv[1], shallow=False), recall.program_path()
package = pathlib.Path(recall.__file__).parent
assert (package / "py.typed").exists()
os.environ.pop("RECALL_LIBRARY", None)

with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    pathlib.Path("pond.html").write_text("<html><body><p>A heron <b>stands</b> at the pond.</p></body></html>")
    if (package / "librecall.so.1").exists():
        with recall.open("notes.db", create=True, settings={"embedding": "hash"}) as store:
            assert store.add_files("pond.html").added == 1
            found = store.search("heron")[0].text.strip()
            assert found == "A heron stands at the pond.", found
    else:
        try:
            recall.open("notes.db", library="/nowhere/librecall.so.1")
        except recall.UnavailableError as error:
            assert "RECALL_LIBRARY" in error.hint, error
        else:
            raise AssertionError("a library that does not exist is opened")
