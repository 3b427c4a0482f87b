"""Tests the facts that mpq info prints of a log: when its rows were taken, how regularly, and which are missing."""
import itertools
import json
import pathlib
import random
import re
import statistics
import subprocess

import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, check_refused, command, key_values, on_terminal, run

START = 1_750_000_000_000_000


def write(path, times, *, kind=None, name="time", numbers=None, key_values=None):
    columns = {name: pa.array(times, kind or pa.timestamp("us", "UTC"))}
    if numbers is not None:
        columns["number"] = pa.array(numbers, pa.int64())
    columns["value"] = pa.array([float(i) for i in range(len(times))])
    table = pa.table(columns).replace_schema_metadata(key_values)
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pa.parquet.write_table(table, path)


def info(*arguments):
    return check_ok(run("mpq", "info", *arguments)).stdout


def line(text, title):
    """The lines below a title, as one."""
    lines = text.split("\n\n")[0].splitlines()
    begin = next((i for i, each in enumerate(lines) if each.startswith(f"  {title} ")), None)
    if begin is None:
        return None
    end = begin + 1
    while end < len(lines) and lines[end].startswith("     "):
        end += 1
    return " | ".join(each.strip() for each in lines[begin:end])


def facts(path, *arguments):
    return json.loads(info("--json", path, *arguments))["time"]


def test_a_regular_log():
    write("log.parquet", [START + 10_000 * i for i in range(6001)])
    text = info("log.parquet")
    check_equal(line(text, "time"), "time        2025-06-15T15:06:40Z to 2025-06-15T15:07:40Z")
    check_equal(line(text, "span"), "span        1 min, by column time")
    check_equal(line(text, "rate"), "rate        100 Hz, a row every 10 ms, without jitter")
    check_equal(line(text, "gaps"), "gaps        none")


def test_gaps_and_jitter():
    # 20 ms more or less than a second; ten rows are missing after the fifth, and three at the end.
    times = [START + 1_000_000 * i + (20_000 if i % 2 else -20_000) for i in range(100) if not 5 <= i < 15 and not 95 <= i < 98]
    write("log.parquet", times)
    found = facts("log.parquet")
    check_equal((found["regular"], found["gaps"], found["missing_rows"], found["longest_gap_after_row"]), (True, 2, 13, 5))
    check(0.035 < found["jitter_seconds"] < 0.045, found)
    check("2, the longest 11" in line(info("log.parquet"), "gaps") and "13 rows are missing" in line(info("log.parquet"), "gaps"))


def test_gaps_of_long_logs():
    """Gaps after the first half million rows are counted by their length. mpq reads the file again where the lengths are too
    many or rows have no time."""
    rows, gaps = 700_000, {600_000: 40_000, 650_000: 90_000, 690_000: 90_000}
    generator = random.Random(5)
    for name, jitter, nulls in (("counted", 100, ()), ("read again", 1_000_000, ()), ("without a time", 100, (3,))):
        usual = 10 * jitter
        steps = [usual + generator.randrange(jitter) for _ in range(rows)]
        for row, missing in gaps.items():
            steps[row] = usual * missing
        steps[680_000] = -usual
        times = [START + step for step in itertools.accumulate(steps)]
        write("log.parquet", [None if row in nulls else time for row, time in enumerate(times)])
        found = facts("log.parquet")
        check_equal((found["gaps"], found["longest_gap_after_row"]), (len(gaps) + len(nulls), 650_000), name)
        near = [step for row, step in enumerate(steps) if row not in gaps and row != 680_000 and not nulls]
        if near:
            exact = statistics.pstdev(near[1:]) / 1e6
            check(abs(found["jitter_seconds"] - exact) < 1e-3 * exact, name, found, exact)
        check_equal(found["steps_back"], 1, name)


def test_where_rows_were_lost():
    """By time 9 are missing; 6 of them have numbers, of which a full queue dropped 4."""
    kept = [i for i in range(200) if i not in (50, 51, 52, 53, 54, 55, 120, 121, 122)]
    numbers = {i: i if i < 120 else i - 3 for i in kept}
    write("log.parquet", [START + 5_000 * i for i in kept], numbers=[1000 + numbers[i] for i in kept], key_values={"rows_dropped": "4"})
    found = facts("log.parquet")
    check_equal((found["missing_rows"], found["missing_numbers"], found["gaps"]), (9, 6, 2))
    text = line(info("log.parquet"), "gaps")
    check("9 rows are missing" in text and "6 numbers are missing: taken, and not in the file; 4 of them dropped by a full queue" in text
          and "3 rows were never taken" in text, text)


