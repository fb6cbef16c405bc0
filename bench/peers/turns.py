"""Runs the peers in turns, and turns the measurements into tables and JSON."""

import statistics
import sys

from common import Failed, Missing

PARTS = {
    1: "Words, as whole processes (ms)",
    2: "Words, in a process that stays (ms)",
    3: "Vectors, as whole processes",
    4: "Vectors, in a process that stays",
    5: "Building from text",
}
LABELS = {1: "label", 2: "inside_label", 3: "label", 4: "inside_label", 5: "build_label"}


class Turns:
    """All measurements of one run."""

    def __init__(self):
        self.failed = {}  # (part, peer) -> reason
        self.left_out = {}
        self.report = {"parts": []}

    def install(self, kinds, work, only):
        """The peers that are chosen and installed. Recall is the first and always chosen."""
        peers = []
        for kind in kinds:
            if only and kind.name not in only | {"recall", "nothing"}:
                continue
            try:
                peers.append(kind(work))
            except Missing as error:
                self.left_out[kind.label] = str(error)
        return peers

    def take(self, part, peers, repeats, measure):
        """{peer: [figures of each turn]}. The peers take turns, so that noise affects all alike."""
        measured = {peer: [] for peer in peers}
        for turn in range(repeats):
            first = turn % len(peers)
            for peer in peers[first:] + peers[:first]:
                if (part, peer) in self.failed:
                    continue
                progress(f"{PARTS[part]}: {turn + 1}/{repeats} {peer.label}")
                try:
                    measured[peer].append(measure(peer))
                except (Failed, Missing) as error:
                    self.failed[part, peer] = str(error)
                except Exception as error:  # any exception of a library is a failure of its peer
                    self.failed[part, peer] = f"{type(error).__name__}: {error}"[:200]
        progress("")
        if (part, peers[0]) in self.failed:
            sys.exit(f"run.py: Recall failed: {self.failed[part, peers[0]]}")
        return measured

    def build(self, part, peers, repeats, measure, askers):
        """A peer whose build failed has failed in the other parts, too."""
        built = self.take(part, peers, repeats, measure)
        for peer in peers:
            if (part, peer) in self.failed:
                self.failed |= {(other, peer): self.failed[part, peer] for other in askers}
        return built

    def ask(self, part, peers, repeats, measure):
        """The first turn is not counted."""
        peers = [peer for peer in peers if part in peer.parts]
        self.take(part, peers, 1, measure)
        return self.take(part, peers, repeats, measure)

    def tell(self, part, measured, columns):
        """Prints a table and adds it to the report. `columns`: name of the figure, title, has a ratio."""
        ours = next(iter(measured.values()))
        heads = [h for _, t, ratio in columns for h in ([t, "times Recall's"] if ratio else [t])]
        print(f"\n## {PARTS[part]}\n\n| | {' | '.join(heads)} |\n|{' --- |' * (len(heads) + 1)}")
        rows = []
        for peer, turns in measured.items():
            label = getattr(peer, LABELS[part], None) or peer.label
            row = {"peer": peer.name, "label": label, "version": peer.version}
            if (part, peer) in self.failed:
                row["failed"] = self.failed[part, peer]
                cells = [f"failed: {row['failed']}"] + [""] * (len(heads) - 1)
            else:
                cells, row["figures"] = [], {}
                for name, _, has_ratio in columns:
                    figure = summary([t.get(name) for t in turns], [t.get(name) for t in ours])
                    row["figures"][name] = figure
                    cells += written(figure)[: 1 + has_ratio]
            rows.append(row)
            print(f"| {label} | {' | '.join(cells)} |", flush=True)
        self.report["parts"].append({"part": part, "title": PARTS[part], "rows": rows})


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def summary(values, ours):
    """Median, minimum, maximum, and the median of the ratios to Recall in the same turn."""
    if not values or None in values:
        return None
    ratios = [value / our for value, our in zip(values, ours) if our]
    return {
        "median": statistics.median(values),
        "least": min(values),
        "most": max(values),
        "ratio": statistics.median(ratios) if ratios else None,
        "values": values,
    }


def written(figure):
    """`median (minimum to maximum)` and the ratio, with three digits each."""
    if figure is None:
        return ["", ""]
    names = ("median", "least", "most", "ratio")
    median, least, most, ratio = (three_digits(figure[name]) for name in names)
    return [median if least == most else f"{median} ({least} to {most})", ratio]


def three_digits(number):
    if number is None:
        return ""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"
