#!/usr/bin/env python3
"""Writes what the portable program or library consists of, as a CycloneDX document, and the licences of it.

  portable_sbom.py BUILD_DIRECTORY NAME SBOM LICENCES

NAME is that of the package: recall-... or librecall-.... What is linked is read from the linker's map and from the
headers that the compiler read; to which Debian packages these files belong is known to dpkg. Grammars are those of
cmake/grammars.lock. The same build gives the same bytes: the time is SOURCE_DATE_EPOCH.
"""
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse
import uuid

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def run(*command, check=True):
    return subprocess.run(command, check=check, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def licences():
    lines = (SOURCE / "cmake/package/portable_licences.txt").read_text().splitlines()
    return dict(line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))


def host_path(path, sysroot):
    """The name on this machine of a file in the packages for another processor."""
    if sysroot and path.startswith(sysroot):
        path = path[len(sysroot):].replace("aarch64-linux-gnu", "x86_64-linux-gnu")
    # Debian's folders /lib and /usr/lib are one, and dpkg knows each file by one of its names.
    return os.path.normpath(path)


def owners(paths):
    """The Debian packages that have these files: {package: one of the files}."""
    found = {}
    paths = sorted(paths)
    for begin in range(0, len(paths), 500):
        for line in run("dpkg", "-S", *paths[begin:begin + 500], check=False).splitlines():
            package, path = line.split(": ", 1)
            found.setdefault(package.split(",")[0].split(":")[0], path)
    return found


def debian(name, version, licence, architecture, use, release=None):
    release = release or "debian-12"
    purl = f"pkg:deb/debian/{urllib.parse.quote(name)}@{urllib.parse.quote(version, safe='')}"
    return {
        "type": "library",
        "bom-ref": f"{name}@{version}",
        "name": name,
        "version": version,
        "licenses": [{"expression": licence}],
        "purl": f"{purl}?arch={architecture}&distro={release}",
        "properties": [{"name": "recall:use", "value": use}],
    }


class Build:
    def __init__(self, directory, library):
        self.directory = directory
        self.library = library
        self.cache = (directory / "CMakeCache.txt").read_text()
        self.cross = "aarch64" in (self.setting("CMAKE_TOOLCHAIN_FILE") or "")
        self.architecture = "arm64" if self.cross else "amd64"
        self.sysroot = str(SOURCE / "build/aarch64-sysroot") if self.cross else ""
        self.parts = pathlib.Path(self.setting("RECALL_PORTABLE_PARTS"))

    def setting(self, name):
        found = re.search(rf"^{name}:[A-Z]+=(.*)$", self.cache, re.M)
        return found and found[1]

    def version_of(self, package):
        if self.cross:
            versions = pathlib.Path(self.sysroot, "versions").read_text()
            found = re.search(rf"^{re.escape(package)}=(.*)$", versions, re.M)
            if found:
                return found[1]
        return run("dpkg-query", "-W", "-f=${Version}", package)

    def archives(self):
        """Archives of Debian of which a part is linked."""
        name = "librecall.map" if self.library else "portable/recall.map"
        text = (self.directory / name).read_text(errors="replace")
        found = set(re.findall(r"(?:^|\s)(/[^\s()]*\.a)\(", text, re.M))
        return {host_path(path, self.sysroot) for path in found
                if not path.startswith((str(self.directory), str(self.parts)))}

    def headers(self):
        """Headers of all that is compiled, but for the addon of Node.js, which is packed elsewhere."""
        found = set()
        for of_object in run("ninja", "-C", str(self.directory), "-t", "deps").split("\n\n"):
            if "recall_node.dir/" not in of_object.split(":", 1)[0]:
                found.update(re.findall(r"^\s+(/\S+)$", of_object, re.M))
        return {host_path(path, self.sysroot) for path in found if "/usr/" in path
                and (path.startswith("/usr/") or path.startswith(self.sysroot))}

    def grammars(self):
        folder = pathlib.Path(self.setting("RECALL_GRAMMARS_FOLDER") or SOURCE / "build/grammars")
        for line in (SOURCE / "cmake/grammars.lock").read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            package, version, digest, _ = line.split()
            unpacked = folder / f"{package.lstrip('@').replace('/', '-')}-{version}"
            if not (unpacked / "sha256").exists():
                raise SystemExit(f"{package} {version} is not linked: ./x setup --grammars")
            licence = json.loads((unpacked / "package.json").read_text())["license"]
            yield {
                "type": "library",
                "bom-ref": f"{package}@{version}",
                "name": package,
                "version": version,
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "licenses": [{"expression": licence}],
                "purl": f"pkg:npm/{urllib.parse.quote(package, safe='/')}@{version}",
                "properties": [{"name": "recall:use", "value": "grammar"}],
            }


def components(build):
    known = licences()
    uses = {}
    for package in owners(build.archives()):
        uses[package] = "archive"
    for package in owners(build.headers()):
        uses.setdefault(package, "headers")
    uses["wordnet-base"] = "data"
    result = []
    for package, use in sorted(uses.items()):
        name = re.sub(r"-(arm64-)?cross$", "", package)
        if name not in known:
            raise SystemExit(f"{name} is linked, and cmake/package/portable_licences.txt does not have its licence")
        result.append(debian(package, build.version_of(package), known[name], build.architecture, use))
    # The start of a program, and functions that glibc keeps in an archive.
    processor = "aarch64" if build.cross else "x86_64"
    for line in (build.parts / f"glibc-{processor}/packages").read_text().splitlines():
        name, version = line.split("=", 1)
        if name == "libc6-dev":
            result.append(debian(name, version, known[name], build.architecture, "archive", "debian-11"))
    for line in (build.parts / "sources/packages").read_text().splitlines():
        name, version = line.split("=", 1)
        result.append(debian(name, version, known[name], "source", "source"))
    return result if build.library else result + list(build.grammars())


def copy_licences(build, parts, folder):
    """Debian's statements of the licences, and the common licences that they name."""
    named = set()
    for part in parts:
        if part["purl"].startswith("pkg:npm/"):
            continue  # installed with the grammars
        package = part["name"]
        text = pathlib.Path("/usr/share/doc", package, "copyright")
        if "arch=source" in part["purl"]:
            text = build.parts / "sources" / package / "LICENSE"
        if not text.exists():
            raise SystemExit(f"{text} is missing")
        shutil.copyfile(text, folder / package)
        named |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", text.read_text()))
    for name in sorted(named):
        shutil.copyfile(pathlib.Path("/usr/share/common-licenses", name), folder / f"common-{name}")


def main():
    directory, name, sbom, folder = sys.argv[1:]
    library = name.startswith("librecall-")
    build = Build(pathlib.Path(directory).resolve(), library)
    parts = components(build)
    version = build.setting("CMAKE_PROJECT_VERSION")
    commit = re.search(r'kSourceCommit = "(.*)"', (build.directory / "query/source_commit.cc").read_text())[1]
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'recall/{name}/{commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "library" if library else "application",
                "bom-ref": name,
                "name": "librecall" if library else "recall",
                "version": version,
                "licenses": [{"expression": "Apache-2.0"}],
                "properties": [{"name": "recall:commit", "value": commit}],
            },
        },
        "components": parts,
        "dependencies": [{"ref": name, "dependsOn": sorted({part["bom-ref"] for part in parts})}],
    }
    refs = [part["bom-ref"] for part in parts]
    assert len(refs) == len(set(refs)), "two parts have one name and version"
    pathlib.Path(sbom).write_text(json.dumps(document, indent=1) + "\n")
    copy_licences(build, parts, pathlib.Path(folder))


main()
