#!/usr/bin/env python3
"""Draws the figures of measure.py: OUT/search-process.svg and OUT/search-inside.svg.

    plot.py OUT
"""

import json
import math
import pathlib
import sys

WIDTH, HEIGHT = 680, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 140, 48, 96
COLOURS = {"hybrid": "#1f6fb2", "words": "#c0504d", "meaning": "#4f8f3a"}
NAMES = {"hybrid": "hybrid", "words": "lexical (--bm25)", "meaning": "semantic (--vector)"}
TITLES = {
    "process_ms": "A search as a whole process",
    "inside_ms": "A search in a process that stays",
}
FILES = {"process_ms": "search-process.svg", "inside_ms": "search-inside.svg"}


class Axis:
    """A logarithmic axis from START to END in pixels, with ticks at 1, 2 and 5 times each power of ten."""

    MARGIN = 1.25

    def __init__(self, values, start, end):
        self.low, self.high = min(values) / self.MARGIN, max(values) * self.MARGIN
        self.start, self.end = start, end
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)))
        marks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
        self.ticks = [mark for mark in marks if self.low <= mark <= self.high]

    def place(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


def short(number):
    for unit, name in ((1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:g} {name}"
    return f"{number:g}"


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{words}</text>'


def draw_curves(curves, what):
    """Draws the medians as lines and the ranges as vertical lines; both axes are logarithmic."""
    stores = curves["stores"]
    values = [point[what][mode][of] for point in stores for mode in COLOURS for of in ("least", "most")]
    across = Axis([point["chunks"] for point in stores], LEFT, WIDTH - RIGHT)
    up = Axis(values, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        text(LEFT, 24, TITLES[what], "start", ' font-size="15" font-weight="bold"'),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 38, "chunks"),
        text(LEFT, TOP - 8, "ms", "end"),
    ]
    for tick in across.ticks:
        x = across.place(tick)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>')
        parts.append(text(x, HEIGHT - BOTTOM + 18, short(tick)))
    for tick in up.ticks:
        y = up.place(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>')
        parts.append(text(LEFT - 8, y + 4, short(tick), "end"))
    labels = []
    for mode, colour in COLOURS.items():
        xs = [across.place(point["chunks"]) for point in stores]
        line, least, most = (
            [up.place(point[what][mode][of]) for point in stores] for of in ("median", "least", "most")
        )
        aside = 5 * (list(COLOURS).index(mode) - 1)  # so that no range hides another
        for x, low, high in zip(xs, least, most):
            parts.append(
                f'<path d="M{x + aside:.1f} {low:.1f}V{high:.1f}" stroke="{colour}" stroke-opacity="0.5" '
                'stroke-width="3"/>'
            )
        parts.append(f'<path d="M{path(zip(xs, line))}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in zip(xs, line)]
        labels.append([line[-1], mode, colour])
    below = 0
    for y, mode, colour in sorted(labels):  # moves labels apart
        below = max(y + 4, below + 14)
        parts.append(text(WIDTH - RIGHT + 12, below, NAMES[mode], "start", f' fill="{colour}"'))
    parts += [
        text(16, HEIGHT - 32 + 16 * i, words, "start", ' fill="#666"') for i, words in enumerate(caption(curves, what))
    ]
    return "\n".join([*parts, "</svg>", ""])


def caption(curves, what):
    runs = {point[what][mode]["runs"] for point in curves["stores"] for mode in COLOURS}
    times = " or ".join(str(number) for number in sorted(runs))
    return [
        f"Points: medians of {times} searches ({len(curves['questions'])} questions). Vertical lines: least to most.",
        f"{curves['date']}, {curves['machine']}.",
    ]


def path(points):
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def draw(curves, out):
    for what, name in FILES.items():
        if len(curves["stores"]) > 1:
            (out / name).write_text(draw_curves(curves, what))


def print_table(curves):
    print("| chunks | | hybrid | words | meaning |\n| --- | --- | --- | --- | --- |")
    for point in curves["stores"]:
        for what, name in (("process_ms", "process"), ("inside_ms", "inside")):
            cells = [f"{point[what][m]['median']:.1f} ({point[what][m]['least']:.1f})" for m in COLOURS]
            print(f"| {point['chunks']:,} | {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    OUT = pathlib.Path(sys.argv[1])
    CURVES = json.loads((OUT / "curves.json").read_text())
    draw(CURVES, OUT)
    print_table(CURVES)
