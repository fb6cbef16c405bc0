"""npm packages: one with the program for each machine, and a launcher that has these as optional dependencies.

npm installs only the one that fits. Nothing is downloaded by a script, and none is run at install.
"""

import json
import pathlib

from archives import text, write_tgz
from names import KEYWORDS, LICENSE, NPM, NPM_CPU, SUMMARY

LAUNCHER = pathlib.Path(__file__).parent / "npm"


def package_json(**fields):
    return text(json.dumps(fields, indent=2) + "\n")


def write_package(out, name, version, files):
    """Under the name that `npm pack` gives; everything in it is below package/."""
    path = out / f"{name.lstrip('@').replace('/', '-')}-{version}.tgz"
    write_tgz(path, {f"package/{file}": files[file] for file in sorted(files)})
    return path


def make_npm_packages(portables, where, readme, out):
    first = portables[0]
    source = {"repository": {"type": "git", "url": f"git+{where.repository}.git"}} if where.known else {}
    common = {"version": first.version, "license": LICENSE, **source}
    paths, programs = [], {}
    for portable in portables:
        cpu = NPM_CPU[portable.machine]
        name = f"{NPM}-linux-{cpu}"
        programs[name] = portable.version
        manifest = package_json(
            name=name,
            description=f"The program of {NPM} for Linux on {cpu}",
            **common,
            os=["linux"],
            cpu=[cpu],
            # npm leaves the package out where the C library is another one.
            **({"libc": ["glibc"]} if portable.glibc else {}),
            preferUnplugged=True,
        )
        note = text(f"# {name}\n\nThe program for one kind of machine. Install `{NPM}`.\n")
        files = {"package.json": manifest, "README.md": note, "bin/recall": portable.program, **portable.legal()}
        paths.append(write_package(out, name, portable.version, files))

    pages = {path.removeprefix("share/"): file for path, file in first.below("share/man/man1").items()}
    manifest = package_json(
        name=NPM,
        description=SUMMARY,
        **common,
        keywords=KEYWORDS,
        mcpName=where.mcp_server,
        engines={"node": ">=18"},
        bin={"recall": "launcher.js"},
        main="program.js",
        man=[f"./{page}" for page in pages],
        glibc=next((portable.glibc for portable in portables if portable.glibc), ""),
        optionalDependencies=programs,
    )
    files = {"package.json": manifest, "README.md": readme, "LICENSE": first.legal()["LICENSE"], **pages}
    files.update({path.name: text(path.read_text()) for path in sorted(LAUNCHER.glob("*.js"))})
    return paths + [write_package(out, NPM, first.version, files)]
