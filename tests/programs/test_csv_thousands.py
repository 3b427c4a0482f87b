"""Numbers whose thousands are parted, and decimal commas that are never taken for it."""
import pathlib

from harness import check, check_equal, check_ok, check_refused, read, run


def column(cells, *arguments, delimiter=";", others=None):
    """A column x of these cells beside others, as (Arrow type, values, what is said of it)."""
    mark = '"' if delimiter == "," else ""
    rows = [f"{mark}{cell}{mark}{delimiter}{other}" for cell, other in zip(cells, others or ["1"] * len(cells))]
    pathlib.Path("in.csv").write_text("\n".join([f"x{delimiter}other", *rows]) + "\n", encoding="utf-8")
    result = check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", "--delimiter", delimiter, *arguments))
    table = read("out.parquet")
    said = next(line for line in result.stdout.splitlines() if line.startswith("    x "))
    return str(table.schema.field("x").type), table["x"].to_pylist(), "".join([part.strip() for part in said.split("  ") if part][2:])


def test_what_proves_thousands():
    for delimiter in ",;":
        def found(cells):
            return column(cells, delimiter=delimiter)[:2]
        check_equal(found(["1,234.5", "-999", "+2,000"]), ("double", [1234.5, -999, 2000]))
        check_equal(found(["1.234,5", "12,5", "1.234"]), ("double", [1234.5, 12.5, 1234]))
        check_equal(found(["1 234,5", "7"]), ("double", [1234.5, 7]))
        check_equal(found(["1\u00a0234,5", "1\u202f234 567,25", "1\u2009000"]), ("double", [1234.5, 1234567.25, 1000]))
        check_equal(found(["1 234.5"]), ("double", [1234.5]))
        check_equal(found(["1,234,567", "5"]), ("int64", [1234567, 5]))
        check_equal(found(["1'234", "-1'234'567"]), ("int64", [1234, -1234567]))
        check_equal(found(["1'234,5", "1'000"]), ("double", [1234.5, 1000]))
        check_equal(found(["12.5", "0.25", "1,234"]), ("double", [12.5, 0.25, 1234]), "a fraction before it")
        check_equal(found(["1,234", "12.5"]), ("double", [1234, 12.5]), "and after it")
        check_equal(found(["1.234", "1,234,567.5"]), ("double", [1.234, 1234567.5]))
        check_equal(found(["1.234", "0,5", "2.000,75"]), ("double", [1234, 0.5, 2000.75]))
    check_equal(column(["1", "1,234.5"])[2], 'thousands parted, by line 3: "1,234.5"')


def test_what_proves_nothing_is_text():
    for cells, advice in ((["1,234"], "--thousands ,"), (["1,234", "999"], "--thousands ,"), (["1 234"], "--thousands ' '"),
                          (["555 123", "555 124"], "--thousands ' '"), (["192.168.100.101"], "--thousands .")):
        for delimiter in ",;":
            kind, values, said = column(cells, delimiter=delimiter)
            check_equal((kind, values, advice in said), ("string", cells, True), said)
    check_equal(column(["1,234"])[2], 'because of line 2: "1,234"; give --decimal , or --thousands ,')
    check_equal(column(["1,5"], delimiter=",")[:2], ("double", [1.5]), "in quotes it can be nothing else")


def test_points_where_commas_are_decimal():
    kind, values, said = column(["1.234", "12"], others=["0,5", "1"])
    check_equal((kind, values), ("string", ["1.234", "12"]))
    check_equal(said, 'because of line 2: "1.234"; give --decimal . or --thousands .')
    check_equal(column(["1.234", "0.5"], others=["0,5", "1"])[:2], ("double", [1.234, 0.5]), "a point that is one")
    check_equal(column(["1.234"], "--thousands", ".", others=["0,5"])[:2], ("int64", [1234]))
    check_equal(column(["1.234", "1.234,5"], others=["0,5", "1"])[:2], ("double", [1234, 1234.5]))
    check_equal(column(["1.234"], others=["0.5"])[:2], ("double", [1.234]))
    check_equal(column(["192.168.100.101"], others=["0,5"])[0], "string")


