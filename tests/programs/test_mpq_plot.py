"""mpq plot: what stands where, in braille and in ASCII, at any width."""
import datetime
import decimal
import os
import pathlib
import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet
from harness import SECONDS, check, check_equal, check_ok, check_refused, command, on_terminal, run

START = 1_750_000_000_000_000  # 2025-06-15T15:06:40Z
US = pa.timestamp("us", "UTC")
UTF8 = {"LC_ALL": "C.UTF-8"}


def write(path, columns, *, key_values=None, **options):
    pa.parquet.write_table(pa.table(columns).replace_schema_metadata(key_values), path, **options)


def environment(settings):
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "LANG")}
    return {**kept, **settings}


def plot(*arguments, width=80, **settings):
    return run("mpq", "plot", *arguments, env=environment({"COLUMNS": str(width), **settings}))


def drawn(*arguments, **options):
    return check_ok(plot(*arguments, **options)).stdout.splitlines()


def cells(line, begin, width):
    return line[begin:begin + width].ljust(width)


def layout(lines):
    """Columns of the strips, as the line of a column of ones shows, which has a mark in each cell."""
    full = next(line for line in lines if line.startswith("full "))
    begin = next(i for i, c in enumerate(full) if c in "'-_" or "\u2801" <= c <= "\u28ff")
    end = max(i for i, c in enumerate(full) if c in "'-_" or "\u2801" <= c <= "\u28ff")
    return begin, end + 1 - begin


def strip(lines, name):
    begin, width = layout(lines)
    at = next(i for i, line in enumerate(lines) if line.startswith(name + " "))
    return cells(lines[at], begin, width), cells(lines[at + 1], begin, width)


def values(lines, name):
    """The two values on the right: the largest and the smallest."""
    begin, width = layout(lines)
    at = next(i for i, line in enumerate(lines) if line.startswith(name + " "))
    return lines[at][begin + width:].strip(), lines[at + 1][begin + width:].strip()


def inked(cell):
    return cell not in " \u2800"


def full_column(count):
    return pa.array([1.0] * count)


def check_near(line, cell):
    """There is ink in a cell and, as a line leads there, perhaps in one beside it."""
    there = [i for i, each in enumerate(line) if inked(each)]
    check(cell in there and len(there) <= 2 and all(abs(i - cell) <= 1 for i in there), there, cell)


