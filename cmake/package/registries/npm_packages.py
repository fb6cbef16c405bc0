"""npm packages: for each machine one with the program and one with the library, and one that has these as optional
dependencies: a launcher of the program, and the functions of the library (docs/node.md).

npm installs only those that fit. Nothing is downloaded by a script, and none is run at install. Program and library are
apart because together they are larger than some registries and mirrors take.
"""

import json
import pathlib

from archives import text, write_tgz
from names import KEYWORDS, LICENSE, NPM, NPM_CPU, NPM_LIBRARY, SUMMARY

LAUNCHER = pathlib.Path(__file__).parent / "npm"
API = pathlib.Path(__file__).parents[3] / "cli/library/node/package"


def package_json(**fields):
    return text(json.dumps(fields, indent=2) + "\n")


def write_package(out, name, version, files):
    """Under the name that `npm pack` gives; everything in it is below package/."""
    path = out / f"{name.lstrip('@').replace('/', '-')}-{version}.tgz"
    write_tgz(path, {f"package/{file}": files[file] for file in sorted(files)})
    return path


def machine_package(portable, name, what, common, files):
    """The files of a package for one kind of machine."""
    cpu = NPM_CPU[portable.machine]
    manifest = package_json(
        name=name,
        description=f"The {what} of {NPM} for Linux on {cpu}",
        **common,
        os=["linux"],
        cpu=[cpu],
        # npm leaves the package out where the C library is another one.
        **({"libc": ["glibc"]} if portable.glibc else {}),
        preferUnplugged=True,
    )
    note = text(f"# {name}\n\nThe {what} for one kind of machine. Install `{NPM}`.\n")
    return {"package.json": manifest, "README.md": note, **files, **portable.legal()}


def machine_packages(portable, library, common):
    """Names and files of the packages for one kind of machine. `library`: that of the machine, or None."""
    cpu = NPM_CPU[portable.machine]
    packages = [(f"{NPM}-linux-{cpu}", "program", {"bin/recall": portable.program})]
    if library and library.addon:
        files = {"lib/librecall.so.1": library.file, "lib/recall.node": library.addon}
        packages.append((f"{NPM_LIBRARY}-linux-{cpu}", "library", files))
    return {name: machine_package(portable, name, what, common, files) for name, what, files in packages}


def main_package(portables, where, readme, common, dependencies):
    """The files of the package that users install."""
    first = portables[0]
    pages = {path.removeprefix("share/"): file for path, file in first.below("share/man/man1").items()}
    manifest = package_json(
        name=NPM,
        description=SUMMARY,
        **common,
        keywords=KEYWORDS,
        mcpName=where.mcp_server,
        engines={"node": ">=18"},
        bin={"recall": "launcher.js"},
        main="index.js",
        types="index.d.ts",
        exports={
            ".": {
                "import": {"types": "./index.d.mts", "default": "./index.mjs"},
                "require": {"types": "./index.d.ts", "default": "./index.js"},
            },
            "./package.json": "./package.json",
        },
        man=[f"./{page}" for page in pages],
        glibc=next((portable.glibc for portable in portables if portable.glibc), ""),
        optionalDependencies=dependencies,
    )
    scripts = {path.name: text(path.read_text()) for folder in (LAUNCHER, API) for path in sorted(folder.glob("*.*"))}
    return {"package.json": manifest, "README.md": readme, "LICENSE": first.legal()["LICENSE"], **pages, **scripts}


def npm_packages(portables, libraries, where, readme):
    """Names and files of all packages."""
    first = portables[0]
    source = {"repository": {"type": "git", "url": f"git+{where.repository}.git"}} if where.known else {}
    common = {"version": first.version, "license": LICENSE, **source}
    packages = {}
    for portable in portables:
        packages.update(machine_packages(portable, libraries.get(portable.machine), common))
    dependencies = {name: first.version for name in packages}
    return {**packages, NPM: main_package(portables, where, readme, common, dependencies)}


def make_npm_packages(portables, libraries, where, readme, out):
    version = portables[0].version
    packages = npm_packages(portables, libraries, where, readme)
    return [write_package(out, name, version, files) for name, files in packages.items()]
