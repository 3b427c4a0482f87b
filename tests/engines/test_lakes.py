"""A lake is asked by DuckDB, Polars, pyarrow, ClickHouse and Spark, with the words of its README.md."""
import contextlib
import os
import pathlib
import re
import stat
import subprocess
import sys

import duckdb
import markdown_it
import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_file, check_ok, check_refused, root_folder, run
from hostile_names import NAMES, NOT_SHOWN
from test_mpq_collect import check_lake, collect, make_fleet, rows_of

DAY = "2026-01-03"


def ask(query, table=None):
    """By DuckDB, in UTC; `table` is what the query calls log."""
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    if table is not None:
        connection.register("log", table)
    return connection.execute(query).fetchall()


def ask_all(log, is_day, table=None):
    """Asks an engine all questions, of `log` as DuckDB reads it; `is_day`: the condition for rows of DAY."""
    return [ask(query, table) for query in (
        f"SELECT count(*), max(number), count(temperature), count(gyroscope_z), sum(gyroscope_z::double) FROM {log}",
        f"SELECT device, count(*) FROM {log} GROUP BY device ORDER BY device",
        f"SELECT count(*), avg(accelerometer_z) FROM {log} WHERE {is_day}")]


def expected_of(sources):
    """The answers that the engines must find, by the rows of the sources alone."""
    tables = []
    for path in sources:
        table = rows_of(path)
        if table is None or table.num_rows == 0:
            continue
        names = ["gyroscope_z" if name == "gyro_z" else name for name in table.column_names]
        device = pa.array([pathlib.Path(path).parts[2]] * table.num_rows)
        tables.append(table.rename_columns(names).replace_schema_metadata(None).append_column("device", device))
    log = pa.concat_tables(tables, promote_options="permissive")
    total, by_device, day = ask_all("log", f"time::date = '{DAY}'", log)
    return [tuple(total[0]), by_device, tuple(day[0])]


def check_answers(engine, found, expected):
    """Counts are equal, sums as far as the order of additions lets them be."""
    flat = [[value for part in answer for value in (part if isinstance(part, (list, tuple)) else [part])] for answer in (found, expected)]
    flat = [[value for part in answer for value in (part if isinstance(part, (list, tuple)) else [part])] for answer in flat]
    check_equal(len(flat[0]), len(flat[1]), engine)
    for one, other in zip(*flat):
        same = abs(one - other) <= 1e-4 * max(1.0, abs(other)) if isinstance(other, float) else one == other
        check(same, engine, "found", found, "expected", expected)


@contextlib.contextmanager
def folder(path):
    before = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


def words_of(lake):
    """The blocks of the README, by the program they are for."""
    text = pathlib.Path(lake, "README.md").read_text()
    return dict(re.findall(r"^## (\w+)\n```\w+\n(.*?)\n```$", text, re.S | re.M))


def ask_duckdb(words):
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(words)
    return [connection.execute(query).fetchall() for query in (
        "SELECT count(*), max(number), count(temperature), count(coalesce(gyroscope_z, gyro_z)), "
        "sum(coalesce(gyroscope_z, gyro_z)::double) FROM log",
        "SELECT device, count(*) FROM log GROUP BY device ORDER BY device",
        f"SELECT count(*), avg(accelerometer_z) FROM log WHERE time::date = '{DAY}'")]


def ask_polars(words):
    import polars as pl
    names = {}
    exec(words, names)
    log = names["log"].with_columns(z=pl.coalesce("gyroscope_z", "gyro_z"))
    total = log.select(pl.len(), pl.col("number").max(), pl.col("temperature").count(), pl.col("z").count(),
                       pl.col("z").cast(pl.Float64).sum().alias("sum")).collect().row(0)
    devices = log.group_by("device").len().sort("device").collect().rows()
    day = log.filter(pl.col("time").dt.date() == pl.lit(DAY).str.to_date()).select(
        pl.len(), pl.col("accelerometer_z").cast(pl.Float64).mean()).collect().row(0)
    return [total, devices, day]


def ask_pyarrow(words):
    names = {}
    exec(words, names)
    log = names["log"].to_table()
    return [ask(query, log) for query in (
        "SELECT count(*), max(number), count(temperature), count(coalesce(gyroscope_z, gyro_z)), "
        "sum(coalesce(gyroscope_z, gyro_z)::double) FROM log",
        "SELECT device, count(*) FROM log GROUP BY device ORDER BY device",
        f"SELECT count(*), avg(accelerometer_z) FROM log WHERE time::date = '{DAY}'")]


