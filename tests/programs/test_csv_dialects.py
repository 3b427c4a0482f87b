"""CSV files as other programs write them: delimiters, decimal commas, lines before the header, units, nulls."""
import gzip
import pathlib
import subprocess

from harness import SECONDS, check, check_equal, check_ok, check_refused, command, key_values, read, run


def rows(text, *arguments, says=None, code=0):
    """The rows of a file with that text, as {name: values}; what is said on standard error has `says`."""
    pathlib.Path("in.csv").write_bytes(text.encode())
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    result = run("csv_log", "in.csv", "out.parquet", *arguments)
    check_equal(result.returncode, code, result.stderr)
    check(says in result.stderr if says else not result.stderr, "said", repr(result.stderr))
    return read("out.parquet").to_pydict()


def types():
    return [str(field.type) for field in read("out.parquet").schema]


def refused(text, *arguments, parts):
    pathlib.Path("in.csv").write_bytes(text.encode())
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    check_refused(run("csv_log", "in.csv", "out.parquet", *arguments), *parts)
    check(not pathlib.Path("out.parquet").exists(), "a file is left behind")


def test_semicolons_and_tabs_are_found():
    expected = {"a": [1, 3], "b": ["x", "y, z"]}
    for delimiter, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        text = "a;b\n1;x\n3;y, z\n".replace(";", delimiter)
        check_equal(rows(text, says=f"in.csv: its cells stand between {name}"), expected)
        check_equal(rows("\ufeff" + text.replace("\n", "\r\n"), says=name), expected, "with a mark")
        check_equal(rows(text.replace(f"a{delimiter}b", f'"a"{delimiter}"b"'), says=name), expected, "quotes")
        check_equal(rows(text, "--delimiter", delimiter), expected, "asked for")
        result = run("csv_log", "-", "stream.parquet", "--overwrite", input=text)
        check(name in result.stderr, result.stderr)
        check_equal(read("stream.parquet").to_pydict(), expected, "a stream")
    check_equal(rows('a;b\n1;"x;\ny"\n2;z\n', says="semicolons"), {"a": [1, 2], "b": ["x;\ny", "z"]})
    check_equal(rows("a;b\n", says="semicolons"), {"a": [], "b": []}, "a header alone")
    check_equal(rows("a|b\nx\ny\n", says=None), {"a|b": ["x", "y"]}, "a name with a bar")


def test_semicolons_that_do_not_split_all_lines_alike():
    text = "a;b\n1;2\n3\n"
    check_equal(rows(text, says="in.csv:3: 1 cell where the header has 2", code=1), {"a": [1], "b": [2]})
    check_equal(rows("a;b\nx\ny\nz\n1;2\n"), {"a;b": ["x", "y", "z", "1;2"]}, "most lines have one cell")
    check_equal(rows("a;b\n1;2\n", "--delimiter", ","), {"a;b": ["1;2"]})
    check_equal(rows("a;b,c\n1,2\n"), {"a;b": [1], "c": [2]})
    late = "a;b\n" + "1;2\n" * 30 + "3\n"
    check_equal(len(rows(late, says="in.csv:32: 1 cell where the header has 2", code=1)["a"]), 30)


def test_a_file_of_one_column_is_continued():
    rows("a;b\n1;2\n", "--delimiter", ",")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--append"))
    check_equal(read("out.parquet").to_pydict(), {"a;b": ["1;2"] * 2})


def test_a_file_of_semicolons_is_continued():
    text = "t;v\n1;1,5\n2;0,25\n"
    rows(text, says="semicolons")
    with open("in.csv", "rb") as file:
        check_ok(run("csv_log", "-", "out.parquet", "--append", stdin=file))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--append"))
    check_equal(read("out.parquet").to_pydict(), {"t": [1, 2] * 3, "v": [1.5, 0.25] * 3})


def test_decimal_commas():
    found = rows("a;b;c;d\n1,5;2;x;1,000\n-2,25;3,125;1,5;2,000\n+,5;NA;y;0\n", says="semicolons")
    check_equal(found, {"a": [1.5, -2.25, 0.5], "b": [2, 3.125, None], "c": ["x", "1,5", "y"], "d": [1, 2, 0]})
    check_equal(rows("a\tb\n1,5\t2.5\n1,5e3\t3\n", says="tabs"), {"a": [1.5, 1500], "b": [2.5, 3]})
    told = rows("a;b;c\n1,5;2,50;3,25\n", "--type", "a=float", "--type", "b=decimal(9,2)", "--type", "c=epoch_s", says="semicolons")
    check_equal((told["a"], str(told["b"][0]), told["c"][0].microsecond), ([1.5], "2.50", 250000))


