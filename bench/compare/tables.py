"""Markdown tables of what benchmarks have measured."""

from intervals import compare, median


def quantity(value, unit="ns"):
    """A time, or a count, in three digits: `12.3 us`, `4.56 M`."""
    steps = [("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9)]
    if unit != "ns":
        steps = [(unit, 1), ("k" + unit, 1e3), ("M" + unit, 1e6), ("G" + unit, 1e9)]
    name, size = max((step for step in steps if step[1] <= value), key=lambda step: step[1], default=steps[0])
    scaled = value / size
    digits = 0 if scaled >= 100 else 1 if scaled >= 10 else 2
    return f"{scaled:.{digits}f} {name}".rstrip()


def aligned(header, rows, numbers):
    """A Markdown table that is also readable as it is; `numbers` are the columns that end at the right."""
    table = [header, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    rule = ["-" * (width - 1) + (":" if i in numbers else "-") for i, width in enumerate(widths)]

    def line(row):
        cells = [cell.rjust(widths[i]) if i in numbers else cell.ljust(widths[i]) for i, cell in enumerate(row)]
        return "| " + " | ".join(cells) + " |"

    return "\n".join(line(row) for row in (header, rule, *rows))


def compared(old, new, least):
    """[(name, median of old, median of new, Ratio, verdict)] of two {name: [values of the turns]}."""
    rows = []
    for name, before in old.items():
        ratio = compare(before, new[name])
        rows.append((name, median(before), median(new[name]), ratio, ratio.verdict(least)))
    return rows


def comparison(rows, unit="ns"):
    """The table of what `compared` returns."""
    cells = [
        (name, quantity(old, unit), quantity(new, unit), f"{ratio.ratio:.3f}",
         f"{ratio.low:.3f} to {ratio.high:.3f}", verdict)
        for name, old, new, ratio, verdict in rows
    ]
    return aligned(("benchmark", "old", "new", "new/old", "95 % interval", ""), cells, (1, 2, 3, 4))


# Fields of a benchmark in the JSON document that are not its counters.
NO_COUNTERS = frozenset(
    "name family_index per_family_instance_index run_name run_type repetitions repetition_index threads iterations "
    "real_time cpu_time time_unit items_per_second bytes_per_second label error_occurred error_message".split())


def page(document):
    """A page of one JSON document: the conditions, and a table of each area."""
    context = document["context"]
    lines = ["# Benchmarks", ""]
    lines.append(f"{context['date']}, {context['num_cpus']} CPUs of {context['mhz_per_cpu']} MHz, load "
                 f"{', '.join(f'{load:.2f}' for load in context.get('load_avg', [])) or 'unknown'}.")
    lines += [f"{key}: {value}." for key, value in context.items() if key in ("no counters of", "sizes")]
    areas = {}
    for entry in document["benchmarks"]:
        if entry.get("run_type", "iteration") == "iteration":
            areas.setdefault(entry["name"].split("/")[0], []).append(entry)
    for area, entries in areas.items():
        rows = [_page_row(entry) for entry in entries]
        header = ("benchmark", "wall", "processor", "rate", "counters")
        lines += ["", f"## {area}", "", aligned(header, rows, (1, 2, 3))]
    return "\n".join(lines) + "\n"


def _page_row(entry):
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[entry.get("time_unit", "ns")]
    rates = []
    if "bytes_per_second" in entry:
        rates.append(quantity(entry["bytes_per_second"], "B") + "/s")
    if "items_per_second" in entry:
        rates.append(quantity(entry["items_per_second"], "") + "/s")
    counters = [f"{key} {_plain(value)}" for key, value in entry.items() if key not in NO_COUNTERS]
    if entry.get("label"):
        counters.insert(0, entry["label"])
    name = entry["name"].split("/", 1)[-1]
    return (name, quantity(entry["real_time"] * scale), quantity(entry["cpu_time"] * scale), ", ".join(rates),
            ", ".join(counters).replace("|", "\\|"))


def _plain(value):
    return f"{value:.4g}" if value < 1e4 else quantity(value, "")