def ask_clickhouse(words):
    import chdb

    def query(text):
        return [tuple(row.values()) for row in chdb.query(text, "ArrowTable").to_pylist()]

    source = re.search(r"file\(.*\)(?=\nGROUP)", words, re.S)[0]
    total = query("SELECT count(), max(number), count(temperature), count(coalesce(gyroscope_z, gyro_z)), "
                  f"sum(toFloat64(coalesce(gyroscope_z, gyro_z))) FROM {source}")
    devices = [(name.decode() if isinstance(name, bytes) else name, count) for name, count in query(words + " ORDER BY device")]
    day = query(f"SELECT count(), avg(toFloat64(accelerometer_z)) FROM {source} WHERE toDate(time) = '{DAY}'")
    return [total, devices, day]


def spark_session():
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.session.timeZone": "UTC",
                "spark.sql.shuffle.partitions": "2", "spark.driver.memory": "1g"}
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def end_spark(session):
    """With its virtual machine, which finds files from the folder in which it was begun."""
    context = type(session.sparkContext)
    session.stop()
    gateway = context._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    context._gateway = context._jvm = None


def ask_spark(words):
    names = {"spark": spark_session()}
    exec(words, names)
    log = names["log"]
    log.createOrReplaceTempView("log")
    answers = [[tuple(row) for row in names["spark"].sql(query).collect()] for query in (
        "SELECT count(*), max(number), count(temperature), count(coalesce(gyroscope_z, gyro_z)), "
        "sum(double(coalesce(gyroscope_z, gyro_z))) FROM log",
        "SELECT device, count(*) FROM log GROUP BY device ORDER BY device",
        f"SELECT count(*), avg(double(accelerometer_z)) FROM log WHERE date(time) = '{DAY}'")]
    end_spark(names["spark"])
    return answers


def test_every_engine_finds_all_rows():
    sources, _ = make_fleet()
    collect("fleet", "-o", "lake", "--rename", "gyroscope_z=gyro_z")
    expected = expected_of(sources)
    words = words_of("lake")
    asked = {"DuckDB": ask_duckdb, "Polars": ask_polars, "pyarrow": ask_pyarrow, "ClickHouse": ask_clickhouse, "Spark": ask_spark}
    check_equal(set(words), set(asked), "the engines of the README")
    for engine, ask in asked.items():
        with folder("lake"):
            check_answers(engine, ask(words[engine]), expected)


def make_hostile_log(path, names):
    """A column of each name, of which each value is its own, and says so in as many rows as there are bytes in the name."""
    columns = {"time_us": pa.array([10, 20, 30]), **{name: pa.array([i, i + 1000, None]) for i, name in enumerate(names)}}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    facts = {"device": "a'b", "session": "1"}
    pyarrow.parquet.write_table(pa.table(columns).replace_schema_metadata(facts), path)


def values_of(table, names):
    return [table.column(name).to_pylist() for name in names]


def words_run(words, names):
    """By each engine, what the words of a README find in the columns of these names: the rows of each."""
    import chdb
    polars, arrow, spark = {}, {}, {"spark": spark_session()}
    exec(words["Polars"], polars)
    exec(words["pyarrow"], arrow)
    exec(words["Spark"], spark)
    order = ["time_us", *names]
    yield "Polars", [polars["log"].sort("time_us").collect()[name].to_list() for name in order]
    yield "pyarrow", values_of(arrow["log"].to_table().sort_by("time_us"), order)
    rows = sorted(spark["log"].collect(), key=lambda row: row.asDict()["time_us"])
    yield "Spark", [[row.asDict()[name] for row in rows] for name in order]
    end_spark(spark["spark"])
    connection = duckdb.connect()
    connection.execute(words["DuckDB"])
    rows = connection.execute("SELECT * FROM log ORDER BY time_us").fetchall()
    names_there = [column[0] for column in connection.description]
    yield "DuckDB", [[row[names_there.index(name)] for row in rows] for name in order]
    source = re.search(r"file\(.*\)(?=\nGROUP)", words["ClickHouse"], re.S)[0]
    check_equal(len(chdb.query(words["ClickHouse"], "ArrowTable")), 1, "devices by ClickHouse")
    yield "ClickHouse", values_of(chdb.query(f"SELECT * FROM {source} ORDER BY time_us", "ArrowTable"), order)


