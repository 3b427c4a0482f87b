"""The types that csv_log finds, and those it is given."""
import datetime
import decimal
import pathlib
import uuid

from harness import check_equal, check_ok, check_refused, read, run

UTC = datetime.timezone.utc


def column(cells, *arguments):
    """A file of one column x beside a filler, as (Arrow type, values)."""
    lines = ["x,filler", *(f"{cell},1" for cell in cells)]
    pathlib.Path("in.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", *arguments))
    table = read("out.parquet")
    return str(table.schema.field("x").type), table["x"].to_pylist()


def told(type_name, cells):
    return column(cells, "--type", f"x={type_name}")


def test_bool():
    check_equal(column(["true", "False", "NA", "TRUE"]), ("bool", [True, False, None, True]))


def test_int64():
    check_equal(column(["1", "-9223372036854775808", "+7", " 8 ", ""]), ("int64", [1, -2**63, 7, 8, None]))


def test_double():
    check_equal(column(["1", "0.1", "-1e300", "5e-324", "inf", ".5"]),
                ("double", [1, 0.1, -1e300, 5e-324, float("inf"), 0.5]))


def test_integers_beyond_64_bits_keep_their_digits():
    check_equal(column(["1", "12345678901234567890123"]), ("string", ["1", "12345678901234567890123"]))


def test_uint64():
    check_equal(column(["1", "18446744073709551615", "NA"]), ("uint64", [1, 2**64 - 1, None]))
    for cells in (["18446744073709551615", "-1"], ["-1", "18446744073709551615"], ["18446744073709551615", "0.5"],
                  ["18446744073709551616", "1"]):
        check_equal(column(cells), ("string", cells))


def test_numbers_too_small_for_their_type_are_zero():
    kind, values = column(["1.5", "1e-400", "-1e-400", "0." + "0" * 400 + "1"])
    check_equal((kind, [str(value) for value in values]), ("double", ["1.5", "0.0", "-0.0", "0.0"]))
    check_equal(told("float", ["1e-60"]), ("float", [0.0]))
    check_equal(column(["1.5", "1e400"]), ("string", ["1.5", "1e400"]))


def test_date():
    check_equal(column(["2024-02-29", "NA", "0001-01-01", " 1969-12-31 "]),
                ("date32[day]", [datetime.date(2024, 2, 29), None, datetime.date(1, 1, 1), datetime.date(1969, 12, 31)]))


def test_time():
    check_equal(column(["23:59", "00:00:01", "12:00:00.25"]),
                ("time64[us]", [datetime.time(23, 59), datetime.time(0, 0, 1), datetime.time(12, 0, 0, 250000)]))
    check_equal(column(["00:00:00.000000001"])[0], "time64[ns]")


def test_zones_as_people_write_them():
    noon = datetime.datetime(2024, 2, 29, 12, tzinfo=UTC)
    cells = ["2024-02-29 08:30:00-0330", "2024-02-29 17:00:00+05", "2024-02-29 12:00:00 UTC", "2024-02-29 12:00 GMT",
             "2024-02-29 14:00:00 +02:00", "2024-02-29t12:00:00.000z", "2024-02-29 12:00Z", "2024-02-29 06:30:00.0 -05:30"]
    check_equal(column(cells), ("timestamp[us, tz=UTC]", [noon] * len(cells)))


def test_timestamps_without_seconds_and_with_leap_seconds():
    check_equal(column(["2024-01-01 12:00", "2016-12-31 23:59:60.5"]),
                ("timestamp[us]", [datetime.datetime(2024, 1, 1, 12), datetime.datetime(2017, 1, 1, 0, 0, 0, 500000)]))
    check_equal(column(["2016-12-31T23:59:60Z"])[1], [datetime.datetime(2017, 1, 1, tzinfo=UTC)])


def test_added_rows_get_the_types_of_the_file():
    """A file of a version that guessed less, and rows that would be guessed otherwise now."""
    cells = ["2024-01-01", "12:30"]
    column(cells, "--type", "x=string")
    pathlib.Path("more.csv").write_text("x,filler\n2024-01-02,1\n18446744073709551615,1\n")
    check_ok(run("csv_log", "more.csv", "out.parquet", "--append"))
    check_equal(read("out.parquet")["x"].to_pylist(), [*cells, "2024-01-02", "18446744073709551615"])


def test_timestamp_with_zone():
    check_equal(column(["2024-02-29T12:00:00Z", "2024-02-29 12:00:00.25+02:00", "1969-12-31T23:59:59-00:30"]),
                ("timestamp[us, tz=UTC]",
                 [datetime.datetime(2024, 2, 29, 12, tzinfo=UTC),
                  datetime.datetime(2024, 2, 29, 10, 0, 0, 250000, tzinfo=UTC),
                  datetime.datetime(1970, 1, 1, 0, 29, 59, tzinfo=UTC)]))


def test_timestamp_without_zone_is_local():
    check_equal(column(["2024-02-29 12:00:00", "0001-01-01T00:00:00.000001"]),
                ("timestamp[us]", [datetime.datetime(2024, 2, 29, 12), datetime.datetime(1, 1, 1, 0, 0, 0, 1)]))


