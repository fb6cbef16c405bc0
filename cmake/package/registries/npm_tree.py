#!/usr/bin/env python3
"""Lays the npm packages out in FOLDER/node_modules as npm does, of any build of this machine:

    npm_tree.py FOLDER PROGRAM LIBRARY ADDON

The three files are linked, not copied. Tests use it, and who changes the package.
"""

import pathlib
import platform
import subprocess
import sys

sys.dont_write_bytecode = True

from archives import File  # noqa: E402
from names import addresses  # noqa: E402
from npm_packages import npm_packages  # noqa: E402
from portable import Library, Portable  # noqa: E402


def lay_out(folder, packages, linked):
    for name, files in packages.items():
        for member, file in files.items():
            path = folder / "node_modules" / name / member
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            if member in linked:
                path.symlink_to(linked[member].resolve())
            else:
                path.write_bytes(file.data)
                path.chmod(file.mode)


def main():
    folder, program, library, addon = map(pathlib.Path, sys.argv[1:])
    linked = {"bin/recall": program, "lib/librecall.so.1": library, "lib/recall.node": addon}
    for file in linked.values():
        if not file.exists():
            sys.exit(f"npm_tree.py: there is no {file}")
    version = subprocess.run([program.resolve(), "version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    nothing = File(b"")
    machine = platform.machine()
    files = {"share/doc/recall/LICENSE": nothing, "bin/recall": nothing}
    libraries = {machine: Library(machine, "", nothing, nothing)}
    portable = Portable("", version, machine, "", "", files)
    lay_out(folder, npm_packages([portable], libraries, addresses("", version), nothing), linked)


main()
