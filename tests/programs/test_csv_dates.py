"""Dates as people write them: the order of day and month from a column as a whole, and never a guess."""
import datetime
import pathlib

from harness import check, check_equal, check_ok, check_refused, key_values, read, run

UTC = datetime.timezone.utc


def day(year, month, number):
    return datetime.date(year, month, number)


def at(*numbers):
    return datetime.datetime(*numbers)


def column(cells, *arguments):
    """A column x of these cells, as (Arrow type, values, what is said of it)."""
    text = "x;filler\n" + "".join(f"{cell};1\n" for cell in cells)
    pathlib.Path("in.csv").write_text(text, encoding="utf-8")
    result = check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", "--delimiter", ";", *arguments))
    table = read("out.parquet")
    said = next(line for line in result.stdout.splitlines() if line.startswith("    x "))
    return str(table.schema.field("x").type), table["x"].to_pylist(), "".join([part.strip() for part in said.split("  ") if part][2:])


def refused(cells, *arguments, parts):
    pathlib.Path("in.csv").write_text("x,filler\n" + "".join(f'"{cell}",1\n' for cell in cells))
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    check_refused(run("csv_log", "in.csv", "out.parquet", *arguments), *parts)


def test_a_day_above_12_decides():
    first = 'day before month, by line 3: "13/04/2024"'
    check_equal(column(["03/04/2024", "13/04/2024", "NA", "1/2/2024"]),
                ("date32[day]", [day(2024, 4, 3), day(2024, 4, 13), None, day(2024, 2, 1)], first))
    check_equal(column(["03/04/2024", "04/13/2024"])[1:],
                ([day(2024, 3, 4), day(2024, 4, 13)], 'month before day, by line 3: "04/13/2024"'))
    check_equal(column(["31-12-1969", "01-01-1970"])[:2], ("date32[day]", [day(1969, 12, 31), day(1970, 1, 1)]))
    late = ["01/02/2024"] * 3000 + ["29/02/2024"]
    check_equal(column(late)[1][0], day(2024, 2, 1), "the last cell decides")


def test_points_are_day_first_and_years_first_are_no_question():
    check_equal(column(["03.04.2024", "1.2.2024"])[:2], ("date32[day]", [day(2024, 4, 3), day(2024, 2, 1)]))
    check_equal(column(["2024/03/04", "2024/1/2"])[:2], ("date32[day]", [day(2024, 3, 4), day(2024, 1, 2)]))
    check_equal(column(["2024.03.04"])[:2], ("date32[day]", [day(2024, 3, 4)]))
    check_equal(column(["03.13.2024"])[:2], ("string", ["03.13.2024"]))
    check_equal(column(["03.04.2024"], "--dates", "mdy")[1], [day(2024, 3, 4)])


def test_times_of_24_and_of_12_hours():
    check_equal(column(["13/04/2024 14:05", "03/04/2024 9:05:07.25"])[:2],
                ("timestamp[us]", [at(2024, 4, 13, 14, 5), at(2024, 4, 3, 9, 5, 7, 250000)]))
    check_equal(column(["4/13/2024 12:00 AM", "4/3/2024 12:30:01 PM", "4/3/2024 1:02 pm", "4/3/2024, 11:59PM",
                        "4/3/2024, 3:04:05\u202fPM"])[1],
                [at(2024, 4, 13), at(2024, 4, 3, 12, 30, 1), at(2024, 4, 3, 13, 2), at(2024, 4, 3, 23, 59), at(2024, 4, 3, 15, 4, 5)])
    check_equal(column(["2024-04-03 3:04 PM"])[1], [at(2024, 4, 3, 15, 4)])
    check_equal(column(["13.04.2024 12:00:00 +02:00", "13/04/2024 12:00Z"])[0], "string", "two forms")
    check_equal(column(["13.04.2024 12:00:00 +02:00"])[:2], ("timestamp[us, tz=UTC]", [datetime.datetime(2024, 4, 13, 10, tzinfo=UTC)]))
    check_equal(column(["2024-01-01 12:00:00,123"])[1], [at(2024, 1, 1, 12, 0, 0, 123000)], "as Python's logging has it")
    check_equal(column(["3:04 PM", "12:00:01 AM"])[:2], ("time64[us]", [datetime.time(15, 4), datetime.time(0, 0, 1)]))
    check_equal(column(["13/04/2024 12:00:00.123456789"])[0], "timestamp[ns]")


