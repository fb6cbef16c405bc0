#!/usr/bin/env python3
"""Draws speed.svg and quality.svg beside this script, from the tables of PERFORMANCE.md and RETRIEVAL.md.

    docs/pictures/figures.py

Every number is read from these documents, so that a picture shows what they say. A table that is not found where it is
expected ends the script.
"""

import html
import math
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).parents[1]
WIDTH, LEFT, RIGHT = 800, 260, 50
# Pairs for light and dark backgrounds.
COLOURS = [("#2a6fbb", "#6aa9f0"), ("#c2581a", "#f0a05a"), ("#2b8a57", "#63c58f"), ("#7b52ab", "#b692e6"),
           ("#b8383d", "#f08489"), ("#14808f", "#58c6d6"), ("#7a7413", "#c9c35a")]
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2430}.t{font-size:16px;font-weight:600}.q{font-size:12px;fill:#5b6575}"
    ".g{stroke:#d9dde4}.o{stroke:#1d2430;stroke-width:1.5}.p{fill:#fff}"
    + "".join(f".c{i}{{fill:{light};stroke:{light}}}" for i, (light, _) in enumerate(COLOURS))
    + "@media(prefers-color-scheme:dark){text{fill:#e4e8ee}.q{fill:#9aa4b2}.g{stroke:#343b46}.o{stroke:#e4e8ee}"
    ".p{fill:#15181d}"
    + "".join(f".c{i}{{fill:{dark};stroke:{dark}}}" for i, (_, dark) in enumerate(COLOURS))
    + "}"
)


def table(document, heading, first_cell):
    """The rows below the header of the first table after `heading` whose header begins with `first_cell`."""
    lines = (DOCS / document).read_text().split("\n")
    if heading not in lines:
        sys.exit(f"{document} has no '{heading}'")
    for at in range(lines.index(heading), len(lines)):
        cells = [cell.strip() for cell in lines[at].strip("|").split("|")]
        if lines[at].startswith("|") and cells[: len(first_cell)] == first_cell:
            rows = []
            for line in lines[at + 2 :]:
                if not line.startswith("|"):
                    return rows
                rows.append([cell.strip() for cell in line.strip("|").split("|")])
    sys.exit(f"{document} has no such table after '{heading}'")


def quoted(document, pattern):
    """What the groups of a pattern match in a document, whose lines are joined."""
    found = re.search(pattern, (DOCS / document).read_text().replace("\n", " "))
    return found.groups() if found else sys.exit(f"{document} does not say: {pattern}")


def text(x, y, words, anchor="start", name=""):
    style = f' class="{name}"' if name else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{html.escape(words, quote=False)}</text>'


def line(x1, y1, x2, y2, name):
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="{name}"/>'


def dot(x, y, series):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="c{series}"/>'


def legend(names, y):
    parts, x = [], LEFT
    for i, name in enumerate(names):
        width = 22 + 7.2 * len(name)
        if x + width > WIDTH and x > LEFT:
            x, y = LEFT, y + 20
        parts += [dot(x + 5, y - 4, i), text(x + 15, y, name)]
        x += width + 8
    return parts, y


def picture(title, alt, height, parts):
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img">\n'
        f"<title>{html.escape(alt, quote=False)}</title>\n<style>{STYLE}</style>\n"
        f'<rect width="{WIDTH}" height="{height:.0f}" class="p"/>'
    )
    return "\n".join([head, text(16, 28, title, name="t"), *parts, "</svg>", ""])


# ---- Speed ----

PEERS = ["FTS5", "Xapian", "ripgrep", "sqlite-vec int8", "sqlite-vector 8 bits", "hnswlib", "FAISS IVF-PQ"]


def times_of(cell):
    """{"FTS5": 0.65, ...} of "FTS5 0.65, Xapian 1.3 (0.56 on a quiet machine)"."""
    times = {}
    for peer in PEERS:
        found = re.search(rf"(?:^|, |; ){re.escape(peer)} ([0-9.]+)", cell)
        if found:
            times[peer] = float(found.group(1))
    return times


