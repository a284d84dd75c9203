"""The tables, in Markdown."""
from results import FLOORS, GOALS


def number(value):
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def show(spread, scale=1.0):
    """Formats the median, with minimum and maximum if they differ."""
    if spread is None:
        return "–"
    least, median, most = spread.least / scale, spread.median / scale, spread.most / scale
    return number(median) if least == most else f"{number(median)} ({number(least)}–{number(most)})"


def table(heads, lines):
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)] + [
        "| " + " | ".join(line) + " |" for line in lines
    ]


def goals(results):
    lines = []
    for goal in GOALS:
        if spread := goal.spread(results):
            met = "yes" if spread.median <= goal.limit else f"**no**, {number(spread.median / goal.limit)} ×"
            lines.append([goal.name, goal.unit, f"{goal.limit:g}", show(spread), met])
    return table(["reach", "unit", "at most", "measured", "met"], lines)


def ratios(results, titles):
    lines = []
    for row, contenders in results.rows.items():
        key = {"screen-20": "core", "age": "age_p50", "key": "key_p50", "start": "screen"}.get(row, "us")
        if "reach" not in contenders or row in ("scale", "screen-10000"):
            continue
        best = results.best_peer(row, key)
        line = [titles[row]]
        line += [show(results.ratios(row, "reach", floor, key)) for floor in FLOORS]
        peer = f"{show(results.ratios(row, 'reach', best, key))} {best}" if best else "–"
        lines.append(line + [peer])
    return table(["reach, as a multiple of", *FLOORS, "best peer"], lines)


def costs(results, titles):
    lines = []
    for row, contenders in results.rows.items():
        for name in contenders:
            cells = [results.spread(row, name, key) for key in ("us", "missed", "core", "rss", "p50", "p99")]
            us, missed, core, memory, half, most = cells
            if us is None:
                continue
            trips = f"{show(half)}; {show(most)}" if half else "–"
            verdicts = [value for value in results.values(row, name, "verdicts") if value is not None]
            right = f"{sum(verdicts)} of {len(verdicts)}" if verdicts else "–"
            cost = [show(us), show(missed, 0.01), show(core, 0.01), show(memory, 1e6)]
            lines.append([titles[row], name, *cost, trips, right])
    heads = ["workload", "program", "µs a probe", "missed, %", "% of a core", "memory, MB", "own round trip, µs: 50 %; 99 %"]
    return table([*heads, "correct verdicts"], lines)


def drawings(results, titles):
    lines = []
    keys = ["core", "bytes", "rss", "age_p50", "age_p99", "undrawn", "key_p50", "key_p99", "screen", "answer"]
    scales = [0.01, 1, 1e6, 1, 1, 0.01, 1, 1, 1, 1]
    for row in ("screen-10000", "screen-20", "age", "key", "start"):
        for name in results.rows.get(row, {}):
            spreads = [results.spread(row, name, key) for key in keys]
            cells = [show(spread, scale) for spread, scale in zip(spreads, scales)]
            if any(spreads):
                lines.append([titles[row], name, *cells])
    heads = ["% of a core", "bytes/s", "memory, MB", "age of a drawn reply, ms: 50 %", "99 %", "never drawn, %"]
    heads += ["key, ms: 50 %", "99 %", "first screen, ms", "first answer, ms"]
    return table(["screen", "program", *heads], lines)


def scale(results):
    names = list(results.rows.get("scale", {}))
    if not names:
        return []
    lines = []
    base = results.spread("scale", names[0], "rss_end")
    for name in names:
        size = int(name.split()[1].replace(",", ""))
        memory = results.spread("scale", name, "rss_end")
        more = "–"
        if memory and base and name != names[0]:
            first = int(names[0].split()[1].replace(",", ""))
            more = f"{(memory.median - base.median) / (size - first):,.0f}"
        cells = [show(results.spread("scale", name, "first")), show(results.spread("scale", name, "us"))]
        cells += [show(results.spread("scale", name, "missed"), 0.01)]
        verdicts = [value for value in results.values("scale", name, "verdicts") if value is not None]
        lines.append([f"{size:,}", *cells, show(memory, 1e6), more, f"{sum(verdicts)} of {len(verdicts)}"])
    heads = ["targets", "first probe, ms", "µs a probe", "missed, %", "memory, MB", "bytes for each further target"]
    return table([*heads, "correct verdicts"], lines)


def report(results, titles, machine):
    """Returns all tables as Markdown."""
    parts = [[machine]]
    parts += [["Goals:"], goals(results), ratios(results, titles), costs(results, titles)]
    parts += [drawings(results, titles)]
    if curve := scale(results):
        parts += [["The scale curve, each target every 5 s:"], curve]
    if results.failures:
        parts += [["Failed runs:"], [f"* {failure}" for failure in results.failures]]
    lines = []
    for part in parts:
        if len(part) != 2 or not part[0].startswith("| "):  # skips tables without rows
            lines += [*part, ""]
    return "\n".join(lines).rstrip() + "\n"
