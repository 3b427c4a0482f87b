"""Each recording through csv_log, and back by pyarrow, DuckDB and mpq: the same values everywhere."""
import csv
import io
import json
import re

import duckdb
from harness import check, check_equal, check_ok, data_file, read, run
from recordings import RECORDINGS, instant, local_time, values_of


def number_after(word, text):
    found = re.search(rf"^\s*{word}\s+([\d,]+)", text, re.MULTILINE)
    check(found, f"no {word} in {text!r}")
    return int(found[1].replace(",", ""))


def log(name):
    result = check_ok(run("csv_log", data_file(name), "out.parquet"))
    table = read("out.parquet")
    check_equal(number_after("rows", result.stdout), table.num_rows, "rows")
    return result, table


def check_pyarrow(name):
    _, table = log(name)
    expected = values_of(name)
    check_equal({field.name: str(field.type) for field in table.schema},
                {column: kind for column, (kind, _) in RECORDINGS[name].items()}, "types")
    for column, values in expected.items():
        check_equal(table[column].to_pylist(), values, column)
        check_equal(table.schema.field(column).nullable, None in values, f"{column}: optional")


def check_duckdb(name):
    log(name)
    duckdb.sql("SET TimeZone='UTC'")
    table = duckdb.sql("SELECT * FROM 'out.parquet'").to_arrow_table()
    for column, values in values_of(name).items():
        check_equal(table[column].to_pylist(), values, column)


def check_cat_csv(name):
    log(name)
    result = check_ok(run("mpq", "cat", "--csv", "out.parquet"))
    rows = list(csv.reader(io.StringIO(result.stdout)))
    check_equal(rows[0], list(RECORDINGS[name]), "header")
    for i, (column, values) in enumerate(values_of(name).items()):
        reader = RECORDINGS[name][column][1]
        check_equal([None if row[i] == "" else reader(row[i]) for row in rows[1:]], values, column)


def check_cat_json(name):
    log(name)
    result = check_ok(run("mpq", "cat", "--json", "out.parquet"))
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    for column, values in values_of(name).items():
        reader = RECORDINGS[name][column][1]
        convert = reader if reader in (instant, local_time) else lambda value: value
        check_equal([None if row[column] is None else convert(row[column]) for row in rows], values, column)


def test_weather_by_pyarrow():
    check_pyarrow("weather.csv")


def test_weather_by_duckdb():
    check_duckdb("weather.csv")


def test_weather_by_cat_csv():
    check_cat_csv("weather.csv")


def test_weather_by_cat_json():
    check_cat_json("weather.csv")


def test_machine_temperature_by_pyarrow():
    check_pyarrow("machine_temperature.csv")


def test_machine_temperature_by_duckdb():
    check_duckdb("machine_temperature.csv")


def test_machine_temperature_by_cat_csv():
    check_cat_csv("machine_temperature.csv")


def test_machine_temperature_by_cat_json():
    check_cat_json("machine_temperature.csv")


def test_walk_by_pyarrow():
    check_pyarrow("walk.csv")


def test_walk_by_duckdb():
    check_duckdb("walk.csv")


def test_walk_by_cat_csv():
    check_cat_csv("walk.csv")


def test_walk_by_cat_json():
    check_cat_json("walk.csv")


def test_the_summary_tells_the_file():
    import os
    import pyarrow.parquet
    result, _ = log("weather.csv")
    check_equal(number_after("bytes", result.stdout), os.path.getsize("out.parquet"), "bytes")
    check_equal(number_after("row groups", result.stdout), pyarrow.parquet.read_metadata("out.parquet").num_row_groups)
    arena = number_after("memory", result.stdout)
    check_ok(run("csv_log", data_file("weather.csv"), "same.parquet", "--arena-bytes", arena))
    check_equal(run("csv_log", data_file("weather.csv"), "less.parquet", "--arena-bytes", arena - 1).returncode, 1)


def test_csv_of_csv_is_the_same_file_again():
    log("weather.csv")
    with open("again.csv", "w", encoding="utf-8") as file:
        file.write(check_ok(run("mpq", "cat", "out.parquet")).stdout)
    check_ok(run("csv_log", "again.csv", "again.parquet"))
    check(read("again.parquet").equals(read("out.parquet")), "the second file differs")