def test_timestamp_in_nanoseconds_when_digits_would_be_lost():
    kind, values = column(["2024-02-29 12:00:00.123456789", "2024-02-29 12:00:00"])
    check_equal((kind, [value.nanosecond for value in values]), ("timestamp[ns]", [789, 0]))


def test_no_timestamp():
    for cells in (["2023-02-29 12:00:00"], ["2024-01-01 24:00:01"], ["2024-01-01 12:00:61"],
                  ["2024-01-01 12:00:00Z", "2024-01-01 12:00:00"], ["2024-01-01 12:00:00+5:"], ["2024-01-01 12:00:00  UTC"],
                  ["2024-01-01 12:00:00 IST"], ["2024-01-01 12:00:00+02:"], ["2024-01-01 12"], ["2024-01-01 12:"],
                  ["2024-01-01", "2024-01-01 12:00"], ["2024-02-30"], ["12:00:60"], ["12:0"]):
        check_equal(column(cells), ("string", cells))


def test_nothing_but_nulls_is_string():
    check_equal(column(["", "NA"]), ("string", [None, None]))


def test_spaces_belong_to_text():
    check_equal(column([" a", "b "]), ("string", [" a", "b "]))


def test_a_header_and_no_rows():
    check_equal(column([]), ("string", []))


def test_quotes_line_ends_and_byte_order_mark():
    pathlib.Path("in.csv").write_bytes(b'\xef\xbb\xbfa,"b ""c"""\r\n1,"x, y\r\nz"\r\n\r\n2,"say ""hi"""\r\n3,end')
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    check_equal(read("out.parquet").to_pydict(),
                {"a": [1, 2, 3], 'b "c"': ["x, y\r\nz", 'say "hi"', "end"]})


def test_an_empty_line_is_a_null_in_a_file_of_one_column():
    pathlib.Path("in.csv").write_text("a\n1\n\n3\n")
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    check_equal(read("out.parquet").to_pydict(), {"a": [1, None, 3]})


def test_a_column_without_name_gets_one():
    pathlib.Path("in.csv").write_text(",a\n0,5\n")
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    check_equal(read("out.parquet").to_pydict(), {"column_1": [0], "a": [5]})


def test_types_told():
    cases = [
        ("int8", ["-128", "127"], "int8", [-128, 127]),
        ("uint8", ["0", "255"], "uint8", [0, 255]),
        ("int16", ["-32768"], "int16", [-32768]),
        ("uint16", ["65535"], "uint16", [65535]),
        ("int32", ["-2147483648"], "int32", [-2**31]),
        ("uint32", ["4294967295"], "uint32", [2**32 - 1]),
        ("int64", ["5"], "int64", [5]),
        ("uint64", ["18446744073709551615"], "uint64", [2**64 - 1]),
        ("float", ["0.5", "16777217"], "float", [0.5, 16777216.0]),
        ("double", ["1", "NA"], "double", [1.0, None]),
        ("bool", ["1", "0", "true"], "bool", [True, False, True]),
        ("string", ["1", "2"], "string", ["1", "2"]),
        ("enum", ["red"], "binary", [b"red"]),
        ("binary", ["abc"], "binary", [b"abc"]),
        ("date", ["1969-12-31", "2024-02-29"], "date32[day]",
         [datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)]),
        ("time_ms", ["23:59:59.999"], "time32[ms]", [datetime.time(23, 59, 59, 999000)]),
        ("time", ["00:00:00.000001"], "time64[us]", [datetime.time(0, 0, 0, 1)]),
        ("timestamp_ms_utc", ["1970-01-01 00:00:01.5"], "timestamp[ms, tz=UTC]",
         [datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, tzinfo=UTC)]),
        ("timestamp", ["1970-01-01 00:00:01"], "timestamp[us]", [datetime.datetime(1970, 1, 1, 0, 0, 1)]),
        ("timestamp_ms", ["1970-01-01 00:00:01Z"], "timestamp[ms, tz=UTC]",
         [datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)]),
    ]
    for type_name, cells, kind, values in cases:
        check_equal(told(type_name, cells), (kind, values), type_name)


def test_epochs_told():
    second = 1_700_000_000
    day = datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    half = datetime.timedelta(seconds=0.5)
    for type_name, kind, cells in (
            ("epoch_s", "us", [f"{second}", f"{second}.5", "-1.5", "NA", f"{second}.5000009"]),
            ("epoch_ms", "ms", [f"{second}000", f"{second}500", "-1500", "NA", f"{second}500"]),
            ("epoch_us", "us", [f"{second}000000", f"{second}500000", "-1500000", "NA", f"{second}500000"])):
        values = [day, day + half, datetime.datetime(1969, 12, 31, 23, 59, 58, 500000, tzinfo=UTC), None, day + half]
        check_equal(told(type_name, cells), (f"timestamp[{kind}, tz=UTC]", values), type_name)
    kind, values = told("epoch_ns", [f"{second}000000001"])
    check_equal((kind, values[0].nanosecond), ("timestamp[ns, tz=UTC]", 1))
    check_equal(told("epoch_s", ["-0.0000001", "-0.000001"])[1],
                [datetime.datetime(1970, 1, 1, tzinfo=UTC) - datetime.timedelta(microseconds=1)] * 2, "towards the past")


