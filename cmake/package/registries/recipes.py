"""Files that tell other programs how to install a release: Containerfile, Homebrew formula, PKGBUILD.

Their templates are in recipes/. @NAME@ is replaced. A line that begins with @x86_64@ or @aarch64@ is there only if
there is a tarball for that machine.
"""

import pathlib
import re

from archives import text
from names import LICENSE, SUMMARY

TEMPLATES = pathlib.Path(__file__).parent / "recipes"
MACHINES = {"x86_64": "x86-64", "aarch64": "64-bit ARM"}


def latest(versions):
    return max(versions, key=lambda version: [int(part) for part in version.split(".") if part])


def filled(name, portables, where):
    glibc = latest([portable.glibc for portable in portables])
    values = {
        "VERSION": portables[0].version,
        "SUMMARY": SUMMARY,
        "LICENSE": LICENSE,
        "REPOSITORY": where.repository,
        "RELEASE": where.release,
        "MCP_SERVER": where.mcp_server,
        "MACHINES": " ".join(f"'{portable.machine}'" for portable in portables),
        "GLIBC": glibc,
        "NEEDS": f"It needs the GNU C library {glibc} or later, and nothing else." if glibc else "It needs no library.",
        "MACHINE_NAMES": " and ".join(MACHINES[portable.machine] for portable in portables),
    }
    for portable in portables:
        values[f"TARBALL_{portable.machine}"] = portable.name
        values[f"SHA256_{portable.machine}"] = portable.sha256
    there = {portable.machine for portable in portables}
    lines = []
    for line in (TEMPLATES / f"{name}.in").read_text().splitlines():
        machine = next((machine for machine in MACHINES if line.startswith(f"@{machine}@")), None)
        if machine and machine not in there:
            continue
        line = line.removeprefix(f"@{machine}@")
        lines.append(re.sub(r"@(\w+)@", lambda match: values[match[1]], line).rstrip())
    return text("\n".join(lines) + "\n")


def make_recipes(portables, where, out):
    paths = []
    for name in ("Containerfile", "recall.rb", "PKGBUILD"):
        paths.append(out / name)
        paths[-1].write_bytes(filled(name, portables, where).data)
    return paths