def test_commas_that_may_part_thousands():
    check_equal(rows("a;b\n1,500;1\n2,250;2\n", says="semicolons"), {"a": ["1,500", "2,250"], "b": [1, 2]})
    check_equal(rows("a;b\n1,500;1\n2,250;2\n", "--decimal", ",", says="semicolons"), {"a": [1.5, 2.25], "b": [1, 2]})
    check_equal(rows("a;b\n0,500;1\n2,250;2\n", says="semicolons"), {"a": [0.5, 2.25], "b": [1, 2]}, "nobody writes 0,500 for 500")
    check_equal(rows("a;b\n1,5;1\n", "--decimal", ".", says="semicolons"), {"a": ["1,5"], "b": [1]})
    check_equal(rows("a;b\n1,5;1\n1.5;2\n", says="semicolons"), {"a": ["1,5", "1.5"], "b": [1, 2]})
    check_equal(rows("a;b\n1,234,5;1\n", says="semicolons"), {"a": ["1,234,5"], "b": [1]})
    check_equal(rows('a,b\n"1,5",1\n'), {"a": [1.5], "b": [1]}, "in quotes between commas")
    check_equal(rows('a,b\n"1,5",1\n', "--decimal", "."), {"a": ["1,5"], "b": [1]})
    check_equal(rows('a,b\n"1,5",1\n', "--decimal", ","), {"a": [1.5], "b": [1]})


def test_lines_before_the_header():
    text = 'Logger "7\nserial: 5; a, b\n\na,b\n1,2\nx\n'
    check_equal(rows(text[:-2], "--skip", 2), {"a": [1], "b": [2]})
    check_equal(rows(text, "--skip", 2, says="in.csv:6: 1 cell", code=1), {"a": [1], "b": [2]}, "lines are counted as they stand")
    check_equal(rows("made by x\na;b\n1;2\n", "--skip", 1, says="semicolons"), {"a": [1], "b": [2]})
    refused("a\n1\n", "--skip", 5, parts=["in.csv is empty", "--skip"])


def test_comments():
    text = "\ufeff# made by a logger; with, commas\n#\na,b\n1,2\n# late\n3,4\n"
    check_equal(rows(text, "--comment", "#"), {"a": [1, 3], "b": [2, 4]})
    check_equal(rows('a\n1\n// x\n"\n// y"\n', "--comment", "//"), {"a": ["1", "\n// y"]}, "none within quotes")
    check_equal(rows("# x\n# y\na;b\n1;2\n#;;;\n", "--comment", "#", says="semicolons"), {"a": [1], "b": [2]})


def test_units():
    text = "t,v,n\ns, mV ,\n1,0.5,7\n"
    check_equal(rows(text, "--units-row", "--kv", "site=roof"), {"t": [1], "v": [0.5], "n": [7]})
    expected = {"unit.t": "s", "unit.v": "mV", "site": "roof"}
    check_equal(key_values("out.parquet"), expected)
    check_ok(run("csv_log", "in.csv", "out.parquet", "--append", "--units-row"))
    check_equal(key_values("out.parquet"), expected)
    check_equal(read("out.parquet").num_rows, 2)
    with open("in.csv", "rb") as file:
        check_ok(run("csv_log", "-", "stream.parquet", "--units-row", stdin=file))
    check_equal(key_values("stream.parquet"), {"unit.t": "s", "unit.v": "mV"})
    pathlib.Path("in.csv").write_text(text.replace("mV", "V"))
    check_refused(run("csv_log", "in.csv", "out.parquet", "--append", "--units-row"), "--units-row unit.v=V", "unit.v=mV already")
    refused("a,b\ns\n1,2\n", "--units-row", parts=["in.csv:2: the row of units has 1 cells where the header has 2"])
    refused("a,b\n", "--units-row", parts=["no row of units", "leave out --units-row"])
    names = ",".join(f"c{i}" for i in range(255))
    refused(names + "\n" + names + "\n", "--units-row", parts=["255 columns have units", "254", "--columns"])


def test_nulls():
    text = "a,b\n1,x\n-,y\nNaN,NA\n -999 ,-\n"
    check_equal(rows(text, "--null", "-", "--null", "NaN", "--null", "-999"), {"a": [1, None, None, None], "b": ["x", "y", None, None]})
    check_equal(types(), ["int64", "string"])


