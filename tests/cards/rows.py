"""Checks lines that examples/card_bench has printed, and makes a table of them.

Usage: rows.py [--emulated] FILE...

A line of an emulator or of a model is refused unless --emulated is given. Exit code 1: a line is not what card_bench prints, or
speaks of an error.
"""
import argparse
import json
import sys

NUMBER, TEXT, FLAG = int, str, bool
RESULT = {"writes": NUMBER, "bytes": NUMBER, "us_mean": NUMBER, "us_longest": NUMBER}
CARD = {"manufacturer": TEXT, "oem": TEXT, "product": TEXT, "revision": TEXT, "made_year": NUMBER, "made_month": NUMBER}
WEAR = {"argument": TEXT, "signature": TEXT, "form": (TEXT, None), "percent_used": (NUMBER, None), "percent_left": (NUMBER, None),
        "erases_mean": (NUMBER, None), "erases_most": (NUMBER, None), "erases_total": (NUMBER, None)}
RESULTS = ("random_1_kib", "random_4_kib", "random_16_kib", "random_512_kib", "sequential", "two_units", "three_units",
           "singles_with_pauses", "singles_synced", "table_changes")
LINE = {"card_bench": NUMBER, "driver": TEXT, "is_emulated": FLAG, "clock_hz": (NUMBER, None), "call_bytes_max": NUMBER,
        "card": (CARD, None), "capacity_bytes": (NUMBER, None), "range_bytes": NUMBER,
        "results": {name: (RESULT, None) for name in RESULTS}, "bytes_written": NUMBER, "wear_before": (WEAR, None),
        "wear_after": (WEAR, None), "is_file_left": FLAG, "error": ({"place": TEXT, "call": TEXT}, None)}
HEADINGS = ("card", "driver", "1 KiB", "4 KiB", "16 KiB", "512 KiB", "sequential", "2 units", "3 units", "singles", "synced", "table")


def fault_of(value, shape, place="line"):
    """Says where a value has another shape; an empty text: nowhere."""
    if isinstance(shape, tuple):
        return "" if value is None else fault_of(value, shape[0], place)
    if isinstance(shape, dict):
        if not isinstance(value, dict) or list(value) != list(shape):
            return f"{place} has not the names {', '.join(shape)}, in this order"
        faults = (fault_of(value[name], inner, f"{place}.{name}") for name, inner in shape.items())
        return next(filter(None, faults), "")
    # To Python true is a number, too.
    if type(value) is not shape or (shape is NUMBER and value < 0):  # pylint: disable=unidiomatic-typecheck
        return f"{place} is {value!r}"
    return ""


def unique(pairs):
    """The object of JSON, which names nothing twice."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a name stands twice")
    return dict(pairs)


def read_line(text):
    """Returns what a line says, and what is wrong with it."""
    try:
        line = json.loads(text, object_pairs_hook=unique)
    except ValueError as error:
        return None, f"is not JSON: {error}"
    fault = fault_of(line, LINE)
    if not fault and line["card_bench"] != 1:
        fault = f"version {line['card_bench']} is not known"
    if not fault and line["error"] is None and None in (*line["results"].values(),)[:-1]:
        fault = "a result is missing, and no error says why"
    results = [] if fault else [result for result in line["results"].values() if result]
    if not fault and line["bytes_written"] != sum(result["bytes"] for result in results):
        fault = "bytes_written is not the sum of the results'"
    return line, fault


def row_of(line):
    """The row of the table: milliseconds for a write, MB/s where the name has no size."""
    def ms(name):
        result = line["results"][name]
        return f"{result['us_mean'] / 1000:.1f}" if result else ""

    def speed(name):
        result = line["results"][name]
        return f"{result['bytes'] / result['writes'] / max(1, result['us_mean']):.2f}" if result else ""

    card = line["card"]
    name = f"{card['manufacturer']} {card['product']} {(line['capacity_bytes'] or 0) / 1e9:.0f} GB" if card else ""
    cells = [name, line["driver"], *map(ms, RESULTS[:4]), *map(speed, RESULTS[4:7]), *map(ms, RESULTS[7:])]
    return f"| {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    faults = 0
    print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                line, fault = read_line(text)
                if not fault and line["error"]:
                    fault = f"{line['error']['place']}: {line['error']['call']}"
                if not fault and line["is_emulated"] and not arguments.emulated:
                    fault = "no card was measured"
                if fault:
                    print(f"{path}:{number}: {fault}", file=sys.stderr)
                    faults += 1
                else:
                    print(row_of(line))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
