#!/usr/bin/env python3
"""Judges csv_log and mpq by a set of cases.

    log_judge.py BIN_DIR SET [--only TEXT] [--verbose] [--figures]

BIN_DIR holds csv_log and mpq; SET is a folder with cases.json, files/ and expected/, as that of data/logs.tar.xz, whose RULES.md says
what is right. Writes to a temporary folder alone. Prints a line a case, and totals as JSON on the last line.

It runs `csv_log FILE out.parquet` and compares rows, names, types and every value: `right_at_once`. Else it looks for up to five lines
`try: csv_log ...` in what was printed, runs each with another output file, and compares: `right_by_named_option`. Else `text_only` (exit 0,
all rows and names right, typed columns right, some left as text unchanged), `refused` (exit not 0, or 20 s are over), `wrong_values` (exit 0
and anything else: a row lost or too many, a value, a name). Times likewise, by `mpq info`: `time_found`, `time_by_named_option`, `time_wrong`
(another answer), `time_none`. Times, spans and periods agree within 1 %; cells exactly.
"""
import argparse
import concurrent.futures
import datetime
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import pyarrow as pa
import pyarrow.parquet as pq

TIME_OUT = 20  # seconds, for each program
MOST_TRIES = 5  # lines of advice that are followed for a case


def run(argv, folder):
    """(exit status or "time-out", everything printed)"""
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": folder, "TMPDIR": folder, "COLUMNS": "200"}
    try:
        done = subprocess.run(argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_OUT, check=False)
    except subprocess.TimeoutExpired:
        return "time-out", "", ""
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def text_of_instant(nanos):
    seconds, rest = divmod(nanos, 10**9)
    text = (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = ("%09d" % rest).rstrip("0")
    return text + ("." + fraction if fraction else "")


NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def cells_of(column):
    """The values of a pyarrow column, in the form in which expected/ has them."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_timestamp(kind):
        return [None if v is None else text_of_instant(v * NANOS[kind.unit]) for v in column.cast(pa.int64()).to_pylist()]
    if pa.types.is_time(kind):
        whole = column.cast(pa.int32() if kind.bit_width == 32 else pa.int64()).to_pylist()
        return [None if v is None else text_of_instant(v * NANOS[kind.unit])[11:] for v in whole]
    if pa.types.is_duration(kind):
        return [None if v is None else v * NANOS[kind.unit] / 1e9 for v in column.cast(pa.int64()).to_pylist()]
    if pa.types.is_date(kind):
        return [None if v is None else v.isoformat() for v in column.to_pylist()]
    if pa.types.is_floating(kind):
        return [None if v is None or math.isnan(v) else ("inf" if v > 0 else "-inf") if math.isinf(v) else v for v in column.to_pylist()]
    if is_text(kind):
        return [None if v is None else v.strip() for v in column.to_pylist()]  # spaces around a text may stay or go
    return column.to_pylist()


def is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or (pa.types.is_dictionary(kind) and is_text(kind.value_type))


def type_text(kind):
    if is_text(kind):
        return "string"
    return str(kind)


def first_difference(got, want):
    for row, (a, b) in enumerate(zip(got, want)):
        if a != b or isinstance(a, bool) != isinstance(b, bool):
            return "row %d: %r, not %r" % (row + 1, a, b)
    return "%d rows, not %d" % (len(got), len(want)) if len(got) != len(want) else None


def names_of(column):
    name = column["name"]
    return [name] if isinstance(name, str) else name


def pair_columns(found, wanted):
    """Pairs of (index of a found column, index of a wanted one), in order; or why there are none."""
    pairs, w = [], 0
    for f, name in enumerate(found):
        while w < len(wanted) and wanted[w].get("optional") and "*" not in names_of(wanted[w]) and name not in names_of(wanted[w]):
            w += 1
        while (w < len(wanted) and wanted[w].get("optional") and "*" in names_of(wanted[w]) and w + 1 < len(wanted)
               and name in names_of(wanted[w + 1])):
            w += 1
        if w == len(wanted):
            return "a column %r too many" % name
        if name not in names_of(wanted[w]) and "*" not in names_of(wanted[w]):
            return "column %d is called %r, not %r" % (f + 1, name, names_of(wanted[w])[0])
        pairs.append((f, w))
        w += 1
    missing = [names_of(c)[0] for c in wanted[w:] if not c.get("optional")]
    return "no column %r" % missing[0] if missing else pairs


def compare(path, case, expected):
    """(outcome, why): right, text_only or wrong_values"""
    try:
        table = pq.read_table(path)
    except Exception as error:  # any reader's refusal is one
        return "wrong_values", "pyarrow cannot read it: %s" % str(error).splitlines()[0]
    if table.num_rows != case["rows"]:
        return "wrong_values", "%d rows, not %d" % (table.num_rows, case["rows"])
    pairs = pair_columns(table.column_names, case["columns"])
    if isinstance(pairs, str):
        return "wrong_values", pairs
    texts = []
    for f, w in pairs:
        column, want = table.column(f), expected[w]
        raw = want.get("raw") or [None if v is None else str(v) for v in want["values"]]
        kinds, kind, got = case["columns"][w]["type"], type_text(column.type), cells_of(column)
        name = table.column_names[f]
        if "any" in kinds or (kind in kinds and kind != "string"):
            why = first_difference(got, want["values"])
        elif kind == "string" and kind in kinds:
            why = first_difference(got, want["values"])
            if why and len(kinds) > 1:
                why = first_difference([v or "" for v in got], [v or "" for v in raw])
        elif kind == "string":
            as_text = [v or "" for v in got]
            if first_difference(as_text, [v or "" for v in raw]) and first_difference(as_text, ["" if v is None else r or "" for v, r in zip(want["values"], raw)]):
                return "wrong_values", "%s: text, and not that of the file" % name
            texts.append("%s is text, not %s" % (name, kinds[0]))
            continue
        else:
            why = "%s, not %s" % (kind, " or ".join(kinds))
        if why:
            return "wrong_values", "%s: %s" % (name, why)
    return ("text_only", "; ".join(texts)) if texts else ("right", "")


def advice(printed, program):
    found = []
    for line in printed.splitlines():
        line = line.strip()
        if line.startswith("try: " + program + " "):
            try:
                argv = shlex.split(line[len("try: "):])
            except ValueError:
                continue
            if argv not in found:
                found.append(argv)
    return found[:MOST_TRIES]


def followed(argv, binary, old_output, new_output):
    """The command line of an advice, with this binary and this output."""
    rest = argv[1:]
    places = [i for i, a in enumerate(rest) if a == old_output or os.path.basename(a) == old_output]
    places = places or [i for i, a in enumerate(rest) if a.endswith(".parquet")]
    if not places:
        return None
    rest[places[-1]] = new_output
    return [binary] + rest


def number(text):
    """Seconds that a printed time stands for, and whether it is a date and a time."""
    if isinstance(text, (int, float)):
        return float(text), False
    match = re.match(r"^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$", str(text))
    if match:
        day, clock, fraction, zone = match.groups()
        clock += ":00" if len(clock) == 5 else ""
        instant = datetime.datetime.strptime(day + " " + clock, "%Y-%m-%d %H:%M:%S")
        seconds = (instant - datetime.datetime(1970, 1, 1)).total_seconds() + float(fraction or 0)
        if zone and zone[0] in "+-":
            digits = zone[1:].replace(":", "")
            seconds -= (1 if zone[0] == "+" else -1) * (int(digits[:2]) * 3600 + int(digits[2:]) * 60)
        return seconds, True
    match = re.match(r"^(-?[\d,.]+(?:e[+-]?\d+)?)\s*(ns|us|µs|ms|s|min|h|days?)?$", str(text))
    if match:
        unit = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "day": 86400, "days": 86400}
        return float(match.group(1).replace(",", "")) * unit[match.group(2) or "s"], False
    return None, False


def within(got, want, slack=0.0):
    if got is None:
        return False
    low, high = want if isinstance(want, list) else (want, want)
    return low - abs(low) * 0.01 - slack <= got <= high + abs(high) * 0.01 + slack


def compare_time(printed, want):
    """None where `mpq info --json` found the time, else why not."""
    try:
        time = json.loads(printed.strip().splitlines()[-1]).get("time")
    except (ValueError, IndexError, AttributeError):
        return "none: mpq info --json says no JSON"
    if not time:
        return "none: no time"
    if not want.get("join") and "*" not in want["column"] and time.get("column") not in want["column"]:
        return "column %s, not %s" % (time.get("column"), want["column"][0])
    restarts = time["restarts"] if "restarts" in time else len(time["runs"]) - 1 if isinstance(time.get("runs"), list) else time["runs"] - 1 if "runs" in time else time.get("steps_back", 0)
    allowed = want["restarts"] if isinstance(want["restarts"], list) else [want["restarts"]]
    if restarts not in allowed:
        return "%d restarts, not %s" % (restarts, allowed[0])
    period = want.get("period_seconds")
    if period and not within(time.get("interval_seconds"), period):
        return "a row every %s s, not %s" % (time.get("interval_seconds"), period)
    slack = (period or 0) * (1.001 * max(allowed) if max(allowed) else 0)
    if want.get("span_seconds") is not None and not within(time.get("seconds"), want["span_seconds"], slack):
        return "span %s s, not %s" % (time.get("seconds"), want["span_seconds"])
    span = want["span_seconds"][1] if isinstance(want["span_seconds"], list) else want["span_seconds"]
    for key, told in (("start", "first"), ("end", "last")):
        if want.get(key) is not None:
            expected, is_date = number(want[key])
            got, got_date = number(time.get(told))
            if got is None or is_date != got_date or abs(got - expected) > 0.01 * span + 0.0011:
                return "%s %s, not %s" % (key, time.get(told), want[key])
    gaps = want.get("gaps")
    if gaps is not None and time.get("gaps") not in (gaps if isinstance(gaps, list) else [gaps]):
        return "%s gaps, not %s" % (time.get("gaps"), gaps)
    if want.get("max_missing") is not None and (time.get("missing_rows") or 0) > want["max_missing"]:
        return "%s rows missing" % time.get("missing_rows")
    return None


def judge(case, folder, binaries):
    """{"values": (outcome, why), "time": (outcome, why)}"""
    csv_log, mpq = os.path.join(binaries, "csv_log"), os.path.join(binaries, "mpq")
    work = tempfile.mkdtemp(prefix="judge_")
    verdict = {"values": None, "time": None}

    def time_of(path, extra=()):
        status, out, err = run([mpq, "info", "--json", path, *extra], work)
        return compare_time(out, case["time"]) if status == 0 else "none: mpq info ends with %s" % status

    try:
        shutil.copy(os.path.join(folder, "files", case["file"]), work)
        outputs, tries = [], []
        if case["file"].endswith(".parquet"):
            default = case["file"]
        else:
            default = "out.parquet"
            with open(os.path.join(folder, case["values"]), encoding="utf-8") as source:
                expected = json.load(source)["columns"]
            status, out, err = run([csv_log, case["file"], default], work)
            tries = advice(out + "\n" + err, "csv_log")
            for n, argv in enumerate(tries):
                name = "try_%d.parquet" % n
                line = followed(argv, csv_log, default, name)
                if line and run(line, work)[0] == 0 and os.path.exists(os.path.join(work, name)):
                    outputs.append((name, shlex.join(argv)))
            if status == "time-out":
                result = ("refused", "time-out")
                default = None
            elif status != 0:
                words = [line for line in err.splitlines() if line.strip()]
                result = ("refused", words[0] if words else "exit %s" % status)
                default = None
            else:
                result = compare(os.path.join(work, default), case, expected)
            if result[0] == "right":
                result = ("right_at_once", "")
            else:
                for name, said in outputs:
                    if compare(os.path.join(work, name), case, expected)[0] == "right":
                        result = ("right_by_named_option", said)
                        break
            verdict["values"] = result
        if case["time"]:
            why = time_of(default) if default else "none: no file"
            outcome = ("time_found", "") if why is None else None
            if outcome is None:
                for name, said in outputs:
                    if time_of(name) is None:
                        outcome = ("time_by_named_option", said)
                        break
            if outcome is None and default:
                status, out, err = run([mpq, "info", default], work)
                for argv in advice(out + "\n" + err, "mpq"):
                    line = [a for a in argv[1:] if a != "--json"]
                    if line[:1] != ["info"]:
                        continue
                    status, out, _ = run([mpq, *line, "--json"], work)
                    if status == 0 and compare_time(out, case["time"]) is None:
                        outcome = ("time_by_named_option", shlex.join(argv))
                        break
            verdict["time"] = outcome or (("time_none" if why.startswith("none") else "time_wrong"), why)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return verdict


def totals(cases, verdicts):
    """Counts of each outcome."""
    values = dict.fromkeys(["right_at_once", "right_by_named_option", "wrong_values", "text_only", "refused"], 0)
    times = dict.fromkeys(["time_found", "time_by_named_option", "time_wrong", "time_none"], 0)
    due = done = 0
    for case, verdict in zip(cases, verdicts):
        if verdict["values"]:
            outcome = verdict["values"][0]
            values[outcome] += 1
            due += case["right_at_once"]
            done += case["right_at_once"] and outcome == "right_at_once"
        if verdict["time"]:
            times[verdict["time"][0]] += 1
    return {"cases": sum(values.values()), **values, "should_be_right_at_once": due, "are_right_at_once_of_these": done,
            "times": sum(times.values()), **times}


def line_of(case, verdict):
    values, time = verdict["values"], verdict["time"]
    why = "; ".join(x[1] for x in (values, time) if x and x[1])
    return "%-30s %-22s %-21s %s" % (case["file"], values[0] if values else "-", time[0] if time else "-", why)


def judge_all(folder, binaries, only=""):
    """(cases, their verdicts), two at a time"""
    with open(os.path.join(folder, "cases.json"), encoding="utf-8") as source:
        cases = [case for case in json.load(source) if any(only in case[key] for key in ("file", "kind"))]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return cases, list(pool.map(lambda case: judge(case, folder, binaries), cases))


def main():
    parser = argparse.ArgumentParser(description="Judges csv_log and mpq by a set of cases.")
    parser.add_argument("binaries", metavar="BIN_DIR")
    parser.add_argument("folder", metavar="SET")
    parser.add_argument("--only", metavar="TEXT", default="", help="only cases whose file or kind has this text")
    parser.add_argument("--figures", action="store_true", help="only figures, one a line")
    parser.add_argument("--verbose", action="store_true", help="why a case is not right, in full")
    options = parser.parse_args()
    binaries, folder = os.path.abspath(options.binaries), os.path.abspath(options.folder)
    cases, verdicts = judge_all(folder, binaries, options.only)
    if options.figures:
        counts = totals(cases, verdicts)
        for name, value in (("right_at_once", counts["are_right_at_once_of_these"]), ("right_by_named_option", counts["right_by_named_option"]),
                            ("wrong_values", counts["wrong_values"]), ("text_only", counts["text_only"]), ("refused", counts["refused"]),
                            ("time_found", counts["time_found"] + counts["time_by_named_option"]), ("time_wrong", counts["time_wrong"])):
            print("logs.%s %d logs" % (name, value))
        return 0
    for case, verdict in zip(cases, verdicts):
        line = line_of(case, verdict)
        print(line if options.verbose else line[:185])
    print(json.dumps(totals(cases, verdicts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
