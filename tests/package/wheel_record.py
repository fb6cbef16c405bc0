#!/usr/bin/env python3
"""Compares wheels with what they say of themselves (PEP 427): wheel_record.py WHEEL..."""

import base64
import csv
import hashlib
import io
import pathlib
import sys
import zipfile


def check(path):
    name, version, python, abi, platforms = path.stem.split("-")
    with zipfile.ZipFile(path) as wheel:
        files = {entry.filename: wheel.read(entry) for entry in wheel.infolist()}
        modes = {entry.filename: entry.external_attr >> 16 for entry in wheel.infolist()}
    info = f"{name}-{version}.dist-info"
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(files[f"{info}/RECORD"].decode()))}
    assert rows.keys() == files.keys(), rows.keys() ^ files.keys()
    for file, (digest, size) in rows.items():
        if file == f"{info}/RECORD":
            continue
        actual = base64.urlsafe_b64encode(hashlib.sha256(files[file]).digest()).rstrip(b"=").decode()
        assert digest == f"sha256={actual}" and int(size) == len(files[file]), file
    said = [line[5:] for line in files[f"{info}/WHEEL"].decode().splitlines() if line.startswith("Tag: ")]
    assert said == [f"{python}-{abi}-{platform}" for platform in platforms.split(".")], said
    metadata = files[f"{info}/METADATA"].decode()
    assert f"\nVersion: {version}\n" in metadata and "\nLicense-Expression: Apache-2.0\n" in metadata
    # The registry of MCP servers looks for the name of the server there.
    assert "<!-- mcp-name: io.github." in metadata
    assert f"{info}/licenses/LICENSE" in files
    assert modes[f"{name}-{version}.data/scripts/recall"] == 0o100755


for argument in sys.argv[1:]:
    check(pathlib.Path(argument))
