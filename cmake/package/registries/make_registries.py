#!/usr/bin/env python3
"""Makes the packages of other registries from the portable tarballs, and SHA256SUMS of all.

    make_registries.py [--out DIR] [--repository https://github.com/OWNER/NAME] [--library FILE]... [TARBALL...]

The tarballs are those in DIR (build/package) unless they are named. --library is a portable librecall.so.1, for the
wheel of its machine, and with recall.node beside it for npm; those of the portable builds are taken unless some are named. The same files give the same bytes.
Without --repository the addresses of a release are placeholders: RELEASE_URL, REPOSITORY_URL, OWNER.
"""

import argparse
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True

from mcp_bundle import TREE, make_bundle, make_plugin, make_server_json  # noqa: E402
from names import addresses  # noqa: E402
from npm_packages import make_npm_packages  # noqa: E402
from portable import PackageError, read_library, read_portable  # noqa: E402
from python_wheel import make_wheel  # noqa: E402
from recipes import filled, make_recipes  # noqa: E402

# What an earlier call has made, possibly of another version.
MADE = ("recall-db-*.tgz", "recall_db-*.whl", "recall-*.mcpb", "recall-*-claude-plugin.tar.gz")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=TREE / "build/package")
    parser.add_argument("--repository", default="")
    parser.add_argument("--library", type=pathlib.Path, action="append", dest="libraries", default=[])
    parser.add_argument("tarballs", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def read_portables(paths):
    portables = [read_portable(path) for path in sorted(paths)]
    if not portables:
        raise PackageError("there is no recall-VERSION-linux-MACHINE.tar.xz")
    if len({portable.machine for portable in portables}) < len(portables):
        raise PackageError("there are two tarballs for one machine: " + ", ".join(path.name for path in paths))
    if len({portable.version for portable in portables}) > 1:
        raise PackageError("the tarballs have different versions: " + ", ".join(path.name for path in paths))
    # x86-64 first.
    return sorted(portables, key=lambda portable: portable.machine != "x86_64")


def read_libraries(paths):
    """By their machines."""
    built = [TREE / build / "librecall.so.1" for build in ("build/portable", "build/portable-aarch64")]
    libraries = [read_library(path) for path in paths or built if paths or path.exists()]
    return {library.machine: library for library in libraries}


def main():
    asked = options()
    out = asked.out
    portables = read_portables(asked.tarballs or list(out.glob("recall-*-linux-*.tar.xz")))
    libraries = read_libraries(asked.libraries)
    where = addresses(asked.repository, portables[0].version)
    out.mkdir(parents=True, exist_ok=True)
    for pattern in MADE:
        for path in out.glob(pattern):
            path.unlink()
    readme = filled("registry_page.md", portables, where)
    paths = make_npm_packages(portables, libraries, where, readme, out)
    paths += [make_wheel(portable, libraries.get(portable.machine), where, readme, out) for portable in portables]
    bundles = [make_bundle(portable, where, out) for portable in portables]
    paths += [*bundles, make_server_json(portables[0].version, bundles, where, out)]
    paths += [make_plugin(portables[0].version, out), *make_recipes(portables, where, out)]
    subprocess.run([pathlib.Path(__file__).parent / "sums.sh", out], check=True)
    for path in paths:
        print(f"{path.stat().st_size:>9} {path.name}")


try:
    main()
except (PackageError, ValueError, OSError, subprocess.CalledProcessError) as error:
    sys.exit(f"make_registries.py: {error}")