def test_times_of_other_types():
    for kind, name, unit in ((pa.int64(), "time_us", 1_000_000), (pa.int64(), "t_ms", 1000), (pa.float64(), "Time (s)", 1), (pa.float32(), "t", 1),
                             (pa.int32(), "uptime_s", 1)):
        write("log.parquet", [unit * i for i in range(50)], kind=kind, name=name)
        found = facts("log.parquet")
        check_equal((found["column"], found["first"], found["last"], found["interval_seconds"]), (name, "0.000 s", "49.000 s", 1.0), name)
    write("log.parquet", list(range(50)), kind=pa.int64(), name="ticks")
    check_equal(facts("log.parquet"), None)
    check_equal(line(info("log.parquet"), "time"), None)
    check_equal(facts("log.parquet", "--time", "ticks")["interval_seconds"], 1.0)
    check_refused(run("mpq", "info", "log.parquet", "--time", "tocks"), "tocks", "ticks")
    pa.parquet.write_table(pa.table({"s": ["a"]}), "text.parquet")
    check_refused(run("mpq", "info", "text.parquet", "--time", "s"), "--time s", "it holds no times")


def test_logs_that_are_odd():
    write("events.parquet", [START + i ** 5 for i in range(300)])
    check("irregular" in line(info("events.parquet"), "rate"), info("events.parquet"))
    check_equal(line(info("events.parquet"), "gaps"), None)
    write("back.parquet", [START + 1000 * (i if i < 50 else i - 40) for i in range(100)])
    check_equal(line(info("back.parquet"), "clock"), "clock       begins again 1 time, 39 ms back after row 50; 2 runs follow each other")
    write("swapped.parquet", [START + 1000 * (i ^ 1 if i == 50 or i == 51 else i) for i in range(100)])
    check("the time goes back at 1 row" in line(info("swapped.parquet"), "gaps"), info("swapped.parquet"))
    write("one.parquet", [START])
    check_equal(line(info("one.parquet"), "rate"), None)
    write("same.parquet", [START] * 9)
    check_equal(line(info("same.parquet"), "gaps"), None)
    write("none.parquet", [])
    check_equal(line(info("none.parquet"), "time"), None)
    write("nulls.parquet", [None, START, None, START + 1000, START + 2000])
    check_equal(facts("nulls.parquet")["interval_seconds"], 0.001)
    write("far.parquet", [-2 ** 63, 0, 2 ** 63 - 1], kind=pa.int64(), name="time_ns")
    check_ok(run("mpq", "info", "far.parquet"))
    write("nan.parquet", [0.0, float("nan"), float("inf"), 1.0, 2.0], kind=pa.float64(), name="t")
    check_equal(facts("nan.parquet")["interval_seconds"], 1.0)


def test_units_stand_beside_their_columns():
    write("log.parquet", [START, START + 1], key_values={"unit.value": "m/s\x1b"})
    row = next(each for each in info("log.parquet").splitlines() if each.startswith("  value"))
    check(row.endswith("m/s?"), row)


def test_facts():
    """Units, scales, and when the time began, in every command that knows of them; what makes no sense counts for none."""
    keys = {"unit.value": "deg/s", "scale.value": "0.25", "scale.number": "none", "unit.nothing": "m", "started_at": "2026-11-22T09:00:00+01:00",
            "device_id": "6A1B0042", "session": "7"}
    write("log.parquet", [1_000_000 * i for i in range(60)], kind=pa.int64(), name="time_us", numbers=list(range(60)), key_values=keys)
    text = info("log.parquet")
    check_equal(line(text, "time"), "time        2026-11-22T08:00:00Z to 2026-11-22T08:00:59Z")
    check([each for each in text.splitlines() if each.startswith("  value") and each.endswith("  x 0.25 deg/s")], text)
    found = json.loads(info("--json", "log.parquet"))
    check_equal((found["time"]["first"], found["time"]["seconds"]), ("2026-11-22T08:00:00Z", 59))
    check_equal([(each.get("unit"), each.get("scale")) for each in found["columns"]], [(None, None), (None, None), ("deg/s", 0.25)])
    check("2026-11-22T08:00:00Z" in info("log.parquet", "log.parquet") and "1 device, 1 session" in info("log.parquet", "log.parquet"))
    schema = check_ok(run("mpq", "schema", "log.parquet")).stdout
    check("double value;  // x 0.25 deg/s\n" in schema and "int64 number;\n" in schema, schema)
    check("0.25" not in check_ok(run("mpq", "cat", "--columns", "value", "log.parquet", "--csv")).stdout)
    for wrong in ("2026-11-22T09:00:00", "yesterday", "", "9999-01-01T00:00:00Z"):
        write("log.parquet", [0, 1_000_000], kind=pa.int64(), name="time_us", key_values={"started_at": wrong})
        check_equal(line(info("log.parquet"), "time"), "time        0.000 s to 1.000 s", wrong)
    for name, kind, unit in (("t", pa.float64(), 1), ("uptime_s", pa.int32(), 1), ("t_ms", pa.int64(), 1000)):
        write("log.parquet", [0, unit, 2 * unit], kind=kind, name=name, key_values=keys)
        check_equal(line(info("log.parquet"), "time"), "time        2026-11-22T08:00:00Z to 2026-11-22T08:00:02Z", name)
    write("far.parquet", [-2 ** 63, 0, 2 ** 63 - 1], kind=pa.int64(), name="time_s", key_values=keys)
    check_ok(run("mpq", "info", "far.parquet"))


