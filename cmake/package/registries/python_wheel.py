"""A Python wheel for each machine: the program, the package `recall`, and the library if there is one for the machine.

The program is a script of the wheel, so no interpreter starts before it. The library lies in the package.

Written without a build backend: a wheel is a ZIP file with a list of hashes (PEP 427).
"""

import base64
import hashlib
import pathlib
import re

from archives import File, text, write_zip
from names import KEYWORDS, LICENSE, PYPI, SUMMARY

HERE = pathlib.Path(__file__).parent
LAUNCHER = HERE / "python/recall_db.py"
MODULES = HERE.parents[2] / "cli/library/python"
PACKAGE = PYPI.replace("-", "_")


def python_version(version):
    """As PEP 440 writes it: 1.2.0-rc.1 is 1.2.0rc1."""
    match = re.fullmatch(r"([0-9.]+)(?:-(alpha|beta|rc)\.?(\d+))?", version)
    if not match:
        raise ValueError(f"Python has no such version: {version}")
    stage = {"alpha": "a", "beta": "b", "rc": "rc", None: ""}[match[2]]
    return match[1] + stage + (match[3] or "")


def tags(portable, library):
    """PEP 600 for the C library that program and library need; a program that needs none also runs with musl."""
    needed = [lowest for lowest in (portable.glibc, library and library.glibc) if lowest]
    if needed:
        glibc = max(needed, key=lambda version: [int(part) for part in version.split(".")])
        return f"manylinux_{glibc.replace('.', '_')}_{portable.machine}"
    return f"manylinux_2_17_{portable.machine}.musllinux_1_1_{portable.machine}"


def metadata(version, where, licences, readme):
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {PYPI}",
        f"Version: {version}",
        f"Summary: {SUMMARY}",
        f"Keywords: {','.join(KEYWORDS)}",
        f"License-Expression: {LICENSE}",
        *(f"License-File: {name}" for name in licences),
        *([f"Project-URL: Repository, {where.repository}"] if where.known else []),
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
    ]
    return File("\n".join(lines).encode() + b"\n\n" + readme.data)


def record(files, path):
    lines = []
    for name, file in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(file.data)}\n")
    return text("".join(lines) + f"{path},,\n")


def modules():
    """The package, with its marker of types."""
    paths = sorted((MODULES / "recall").glob("*.py")) + [MODULES / "recall/py.typed"]
    files = {f"recall/{path.name}": text(path.read_text()) for path in paths}
    return {LAUNCHER.name: text(LAUNCHER.read_text()), **files}


def make_wheel(portable, library, where, readme, out):
    """`library`: that of the machine, or None; then the package uses one of the system."""
    version = python_version(portable.version)
    info, data = f"{PACKAGE}-{version}.dist-info", f"{PACKAGE}-{version}.data"
    files = modules()
    if library:
        files["recall/librecall.so.1"] = library.file
    files[f"{data}/scripts/recall"] = portable.program
    for folder in ("share/man", "share/bash-completion", "share/zsh", "share/fish"):
        files.update({f"{data}/data/{path}": file for path, file in portable.below(folder).items()})
    legal = portable.legal()
    files.update({f"{info}/licenses/{name}": file for name, file in legal.items()})
    tag = f"py3-none-{tags(portable, library)}"
    platforms = tag.split("-")[2].split(".")
    wheel = ["Wheel-Version: 1.0", "Generator: recall", "Root-Is-Purelib: false"]
    wheel += [f"Tag: py3-none-{platform}" for platform in platforms]
    files[f"{info}/WHEEL"] = text("\n".join(wheel) + "\n")
    files[f"{info}/METADATA"] = metadata(version, where, legal, readme)
    # uvx runs the program that has the name of the package.
    files[f"{info}/entry_points.txt"] = text(f"[console_scripts]\n{PYPI} = recall._program:main\n")
    # What describes the wheel comes last, and the hashes after everything else.
    files = {name: files[name] for name in sorted(files, key=lambda name: (name.startswith(info), name))}
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD")
    path = out / f"{PACKAGE}-{version}-{tag}.whl"
    write_zip(path, files)
    return path