def test_decimal_commas_stay_what_they_were():
    check_equal(column(["1,5", "1,234"])[:2], ("double", [1.5, 1.234]))
    check_equal(column(["1,234"], others=["0,5"])[:2], ("double", [1.234]))
    check_equal(column(["1,234"], "--decimal", ",")[:2], ("double", [1.234]))


def test_no_numbers():
    for cells in (["12,34.5"], ["1,2345.5"], ["1,234.5.6"], ["1,234,5"], ["0,123.5"], ["1234,567.5"], ["1,234.5", "1.234,5"], [",234.5"],
                  ["1,,234.5"], ["1,234.5e3"], ["1,234.5x"], ["+-1,234.5"], ["1 23,5"], ["1 234'567"], ["1,234.5", "1 234.5"], ["1''234"],
                  ["12345678901234567890123", "1,234.5"], ["--1,234.5"], ["1,234-5"], ["1.234.567,8.9"]):
        check_equal(column(cells)[:2], ("string", cells))


def test_told_thousands():
    check_equal(column(["1,234", "5"], "--thousands", ",")[:2], ("int64", [1234, 5]))
    check_equal(column(["1,234"], "--thousands", ",", delimiter=",")[:2], ("int64", [1234]))
    check_equal(column(["1 234", "5"], "--thousands", " ")[:2], ("int64", [1234, 5]))
    check_equal(column(["1 234", "12,5"], "--thousands", " ")[:2], ("double", [1234, 12.5]))
    check_equal(column(["1.234", "2"], "--thousands", ".")[:2], ("int64", [1234, 2]))
    check_equal(column(["0,5", "12,5"], "--thousands", ".")[:2], ("double", [0.5, 12.5]))
    check_equal(column(["Oslo"], "--thousands", ",")[:2], ("string", ["Oslo"]))
    for arguments, parts in ((("--thousands", ";"), ["--thousands ;"]), (("--thousands", ",", "--decimal", ","), ["--thousands ,", "--decimal"])):
        check_refused(run("csv_log", "in.csv", "out.parquet", "--overwrite", *arguments), *parts)


def test_told_types():
    check_equal(column(["1,234.5"], "--type", "x=float")[:2], ("float", [1234.5]))
    check_equal(column(["1,234,567"], "--type", "x=int32")[:2], ("int32", [1234567]))
    check_equal([str(value) for value in column(["1.234,56"], "--type", "x=decimal(9,2)")[1]], ["1234.56"])
    check_equal(column(["1,234"], "--type", "x=int64", "--thousands", ",")[:2], ("int64", [1234]))
    check_equal(column(["?", "1,234.5"], "--type", "x=double", "--bad", "null")[1], [None, 1234.5])
    check_equal(column(["1,234.5"], "--type", "x=string")[1], ["1,234.5"])
    pathlib.Path("in.csv").write_text('x,y\n"1,234",1\n')
    for arguments in ((), ("--bad", "null")):
        result = run("csv_log", "in.csv", "out.parquet", "--overwrite", "--type", "x=int64", *arguments)
        check_refused(result, "in.csv:2", '"1,234"', "--thousands ,")


def test_added_rows():
    column(["1,234.5"], "--bad", "null")
    pathlib.Path("more.csv").write_text("x;other\n2,345.5;1\n")
    check_ok(run("csv_log", "more.csv", "out.parquet", "--append"))
    result = check_ok(run("csv_log", "-", "out.parquet", "--append", input="x;other\n3,456.5;1\n"))
    check('1 cell became null, in line 2: "3,456.5"' in result.stdout, result.stdout)
    check_ok(run("csv_log", "-", "out.parquet", "--append", "--thousands", ",", input="x;other\n3,456.5;1\n"))
    check_equal(read("out.parquet")["x"].to_pylist(), [1234.5, 2345.5, None, 3456.5])
    check(read("out.parquet").num_rows == 4, "rows")