def speed():
    rows = table("PERFORMANCE.md", "## Compared with other programs", ["task", "Recall", "others, x"])
    data = [(task, ours, times_of(others)) for task, ours, others in rows]
    if any(not times for _, _, times in data):
        sys.exit("a row of PERFORMANCE.md names no known program")
    values = [value for _, _, times in data for value in [1, *times.values()]]
    low, high = math.log10(min(values) / 1.6), math.log10(max(values) * 1.6)

    def place(value):
        return LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    parts, y = legend(PEERS, 56)
    top = y + 16
    y = top + 8
    marks = []
    for task, ours, times in data:
        name, _, detail = task.partition(", ")
        marks += [text(LEFT - 14, y + 12, name, "end"), text(LEFT - 14, y + 28, detail, "end", "q")]
        marks.append(text(place(1) + 6, y + 36, re.split(r", | \(", ours)[0], name="q"))
        for peer, value in times.items():
            marks.append(dot(place(value), y + 16, PEERS.index(peer)))
            marks.append(text(place(value), y + 6, f"{value:g}", "middle", "q"))
        y += 46
    for tick in (0.1, 1, 10, 100):
        if low <= math.log10(tick) <= high:
            parts.append(line(place(tick), top, place(tick), y, "o" if tick == 1 else "g"))
            parts.append(text(place(tick), y + 16, "Recall" if tick == 1 else f"{tick:g} times", "middle", "q"))
    data_of, date, machine = quoted(
        "PERFORMANCE.md",
        r"`bench/peers/run.py RECALL`: (.+?), in turns\. (\S+), (.+?) \(load",
    )
    turns = quoted(
        "performance/journal.md", r"Medians of (\d+) turns for words, (\d+) for building from text, (\d+) for vectors"
    )
    caption = [
        "Time relative to Recall, logarithmic: left of the line is faster than Recall, right of it slower. The time of",
        f"Recall is beside the line. {data_of}, in turns.",
        f"Medians of {turns[0]} turns (words), {turns[2]} (vectors), {turns[1]} (building from text). "
        f"{date}, {machine}.",
    ]
    parts += [text(16, y + 44 + 17 * i, words, name="q") for i, words in enumerate(caption)]
    alt = f"Times of other programs relative to Recall, for {len(data)} tasks"
    return picture("Beside other programs: time", alt, y + 44 + 17 * len(caption), parts + marks)


# ---- Quality ----


def ndcg(cell):
    return float(cell.split(" / ")[0])


def panel(rows, series, top, place):
    """Rows of (name, values); the values stand on one line, each with its number below or above."""
    parts, y = [], top
    for name, values in rows:
        parts.append(text(LEFT - 14, y + 5, name, "end"))
        places = sorted((place(value), i, value) for i, value in enumerate(values) if i in series)
        parts.append(line(places[0][0], y, places[-1][0], y, "g"))
        parts += [dot(x, y, i) for x, i, _ in places]
        last = places[-1]
        parts.append(text(last[0] + 10, y + 4, f"{last[2]:.3f}"[1:], name="q"))
        y += 24
    return parts, y


def axis(place, low, high, top, bottom):
    parts = []
    for i in range(math.ceil(low * 10), math.floor(high * 10) + 1):
        x = place(i / 10)
        parts += [line(x, top, x, bottom, "g"), text(x, bottom + 16, "1" if i == 10 else f".{i}", "middle", "q")]
    return parts


def quality():
    measured = table("RETRIEVAL.md", "## Measured quality", ["", "documents", "chunks", "queries"])
    fusion = table("RETRIEVAL.md", "## Alternative fusion methods", ["", "lexical alone", "default", "weighted", "rrf"])
    retrievers = [(row[0], [ndcg(cell) for cell in row[4:7]]) for row in measured]
    # The order of the legend: lexical, semantic, hybrid; then the fusions by others.
    fusions = [(row[0], [ndcg(row[1]), 0, ndcg(row[2]), ndcg(row[3]), ndcg(row[4])]) for row in fusion]
    low, high = 0.2, 1.0

    def place(value):
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    names = ["lexical: BM25", "semantic", "hybrid", "weighted sum", "reciprocal ranks"]
    parts, y = legend(names, 56)
    top = y + 30
    parts.append(text(16, top - 4, "Retrievers", name="q"))
    dots, bottom = panel(retrievers, {0, 1, 2}, top + 14, place)
    parts += axis(place, low, high, top, bottom - 10) + dots
    top = bottom + 34
    parts.append(text(16, top - 4, "Other ways to fuse them", name="q"))
    dots, bottom = panel(fusions, {0, 2, 3, 4}, top + 14, place)
    parts += axis(place, low, high, top, bottom - 10) + dots
    gain, least, most = quoted(
        "RETRIEVAL.md", r"better than lexical search by (\.\d+) on average \[(\.\d+), (\.\d+)\]"
    )
    caption = [
        "nDCG@10; the number is that of the best. One run of recall eval with the defaults, the same on every machine.",
        f"Hybrid is better than BM25 alone by {gain} on average over all collections, 95 % interval [{least}, {most}].",
        "Weighted sum: the fusion of recall 0.1. The second panel was measured with an earlier, smaller reranking "
        "window.",
    ]
    parts += [text(16, bottom + 30 + 17 * i, words, name="q") for i, words in enumerate(caption)]
    alt = "nDCG at 10 of lexical, semantic and hybrid search, and of other fusions, for each collection"
    return picture("Quality of the ten best documents", alt, bottom + 34 + 17 * len(caption), parts)


if __name__ == "__main__":
    for file, draw in (("speed.svg", speed), ("quality.svg", quality)):
        (pathlib.Path(__file__).parent / file).write_text(draw())
