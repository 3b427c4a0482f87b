"""The times of rows, by the rules that all programs share: data/times.json."""
import datetime
import json
import pathlib

import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, check_refused, data_file, run

RULES = json.loads(data_file("times.json").read_text(encoding="utf-8"))
KINDS = {"double": pa.float64(), "float": pa.float32(), "date": pa.date32(), "int96": pa.int64(), "string": pa.string(), "int32": pa.int32(),
         "int64": pa.int64(), "uint32": pa.uint32(), "time[ms]": pa.time32("ms"), "time[us]": pa.time64("us"), "timestamp[ms]": pa.timestamp("ms"),
         "timestamp[us]": pa.timestamp("us"), "timestamp[us, UTC]": pa.timestamp("us", "UTC"), "timestamp[ns, UTC]": pa.timestamp("ns", "UTC")}


def values_of(column):
    return [None if first is None else int(first) + step * i if isinstance(first, str) else first + step * i
            for first, step, count in column["values"] for i in range(count)]


def text_of(value, column):
    """07; or a time as text."""
    if "form" not in column:
        return f"{value:02}"
    return datetime.datetime.fromtimestamp(value, datetime.timezone.utc).strftime(column["form"]) if value else column["other"]


def write(path, columns, keys=None):
    """A file for each case; INT96 in one of its own, as pyarrow writes all timestamps as such or none."""
    keys = dict(keys or {}) | {f"unit.{each['name']}": each["unit"] for each in columns if "unit" in each}
    made = {}
    for each in columns:
        plain = pa.array(values_of(each), pa.int32() if each["type"] in ("date", "time[ms]") else KINDS[each["type"]] if
                         each["type"] in ("double", "float", "int32", "int64", "uint32") else pa.int64())
        if each["type"] == "string":
            made[each["name"]] = pa.array([text_of(value, each) for value in plain.to_pylist()])
            continue
        made[each["name"]] = plain.cast(pa.timestamp("ns") if each["type"] == "int96" else KINDS[each["type"]])
    table = pa.table(made).replace_schema_metadata(keys)
    pa.parquet.write_table(table, path, use_deprecated_int96_timestamps=any(each["type"] == "int96" for each in columns), version="2.6")


def info(*arguments):
    return [json.loads(line) for line in check_ok(run("mpq", "info", "--json", *arguments)).stdout.splitlines()]


def check_time(found, expected, what):
    if expected is None:
        check_equal(found["time"], None, what)
        return
    check(found["time"], what, "none is found", found.get("time_may_be"))
    for key, value in expected.items():
        seen = found["time"][key]
        if isinstance(value, float) or key in ("seconds", "interval_seconds"):
            check(value is None or abs(seen - value) < 1e-9 * max(1, abs(value)), what, key, seen, value)
        else:
            check_equal(seen, value, f"{what}: {key}")


def test_the_cases():
    for case in RULES["cases"]:
        write("case.parquet", case["columns"], case.get("keys"))
        found, = info("case.parquet", *case.get("options", []))
        check_time(found, case["time"], case["what"])
        check_equal(found.get("time_may_be"), case.get("try"), case["what"])


def test_the_words():
    """Every word for a unit, for a time, and beside one."""
    names = {f"Time ({word})": unit for word, unit in RULES["units"].items()}
    names |= {f"{word}_ms": "ms" for word in RULES["times"]} | {f"{word} Time (us)": "us" for word in RULES["beside"]}
    seconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "excel": 86400, "excel1904": 86400}
    for i, name in enumerate(names):
        write(f"{i:03}.parquet", [{"name": name, "type": "int64", "values": [[0, 7, 3]]}])
    for (name, unit), found in zip(names.items(), info(*sorted(map(str, pathlib.Path().glob("*.parquet")))), strict=True):
        check_time(found, {"column": name, "interval_seconds": 7 * seconds[unit]}, name)


def test_what_may_be_a_time_can_be_pasted():
    write("a log.parquet", [{"name": "Time Stamp", "type": "int64", "values": [[1200, 25, 80]]}])
    for verb in ("info", "plot"):
        text = check_ok(run("mpq", verb, "a log.parquet")).stdout
        check("Time Stamp may be one, and nothing says its unit" in text, text)
        tries = [line.strip() for line in text.splitlines() if line.strip().startswith("try: ")]
        check_equal(tries, [f"try: mpq {verb} --time 'Time Stamp:{unit}' 'a log.parquet'" for unit in ("ms", "us", "s", "ns")])
    check("1.98 s" in check_ok(run("mpq", "plot", "a log.parquet", "--time", "Time Stamp:ms")).stdout)


