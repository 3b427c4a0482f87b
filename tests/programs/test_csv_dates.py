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
    for cells in (["13/04/2024", "04/13/2024"], ["30/02/2024"], ["00/01/2024"], ["13/13/2024"], ["13/04-2024"], ["13/04/2024", "13/04/24"],
                  ["13/04/2024", "2024-04-13"], ["13/04/2024", "13.04.2024"], ["13/04/2024 13:00 PM"], ["13/04/2024 24:01"],
                  ["13/04/2024 0:30 AM"], ["13/04/2024 12:00.5"], ["9:05"], ["2.10.15"], ["2024-060"], ["Oslo 12 2024"], ["13/04/02024"],
                  ["/04/2024"], ["13/04/2024 10:00", "13/04/2024"], ["113/04/2024"], ["13-Mai-2024x"], ["31-Feb-2024"],
                  ["2024-04-13 10:00 CST"], ["2024-04-13 10:00 BST"], ["13-Apr-2024", "2024-04-13"]):
        check_equal(column(cells)[:2], ("string", cells))
    check_equal(column(["13/04/2024", "04/13/2024"])[2], 'because of line 3: "04/13/2024"')


def test_two_digit_years():
    check_equal(column(["13/04/68", "1/2/69"])[1], [day(2068, 4, 13), day(1969, 2, 1)])
    check_equal(column(["05/25/00 10:52:42 AM"])[1], [at(2000, 5, 25, 10, 52, 42)])
    check_equal(column(["25.12.24", "01.02.25"])[1], [day(2024, 12, 25), day(2025, 2, 1)])
    check_equal(column(["03/04/24"])[0], "string", "no day above 12")


def test_months_by_name():
    march = at(2024, 3, 28, 23, 59, 30)
    for cell in ("28-Mar-2024 23:59:30", "28 March 2024 23:59:30", "28MAR2024 23:59:30", "28-Mar-24 23:59:30", "28. M\u00e4rz 2024 23:59:30",
                 "28-MRZ-2024, 23:59:30", "28 mars 2024 23:59:30", "28-mar-2024 23:59:30", "28/Mar/2024:23:59:30", "Mar 28, 2024 11:59:30 PM",
                 "Mar 28 2024 23:59:30", "Thu Mar 28 23:59:30 2024", "Thu, 28 Mar 2024 23:59:30", "jeu. 28 mars 2024 23:59:30",
                 "2024-Mar-28 23:59:30", "Thursday, March 28, 2024 11:59:30 PM", "Do 28.Mrz.2024 23:59:30"):
        check_equal(column([cell])[:2], ("timestamp[us]", [march]), cell)
    for cell in ("28-d\u00e9c.-2024", "28 DEZ 2024", "28 dic 2024", "28-dec-2024", "28 dezembro 2024", "mar. 28 d\u00e9c. 2024", "28 \u0434\u0435\u043a 2024"):
        check_equal(column([cell])[1], [day(2024, 12, 28)], cell)
    check_equal(column(["Tue Dec 31 23:58:04 2024", "Wed Jan  1 00:00:20 2025"])[1], [at(2024, 12, 31, 23, 58, 4), at(2025, 1, 1, 0, 0, 20)])
    instant = datetime.datetime(2024, 3, 19, 16, 40, 2, tzinfo=UTC)
    for cell in ("Tue Mar 19 17:40:02 GMT+01:00 2024", "Tue Mar 19 17:40:02 CET 2024", "Tue, 19 Mar 2024 17:40:02 +0100 (CET)",
                 "19/Mar/2024:17:40:02 +0100", "2024-03-19T17:40:02+01:00[Europe/Berlin]", "2024-03-19 17:40:02 +0100 CET", "2024-03-19 16:40:02 UT"):
        check_equal(column([cell])[:2], ("timestamp[us, tz=UTC]", [instant]), cell)


