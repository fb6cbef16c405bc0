#!/usr/bin/python3
"""Random texts and presentations, written by odfpy, are read back.

    odf_documents.py PROGRAM [DOCUMENTS]      PROGRAM: extract_documents

Each block must come as it was made (headings with their level, items with their level, rows with
tabs, notes), in order, at the place of its paragraph or slide. Needs Debian's python3-odf.
"""

import json
import random
import subprocess
import sys
import tempfile

from odf import draw, presentation, style, table, text
from odf.opendocument import OpenDocumentPresentation, OpenDocumentText

WORDS = ["river", "Ünicode", "x < y & z", "naïve", "日本語", "don’t", "1.5", "a\u00a0b", "]]>"]
faults = 0
blocks_seen = 0


def fault(*what):
    global faults
    faults += 1
    if faults <= 20:
        print(*what, file=sys.stderr)


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.serial = 0

    def words(self):
        self.serial += 1
        picked = [self.random.choice(WORDS) for _ in range(self.random.randint(1, 6))]
        return f"w{self.serial} " + " ".join(picked)


def extract(program, document):
    with tempfile.NamedTemporaryFile(suffix=".odt") as file:
        document.save(file.name)
        out = subprocess.run([program, "odt", file.name], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(out)


def compare(where, extraction, expected):
    """expected: (place, range, text) of each block, in order."""
    global blocks_seen
    data = extraction["text"].encode()
    at = 0
    spans = extraction["spans"]
    for place, range_, block in expected:
        blocks_seen += 1
        found = data.find((block + "\n").encode(), at)
        if found < 0:
            fault(where, "is missing or out of order:", repr(block), "after", repr(data[at : at + 80].decode()))
            continue
        at = found + len(block.encode()) + 1
        span = [s for s in spans if s["start"] <= found < s["end"]]
        if not span or (span[0]["number"], span[0]["range"]) != (place, range_):
            fault(where, "has another place:", repr(block), span, place, range_)


def text_document(maker):
    document = OpenDocumentText()
    expected = []
    paragraph = 0
    note = 0
    for _ in range(maker.random.randint(1, 40)):
        kind = maker.random.randrange(5)
        if kind == 0:
            level, words = maker.random.randint(1, 6), maker.words()
            document.text.addElement(text.H(outlinelevel=level, text=words))
            paragraph += 1
            expected.append((paragraph, "", "#" * level + " " + words))
        elif kind == 1:
            container = text.List()
            document.text.addElement(container)
            for _ in range(maker.random.randint(1, 4)):
                item, words = text.ListItem(), maker.words()
                item.addElement(text.P(text=words))
                container.addElement(item)
                paragraph += 1
                expected.append((paragraph, "", "- " + words))
                if maker.random.random() < 0.3:
                    inner, inner_item, words = text.List(), text.ListItem(), maker.words()
                    inner_item.addElement(text.P(text=words))
                    inner.addElement(inner_item)
                    item.addElement(inner)
                    paragraph += 1
                    expected.append((paragraph, "", "  - " + words))
        elif kind == 2:
            made = table.Table()
            columns = maker.random.randint(1, 4)
            for _ in range(maker.random.randint(1, 4)):
                row, cells = table.TableRow(), []
                for _ in range(columns):
                    cell, words = table.TableCell(), maker.words()
                    cell.addElement(text.P(text=words))
                    row.addElement(cell)
                    cells.append(words)
                made.addElement(row)
                expected.append((paragraph + 1, "", "\t".join(cells)))
                paragraph += columns
            document.text.addElement(made)
        else:
            words = maker.words()
            made = text.P(text=words)
            paragraph += 1
            if kind == 3:
                note += 1
                said = maker.words()
                mark = text.Note(noteclass="footnote", id=f"n{note}")
                mark.addElement(text.NoteCitation(text=str(note)))
                body = text.NoteBody()
                body.addElement(text.P(text=said))
                mark.addElement(body)
                made.addElement(mark)
                expected.append((paragraph, "", f"{words}[{note}]"))
                expected.append((paragraph, "", f"[{note}] {said}"))
            else:
                expected.append((paragraph, "", words))
            document.text.addElement(made)
    return document, expected


def slides(maker):
    document = OpenDocumentPresentation()
    layout = style.PageLayout(name="L")
    document.automaticstyles.addElement(layout)
    master = style.MasterPage(name="M", pagelayoutname=layout)
    document.masterstyles.addElement(master)

    def frame(words, role=None):
        made = draw.Frame(width="1cm", height="1cm")
        if role:
            made.setAttribute("class", role)
        box = draw.TextBox()
        box.addElement(text.P(text=words))
        made.addElement(box)
        return made

    expected = []
    for number in range(1, maker.random.randint(2, 9)):
        page = draw.Page(masterpagename=master)
        title = maker.words()
        bodies = [maker.words() for _ in range(maker.random.randint(0, 4))]
        frames = [frame(words) for words in bodies]
        frames.insert(maker.random.randint(0, len(frames)), frame(title, "title"))
        for made in frames:
            page.addElement(made)
        expected.append((number, "", "# " + title))
        expected += [(number, "", words) for words in bodies]
        if maker.random.random() < 0.5:
            words = maker.words()
            notes = presentation.Notes()
            notes.addElement(frame(words, "notes"))
            page.addElement(notes)
            expected.append((number, "notes", words))
        document.presentation.addElement(page)
    return document, expected


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    for seed in range(count):
        for make in (text_document, slides):
            document, expected = make(Maker(seed))
            compare(f"{make.__name__} {seed}", extract(program, document), expected)
    print(f"odf: {blocks_seen} blocks in {2 * count} documents, {faults} faults")
    sys.exit(faults != 0)


main()