def test_requests_that_cannot_be_met():
    """Are refused before anything of a file is printed."""
    write("log.parquet", [{"name": "time", "type": "timestamp[us]", "values": [[0, 1, 3]]}, {"name": "v", "type": "int64", "values": [[0, 1, 3]]},
                          {"name": "month", "type": "int64", "values": [[1, 1, 3]]}])
    for words, parts in ((["--time", "time:ms"], ["leave out the unit"]), (["--time", "none:ms"], ["no column none"]),
                         (["--time-from", "time,v"], ["nothing says what column v has"]), (["--time-from", "month"], ["name all three"])):
        refused = run("mpq", "info", "log.parquet", *words)
        check_refused(refused, *parts)
        check_equal(refused.stdout, "")


def test_a_plot_of_several_runs():
    """One run after another, each marked, and no line from one to the next."""
    write("boots.parquet", [{"name": "time_ms", "type": "int64", "values": [[0, 20, 100]] * 3}, {"name": "v", "type": "int64", "values": [[0, 1, 300]]}])
    lines = check_ok(run("mpq", "plot", "--ascii", "boots.parquet", env={"COLUMNS": "80"})).stdout.splitlines()
    runs = next(line for line in lines if line.startswith("runs"))
    check_equal((runs.count("|"), runs.split()[-1]), (2, "3"), runs)
    check("clock: begins again 2 times, first 1.98 s back after row 100; 3 runs follow each other" in " ".join(" ".join(lines).split()), lines)
    window = check_ok(run("mpq", "plot", "boots.parquet", "--from", "3", "--to", "4.5")).stdout
    check("75 rows" in window or "76 rows" in window, window)


def test_the_day_of_a_time_of_day():
    write("night.parquet", [{"name": "Time", "type": "time[us]", "values": [[86_000_000_000, 10_000_000, 80]]}])
    check_refused(run("mpq", "plot", "night.parquet", "--from", "noon"), "expected")
    text = check_ok(run("mpq", "plot", "night.parquet", "--ascii", "--to", "23:55:00")).stdout
    check("23:53:20" in text, text)


def test_collect_agrees():
    """A lake says the same of each case as mpq info."""
    cases = [case for case in RULES["cases"] if case["time"] and not case.get("options") and case["time"]["interval_seconds"]]
    pathlib.Path("logs").mkdir()
    for i, case in enumerate(cases):
        write(f"logs/{i:03}.parquet", case["columns"] + [{"name": "case", "type": "int32", "values": [[i, 0, sum(run[2] for run in case["columns"][0]["values"])]]}],
              case.get("keys"))
    run("mpq", "collect", "logs", "-o", "lake")
    files = pa.parquet.read_table("lake/files.parquet").to_pylist()
    check_equal(len(files), len(cases))
    for each in files:
        number = pa.parquet.read_table(f"lake/{each['path']}", columns=["case"], partitioning=None)["case"][0].as_py()
        expected = cases[number]["time"]
        check(each["seconds"] is not None, cases[number]["what"])
        check(abs(each["seconds"] - expected["seconds"]) < 1e-6 * max(1, expected["seconds"]), cases[number]["what"], each["seconds"])
        first = expected.get("first", "")
        if each["first_time"] is not None and "T" in first:
            check_equal(each["first_time"].replace(tzinfo=datetime.timezone.utc).isoformat()[:19], first[:19], cases[number]["what"])


def test_a_unit_that_is_in_doubt():
    """Whole numbers in floating point are taken as seconds, and other units can be pasted."""
    write("log.parquet", [{"name": "Time", "type": "double", "values": [[1200, 25, 80]]}])
    text = check_ok(run("mpq", "info", "log.parquet")).stdout
    check("Time counts s, as nothing says its unit" in text and "try: mpq info --time Time:ms log.parquet" in text, text)
    write("log.parquet", [{"name": "Time", "type": "double", "values": [[45000.25, 0.25, 80]]}])
    text = check_ok(run("mpq", "info", "log.parquet")).stdout
    check("try: mpq info --time Time:excel log.parquet" in text, text)
    write("log.parquet", [{"name": "Time", "type": "double", "values": [[0, 0.25, 80]]}])
    check("try:" not in check_ok(run("mpq", "info", "log.parquet")).stdout)