def test_epochs_are_added_to_a_file_of_timestamps():
    column(["2023-11-14 22:13:20Z"])
    pathlib.Path("more.csv").write_text("x,filler\n1700000001,1\n")
    check_ok(run("csv_log", "more.csv", "out.parquet", "--append", "--type", "x=epoch_s"))
    check_equal([value.second for value in read("out.parquet")["x"].to_pylist()], [20, 21])
    check_refused(run("csv_log", "more.csv", "out.parquet", "--append", "--type", "x=epoch_ms"), "--type x=epoch_ms",
                  "timestamp_us_utc")


def test_decimals_told():
    kind, values = told('"decimal(9,2)"'.strip('"'), ["12.30", "-0.05", "7", "9999999.99", "1.500"])
    check_equal(values, [decimal.Decimal(text) for text in ("12.30", "-0.05", "7.00", "9999999.99", "1.50")])
    check_equal(told("decimal(18,0)", ["-999999999999999999"])[1], [decimal.Decimal(-10**18 + 1)])


def test_uuids_told():
    number = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    _, values = told("uuid", [str(number), number.hex.upper()])
    check_equal([uuid.UUID(bytes=bytes(getattr(value, "bytes", value))) for value in values], [number, number])


def test_values_that_do_not_fit_the_type_told():
    cases = [("int8", "128"), ("int8", "-129"), ("uint8", "256"), ("uint8", "-1"), ("int32", "2147483648"),
             ("uint32", "4294967296"), ("int64", "9223372036854775808"), ("uint64", "-1"), ("int64", "1.0"),
             ("double", "1e999"), ("double", "1x"), ("float", "1e39"), ("bool", "2"), ("date", "2023-02-29"),
             ("time", "24:00:01"), ("decimal(3,1)", "100.0"), ("decimal(3,1)", "1.25"), ("decimal(3,1)", "."),
             ("epoch_s", "1.7e9"), ("epoch_s", "1."), ("epoch_s", "9223372036855"), ("epoch_ms", "1.5"), ("epoch_s", "1.5x"),
             ("epoch_s", "2024-01-01 00:00:00Z"),
             ("uuid", "00112233-4455-6677-8899-aabbccddeef"), ("timestamp_ns", "2300-01-01 00:00:00"),
             ("timestamp_local", "2024-01-01 00:00:00Z")]
    for type_name, cell in cases:
        pathlib.Path("in.csv").write_text(f"a,x\n5,{cell}\n")
        result = run("csv_log", "in.csv", "out.parquet", "--overwrite", "--type", f"x={type_name}")
        check_refused(result, "in.csv:2:", '"x"', f'"{cell}"', type_name.split("_")[0], "--type x=string")
        check_equal(read("out.parquet").num_rows, 0, type_name)


def test_infinity_as_windows_printed_it():
    pathlib.Path("in.csv").write_text("i,x\n0,1.5\n1,1.#INF\n2,-1.#INF00\n3,inf\n", encoding="utf-8")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite"))
    check_equal(read("out.parquet")["x"].to_pylist(), [1.5, float("inf"), float("-inf"), float("inf")])


def test_first_rows_that_do_not_show_the_types_of_all():
    """Of a file whose later rows are others than the first thousands, each column is as if all were looked at before."""
    rows = [[str(i), f"{i}.5", "2024-01-01 00:00:00", "2024-01-01 00:00:00Z", "12:00:00", "2024-01-01", "true", "x", "1", "5"] for i in range(30_000)]
    names = ["whole", "null", "fine", "zone", "nanos", "form", "bool", "text", "zeros", "wide"]
    late = [("whole", "0.5", "double"), ("null", "", "double"), ("fine", "2024-01-01 00:00:00.123456789", "timestamp[ns]"),
            ("zone", "2024-01-01 00:00:00", "string"), ("nanos", "12:00:00.123456789", "time64[ns]"), ("form", "1-Jan-2024", "string"),
            ("bool", "maybe", "string"), ("text", "y" * 9000, "string"), ("zeros", "007", "string"), ("wide", "18446744073709551615", "uint64")]
    for name, cell, expected in late:
        changed = [list(row) for row in rows]
        changed[29_000][names.index(name)] = cell
        pathlib.Path("in.csv").write_text(",".join(names) + "\n" + "".join(",".join(row) + "\n" for row in changed))
        check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite"))
        table = read("out.parquet")
        check_equal((table.num_rows, str(table.schema.field(name).type)), (30_000, expected), name)
        check_equal(sorted(p.name for p in pathlib.Path().iterdir()), ["in.csv", "out.parquet"], "what was begun is gone")