def test_bad_cells_become_null():
    text = "a,b\n1,x\noops,y\n3,z\n?,z\n"
    pathlib.Path("in.csv").write_text(text)
    result = check_ok(run("csv_log", "in.csv", "out.parquet", "--type", "a=int8", "--bad", "null"))
    check_equal(read("out.parquet").to_pydict(), {"a": [1, None, 3, None], "b": ["x", "y", "z", "z"]})
    check('a  int8  2 cells became null, the first in line 3: "oops"' in result.stdout, result.stdout)
    check("microparquet.stopped" not in key_values("out.parquet"), "nothing stopped")
    found = rows(text, "--type", "a=int8", "--bad", "refuse", says="--bad null", code=1)
    check_equal(found, {"a": [1], "b": ["x"]})
    stream = "n\n" + "1\n" * 1000 + "x\n2\n"
    result = check_ok(run("csv_log", "-", "stream.parquet", "--bad", "null", input=stream))
    check_equal(read("stream.parquet")["n"].to_pylist(), [1] * 1000 + [None, 2])
    check('1 cell became null, in line 1,002: "x"' in result.stdout, result.stdout)
    pathlib.Path("in.csv").write_bytes(b"a\nplain\ncaf\xe9\n")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--bad", "null", "--overwrite"))
    check_equal(read("out.parquet").to_pydict(), {"a": ["plain", None]})


def test_bad_cells_of_columns_without_nulls():
    rows("a\n1\n")
    pathlib.Path("in.csv").write_text("a\n2\nx\n")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--append", "--bad", "null"), "in.csv:3:", '"x"', "correct it")
    check_equal(read("out.parquet").to_pydict(), {"a": [1, 2]})


def test_rows_of_other_lengths_are_refused_all_the_same():
    check_equal(rows("a,b\n1,2\n3\n", "--bad", "null", says="in.csv:3: 1 cell where the header has 2", code=1), {"a": [1], "b": [2]})


def test_columns():
    text = 'a,b,"c,d",e\n1,x,0.5,\n2,y,1.5,late\n'
    check_equal(rows(text, "--columns", "b,a"), {"b": ["x", "y"], "a": [1, 2]})
    check_equal(list(rows(text, "--columns", "e", "--columns", "c,d", "--columns", "a,b")), ["e", "c,d", "a", "b"])
    check_equal(rows(text, "--columns", "a", "--type", "a=int8"), {"a": [1, 2]})
    check_equal(rows("a,b\nm,s\n1,2\n", "--columns", "b", "--units-row"), {"b": [2]})
    check_equal(key_values("out.parquet"), {"unit.b": "s"})
    refused(text, "--columns", "a,x", parts=["--columns x", "no such column", "a, b, c,d, e"])
    refused(text, "--columns", "a,b,a", parts=["--columns", "a is named twice"])
    refused(text, "--columns", "a", "--type", "b=string", parts=["--type b=string", "no such column"])
    check_equal(rows("a,b\n1,x\n2\n", "--columns", "a", says="in.csv:3:", code=1), {"a": [1]})


def test_options_that_say_nothing_of_use():
    for arguments, parts in ((("--skip", "-1"), ["--skip", "-1"]), (("--skip", "few"), ["--skip", "few"]),
                             (("--comment", ""), ["--comment", "#"]), (("--bad", "drop"), ["--bad", "null", "refuse"]),
                             (("--decimal", ";"), ["--decimal ;", "comma or a point"]), (("--delimiter", ";;"), ["--delimiter ;;", "one character"]),
                             (("--columns", ""), ["--columns", "no such column"]), (("--type", "a=epoch"), ["no such type", "epoch_s"])):
        refused("a\n1\n", *arguments, parts=parts)


def test_the_advice_on_compressed_files_has_names_in_quotes():
    pathlib.Path("my log.csv").write_bytes(gzip.compress(b"a\n1\n"))
    advice = run("csv_log", "my log.csv", "out.parquet").stderr.strip().rpartition("on the way: ")[2]
    line = advice.replace("csv_log - OUT", " ".join(command("csv_log", "-", "out.parquet")))
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=SECONDS, check=False)
    check_equal(done.returncode, 0, line + done.stderr)
    check_equal(read("out.parquet").to_pydict(), {"a": [1]})
