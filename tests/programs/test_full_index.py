"""Tests the options of csv_log and host_log on pages and values: bloom filters, sizes and the order of pages."""
import itertools
import pathlib
import subprocess

import duckdb
import polars
import pyarrow.parquet
from harness import check, check_equal, check_file, check_ok, check_refused, command, run

ROWS = 9000
GROUP = 3000
COLUMNS = ("time", "serial", "n", "x")


def row(i):
    """Makes a row; all its values are even, which leaves odd values for rows that are not there."""
    return i * 10, "" if i % 7 == 0 else f"S{i * 3 % 800 * 2:05}", i * 37 % 5000 * 2, (0.0, -0.0, i / 4)[i % 3]


def write_csv(path):
    lines = ["time,serial,n,x,flag", *(",".join(map(str, (*row(i), "true" if i % 2 else "false"))) for i in range(ROWS))]
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def write(path, *options):
    """Standard output is written forward."""
    arguments = ("--rows-per-group", str(GROUP), "--bloom", ",".join(COLUMNS), "--bloom-values", "4000",
                 "--row-group-bytes", "2000000", *options)
    if path == "forward.parquet":
        with open(path, "wb") as out:
            subprocess.run(command("csv_log", "in.csv", "-", *arguments), stdout=out, stderr=subprocess.DEVNULL, check=True)
    else:
        check_ok(run("csv_log", "in.csv", path, "--overwrite", *arguments))


def values_of(rows):
    return {column: [value for value in values if value != ""] for column, values in zip(COLUMNS, zip(*map(row, rows)))}


def excluded(path, column, value):
    """By the number of each row group whether its filter says that the value is not there."""
    rows = duckdb.execute("select row_group_id, bloom_filter_excludes from parquet_bloom_probe(?, ?, ?)",
                          [path, column, value]).fetchall()
    return dict(rows)


def check_filters(path):
    """No filter excludes a value that is there, and nearly none of those that are not passes."""
    absent = {"time": lambda i: i * 10 + 3, "serial": lambda i: f"S{2 * i + 1:05}", "n": lambda i: 2 * i + 1,
              "x": lambda i: i + 0.1}
    metadata = pyarrow.parquet.ParquetFile(path).metadata
    ends = list(itertools.accumulate((metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)), initial=0))
    check_equal(ends[-1], ROWS)
    groups = [values_of(range(first, end)) for first, end in zip(ends, ends[1:])]
    for column in COLUMNS:
        for number, values in enumerate(groups):
            for value in values[column][::301]:
                check(not excluded(path, column, value)[number], path, column, value)
        passed = sum(not said for i in range(60) for said in excluded(path, column, absent[column](i)).values())
        check(passed <= 8, path, column, passed)


def test_bloom_filters_as_duckdb_asks_them():
    write_csv("in.csv")
    for path, options in (("plain.parquet", ("--encoding", "plain", "--page-bytes", "4096")), ("auto.parquet", ()),
                          ("zstd.parquet", ("--encoding", "delta_byte_array", "--codec", "zstd")), ("forward.parquet", ())):
        write(path, *options)
        check_filters(path)
        check_ok(run("mpq", "verify", "--strict", path))
        wanted = sum(row(i)[1] == "S00002" for i in range(ROWS))
        check_equal(polars.scan_parquet(path).filter(polars.col("serial") == "S00002").collect().height, wanted, "Polars")
        check_equal(duckdb.sql(f"select 1 from '{path}' where serial = 'S00002'").shape[0], wanted, "DuckDB")
        check_equal(check_ok(run("mpq", "cat", "--where", "serial = 'S00002'", path)).stdout.count("\n") - 1, wanted, "mpq")
        check_equal(duckdb.sql(f"select 1 from '{path}' where x = 0").shape[0], sum(row(i)[3] == 0 for i in range(ROWS)), "zeros")


def test_the_checker_finds_each_bit_that_is_missing():
    from parquet_checker import Options, check_bytes
    write_csv("in.csv")
    write("in.parquet")
    check_file("in.parquet")
    data = pathlib.Path("in.parquet").read_bytes()
    options = Options(indexes_pages=True)
    chunk = check_bytes(data, options).footer.row_groups[0].columns[1].meta_data
    begin = chunk.bloom_filter_offset
    end = begin + chunk.bloom_filter_length
    places = [at for at in range(begin + 32, end) if data[at]]
    check(len(places) > 200, len(places))
    for at in places[::97]:
        changed = bytearray(data)
        changed[at] = 0
        check("bloom_filter.values" in check_bytes(bytes(changed), options).codes, at)


