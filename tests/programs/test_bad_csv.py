"""Bad CSV input: a message with file, line, column and what to do, exit code 1, and the rows before it."""
import pathlib

from harness import check, check_equal, check_refused, key_values, read, run


def stopped(text, rows, *parts, arguments=(), encoding="utf-8"):
    """csv_log ends on bad input in the middle."""
    pathlib.Path("in.csv").write_bytes(text.encode(encoding))
    result = run("csv_log", "in.csv", "out.parquet", *arguments)
    check_refused(result, "csv_log: in.csv:", *parts, "out.parquet is complete with the ")
    check_equal(read("out.parquet").num_rows, rows, "rows")
    reason = key_values("out.parquet")["microparquet.stopped"]
    check(reason in result.stderr and reason.startswith("in.csv:"), reason)


def refused(text, *parts):
    """csv_log does not begin."""
    pathlib.Path("in.csv").write_text(text, encoding="utf-8")
    check_refused(run("csv_log", "in.csv", "out.parquet"), "csv_log: in.csv", *parts)
    check(not pathlib.Path("out.parquet").exists(), "a file is left behind")


def test_a_line_with_too_few_cells():
    stopped("a,b\n1,2\n3\n4,5\n", 1, "in.csv:3:", "1 cell where the header has 2", "correct the line")


def test_a_line_with_too_many_cells():
    stopped("a,b\n1,2\n3,4\n5,6,7\n", 2, "in.csv:4:", "3 cells where the header has 2", "quotes", "2 rows")


def test_the_line_is_right_behind_cells_of_several_lines():
    stopped('a,b\n1,"x\ny\nz"\n3\n', 1, "in.csv:5:")


def test_a_value_that_does_not_parse():
    stopped("time,temp\n1,20.5\n2,warm\n3,21\n", 1, "in.csv:3:", '"temp"', '"warm" is not a value of type double',
            "--type temp=string", arguments=("--type", "temp=double"))


def test_a_long_value_is_cut_in_the_message():
    stopped("a,b\n1,2\n" + "x" * 400 + ",3\n", 1, "in.csv:3:", "...", arguments=("--type", "a=int64"))


def test_text_longer_than_a_page():
    stopped("a\nshort\n" + "x" * 600 + "\n", 1, "in.csv:3:", '"a"', "600 bytes", "--page-bytes 1024",
            arguments=("--page-bytes", "512"))


def test_the_advice_on_pages_is_right():
    pathlib.Path("in.csv").write_text("a\n" + "x" * 930 + "\n")
    result = run("csv_log", "in.csv", "out.parquet", "--page-bytes", "512")
    advice = result.stderr.split("--page-bytes ")[1].split()[0]
    check_equal(run("csv_log", "in.csv", "out.parquet", "--overwrite", "--page-bytes", advice).returncode, 0)


def test_a_quote_that_is_never_closed():
    stopped('a,b\n1,2\n2,"open\n3,4\n', 1, "in.csv:3:", "quote", "never closed")


def test_text_that_is_not_utf8():
    stopped("a\nplain\ncaf\u00e9\n", 1, "in.csv:3:", '"a"', "not UTF-8", "--charset latin1", "--type a=binary", encoding="latin1")


def test_a_header_that_is_not_utf8():
    pathlib.Path("in.csv").write_bytes(b"caf\xe9\n1\n")
    check_refused(run("csv_log", "in.csv", "out.parquet"), "in.csv:1:", "not UTF-8", "--charset latin1")


def test_a_name_twice():
    pathlib.Path("in.csv").write_text("a,b,a,,a_2,a\n1,2,3,4,5,6\n")
    result = run("csv_log", "in.csv", "out.parquet")
    check_equal((result.returncode, read("out.parquet").column_names), (0, ["a", "b", "a_3", "column_4", "a_2", "a_4"]), result.stderr)
    check('in.csv:1: several columns have one name: "a_3" is a later one of them' in result.stderr, result.stderr)


def test_an_empty_file():
    refused("", "is empty", "first line")


def test_a_file_that_is_missing():
    check_refused(run("csv_log", "none.csv", "out.parquet"), "none.csv", "no such file; check the name")


def test_a_folder():
    check_refused(run("csv_log", ".", "out.parquet"), "folder")
    pathlib.Path("in.csv").write_text("a\n1\n")
    check_refused(run("csv_log", "in.csv", "."), "folder")


def test_an_output_folder_that_is_missing():
    pathlib.Path("in.csv").write_text("a\n1\n")
    check_refused(run("csv_log", "in.csv", "none/out.parquet"), "none/out.parquet", "No such file")


def test_no_arguments():
    check_refused(run("csv_log"), "IN", "--help")


def test_more_row_groups_than_a_file_takes():
    pathlib.Path("in.csv").write_text("a\n" + "1\n" * 32_770)
    result = run("csv_log", "in.csv", "out.parquet", "--rows-per-group", 1)
    check_refused(result, "in.csv:32769:", "row group", "--rows-per-group")
    check_equal(read("out.parquet").num_rows, 32_767)


def wide(columns):
    return ",".join(f"c{i}" for i in range(columns)) + "\n" + ",".join(["7"] * columns) + "\n"


def test_more_columns_than_a_file_has():
    refused(wide(65_536), ":1: the header names 65,536 columns, and a file has up to 65,535", "--columns")
    check_equal(run("csv_log", "in.csv", "out.parquet", "--columns", "c65535,c3").returncode, 0)
    check_equal(read("out.parquet").to_pylist(), [{"c65535": 7, "c3": 7}])
    pathlib.Path("in.csv").write_text(wide(65_535))
    check_equal(run("csv_log", "in.csv", "out.parquet", "--overwrite").returncode, 0)
    for command in (("verify",), ("head", "-n", "1", "--where", "c65534=7"), ("tail", "-n", "1")):
        check_equal(run("mpq", command[0], "out.parquet", *command[1:]).returncode, 0, command)


def test_a_name_longer_than_a_file_has():
    refused("a," + "x" * 32_768 + "\n1,2\n", ":1: the name of column 2 has 32,768 bytes, and a name has up to 32,767", "shorten it")
    pathlib.Path("in.csv").write_text("a," + "x" * 32_767 + "\n1,2\n")
    check_equal(run("csv_log", "in.csv", "out.parquet").returncode, 0)
    check_equal(read("out.parquet").column_names[1], "x" * 32_767)
