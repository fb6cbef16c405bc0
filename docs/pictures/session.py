#!/usr/bin/env python3
"""Draws a session of the real program as SVG: session.svg beside this script.

    docs/pictures/session.py build/release/recall

The commands run one after another on a terminal (a pty of 96 columns, UTF-8) in a temporary directory that has a copy
of this repository's docs/. What the program prints is drawn with its colours; nothing is edited.
"""

import fcntl
import html
import os
import pathlib
import pty
import re
import shutil
import struct
import sys
import tempfile
import termios

COLUMNS = 96
COMMANDS = [
    ["init"],
    ["add", "docs"],
    ["search", "how is a token budget counted", "--k", "2", "--explain"],
    ["context", "how is a token budget counted", "--budget-tokens", "60"],
]
# Lines that answer nothing a reader of the picture asks: how the whole query was evaluated.
UNTIL = {"search": re.compile(r"^mode +hybrid")}

BLOCKS = "█▉▊▋▌▍▎▏"  # eight eighths to one

CELL, LINE, MARGIN, TOP = 8.4, 19, 18, 44
STYLES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow", "36": "cyan"}
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def run(recall, arguments, directory):
    """What the command prints on a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(directory)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        environment = {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "HOME": str(directory), "PAGER": "cat"}
        os.execve(recall, ["recall", *arguments], environment)
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        sys.exit(f"recall {' '.join(arguments)} ended with {status}:\n{output.decode()}")
    return output.decode().replace("\r\n", "\n")


def spans(line):
    """The runs of one style of a line: (column, text, class). Progress lines are overwritten from column 0."""
    line = line.rsplit("\r", 1)[-1]
    result, column, styles, at = [], 0, set(), 0
    for match in [*SEQUENCE.finditer(line), None]:
        text = line[at : match.start()] if match else line[at:]
        if text:
            result.append((column, text, " ".join(sorted(styles))))
            column += len(text)
        if match is None:
            break
        at = match.end()
        if match.group(2) == "m":
            for code in (match.group(1) or "0").split(";"):
                styles = styles | {STYLES[code]} if code in STYLES else set() if code == "0" else styles
    return result


def wrapped(line):
    """The rows that a terminal makes of a line, which it breaks at its last column."""
    rows = [[]]
    for column, text, style in line:
        while text:
            row, place = divmod(column, COLUMNS)
            while len(rows) <= row:
                rows.append([])
            piece, text = text[: COLUMNS - place], text[COLUMNS - place :]
            rows[row].append((place, piece, style))
            column += len(piece)
    return rows


def prompt(arguments):
    words = [f'"{word}"' if " " in word else word for word in arguments]
    return [(0, "$ ", "dim"), (2, "recall " + " ".join(words), "bold")]


def session(recall):
    """The lines of the session, as spans."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name) / "project"
        directory.mkdir()
        shutil.copytree(
            pathlib.Path(__file__).parents[1], directory / "docs", ignore=shutil.ignore_patterns("pictures", "*.svg")
        )
        lines = []
        for arguments in COMMANDS:
            if lines:
                lines.append([])
            lines.append(prompt(arguments))
            printed = run(recall, arguments, directory).replace(str(directory), "~/project")
            end = UNTIL.get(arguments[0])
            for line in printed.rstrip("\n").split("\n"):
                line = spans(line)
                if end and end.match("".join(text for _, text, _ in line)):
                    break
                lines += wrapped(line)
            while not lines[-1]:
                lines.pop()
        return lines


def draw(lines):
    width = round(COLUMNS * CELL + 2 * MARGIN)
    height = round(TOP + len(lines) * LINE + MARGIN)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>A session: recall init, add, search and context, as the program prints them</title>",
        "<style>text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9;"
        "white-space:pre}.bold{font-weight:bold;fill:#fff}.dim{fill:#98a2b3}.green{fill:#8fd694}.cyan{fill:#6cc7d9}"
        ".red{fill:#f2777a}.yellow{fill:#e6c15c}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#1b2028"/>',
        *(f'<circle cx="{MARGIN + 6 + 20 * i}" cy="20" r="6" fill="{c}"/>' for i, c in
          enumerate(("#e0675f", "#e0b04a", "#5fb05f"))),
    ]
    for row, line in enumerate(lines):
        y = TOP + row * LINE + 14
        for column, text, style in line:
            if not text.strip():
                continue
            indent = len(text) - len(text.lstrip())
            text = text.strip()
            x = MARGIN + (column + indent) * CELL
            if set(text) <= set(BLOCKS):  # drawn as one bar, because glyphs leave gaps
                width_of = sum((len(BLOCKS) - BLOCKS.index(block)) / len(BLOCKS) for block in text) * CELL
                parts.append(f'<rect x="{x:.1f}" y="{y - 11}" width="{width_of:.1f}" height="14" class="green"/>')
                continue
            name = f' class="{style}"' if style else ""
            parts.append(
                f'<text x="{x:.1f}" y="{y}" textLength="{len(text) * CELL:.1f}" lengthAdjust="spacingAndGlyphs"{name}>'
                f"{html.escape(text)}</text>"
            )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE = draw(session(str(pathlib.Path(sys.argv[1]).resolve())))
    (pathlib.Path(__file__).parent / "session.svg").write_text(PICTURE)