def test_hash_of_the_format():
    """Published values of the hash, of which the last one takes all its parts."""
    import bloom_filter_check
    check_equal(bloom_filter_check.xxhash64(b""), 0xEF46DB3751D8E999)
    check_equal(bloom_filter_check.xxhash64(b"a"), 0xD24EC4F1A98C6E5B)
    check_equal(bloom_filter_check.xxhash64(b"abc"), 0x44BC2CF5AD770999)
    check_equal(bloom_filter_check.xxhash64(b"Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1)


def index_of(path, column):
    from parquet_checker import Options, check_bytes
    from thrift_compact import Parser
    data = pathlib.Path(path).read_bytes()
    for group in check_bytes(data, Options(indexes_pages=True)).footer.row_groups:
        chunk = group.columns[column]
        bounds = Parser(data, chunk.column_index_offset, chunk.column_index_offset + chunk.column_index_length)
        places = Parser(data, chunk.offset_index_offset, chunk.offset_index_offset + chunk.offset_index_length)
        yield chunk.meta_data, bounds.struct("ColumnIndex"), places.struct("OffsetIndex")


def test_sizes_and_order():
    write_csv("in.csv")
    write("in.parquet")
    check_file("in.parquet")
    for number, (meta, bounds, places) in enumerate(index_of("in.parquet", 0)):
        check_equal(bounds.boundary_order, 1, f"the time ascends in row group {number}")
    texts = [row(i)[1] for i in range(ROWS)]
    for number, (meta, bounds, places) in enumerate(index_of("in.parquet", 1)):
        group = texts[number * GROUP:(number + 1) * GROUP]
        check_equal(bounds.boundary_order, 0)
        check_equal(meta.size_statistics.unencoded_byte_array_data_bytes, sum(map(len, group)))
        check_equal(meta.size_statistics.definition_level_histogram, [group.count(""), GROUP - group.count("")])
        check_equal(sum(places.unencoded_byte_array_data_bytes), sum(map(len, group)))
        check_equal(sum(bounds.definition_level_histograms), GROUP)
    for meta, bounds, places in index_of("in.parquet", 3):
        check_equal(bounds.nan_counts, [0] * len(bounds.null_pages))


def test_a_column_that_falls():
    pathlib.Path("in.csv").write_text("n\n" + "\n".join(str(-i // 5) for i in range(ROWS)) + "\n", encoding="utf-8")
    check_ok(run("csv_log", "in.csv", "in.parquet", "--page-index", "--encoding", "plain"))
    for meta, bounds, places in index_of("in.parquet", 0):
        check_equal((bounds.boundary_order, meta.bloom_filter_offset), (2, None))
    check_file("in.parquet")


def test_rows_that_are_appended_have_filters_of_their_own():
    """And rows of a row group that was open when the log was killed have none."""
    write_csv("in.csv")
    write("in.parquet")
    check_ok(run("csv_log", "in.csv", "in.parquet", "--append", "--rows-per-group", str(GROUP), "--bloom", ",".join(COLUMNS),
                 "--bloom-values", "4000"))
    metadata = duckdb.sql("select count(*), count(bloom_filter_offset) from parquet_metadata('in.parquet')").fetchall()[0]
    check_equal(metadata, (2 * ROWS // GROUP * 5, 2 * ROWS // GROUP * len(COLUMNS)))
    check_file("in.parquet")


def test_recovery_drops_them():
    """Recovery drops the filters of row groups that only records describe: it cannot know whether their filters had arrived,
    and a wrong one hides rows."""
    write_csv("in.csv")
    write("in.parquet", "--encoding", "plain")
    whole = pathlib.Path("in.parquet").read_bytes()
    pathlib.Path("in.parquet").write_bytes(whole[:-20])
    check_ok(run("mpq", "recover", "in.parquet", "-o", "out.parquet"))
    count, filters = duckdb.sql("select count(*), count(bloom_filter_offset) from parquet_metadata('out.parquet')").fetchall()[0]
    check(count and not filters, count, filters)
    check_equal(pyarrow.parquet.read_table("out.parquet").num_rows, ROWS)
    check_ok(run("mpq", "verify", "out.parquet"))


def test_wrong_names():
    write_csv("in.csv")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--bloom", "none"), "--bloom none", "no such column")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--bloom", "flag"), "--bloom flag", "true and false")
    check_refused(run("host_log", "out.parquet", "--bloom", "none"), "--bloom none", "no such column")
    check(not pathlib.Path("out.parquet").exists())
    check_ok(run("host_log", "out.parquet", "--seconds", "0.2", "--bloom", "memory_used_bytes"))
    check_file("out.parquet")


def test_recovery_drops_an_index_that_is_wrong():
    """Its row group keeps its rows, and those that the footer before names keep their indexes if they are right."""
    write_csv("in.csv")
    log = ("csv_log", "in.csv", "in.parquet", "--encoding", "plain", "--rows-per-group", "1000", "--page-index")
    check_ok(run(*log))
    groups = [meta for meta, _, _ in index_of("in.parquet", 0)]
    check_ok(run(*log, "--append"))
    torn = bytearray(pathlib.Path("in.parquet").read_bytes())
    del torn[-50:]
    pathlib.Path("right.parquet").write_bytes(torn)
    check_ok(run("mpq", "recover", "right.parquet"))
    right = list(with_places("right.parquet"))
    named = list(range(len(groups)))
    check_equal(sum(rows for rows, _ in right), 2 * ROWS)
    check_equal([i for i, (_, has_index) in enumerate(right) if has_index], named)
    wrong = len(groups) // 2
    first = sum(rows for rows, _ in right[:wrong])
    end = groups[wrong].data_page_offset + groups[wrong].total_compressed_size
    bound = torn.index(b"\x08" + row(first)[0].to_bytes(8, "little"), end)  # the first one, and its length
    torn[bound + 1] ^= 1
    pathlib.Path("wrong.parquet").write_bytes(torn)
    check_ok(run("mpq", "recover", "wrong.parquet"))
    check_equal([i for i, (_, has_index) in enumerate(with_places("wrong.parquet")) if has_index],
                [i for i in named if i != wrong])
    check(pyarrow.parquet.read_table("wrong.parquet") == pyarrow.parquet.read_table("right.parquet"))
    check_ok(run("mpq", "verify", "--strict", "wrong.parquet"))


def with_places(path):
    """Counts the rows of each row group, and tells whether all columns have an index."""
    metadata = pyarrow.parquet.read_metadata(path)
    for i in range(metadata.num_row_groups):
        group = metadata.row_group(i)
        places = {group.column(column).has_offset_index for column in range(group.num_columns)}
        check_equal(len(places), 1)
        yield group.num_rows, places.pop()