def test_other_forms():
    for cell in ("20240531T235921", "20240531 235921", "20240531-235921", "20240531_235921", "2024-05-31_23-59-21", "2024/05/31/23:59:21",
                 "2024:05:31 23:59:21", "31.05.2024 23.59.21", "2024-5-31 23:59:21", "31/05/2024 - 23:59:21", "2024-152T23:59:21",
                 "2024:152:23:59:21", "31.05.2024 23h59m21s", "2024-05-31 11:59:21 p. m.", "31/05/2024 \u4e0b\u534811:59:21", "31.05.2024 11:59:21 nachm.",
                 "31/5/2024 11:59:21 p.m."):
        check_equal(column([cell])[:2], ("timestamp[us]", [at(2024, 5, 31, 23, 59, 21)]), cell)
    check_equal(column(["20240531T235921Z"])[0], "timestamp[us, tz=UTC]")
    check_equal(column(["2024-4-3 9:5:7", "2024-04-13 9:05"])[1], [at(2024, 4, 3, 9, 5, 7), at(2024, 4, 13, 9, 5)])
    check_equal(column(["2024-05-31 12:00:00:250"])[1], [at(2024, 5, 31, 12, 0, 0, 250000)])
    check_equal(column(["2024-12-31 24:00", "31.12.2024 24:00:00"][:1])[1], [at(2025, 1, 1)])
    check_equal(column(["12:00a", "9:30p", "12:05 p.m."])[1], [datetime.time(0), datetime.time(21, 30), datetime.time(12, 5)])
    check_equal(column(["9:05:07", "10:00:00"])[1], [datetime.time(9, 5, 7), datetime.time(10)])
    check_equal(column(["23:59:00", "24:00:00", "00:01:00"])[1], [datetime.time(23, 59), datetime.time(0), datetime.time(0, 1)])


def test_times_of_day_first_and_marks_around():
    for cell in ("10:15:00 25/03/2024", "10:15:00, 25.03.2024", "10:15:00 2024-03-25", "10:15 25-Mar-2024", "10:15:00 Mon Mar 25, 2024",
                 "10:15 AM 25/03/2024", "[2024-03-25 10:15:00]", "(2024-03-25T10:15)", "'2024-03-25 10:15:00'"):
        check_equal(column([cell])[:2], ("timestamp[us]", [at(2024, 3, 25, 10, 15)]), cell)
    check_equal(column(["10:15:00 25.03.2024 CET"])[1], [datetime.datetime(2024, 3, 25, 9, 15, tzinfo=UTC)])
    for cell in ("10:15:00 25", "10:15:00x25.03.2024", "[2024-03-25 10:15:00", "25:15:00 25.03.2024"):
        check_equal(column([cell])[0], "string", cell)


def test_words_for_halves_of_the_day_that_are_names():
    for cells in (["CH1", "CH2"], ["A1", "P2"], ["1P", "3P"], ["1A", "2a"]):
        check_equal(column(cells)[:2], ("string", cells), cells)
    check_equal(column(["1 PM", "2 pm"])[1], [datetime.time(13), datetime.time(14)])
    pathlib.Path("in.csv").write_text("Units,s,V,A\nTime,CH1,A1,P2\n" + "".join(f"0.{i},1.{i},{i},-{i}\n" for i in range(9)), encoding="utf-8")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite"))
    check_equal(read("out.parquet").column_names, ["Time", "CH1", "A1", "P2"])


def test_elapsed_times():
    for cells, seconds in ((["00:10:00", "25:00:20"], [600, 90020]), (["00:03.4", "1:02.345"], [3.4, 62.345]),
                           (["0d 00:15:00", "2d 01:00:00"], [900, 176400]), (["0 days 00:00:01.500000", "1 day, 2:03:04"], [1.5, 93784])):
        check_equal(column(cells)[:2], ("double", seconds), cells)
        check_equal(key_values("out.parquet")["unit.x"], "s", cells)
    for cell in ("2 dogs 01:00:00", "1:62.5", "d 1:00:00"):
        check_equal(column([cell])[0], "string", cell)


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
    check_refused(run("csv_log", "more.csv", "out.parquet", "--append"), ":2:", '"05/04/2024"', "--dates dmy")
    result = check_ok(run("csv_log", "-", "out.parquet", "--append", input="x\n05/04/2024\n"))
    check('1 cell became null, in line 2: "05/04/2024"' in result.stdout, "a live log goes on", result.stdout)
    for arguments, options in ((["more.csv"], {}), (["-"], {"input": "x\n05/04/2024\n"})):
        check_ok(run("csv_log", *arguments, "out.parquet", "--append", "--dates", "dmy", **options))
        check_equal(read("out.parquet")["x"].to_pylist()[-1], day(2024, 4, 5))
    pathlib.Path("more.csv").write_text("x\n05/04/2024\n14/04/2024\n")
    check_ok(run("csv_log", "more.csv", "out.parquet", "--append"))
    check_equal(read("out.parquet")["x"].to_pylist()[-2:], [day(2024, 4, 5), day(2024, 4, 14)])
    check("microparquet.stopped" not in key_values("out.parquet"), "nothing stopped it")