def test_what_stays_ambiguous_is_text():
    said = 'because of line 2: "03/04/2024"; give --dates dmy or --dates mdy'
    check_equal(column(["03/04/2024", "12/12/2024"]), ("string", ["03/04/2024", "12/12/2024"], said))
    check_equal(column(["03/04/2024"], "--dates", "dmy")[:2], ("date32[day]", [day(2024, 4, 3)]))
    check_equal(column(["03/04/2024"], "--dates", "mdy")[:2], ("date32[day]", [day(2024, 3, 4)]))
    stamps = column(["03/04/2024 10:00"] * 2)
    check_equal((stamps[0], "--dates dmy or --dates mdy" in stamps[2]), ("string", True))


def test_columns_decide_for_themselves():
    pathlib.Path("in.csv").write_text("a,b,c\n03/04/2024,03/04/2024,03/04/2024\n13/04/2024,04/13/2024,05/04/2024\n")
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    check_equal(read("out.parquet").to_pylist()[0], {"a": day(2024, 4, 3), "b": day(2024, 3, 4), "c": "03/04/2024"})


def test_no_dates():
    for cells in (["13/04/2024", "04/13/2024"], ["30/02/2024"], ["00/01/2024"], ["13/13/2024"], ["13/04/24"], ["13/04-2024"],
                  ["13/04/2024", "2024-04-13"], ["13/04/2024", "13.04.2024"], ["2024-4-3"], ["13/04/2024 13:00 PM"],
                  ["13/04/2024 0:30 AM"], ["13/04/2024 24:00"], ["13/04/2024 14:0"], ["13/04/2024 12:00.5"], ["9:05"],
                  ["13/04/02024"], ["/04/2024"], ["13/04/2024 10:00", "13/04/2024"], ["2024-04-13 9:05"], ["113/04/2024"]):
        check_equal(column(cells)[:2], ("string", cells))
    check_equal(column(["13/04/2024", "04/13/2024"])[2], 'because of line 3: "04/13/2024"')


def test_told_types():
    check_equal(column(["03/04/2024", "13/04/2024"], "--type", "x=date")[1], [day(2024, 4, 3), day(2024, 4, 13)])
    check_equal(column(["03/04/2024 10:00"], "--type", "x=timestamp_ms_utc", "--dates", "dmy")[:2],
                ("timestamp[ms, tz=UTC]", [datetime.datetime(2024, 4, 3, 10, tzinfo=UTC)]))
    check_equal(column(["?", "03/04/2024", "13/04/2024"], "--type", "x=date", "--bad", "null")[1],
                [None, day(2024, 4, 3), day(2024, 4, 13)], "what is no date has no say")
    for arguments in ((), ("--bad", "null")):
        refused(["03/04/2024"], "--type", "x=date", *arguments, parts=["in.csv:2", '"x"', '"03/04/2024"', "--dates dmy", "--dates mdy"])
        check(not pathlib.Path("out.parquet").exists(), "nothing is written")
        refused(["13/04/2024", "04/13/2024"], "--type", "x=date", *arguments, parts=["in.csv:2", '"x"', "--dates dmy"])
    refused(["13/04/2024", "04/13/2024"], "--type", "x=date", "--dates", "dmy", parts=["in.csv:3", '"04/13/2024"', "type date"])
    refused(["13/04/2024"], "--dates", "ymd", parts=["--dates", "dmy"])
    check_equal(column(["03/04/2024"], "--type", "x=string")[1], ["03/04/2024"])


def test_streams_and_added_rows():
    stream = "x\n" + "13/04/2024\n" * 1000 + "03/04/2024\n"
    check_ok(run("csv_log", "-", "out.parquet", input=stream))
    check_equal(read("out.parquet")["x"].to_pylist()[-1], day(2024, 4, 3))
    pathlib.Path("more.csv").write_text("x\n05/04/2024\n")
    for arguments, options in ((["more.csv"], {}), (["-"], {"input": "x\n05/04/2024\n"})):
        check_refused(run("csv_log", *arguments, "out.parquet", "--append", **options), ":2:", '"05/04/2024"', "--dates dmy")
        check_ok(run("csv_log", *arguments, "out.parquet", "--append", "--dates", "dmy", **options))
        check_equal(read("out.parquet")["x"].to_pylist()[-1], day(2024, 4, 5))
    pathlib.Path("more.csv").write_text("x\n05/04/2024\n14/04/2024\n")
    check_ok(run("csv_log", "more.csv", "out.parquet", "--append"))
    check_equal(read("out.parquet")["x"].to_pylist()[-2:], [day(2024, 4, 5), day(2024, 4, 14)])
    check("microparquet.stopped" not in key_values("out.parquet"), "nothing stopped it")