def test_a_column_is_never_code():
    """Its name says what to do to a terminal, a shell, Python, SQL and Markdown; all of them read the column of that name."""
    make_hostile_log("src/a.parquet", NAMES)
    collect("src", "-o", "lake", "--rename", "new `name`=" + NAMES[3])
    text = pathlib.Path("lake/README.md").read_text()
    check(not NOT_SHOWN.search(text.replace("\n", "")), "what no terminal shows is in README.md")
    tokens = markdown_it.MarkdownIt().parse(text)
    check_equal([token.content for token in tokens if token.type == "inline" and token.level == 1 and token.map[1] - token.map[0] == 1
                 and token.content in ("A lake of logs", "DuckDB", "Polars", "pyarrow", "Spark", "ClickHouse")],
                ["A lake of logs", "DuckDB", "Polars", "pyarrow", "Spark", "ClickHouse"], "headings")
    check_equal(sum(token.type == "heading_open" for token in tokens), 6, "headings")
    check_equal([token.info for token in tokens if token.type == "fence"], ["sql", "python", "python", "python", "sql"], "blocks")
    inline = [child.type for token in tokens for child in token.children or []]
    check_equal(set(inline) - {"text", "code_inline", "softbreak"}, set(), "what Markdown makes of names")
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"][1:]
    words = dict(zip(headings, [token.content for token in tokens if token.type == "fence"]))
    expected = [[10, 20, 30], *([i, i + 1000, None] for i in range(len(NAMES)))]
    with folder("lake"):
        for engine, found in words_run(words, NAMES):
            check_equal(found, expected, engine)
        connection = duckdb.connect()
        connection.execute(pathlib.Path("compact.sql").read_bytes().decode())
        compact = pyarrow.parquet.read_table(next(pathlib.Path("compact").glob("*.parquet")))
        check_equal(values_of(compact, ["time_us", *("new `name`" if name == NAMES[3] else name for name in NAMES)]), expected, "compact.sql")
    check(not list(pathlib.Path().rglob("PWNED")), "what a name says was run")


def test_columns_whose_names_are_no_text():
    """No language has a form for them; the words and the script do without."""
    make_hostile_log("src/a.parquet", ["sound", "XXXXXXXX", "YYYYYYYY"])
    data = pathlib.Path("src/a.parquet").read_bytes()
    schema = data.rindex(b"ARROW:schema")  # pyarrow's own copy of the names
    data = data[:schema].replace(b"XXXXXXXX", b"a\0\";x;--") + data[schema:]
    pathlib.Path("src/a.parquet").write_bytes(data.replace(b"YYYYYYYY", b"\xff\x9b31m\xfe\xc3("))
    collect("src", "-o", "lake")
    for again in range(2):
        for name in ("README.md", "compact.sql"):
            text = pathlib.Path("lake", name).read_bytes()
            check(b"sound" in text and b"31m" not in text and b"\0" not in text and b"x;--" not in text, name, text)
            text.decode()
        collect("src", "-o", "lake")  # by what the lake knows of its file