def test_merge_dates_boots_by_their_anchors():
    """Dates where every row has one; else ticks, and the anchors of the rows where they are then."""
    keys = {"a": {"clock.0000000000": "20 1000=1767225600000"}, "b": {"clock.0000000000": "7 0=1767225700000", "clock.0000000007": "20 0=1767225800000"}}
    for name, values in (("a", [[0, 100, 20]]), ("b", [[0, 100, 7], [0, 100, 13]])):
        write(f"{name}.parquet", [{"name": "time_ms", "type": "int64", "values": values}, {"name": "v", "type": "int32", "values": [[0, 1, 20]]}], keys[name])
    instants = [1767225599000 + 100 * i for i in range(20)] + [1767225700000 + 100 * i for i in range(7)] + [1767225800000 + 100 * i for i in range(13)]
    check_ok(run("mpq", "merge", "a.parquet", "b.parquet", "-o", "dates.parquet"))
    table = pa.parquet.read_table("dates.parquet")
    check_equal(table.column("time_ms").cast(pa.timestamp("ms", "UTC")).cast(pa.int64()).to_pylist(), instants)
    check(not any(key.startswith(b"clock.") for key in table.schema.metadata), table.schema.metadata)
    check_ok(run("mpq", "merge", "--ticks", "a.parquet", "b.parquet", "-o", "ticks.parquet"))
    clocks = {key: value for key, value in pa.parquet.read_table("ticks.parquet").schema.metadata.items() if key.startswith(b"clock.")}
    check_equal(clocks, {b"clock.0000000000": b"20 1000=1767225600000", b"clock.0000000020": b"27 0=1767225700000", b"clock.0000000027": b"40 0=1767225800000"})
    dated, ticking = (each["time"] for each in info("dates.parquet", "ticks.parquet"))
    for key in ("first", "last", "rows_without_date"):
        check_equal(ticking[key], dated[key], key)
    write("b.parquet", [{"name": "time_ms", "type": "int64", "values": [[0, 100, 20]]}, {"name": "v", "type": "int32", "values": [[0, 1, 20]]}],
          {"clock.0000000013": "20 0=1767225800000"})
    check_ok(run("mpq", "merge", "a.parquet", "b.parquet", "-o", "some.parquet"))
    found, = info("some.parquet")
    check_equal((found["time"]["rows_without_date"], found["time"]["last"]), (13, "2026-01-01T00:03:21.900Z"))


def test_from_text_to_times():
    """What csv_log makes of a spreadsheet's days, of a year's days and of text, mpq reads as times: zeros before digits stay text."""
    for text, options, column, first, seconds in (
            ("Date,v\n45321.5,1\n45321.75,2\n45322,3\n", [], "Date", "2024-01-30T12:00:00", 43200),
            ("Date,v\n45321,1\n45322,2\n45323,3\n", ["--unit", "Date=excel"], "Date", "2024-01-30T00:00:00", 172800),
            ("Day,v\n43859.5,1\n43859.75,2\n", ["--unit", "Day=excel1904"], "Day", "2024-01-30T12:00:00", 21600),
            ("year,doy,hhmm,v\n2024,060,2345,1\n2024,060,2400,2\n2024,061,0015,3\n", [], "year, doy and hhmm", "2024-02-29T23:45:00", 1800)):
        pathlib.Path("log.csv").write_text(text)
        check_ok(run("csv_log", *options, "--overwrite", "log.csv", "log.parquet"))
        found, = info("log.parquet")
        check_time(found, {"column": column, "first": first, "seconds": seconds}, text)


def test_merge_keeps_days_of_a_spreadsheet():
    """They are local time, which a timestamp in UTC is not."""
    for name, day in (("a", 45321.5), ("b", 45320.5)):
        write(f"{name}.parquet", [{"name": "Date", "type": "double", "values": [[day, 0.25, 4]]}])
    check_ok(run("mpq", "merge", "a.parquet", "b.parquet", "-o", "all.parquet"))
    check_equal(pa.parquet.read_table("all.parquet")["Date"].to_pylist(), [day + 0.25 * i for day in (45320.5, 45321.5) for i in range(4)])
    check_time(info("all.parquet")[0], {"column": "Date", "first": "2024-01-29T12:00:00", "seconds": 151200}, "merged")