def test_recovered_rows_keep_what_the_file_said():
    pathlib.Path("in.csv").write_text("t,v\ns,mV\n" + "".join(f"{i},{i / 2}\n" for i in range(5000)))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--units-row", "--encoding", "plain", "--kv", "device_id=6A1B0042", "--kv", "session=7"))
    whole = pathlib.Path("out.parquet").read_bytes()
    pathlib.Path("torn.parquet").write_bytes(whole[:-200])
    said = run("mpq", "recover", "torn.parquet", "-o", "back.parquet").stdout
    check("  of          device 6A1B0042, session 7\n" in said, said)
    check_equal(key_values("back.parquet"), {"device_id": "6A1B0042", "session": "7", "unit.t": "s", "unit.v": "mV"})
    check([each for each in info("back.parquet").splitlines() if each.startswith("  v ") and each.endswith("  mV")], info("back.parquet"))


def test_several_files_and_folders():
    for device in ("a", "b"):
        for split in range(3):
            write(f"LOG/{device}/{split}.parquet", [START + 1_000_000 * i for i in range(60 - split) if i != 30],
                  key_values={"device_id": device, "session": str(split // 2)})
    text = info("LOG")
    check_equal([each.split()[0] for each in text.splitlines()[1:7]], [f"{device}/{split}.parquet" for device in "ab" for split in range(3)])
    check_equal(info("LOG/").splitlines()[1:], text.splitlines()[1:], "a slash more")
    check("6 files, 348 rows" in text and "2 devices, 4 sessions" in text and "6 rows missing" in text, text)
    check_equal(info("LOG/*/0.parquet").count("LOG/"), 2)
    objects = [json.loads(each) for each in info("--json", "LOG/b", "LOG/a/0.parquet").splitlines()]
    check_equal([each["file"] for each in objects], ["LOG/b/0.parquet", "LOG/b/1.parquet", "LOG/b/2.parquet", "LOG/a/0.parquet"])
    check_equal([each["rows"] for each in objects], [59, 58, 57, 59])
    pathlib.Path("short").mkdir()
    for number in (1, 2):
        pathlib.Path(f"short/LOG0000{number}.PQT").write_bytes(pathlib.Path(f"LOG/a/{number}.parquet").read_bytes())
    check("2 files, 115 rows" in info("short"), "files with short names")
    pathlib.Path("LOG/a/broken.parquet").write_text("PAR1")
    result = run("mpq", "info", "LOG")
    check_equal(result.returncode, 1)
    check("broken.parquet" in result.stderr and "6 files" in result.stdout, result)
    check("bytes; 2 devices, 4 sessions; 1 more file could not be read\n" in result.stdout, result.stdout)
    both = subprocess.run(command("mpq", "info", "LOG"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    check("broken.parquet" in both.splitlines()[-1], "what could not be read is last", both)
    pathlib.Path("empty").mkdir()
    check_refused(run("mpq", "info", "empty"), "empty", "*.parquet")
    check_refused(run("mpq", "info", "no*.parquet"), "no file matches")


def test_narrow_terminals():
    names = [f"Temp, °C (LGR S/N: 2345678, SEN S/N: 2345678, LBL: {i:04})" for i in range(6)]
    assert len(names[0]) >= 52
    table = pa.table({"time": pa.array([START + i for i in range(9)], pa.timestamp("us", "UTC"))} | {name: [20.5 + i for i in range(9)] for name in names})
    pyarrow.parquet.write_table(table, "hobo.parquet")
    text = on_terminal(80, "info", "hobo.parquet")
    *lines, more = text.splitlines()[-7:]  # what stays on the screen
    check(more.strip().startswith("(more in a wider terminal"), more)
    check_equal(len(lines), 6, text)
    for line in lines:
        check(len(line) <= 80 and re.search(r"^  Temp.*\.\.\. ?\d{4}\) +double +0 +20\.5 +28\.5", line), line)
    check_equal(len(set(lines)), 6, "names stay different")
    head = next(line for line in text.splitlines() if line.startswith("  column "))
    check_equal(head.split()[:5], ["column", "type", "nulls", "min", "max"])
    check(any(line.startswith("  time ") and "timestamp[us" in line for line in text.splitlines()), text)