def duckdb_program():
    """A folder in which DuckDB is a program, made of the module."""
    pathlib.Path("bin").mkdir()
    program = pathlib.Path("bin/duckdb")
    program.write_text(f"#!{sys.executable}\nimport sys, duckdb\nduckdb.connect().execute(sys.stdin.read())\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {**os.environ, "PATH": f"{os.path.abspath('bin')}:{os.environ['PATH']}"}


def test_compact():
    sources, _ = make_fleet()
    expected = expected_of(sources)
    collect("fleet", "-o", "lake", "--rename", "gyroscope_z=gyro_z")
    collect("fleet", "-o", "lake", "--compact", env={"PATH": "/nowhere"})  # the lake remembers the name
    log = "read_parquet('lake/compact/*.parquet')"
    found = ask_all(log, f"time::date = '{DAY}'")
    check_answers("compact", found, expected)
    schemas = {str(pyarrow.parquet.read_schema(path).remove_metadata()) for path in pathlib.Path("lake/compact").iterdir()}
    check_equal(len(schemas), 1, "schemas of the compact files")
    check("gyro_z" not in schemas.pop(), "the old name")
    firmware = ask(f"SELECT DISTINCT firmware FROM {log} ORDER BY 1")
    check_equal(firmware, [("1.0.0",), ("2.0.0",)])
    times = ask(f"SELECT epoch_us(time) FROM {log} WHERE device = '6A1B0001'")
    check_equal(times, sorted(times), "the order of rows")
    check_lake("lake", sources)


def test_compact_of_columns_with_names_of_its_own():
    """Columns are called as the script calls a file, a row or a fact, in small letters or not."""
    names = ["File_Row_Number", "mpq_file", "MPQ_FILE_", "Session", "x"]
    for number in (1, 2):
        rows = range(40_000 * number, 0, -1)  # in none of the columns in order
        columns = {"time_us": pa.array([7] * len(rows)), **{name: pa.array([n * 10 + i for n in rows]) for i, name in enumerate(names)}}
        os.makedirs("src", exist_ok=True)
        facts = {"device": "d", "session": "1", "split": str(number)}
        pyarrow.parquet.write_table(pa.table(columns).replace_schema_metadata(facts), f"src/{number}.parquet")
    collect("src", "-o", "lake")
    program = duckdb_program()
    with folder("lake"), open("compact.sql") as sql:  # in a lake that has never been compacted
        check_ok(subprocess.run(["duckdb"], stdin=sql, capture_output=True, text=True, env=program))
        found = pyarrow.parquet.read_table("compact/d.parquet")
    check_equal(found.column_names[-6:], ["time_us", *names], "columns")
    check_equal(sorted(found.column_names[:-6]), ["device", "firmware", "split", "started_at"], "facts")
    order = [n for number in (1, 2) for n in range(40_000 * number, 0, -1)]
    for i, name in enumerate(names):
        check_equal(found.column(name).to_pylist(), [n * 10 + i for n in order], f"{name} in the order of the log")


def rows_of_compact(folder):
    """All rows and columns of all files, in their order; of the facts those that DuckDB has."""
    return {path.name: pyarrow.parquet.read_table(path).replace_schema_metadata(None) for path in sorted(pathlib.Path(folder, "compact").glob("*.parquet"))}


def test_compact_is_what_the_script_makes():
    make_fleet()
    collect("fleet", "-o", "lake", "--rename", "gyroscope_z=gyro_z", "--compact", env={"PATH": "/nowhere"})
    ours = rows_of_compact("lake")
    check(ours, "no file")
    for name in ours:
        check_file(f"lake/compact/{name}")
    program = duckdb_program()
    with folder("lake"), open("compact.sql") as sql:
        check_ok(subprocess.run(["duckdb"], stdin=sql, capture_output=True, text=True, env=program))
    theirs = rows_of_compact("lake")
    check_equal(list(ours), list(theirs), "files")
    for name, table in theirs.items():
        check_equal(ours[name].column_names, table.column_names, name)
        for column in table.column_names:
            check(ours[name][column].cast(table[column].type).equals(table[column]), name, column)


def test_compact_of_lists_needs_duckdb():
    pyarrow.parquet.write_table(pa.table({"list": [[1], [2, 3]]}), "a.parquet")
    result = run("mpq", "collect", "a.parquet", "-o", "lake", "--compact", env={"PATH": "/nowhere"})
    check_refused(result, "--compact: lists, and two columns of one new name, are merged by duckdb, and there is no such program", "lake/compact.sql", code=2)
    check(pathlib.Path("lake/files.parquet").exists(), "the lake is whole all the same")
    collect("a.parquet", "-o", "lake", "--compact", env=duckdb_program())
    check_equal(pyarrow.parquet.read_table("lake/compact/unknown.parquet")["list"].to_pylist(), [[1], [2, 3]])
    check_refused(run("mpq", "collect", "a.parquet", "-o", "lake", "--rename", "a"), "--rename a", "NEW=OLD", code=2)


def test_the_fleet_example():
    """Its Spark job adds what is new to partitions of days, and nothing twice."""
    sources, _ = make_fleet(devices=6, sessions=10)
    half = [path for path in sources if int(path.split("/")[3]) <= 5]
    job = root_folder() / "examples" / "fleet" / "append_days.py"

    def append():
        check_ok(subprocess.run([sys.executable, job, "lake", "days"], capture_output=True, text=True, timeout=900,
                                env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_MASTER": "local[2]"}))

    collect(*half, "-o", "lake", "--rename", "gyroscope_z=gyro_z")
    append()
    collect("fleet", "-o", "lake")
    append()
    expected = expected_of(sources)
    log = "read_parquet('days/*/*.parquet', hive_partitioning = true, union_by_name = true)"
    found = ask_all(log, f"date = DATE '{DAY}'")
    check_answers("days", found, expected)