def test_a_peak_stands_at_its_time():
    count = 4000
    write("log.parquet", {"time": pa.array([START + 2500 * i for i in range(count)], US), "full": full_column(count),
                          "up": [float(i == 2500) for i in range(count)], "down": [-float(i == 1000) for i in range(count)]})
    for settings in ({}, UTF8):
        for width in (40, 80, 200):
            lines = drawn("log.parquet", width=width, **settings)
            _, cells_there = layout(lines)
            top, bottom = strip(lines, "up")
            check_near(top, 2500 * cells_there // (count - 1))
            check(all(inked(cell) for cell in bottom), bottom)
            top, bottom = strip(lines, "down")
            check_near(bottom, 1000 * cells_there // (count - 1))
            check_equal(values(lines, "down"), ("0", "-1"))


def test_gaps_are_empty_and_marked():
    count = 4000
    kept = [i for i in range(count) if not 1000 <= i < 1400 and i != 3000]
    write("log.parquet", {"time": pa.array([START + 2500 * i for i in kept], US), "full": full_column(len(kept)), "value": [float(i) for i in kept]})
    for settings in ({}, UTF8):
        lines = drawn("log.parquet", **settings)
        begin, width = layout(lines)
        check("  gaps: 2, the longest 1 s after row 1,000; 401 rows are missing" in lines, lines)
        marks = cells(next(line for line in lines if line.startswith("gaps ")), begin, width)
        first, last = 999 * width // (count - 1), 1400 * width // (count - 1)
        single = 2999 * width // (count - 1)
        marked = {i for i, mark in enumerate(marks) if mark == "x"}
        check(set(range(first, last + 1)) <= marked <= set(range(first, last + 1)) | {single, single + 1}, marks)
        check(single in marked, marks)
        top, bottom = strip(lines, "value")
        check(all(not inked(top[i]) and not inked(bottom[i]) for i in range(first + 1, last)), top, bottom)
        check(all(inked(top[i]) or inked(bottom[i]) for i in range(width) if i <= first or i >= last), top, bottom)
    write("whole.parquet", {"time": pa.array([START + 2500 * i for i in range(9)], US), "full": full_column(9)})
    lines = drawn("whole.parquet")
    check("  gaps: none" in lines and not [line for line in lines if line.startswith("gaps ")], lines)


def test_a_line_rises_from_the_bottom_to_the_top():
    write("log.parquet", {"time": pa.array([START + 2500 * i for i in range(4000)], US), "full": full_column(4000), "rise": list(range(4000))})
    top, bottom = strip(drawn("log.parquet"), "rise")
    order = "_-'"
    def heights(line):
        return [order.index(cell) for cell in line if cell in order]
    check_equal((heights(bottom), heights(top)), (sorted(heights(bottom)), sorted(heights(top))))
    check_equal((bottom[0], bottom[-1], top[0], top[-1]), ("_", " ", " ", "'"))
    # Ten rows are a line, too, as wide as the strip.
    write("few.parquet", {"time": pa.array([START + 1_000_000 * i for i in range(10)], US), "full": full_column(10), "rise": list(range(10))})
    top, bottom = strip(drawn("few.parquet"), "rise")
    check(all(inked(a) or inked(b) for a, b in zip(top, bottom)), top, bottom)
    # Rows without a usual interval are points.
    times = [0, 1, 2, 300, 310, 900, 905, 1000]
    write("odd.parquet", {"time": pa.array([START + 1_000_000 * t for t in times], US), "rise": times})
    lines = drawn("odd.parquet")
    check("irregular" in "".join(lines), lines)


def test_every_line_fits():
    long = "a_column_with_a_name_that_is_longer_than_a_strip_could_ever_have_place_for"
    write("log.parquet", {"time": pa.array([START + 2500 * i for i in range(500)], US), "full": full_column(500), long: [1e-300 * i for i in range(500)],
                          "\u540d\u524d": list(range(500)), "when": pa.array([START + i for i in range(500)], US)},
          key_values={f"unit.{long}": "u" * 100, "unit.full": "\x1b[2J"})
    for width in (1, 40, 41, 57, 80, 199, 200, 500):
        for settings in ({}, UTF8):
            result = plot("log.parquet", width=width, **settings)
            check("\x1b" not in result.stdout, result.stdout)
            wide = [line for line in check_ok(result).stdout.splitlines()[1:] if len(line) + line.count("\u540d") + line.count("\u524d") > min(max(width, 40), 200)]
            check_equal(wide, [], width)
    _, narrow = layout(drawn("log.parquet", width=40, **UTF8))
    _, wide = layout(drawn("log.parquet", width=200, **UTF8))
    check(14 <= narrow <= 30 and 110 <= wide <= 180, narrow, wide)
    kept = environment(UTF8)
    piped = subprocess.run(command("mpq", "plot", "log.parquet"), capture_output=True, text=True, timeout=SECONDS, env=kept)
    check_equal(layout(piped.stdout.splitlines())[1], layout(drawn("log.parquet", width=80, **UTF8))[1])


def test_ascii_where_the_locale_has_no_more():
    write("log.parquet", {"t": [0.1 * i for i in range(100)], "full": full_column(100), "rise": list(range(100))})
    for settings in ({}, {"LANG": "C"}, {"LC_ALL": "C", "LANG": "en_US.UTF-8"}, {"LC_ALL": "", "LC_CTYPE": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"}):
        check("\n".join(drawn("log.parquet", **settings)).isascii(), settings)
    check("\n".join(drawn("log.parquet", "--ascii", **UTF8)).isascii())
    for settings in (UTF8, {"LANG": "en_US.utf8"}, {"LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"}):
        check(not "\n".join(drawn("log.parquet", **settings)).isascii(), settings)


def test_ticks_stand_at_their_times():
    def ticks(line):
        found = {}
        for i, character in enumerate(line):
            if character == "|":
                found[i] = line[i + 1:].split("|")[0].strip()
        return found

    for name, kind, times, width, expected in (
            ("time_us", pa.int64(), [2500 * i for i in range(4001)], 10, {0: "0 s", 2: "2 s", 4: "4 s", 6: "6 s", 8: "8 s", 10: None}),
            ("time", US, [START + 2500 * i for i in range(4001)], 10, {0: "15:06:40"}),
            ("t", pa.float64(), [100.0 + 0.001 * i for i in range(1000)], 0.999, {0: "100.0 s"}),
            ("uptime_s", pa.int32(), [60 * i for i in range(180)], 60 * 179, {0: "0:00:00", 3600: "1:00:00", 7200: "2:00:00"})):
        write("log.parquet", {name: pa.array(times, kind), "full": full_column(len(times))})
        lines = drawn("log.parquet")
        begin, cells_there = layout(lines)
        found = ticks(lines[-1][begin:])
        for at, label in expected.items():
            cell = min(cells_there - 1, int(at * cells_there / width))
            check(label is None or found.get(cell, "") == label, f"{label} is not at {cell} of {lines[-1]!r}")
    write("days.parquet", {"time": pa.array([START + 3_600_000_000 * i for i in range(24 * 10)], US), "full": full_column(240)})
    check(drawn("days.parquet", width=200)[-1].count("|12:00") == 9 and "|06-17" in drawn("days.parquet", width=200)[-1])
    check_equal((drawn("days.parquet")[-1].count("|2025-06-"), drawn("days.parquet")[-1].count("|")), (4, 5))


def test_values_and_units():
    count = 100
    columns = {
        "time": pa.array([START + 10_000 * i for i in range(count)], US),
        "full": full_column(count),
        "flag": [i > 50 for i in range(count)],
        "small": pa.array(range(-50, 50), pa.int8()),
        "huge": pa.array([2 ** 64 - 1 - i for i in range(count)], pa.uint64()),
        "counts": pa.array(range(count), pa.int16()),
        "money": pa.array([decimal.Decimal(i - 10) / 100 for i in range(count)], pa.decimal128(20, 2)),
        "half": pa.array([i / 4 for i in range(count)], pa.float32()).cast(pa.float16()),
        "day": pa.array([datetime.date(2024, 2, 29) + datetime.timedelta(days=i) for i in range(count)]),
        "holes": [None if i % 3 else i for i in range(count)],
        "nans": [float("nan") if i % 2 else float("inf") if i == 50 else i / 8 for i in range(count)],
        "nothing": pa.array([None] * count, pa.float64()),
        "close": [1e6 + 0.001 * i for i in range(count)],
    }
    write("log.parquet", columns, key_values={"unit.counts": "deg/s", "scale.counts": "0.5", "scale.small": "x", "unit.money": "EUR"})
    lines = drawn("log.parquet", width=120, **UTF8)
    for name, expected in {"flag": ("true", "false"), "small": ("49", "-50"), "counts": ("49.5", "0"), "money": ("0.89", "-0.1"), "half": ("24.75", "0"),
                           "day": ("2024-06-07", "2024-02-29"), "holes": ("99", "0"), "nans": ("12.25", "0"), "nothing": ("no values", ""),
                           "full": ("1", "")}.items():
        check_equal(values(lines, name), expected, name)
    check_equal(len(set(values(lines, "close"))), 2)
    at = next(i for i, line in enumerate(lines) if line.startswith("counts "))
    check(lines[at + 1].startswith("  deg/s ") and not any("EUR" in line for line in lines[at:at + 2]), lines)
    check_equal([line for line in strip(lines, "nothing") if any(map(inked, line))], [])


def test_nulls_leave_their_place_empty():
    write("log.parquet", {"time": pa.array([START + 1000 * i for i in range(1000)], US), "full": full_column(1000),
                          "value": [None if 400 <= i < 700 else float(i) for i in range(1000)]})
    lines = drawn("log.parquet", **UTF8)
    _, width = layout(lines)
    top, bottom = strip(lines, "value")
    for i in range(width):
        there = inked(top[i]) or inked(bottom[i])
        check(there != (400 < 999 * i / width and 999 * (i + 1) / width < 700), i, top, bottom)


def test_what_cannot_be_drawn_is_named():
    write("log.parquet", {"time": pa.array([START + i for i in range(9)], US), "full": full_column(9), "raw": [b"\0"] * 9, "list": [["a"]] * 9})
    lines = drawn("log.parquet")
    for name in ("raw", "list.list.element"):
        check([line for line in lines if line.startswith(f"  {name} is not drawn: it holds")], lines)
        result = plot("log.parquet", "--columns", f"full,{name}")
        check_refused(result, f"column {name} cannot be drawn")
        check_equal(result.stdout, "")
    check_refused(plot("log.parquet", "--columns", "value"), "no column value")
    check_refused(plot("log.parquet", "--columns", "full,full"), "twice")
    write("bytes.parquet", {"name": [b"x"] * 9})
    check("  name is not drawn: it holds binary" in drawn("bytes.parquet"), drawn("bytes.parquet"))


def test_a_part_of_the_time():
    count = 4000
    columns = {"full": full_column(count), "value": list(range(count))}
    write("clock.parquet", {"time": pa.array([START + 2500 * i for i in range(count)], US), **columns}, row_group_size=400)
    write("boot.parquet", {"time_us": [2500 * i for i in range(count)], **columns}, row_group_size=400)
    write("started.parquet", {"time_us": [2500 * i for i in range(count)], **columns}, key_values={"started_at": "2025-06-15T15:06:40Z"})
    write("floats.parquet", {"t": [0.0025 * i for i in range(count)], **columns})
    for path, begin, end in (("clock.parquet", "2025-06-15T15:06:42Z", "2025-06-15T15:06:45Z"), ("boot.parquet", "2", "5"),
                             ("started.parquet", "2025-06-15T15:06:42Z", "5"), ("floats.parquet", "2", "5")):
        check_equal(values(drawn(path, "--from", begin, "--to", end), "value"), ("2000", "800"), path)
        check_equal(values(drawn(path, "--from", begin), "value"), ("3999", "800"), path)
        check_equal(values(drawn(path, "--to", end), "value"), ("2000", "0"), path)
        check(any("1,201 rows" in line for line in drawn(path, "--from", begin, "--to", end)), path)
    check("  no row has a time between --from and --to" in drawn("boot.parquet", "--from", "60"))
    check_refused(plot("boot.parquet", "--from", "2025-06-15T15:06:42Z"), "--from", "seconds, such as")
    check_refused(plot("clock.parquet", "--to", "5"), "--to 5", "2026-02-28T06:00:00Z")
    check("15:06:4" in drawn("started.parquet")[-1] and "2025-06-15T15:06:40Z to" in drawn("started.parquet")[1], drawn("started.parquet"))
    write("rows.parquet", columns)
    check_refused(plot("rows.parquet", "--from", "1"), "no column says when", "--time")


def test_only_what_is_wanted_is_read():
    """A row group that is damaged, and has no row of the time that is asked, does no harm."""
    write("log.parquet", {"time": pa.array([START + 2500 * i for i in range(4000)], US), "full": full_column(4000)}, row_group_size=1000, compression="none",
          use_dictionary=False)
    place = pa.parquet.read_metadata("log.parquet").row_group(0).column(0).data_page_offset
    with open("log.parquet", "r+b") as file:
        file.seek(place)
        file.write(b"\xff" * 64)
    check_equal(plot("log.parquet").returncode, 1)
    check("  2.5 s, 1,000 rows" in "\n".join(drawn("log.parquet", "--from", "2025-06-15T15:06:47.5Z")))


def test_what_comes_before_a_damage_is_drawn():
    count = 4000
    write("log.parquet", {"time": pa.array([START + 2500 * i for i in range(count)], US), "full": full_column(count),
                          "value": list(range(count))}, row_group_size=1000, compression="none", use_dictionary=False, write_page_checksum=True)
    whole = strip(drawn("log.parquet"), "value")
    place = pa.parquet.read_metadata("log.parquet").row_group(2).column(2).data_page_offset
    with open("log.parquet", "r+b") as file:
        file.seek(place + 200)
        file.write(b"\xff" * 64)
    result = plot("log.parquet")
    check_refused(result, "log.parquet after row 2000: column value is damaged")
    lines = result.stdout.splitlines()
    begin, width = layout(lines)
    check(abs(width - len(whole[0]) // 2) <= 1, lines)  # of the column of ones, which ends there
    check_equal(values(lines, "value")[1], "0")


def test_memory_is_that_of_the_drawing():
    def memory(*arguments):
        script = pathlib.Path(__file__).with_name("measure.py")
        said = subprocess.run([sys.executable, "-S", script, *command("mpq", "plot", *arguments)], capture_output=True, text=True, check=True).stdout.split()
        check_equal(said[0], "0", arguments)
        return int(said[2])

    for count in (20_000, 1_000_000):
        times = pa.array(range(count), pa.int64())
        write(f"{count}.parquet", {"time_ms": times, **{name: times.cast(pa.float64()) for name in "abcd"}}, row_group_size=20_000)
    small, large = memory("20000.parquet"), memory("1000000.parquet")
    check(large < small + 16_000, f"{large} KiB of a million rows, {small} of 20,000")  # the intervals of which a median is taken: 8 MB
    write("wide.parquet", {f"c{i}": [1.0, 2.0] for i in range(2000)})
    lines = drawn("wide.parquet")
    check_equal(len([line for line in lines if line.startswith("c")]), 500)
    check("  1,500 more columns are not drawn; name by --columns which" in lines, lines[-3:])
    check(drawn("wide.parquet", "--columns", "c1999")[2].startswith("c1999 "))


def test_files_without_times_and_odd_ones():
    write("rows.parquet", {"full": full_column(1000), "value": list(range(1000))})
    lines = drawn("rows.parquet")
    check_equal((lines[1], values(lines, "value")), ("  1,000 rows, without times", ("999", "0")))
    check(lines[-1].startswith("row ") and "|500" in lines[-1], lines)
    check(drawn("rows.parquet", "--time", "value")[-1].startswith("value "))
    check_refused(plot("rows.parquet", "--time", "values"), "no column values")
    write("none.parquet", {"time": pa.array([], US), "full": pa.array([], pa.float64())})
    check_equal(drawn("none.parquet"), ["none.parquet", "  no rows"])
    pa.parquet.write_table(pa.table({}), "empty.parquet")
    check_equal(drawn("empty.parquet"), ["empty.parquet", "  no rows"])
    write("one.parquet", {"time": pa.array([START], US), "full": full_column(1)})
    check(drawn("one.parquet")[-3].split() == ["full", "_", "1"], drawn("one.parquet"))
    write("same.parquet", {"time": pa.array([START] * 9, US), "value": list(range(9))})
    drawn("same.parquet")
    write("nulls.parquet", {"time": pa.array([None, START, None, START + 9], US), "full": full_column(4)})
    drawn("nulls.parquet")
    write("back.parquet", {"time": pa.array([START + 1000 * (i if i < 50 else i - 40) for i in range(100)], US), "full": full_column(100)})
    check(any("clock: begins again 1 time, 39 ms back after row 50" in line for line in drawn("back.parquet")))
    write("far.parquet", {"time_ns": pa.array([-2 ** 63, 0, 2 ** 63 - 1], pa.int64()), "value": [-1.7e308, 0.0, 1.7e308]})
    for settings in ({}, UTF8):
        drawn("far.parquet", **settings)
    write("extremes.parquet", {"time_s": pa.array([-2 ** 63, 2 ** 63 - 1], pa.int64()), "value": pa.array([-2 ** 63, 2 ** 63 - 1])}, key_values={"started_at": "2026-01-01T00:00:00Z"})
    drawn("extremes.parquet")


def test_several_files_one_after_another():
    pathlib.Path("LOG/a").mkdir(parents=True)
    for name in ("LOG/a/1.parquet", "LOG/a/2.parquet", "LOG/3.parquet"):
        write(name, {"t": [0.1 * i for i in range(100)], "full": full_column(100)})
    pathlib.Path("LOG/broken.parquet").write_text("PAR1")
    result = plot("LOG")
    check_equal(result.returncode, 1)
    check("broken.parquet" in result.stderr, result.stderr)
    check_equal([line for line in result.stdout.splitlines() if line.startswith("LOG/")], ["LOG/3.parquet", "LOG/a/1.parquet", "LOG/a/2.parquet"])
    check_equal(len([line for line in drawn("LOG/a/*.parquet") if line.startswith("LOG/")]), 2)
    with open("LOG/3.parquet", "rb") as file:
        check_equal(check_ok(run("mpq", "plot", "-", stdin=file, env=environment({}))).stdout.splitlines()[0], "standard input")


def test_rows_after_the_last_footer_are_told_of():
    check_ok(run("made_log", "cut.parquet", 6000, 2000, 512, 512, "in_place", "cut"))
    check_ok(run("made_log", "young.parquet", 900, 2000, 512, 512, "in_place", "cut"))
    for path in ("cut.parquet", "young.parquet"):
        result = check_ok(plot(path))
        told = check_ok(run("mpq", "head", path)).stderr
        check_equal(result.stderr, told)
        check(result.stdout.startswith(path), result.stdout)


def test_marks():
    """Texts of a column `mark` stand as letters above the strips, go through them, and are listed below the axis."""
    path = "marks.parquet"
    count = 100
    marks = [None] * count
    marks[25] = "door open\x1b[31m"
    marks[50], marks[75] = "pump on", "pump off"
    write(path, {"time": pa.array([START + i * 1_000_000 for i in range(count)], US), "full": full_column(count),
                 "still": pa.array([0.0] * 50 + [5.0] * 50), "mark": pa.array(marks)})
    lines = drawn("--ascii", path)
    begin, width = layout(lines)
    letters = cells(next(line for line in lines if line.startswith("mark ")), begin, width)
    at = {letter: letters.index(letter) for letter in "abc"}
    check_equal(letters.replace(" ", ""), "abc", "letters")
    for letter, row in (("a", 25), ("b", 50), ("c", 75)):
        check(abs(at[letter] - row * width // (count - 1)) <= 1, f"place of {letter}: {at[letter]} of {width}")
    check(next(i for i, line in enumerate(lines) if line.startswith("mark ")) < next(i for i, line in enumerate(lines) if line.startswith("full ")),
          "marks come first")
    above, below = strip(lines, "still")
    check_equal(above[at["a"]] + below[at["c"]], "::", "blank cells of a strip")
    check(inked(below[at["a"]]) and below[at["a"]] != ":" and inked(above[at["c"]]) and above[at["c"]] != ":", "ink stays")
    check_equal(lines[-3:], ["  a 2025-06-15T15:07:05Z door open?[31m", "  b 2025-06-15T15:07:30Z pump on",
                             "  c 2025-06-15T15:07:55Z pump off"], "list")
    lines = drawn("--ascii", "--columns", "full", "--from", "2025-06-15T15:07:20Z", "--to", "2025-06-15T15:07:40Z", path)
    check_equal(lines[-1:], ["  a 2025-06-15T15:07:30Z pump on"], "a window has its own")


def test_marks_without_end():
    path = "many_marks.parquet"
    write(path, {"full": full_column(1000), "mark": pa.array([f"m{i}" for i in range(1000)])})
    lines = drawn("--ascii", path)
    begin, width = layout(lines)
    letters = cells(next(line for line in lines if line.startswith("mark ")), begin, width)
    check(set(letters) <= set("* "), letters)
    check("  a row 1 m0" in lines and "  Z row 52 m51" in lines, lines)
    check_equal(lines[-1], "  948 more marks are not shown; --from and --to choose", "the rest")


def test_a_mark_that_is_no_text():
    path = "number.parquet"
    write(path, {"full": full_column(10), "mark": pa.array(range(10))})
    check(any(line.startswith("mark ") and line.endswith("9") for line in drawn("--ascii", path)), "drawn as a signal")


def rows_of(lines, name):
    """The lines of a picture, from its name to the one above what comes next, and where their cells are."""
    begin, width = layout(lines)
    at = next(i for i, line in enumerate(lines) if line.startswith(name + " "))
    end = next(i for i in range(at + 1, len(lines)) if not lines[i].startswith("  ") and lines[i][:1] != " ")
    return [cells(line, begin, width) for line in lines[at:end]]


def test_a_picture_of_arrays():
    """A peak that rises with time, in an array whose rows are as long or not; a gap is blank, and a window has its part."""
    count, size = 200, 16
    spectrum = [[9.0 if k == i * size // count else 1.0 for k in range(size)] for i in range(count)]
    for name, lists in (("fixed", spectrum), ("longer", [row[:max(1, i)] for i, row in enumerate(spectrum)])):
        write("arrays.parquet", {"time": pa.array([START + (i + 1000 * (i >= 150)) * 1_000_000 for i in range(count)], US), "full": full_column(count),
                                 "bins": pa.array(lists, pa.list_(pa.float32()))}, key_values={"step.bins": "2 Hz", "unit.bins": "mV"})
        for inks, options in (("@", ["--ascii"]), ("\u2588", [])):
            lines = drawn(*options, "arrays.parquet", **UTF8)
            picture = rows_of(lines, "bins")
            check(len(picture) >= 4, name, lines)
            for line, cells_of_line in enumerate(reversed(picture)):
                places = [i for i, c in enumerate(cells_of_line) if c in inks]
                first, last = [int(part * count / len(picture)) for part in (line, line + 1)]
                seconds = [first + 1000 * (first >= 150), last - 1 + 1000 * (last - 1 >= 150)]
                begin, end = [second / 1199 * len(cells_of_line) for second in seconds]
                check(places and abs(places[0] - begin) <= 1.5 and abs(places[-1] - end) <= 1.5, name, line, places, (begin, end))
            check(any(line.strip().startswith("0 to 30 Hz") for line in lines) and any(line.strip().startswith("mV") for line in lines), lines)
            check(lines[[i for i, line in enumerate(lines) if line.startswith("bins ")][0]].endswith(" 9"), lines)
    lines = drawn("--ascii", "arrays.parquet", "--to", "2025-06-15T15:07:00Z")
    check("@" in rows_of(lines, "bins")[-1] and "@" not in rows_of(lines, "bins")[0], lines)


def test_few_elements_are_lines():
    count = 100
    write("xyz.parquet", {"full": full_column(count), "accel": pa.array([[float(i), -float(i), None] for i in range(count)]),
                          "sats": pa.array([[{"id": i % 7, "name": "a"}] * 2 for i in range(count)]),
                          "texts": pa.array([["a"]] * count), "fix": pa.array([{"lat": float(i)} if i % 9 else None for i in range(count)])},
          key_values={"unit.accel": "g"})
    lines = drawn("--ascii", "xyz.parquet", width=100)
    for name, most, least in (("accel[0]", "99", "0"), ("accel[1]", "0", "-99"), ("sats.id[1]", "6", "0"), ("fix.lat", "98", "1")):
        at = next(i for i, line in enumerate(lines) if line.startswith(name + " "))
        check_equal((lines[at].split()[-1], lines[at + 1].split()[-1]), (most, least), name)
    check(any(line.startswith("accel[2] ") and line.endswith("no values") for line in lines), lines)
    check(next(line for line in lines[[line.startswith("accel[0] ") for line in lines].index(True) + 1:]).startswith("  g "), lines)
    check("  texts.list.element is not drawn: it holds lists" in lines, lines)
    check_equal([line.split()[0] for line in drawn("--ascii", "--columns", "accel", "xyz.parquet") if line.startswith("accel[")],
                ["accel[0]", "accel[1]", "accel[2]"])


def test_strips_fill_the_page():
    path = "tall.parquet"
    write(path, {"full": full_column(100), "value": [float(i) for i in range(100)]})
    check_equal(len(drawn(path, LINES="10")), len(drawn(path)), "at least two lines")
    for height, lines in ((24, 7), (50, 12)):
        found = drawn(path, LINES=str(height), **UTF8)
        check_equal(len(found) - len(drawn(path)), 2 * (lines - 2), f"strips of a page of {height} lines")
        check(len(found) < height, "the page holds all")
        first = next(i for i, line in enumerate(found) if line.startswith("value "))
        begin, width = layout(drawn(path, **UTF8))
        for i in range(lines):  # the line falls from the upper right to the lower left
            inks = [k for k, cell in enumerate(cells(found[first + i], begin, width)) if inked(cell)]
            check(abs(sum(inks) / len(inks) / width - (1 - (i + 0.5) / lines)) < 0.1, found)


def test_colors_of_terminals():
    path = "colors.parquet"
    write(path, {"a": [float(i) for i in range(100)], "b": [float(-i) for i in range(100)]})
    colored = on_terminal(80, "plot", path, env=environment({"TERM": "xterm", "NO_COLOR": "", **UTF8}))
    found = set(re.findall("\x1b\\[(3\\d)m", colored))
    check_equal(len(found), 2, "a colour a strip")
    plain = on_terminal(80, "plot", path, env=environment({"TERM": "xterm", "NO_COLOR": "1", **UTF8}))
    check("\x1b" not in plain, "none are wanted")
    check_equal(re.sub("\x1b\\[\\d+m", "", colored), plain, "beside colours the same")
    check("\x1b" not in on_terminal(80, "plot", path, env=environment({"TERM": "dumb", **UTF8})), "none there are")
    check("\x1b" not in "".join(drawn(path, TERM="xterm", **UTF8)), "not in files")


def test_texts_are_bands():
    count, modes = 1000, ["idle", "take off", "cruise", "land"]
    columns = {"full": full_column(count), "mode": [modes[i // 250] for i in range(count)]}
    write("modes.parquet", columns)
    for settings in ({}, UTF8):
        lines = drawn("modes.parquet", **settings)
        begin, width = layout(lines)
        band = cells(next(line for line in lines if line.startswith("mode ")), begin, width)
        check_equal([text.strip("-") for text in band[1:].split("|")], modes)
        places = [i for i, cell in enumerate(band) if cell == "|"]
        check(all(abs(place - i * width / 4) <= 1 for i, place in enumerate(places)), band)
        check(next(line for line in lines if line.startswith("mode ")).endswith(" 4 states"), lines)
    columns["mode"] = [None if 500 <= i < 750 else mode for i, mode in enumerate(columns["mode"])]
    write("modes.parquet", columns)
    lines = drawn("modes.parquet", "--columns", "full,mode")
    begin, width = layout(lines)
    band = cells(next(line for line in lines if line.startswith("mode ")), begin, width)
    check(set(band[width // 2 + 2:3 * width // 4 - 2]) == {" "}, "none where there is none", band)
    write("ids.parquet", {"full": full_column(5000), "id": [f"id {i}" for i in range(5000)]})
    check(next(line for line in drawn("ids.parquet") if line.startswith("id ")).endswith(" 1,000 states"), "no more are counted")
