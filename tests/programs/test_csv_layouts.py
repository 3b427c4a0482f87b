"""Where csv_log finds names, units and rows, what is no row, and what it asks."""
import pathlib
import shlex

from harness import check, check_equal, check_ok, key_values, read, run

ROWS = "".join(f"2024-05-01 00:{i:02}:00,{20 + i / 10},{50 + i}\n" for i in range(30))


def converted(text, *arguments, code=0):
    """(the table, what is said on standard error)"""
    pathlib.Path("in.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    result = run("csv_log", "in.csv", "out.parquet", *arguments)
    check_equal(result.returncode, code, result.stderr)
    return read("out.parquet") if pathlib.Path("out.parquet").exists() else None, result.stderr


def names(text, *arguments):
    table, said = converted(text, *arguments)
    check_equal(table.num_rows, 30, said)
    return table.column_names


def tries(said):
    return [shlex.split(line)[2:] for line in said.splitlines() if line.startswith("try: csv_log ")]


def test_names_stand_above_the_rows():
    for above in ("My logger\n", "My logger\n\n", "Device,ABC\nSerial,12345\nStart,2024-01-01\n", "SD ok\nIMU ok\nwaiting\n",
                  "# made by x\n#\n", "Interval,60,s\n", '"Sensor:","a","b"\n'):
        check_equal(names(above + "Time,Temp,Hum\n" + ROWS), ["Time", "Temp", "Hum"], above)
    check_equal(names("# logger\n# Time,Temp,Hum\n" + ROWS), ["Time", "Temp", "Hum"], "in a comment")
    check_equal(names("Time,1,2\n" + ROWS), ["Time", "1", "2"], "a word where the column has times")
    check_equal(names("Time,Temp,Hum,\n" + ROWS), ["Time", "Temp", "Hum"], "a delimiter at the end")
    check_equal(names("Time,Temp,Hum\n" + ROWS.replace("\n", ",\n")), ["Time", "Temp", "Hum"], "of the rows")


def test_names_stand_under_groups_and_above_notes():
    for block in (",Indoor,,\nTime,T,H\n", "Time,Temp,Hum\nunix time,,%\n,,100: dht\n"):
        expected = ["Time", "T", "H"] if "T,H" in block else ["Time", "Temp", "Hum"]
        check_equal(names(block + ROWS), expected, block)
    check_equal(names("Time,T,T\n,in,out\n" + ROWS), ["Time", "T", "T_2"], "letters that are units")
    check_equal(names(";Total;Power\ndd/MM/yyyy HH:mm:ss;kWh;kW\n" + ROWS.replace(",", ";")), ["column_1", "Total", "Power"], "a form of dates")


def test_lines_of_a_serial_monitor():
    lines = [f"10:15:{i:02}.{i * 13:03} -> " for i in range(31)]
    rows = [f"{i},{20 + i / 10},{50 + i}" for i in range(30)]
    table, _ = converted("".join(f"{line}{row}\n" for line, row in zip(lines, ["n,temp,hum", *rows])))
    check_equal(table.column_names, ["time", "n", "temp", "hum"])
    check_equal([str(kind) for kind in table.schema.types], ["time64[us]", "int64", "double", "int64"])
    check_equal((str(table["time"][2]), table["hum"].to_pylist()), ("10:15:03.039000", [50 + i for i in range(30)]))
    check_equal(names("".join(f"{line}{row}\r\n" for line, row in zip(lines, rows)))[1:], ["column_2", "column_3", "column_4"], "no names")
    table, _ = converted("".join(f"{line}{row}\n" for line, row in zip(lines, ["time;v", *[f"{i};0,5" for i in range(30)]])))
    check_equal((table.column_names, table["v"][0].as_py()), (["received", "time", "v"], 0.5), "a column called time")
    check_equal(names("a,b\n" + "".join(f"{i} -> {i + 1},{i}\n" for i in range(30))), ["a", "b"], "arrows without times")


def test_lines_in_quotes_as_a_whole():
    lines = ["Time,Temp,Note", *[f'2024-05-01 00:{i:02}:00,{i / 2},""a, {i}""' for i in range(30)]]
    table, _ = converted("".join(f'"{line}"\r\n' for line in lines))
    check_equal(table.column_names, ["Time", "Temp", "Note"])
    check_equal(table.slice(3, 1).to_pylist()[0]["Note"], "a, 3")
    check_equal(names("note\n" + "".join(f'"a, {i}"\n' for i in range(30))), ["note"], "a column of texts with commas")


def test_one_column_of_lines_alike_has_no_name():
    for form in ("t={0}.5 h={0}", "{0}:2.5:{0}", "node {0} ok"):
        check_equal(names("".join(form.format(10 + i) + "\n" for i in range(30))), ["column_1"], form)
    check_equal(names("sensor 1\n" + "".join(f"word {i} x\n" for i in range(30))), ["sensor 1"])


def test_units_and_labels_in_cells():
    text = "Time,Temp,Load\n" + "".join(f"2024-05-01 00:{i:02}:00,{20 + i / 10} \u00b0C,{i}%\n" for i in range(30))
    table, said = converted(text)
    check_equal([str(kind) for kind in table.schema.types][1:], ["string", "string"], "nothing changes without a word")
    check_equal(tries(said), [["--cell-units", "--overwrite", "in.csv", "out.parquet"]])
    table, said = converted(text, "--cell-units", "--overwrite")
    check_equal((table["Temp"][5].as_py(), table["Load"][5].as_py(), tries(said)), (20.5, 5, []))
    check_equal({key: value for key, value in key_values("out.parquet").items() if key.startswith("unit.")},
                {"unit.Temp": "\u00b0C", "unit.Load": "%"})
    table, _ = converted("".join(f"T: {20 + i / 10} C,hum={i},-1.5e-0{i % 9 + 1} V\n" for i in range(30)), "--cell-units", "--overwrite")
    check_equal((table.column_names, table.slice(2, 1).to_pylist()), (["T", "hum", "column_3"], [{"T": 20.2, "hum": 2, "column_3": -1.5e-3}]))


def test_what_only_looks_like_a_unit_stays_text():
    for cells in ([f"node{i}" for i in range(30)], [f"{i}A" if i % 2 else f"{i}V" for i in range(30)], [f"A{i}" for i in range(30)],
                  [f"10:{i:02}x" for i in range(30)], [f"{i} apples" for i in range(30)], ["5 C"] * 29 + ["n.a. C"], [f"48.{i}N" for i in range(30)], [f"1.2.{i} C" for i in range(30)]):
        text = "i,x\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(cells))
        table, said = converted(text)
        check_equal((table["x"].to_pylist(), [words for words in tries(said) if "--cell-units" in words]), (cells, []), cells[0])
    table, _ = converted("i,x\n0,5 C\n1,6\n2,7 C\n", "--cell-units", "--overwrite")
    check_equal(table["x"].to_pylist(), [5, 6, 7], "a number without its unit")


def test_units_beside_the_names():
    for block in ("Time,Temp,Hum\n,degC,%\n", "Time,Temp,Hum\n(-),[degC],(%)\n", ",degC,%\nTime,Temp,Hum\n",
                  "Time,Temp,Hum\nTS,degC,%\n,Avg,Smp\n", "Time,Temp,Hum\n20d,degC,%\n"):
        check_equal(names(block + ROWS), ["Time", "Temp", "Hum"], block)
        check({"unit.Temp": "degC", "unit.Hum": "%"}.items() <= key_values("out.parquet").items(), block, key_values("out.parquet"))
    check_equal(names("t,v,a\n" + ROWS), ["t", "v", "a"], "short names are names")


def test_no_names():
    check_equal(names(ROWS), ["column_1", "column_2", "column_3"])
    check_equal(names("".join(f"t={i},temp={i / 2}\n" for i in range(30))), ["column_1", "column_2"], "text with digits")
    check_equal(names(ROWS, "--no-header", "--delimiter", ","), ["column_1", "column_2", "column_3"])
    _, said = converted("Time,Temp,Hum\n" + ROWS, "--no-header", "--delimiter", ",", code=1)
    check_equal(tries(said), [["--no-header", "--delimiter", ",", "--bad-lines", "skip", "--overwrite", "in.csv", "out.parquet"]])
    check_equal(converted("0,1,2\n" + "".join(f"{i}.5,{i},{i}\n" for i in range(29)))[0].num_rows, 30, "all cells are numbers")
    check_equal(names("0,1,2\n" + "".join(f"{i}.5,{i},{i}\n" for i in range(30)), "--skip", 0), ["0", "1", "2"])


def test_columns_by_spaces():
    text = "Date       Time      Temp\n" + "".join(f"2024-05-01 00:{i:02}:00  {i / 4:6.2f}\n" for i in range(30))
    check_equal(names(text), ["Date", "Time", "Temp"])
    check_equal(names("time\n" + "".join(f"2024-05-01 00:{i:02}:00\n" for i in range(30))), ["time"], "one column of times")


def test_headings_again():
    block = '"TOA5","x","CR300","1","a","b","c","d"\n"Time","Temp","Hum"\n"TS","degC","%"\n"","Avg","Smp"\n'
    table, said = converted(block + ROWS + block + ROWS)
    check_equal((table.num_rows, str(table.schema.types)), (60, "[TimestampType(timestamp[us]), DataType(double), DataType(int64)]"))
    check("in.csv:35: the header again, 1 time; no row" in said, said)
    table, said = converted("Time,Temp,Hum\n" + ROWS + "booting\nSD ok\nTime,Temp,Hum\n" + ROWS)
    check_equal(table.num_rows, 60, "with what a device prints before it")


def test_bytes_that_a_card_left():
    for text in (b"\0" * 4000, b"\xff" * 4000, b"\0" * 300 + b"\n", b"\x1a\n", b"\xff\xff\n\0\0"):
        table, said = converted(b"Time,Temp,Hum\n" + ROWS.encode() + text + ROWS.encode() + text)
        check_equal((table.num_rows, table["Hum"].null_count), (60, 0), (text[:4], said))
    table, said = converted(b"a,b\n1,2\n3,4" + b"\0" * 100 + b"5,6\n7" + b"\0" * 100 + b"8,9\n")
    check_equal(table.to_pydict(), {"a": [1, 3, 5, 8], "b": [2, 4, 6, 9]}, said)
    check("the line is cut" in said and "200 bytes of zeros" in said, said)


def test_a_last_line_that_is_cut():
    table, said = converted("Time,Temp,Hum\n" + ROWS + "2024-05-01 01:0")
    check(table.num_rows == 30 and "in.csv:32: the line is cut; no row" in said, said)


def test_lines_that_are_no_rows():
    text = "Time,Temp,Hum\n" + ROWS + "MARK 1\n" + "2024-05-01 02:00:00,1,2\n" + "a,b,c\n" + "Total,3,4\n"
    table, said = converted(text, code=1)
    check(table.num_rows == 30 and "in.csv:32: 1 cell where the header has 3" in said, said)
    check_equal(tries(said), [["--bad-lines", "skip", "--overwrite", "in.csv", "out.parquet"]])
    table, said = converted(text, "--bad-lines", "skip")
    check(table.num_rows == 31 and "3 such lines were left out" in said, said)
    check_equal(key_values("out.parquet"), {"csv_log.bad_lines": "3", "csv_log.first_bad_line": "line 32: 1 cell where the header has 3"})


def test_every_answer_is_a_line_to_paste():
    rows = "".join(f'03/0{1 + i % 9}/2024,"1,{100 + i}",{"off" if i % 7 == 0 else i}\n' for i in range(30))
    _, said = converted("day,n,state\n" + rows + "x\n", code=1)
    found = tries(said)
    check_equal(len(found), 4)
    answers = set()
    for words in found:
        check_ok(run("csv_log", *words))
        table = read("out.parquet")
        check_equal((table.num_rows, str(table.schema.field("day").type), table["state"].null_count), (30, "date32[day]", 5), words)
        answers.add((str(table["day"][1]), table["n"][0].as_py()))
    check_equal(answers, {("2024-02-03", 1100), ("2024-02-03", 1.1), ("2024-03-02", 1100), ("2024-03-02", 1.1)})


def test_columns_without_a_name():
    text = "Temp,Hum\n" + "".join(f"{i},{20 + i / 10},{50 + i}\n" for i in range(30))
    table, said = converted(text, code=1)
    check(table is None and "3 cells where the header has 2" in said, said)
    check_equal([words[:2] for words in tries(said)], [["--unnamed", "first"], ["--unnamed", "last"]])
    check_equal(names(text, "--unnamed", "first"), ["column_1", "Temp", "Hum"])
    check_equal(names(text, "--unnamed", "last"), ["Temp", "Hum", "column_3"])


def test_rows_that_end_before_the_names_do():
    text = "Time,Temp,Hum,Event\n" + ROWS.replace("50\n", "50,start\n", 1)
    check_equal(names(text), ["Time", "Temp", "Hum", "Event"])
    check_equal(read("out.parquet")["Event"].to_pylist(), ["start"] + [None] * 29)


def test_one_time_of_two_columns():
    text = "Date,Time,v\n" + "".join(f"05/{13 + i % 15}/2024,10:00:{i:02},{i}\n" for i in range(30))
    _, said = converted(text)
    check_equal(tries(said), [["--time-from", "Date,Time", "--overwrite", "in.csv", "out.parquet"]])
    check_ok(run("csv_log", *tries(said)[0]))
    check_equal((read("out.parquet").column_names, str(read("out.parquet")["time"][1])), (["time", "v"], "2024-05-14 10:00:01"))
    check("no such column" in converted(text, "--time-from", "Date,Clock", code=1)[1], "a column that is not there")


def test_explain():
    pathlib.Path("in.csv").write_text("My logger\nTime,Temp,Hum\ns,degC,%\n" + ROWS)
    result = check_ok(run("csv_log", "--explain", "in.csv"))
    for line in ("     1  passed over My logger", "     2  names       Time,Temp,Hum", "     3  units       s,degC,%", "     4  row         2024-05-01 00:00:00,20.0,50",
                 "  line 2: the names, above the units", "    Time  timestamp_us_local"):
        check(line in result.stdout.splitlines(), line, result.stdout)
    check(not pathlib.Path("OUT.parquet").exists() and sorted(p.name for p in pathlib.Path().iterdir()) == ["in.csv"], "it writes nothing")


def test_words_for_nothing():
    words = ["NULL", "None", "N/A", "#N/A", "-", "--", "---", "1.#QNAN", "-1.#IND", "null", "NA"]
    text = "t,v,s\n" + "".join(f"{i},{word},{word}\n{i},{i}.5,x\n" for i, word in enumerate(words))
    table, said = converted(text)
    check_equal((table["v"].null_count, table["s"].null_count, str(table.schema.field("v").type)), (len(words), len(words), "double"), said)
    table, said = converted("t,v\n" + "".join(f"{i},{'unavailable' if i < 3 else i}\n" for i in range(30)))
    check_equal(tries(said), [["--null", "unavailable", "--overwrite", "in.csv", "out.parquet"]])
    table, said = converted("t,v\n" + "".join(f"{i},{'1o' if i == 3 else i}\n" for i in range(30)))
    check_equal(tries(said), [["--type", "v=int64", "--bad", "null", "--overwrite", "in.csv", "out.parquet"]])


def test_leading_zeros_are_text():
    table, _ = converted("id,v,zip,neg\n" + "".join(f"{i:03},{i},0{i},-0{i}.5\n" for i in range(30)))
    check_equal([str(kind) for kind in table.schema.types], ["string", "int64", "string", "string"])
    check_equal(table["id"][7].as_py(), "007")


def test_only_bad_lines():
    table, said = converted("".join(f"junk {i} with, some\nnone\n;;\n" for i in range(20)))
    check(table is not None or "in.csv" in said, said)


def test_text_from_the_millionth_row_on():
    """A column of numbers that turns into text late, and a clock that is set back by a year between two lines."""
    body = "".join(f"{2024 if i < 500 else 2023}-05-01 00:00:00,{i}\n" for i in range(1000))
    pathlib.Path("in.csv").write_text("t,v\n" + body * 1000 + "2023-05-01 00:00:01,broken\n" + "2023-05-01 00:00:02,007\n")
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    table = read("out.parquet")
    check_equal((table.num_rows, str(table.schema.field("v").type), str(table.schema.field("t").type)), (1_000_002, "string", "timestamp[us]"))
    check_equal(table["v"].to_pylist()[-3:], ["999", "broken", "007"])
