#!/usr/bin/env python3
"""Writes files of many formats into a folder, the same bytes each time.

  make_files.py FOLDER
"""
import io
import os
import pathlib
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TIME = 1_767_225_600  # 2026-01-01


def packed(members):
    """A ZIP container."""
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return result.getvalue()


def tar(members, compression):
    result = io.BytesIO()
    with tarfile.open(fileobj=result, mode=f"w:{compression}", format=tarfile.GNU_FORMAT) as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            member.mtime = TIME
            archive.addfile(member, io.BytesIO(text.encode()))
    return result.getvalue()


def word(paragraphs):
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    return packed({
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="rId1" Target="word/document.xml" Type='
        '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>',
        "word/document.xml": '<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w='
        f'"http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>',
    })


CODE = {
    "lighthouse.py": "class Lighthouse:\n    def lamp_hours(self, nights):\n        return sum(n.hours for n in nights)\n",
    "harbour.cc": "namespace port {\nint BerthOf(const Ship& ship) {\n  return ship.length > 90 ? 2 : 1;\n}\n}\n",
    "tide.go": "package tide\n\nfunc HighWater(day int) int {\n\treturn (day * 50) % 1440\n}\n",
    "buoy.rs": "pub struct Buoy;\nimpl Buoy {\n    pub fn drift_metres(&self) -> f64 { 3.5 }\n}\n",
    "pilot.ts": "export function callPilot(ship: string): string {\n  return `pilot for ${ship}`;\n}\n",
}

FILES = {
    "letter.docx": word(["The harbour master wrote about the dredging of the northern channel.",
                         "It begins in April and ends before the herring season."]),
    "page.html": "<html><head><title>Ferries</title></head><body><nav>Home</nav><h1>Ferries</h1><p>The ferry to the "
    "island leaves at seven and returns at noon.</p></body></html>",
    "mail.eml": "From: Ada <ada@example.org>\r\nTo: Bo <bo@example.org>\r\nSubject: Mooring fees\r\nDate: Thu, 1 Jan "
    "2026 09:00:00 +0000\r\nMessage-ID: <1@example.org>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nThe mooring "
    "fee rises to forty crowns.\r\n",
    "notebook.ipynb": '{"cells":[{"cell_type":"markdown","metadata":{},"source":["# Wave heights\\n","Measured at the '
    'pier."]},{"cell_type":"code","metadata":{},"execution_count":1,"outputs":[],"source":["heights = [1.2, 2.4]"]}],'
    '"metadata":{},"nbformat":4,"nbformat_minor":5}',
    "scripts.txt": "naïve Straße ﬁne Ⅷ\n東京は日本の首都です。กรุงเทพมหานคร\nВ гавани стоят корабли.\n",
    "latin1.txt": "Die Größe des Schiffes beträgt vierzig Meter über alles, sagte der Kapitän.\n".encode("latin-1"),
    "logs.zip": packed({"storm.log": "wind 11 beaufort, the barrier is closed\n"}),
    "logs.tar.gz": tar({"calm.log": "wind 1 beaufort, fog over the estuary\n"}, "gz"),
    "logs.tar.xz": tar({"breeze.log": "wind 4 beaufort, sailing boats leave\n"}, "xz"),
    "logs.tar.bz2": tar({"gale.log": "wind 8 beaufort, the ferry stays in port\n"}, "bz2"),
    **{f"code/{name}": text for name, text in CODE.items()},
}


def main():
    folder = pathlib.Path(sys.argv[1])
    files = dict(FILES)
    for page in sorted((ROOT / "docs").glob("*.md")):
        files[f"docs/{page.name}"] = page.read_bytes()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (TIME, TIME))


main()
