"""What packages are made from: the portable tarball, recall-VERSION-linux-MACHINE.tar.xz, and librecall."""

import hashlib
import pathlib
import re
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from typing import Optional

from archives import File

# What a program may load and is still portable: the parts of the GNU C library.
C_LIBRARY = re.compile(r"(lib(c|m|dl|pthread|rt)|ld-linux-(x86-64|aarch64))\.so\.\d+")
ELF_MACHINES = {"x86_64": 62, "aarch64": 183}
# Where the licences and the bill of materials are, which each package has, too.
LEGAL = re.compile(r"share/doc/recall/(LICENSE|NOTICE|copyright|licenses/.+|[^/]*(?:sbom|spdx|cdx)[^/]*)")


class PackageError(Exception):
    pass


@dataclass(frozen=True)
class Portable:
    name: str  # of the tarball
    version: str
    machine: str  # as uname -m prints it
    sha256: str
    glibc: str  # the lowest version that has what the program needs; "" if it needs none
    files: dict  # paths below the directory of the tarball, and Files

    @property
    def program(self):
        return self.files["bin/recall"]

    def below(self, folder):
        return {path: file for path, file in self.files.items() if path.startswith(folder + "/")}

    def legal(self):
        """Licences, by their names below share/doc/recall."""
        return {path[len("share/doc/recall/") :]: file for path, file in self.files.items() if LEGAL.fullmatch(path)}


@dataclass(frozen=True)
class Library:
    machine: str
    glibc: str
    file: File
    addon: Optional[File] = None  # recall.node, which lies beside it


def with_file(data, *command):
    """What a command prints about a file with this data, and what the file is then."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        done = subprocess.run([*command, file.name], stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout, pathlib.Path(file.name).read_bytes()


def readelf(data, *options):
    return with_file(data, "readelf", "-W", *options)[0]


def machine_of(data):
    """ "" if it is no program or library for Linux that is known here."""
    number = int.from_bytes(data[18:20], "little") if data[:4] == b"\x7fELF" else 0
    return next((machine for machine, known in ELF_MACHINES.items() if known == number), "")


def lowest_glibc(name, data, what="program"):
    """Raises PackageError if the program or library needs any other library."""
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", readelf(data, "-d"))
    others = [library for library in needed if not C_LIBRARY.fullmatch(library)]
    if others:
        raise PackageError(f"{name}: the {what} is not portable, because it needs {', '.join(others)}")
    versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", readelf(data, "-V"))
    if needed and not versions:
        raise PackageError(f"{name}: the {what} does not say which C library it needs")
    return "{}.{}".format(*max((int(major), int(minor)) for major, minor in versions)) if needed else ""


def read_portable(path):
    match = re.fullmatch(r"(recall-(\d+\.\d+\.\d+(?:-[0-9a-z.]+)?)-linux-(x86_64|aarch64))\.tar\.xz", path.name)
    if not match:
        raise PackageError(f"{path.name}: the name is not recall-VERSION-linux-MACHINE.tar.xz")
    root, version, machine = match.groups()
    files = {}
    with tarfile.open(path, "r:xz") as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            if member.isfile() and member.name.startswith(root + "/"):
                data = archive.extractfile(member).read()
                files[member.name[len(root) + 1 :]] = File(data, bool(member.mode & 0o100))
            elif not member.isdir():
                raise PackageError(f"{path.name}: {member.name} is no file below {root}")
    for needed in ("bin/recall", "share/doc/recall/LICENSE"):
        if needed not in files:
            raise PackageError(f"{path.name}: {root}/{needed} is missing")
    program = files["bin/recall"].data
    if machine_of(program) != machine:
        raise PackageError(f"{path.name}: bin/recall is no program for {machine}")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return Portable(path.name, version, machine, sha256, lowest_glibc(path.name, program), files)


def stripped(machine, data):
    """Without symbols that only debuggers need."""
    return File(with_file(data, f"{machine}-linux-gnu-strip", "--strip-unneeded")[1], executable=False)


def read_addon(path, machine):
    """recall.node. Raises PackageError if it needs any other library. None if there is none."""
    if not path.exists():
        return None
    data = path.read_bytes()
    if machine_of(data) != machine:
        raise PackageError(f"{path.name}: this is no addon for {machine}")
    lowest_glibc(path.name, data, "addon")
    return stripped(machine, data)


def read_library(path):
    """librecall.so.1, and recall.node beside it. Raises PackageError if it needs any other library."""
    data = path.read_bytes()
    machine = machine_of(data)
    if not machine:
        raise PackageError(f"{path.name}: this is no library for {' or '.join(ELF_MACHINES)}")
    if "[librecall.so.1]" not in readelf(data, "-d"):
        raise PackageError(f"{path.name}: its name within is not librecall.so.1")
    glibc = lowest_glibc(path.name, data, "library")
    return Library(machine, glibc, stripped(machine, data), read_addon(path.with_name("recall.node"), machine))
