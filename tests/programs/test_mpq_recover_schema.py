"""mpq recover --schema: files of other writers that were cut off before their footer."""
import pathlib

import pyarrow as pa
import pyarrow.parquet
from damage import flip
from harness import check, check_equal, check_ok, check_refused, run

ROWS = 10_000


def table(first=0):
    numbers = range(first, first + ROWS)
    return pa.table({
        "n": pa.array(numbers, pa.int64()), "d": pa.array([n / 3 for n in numbers], pa.float64()),
        "s": pa.array([None if n % 5 == 0 else f"text {n % 70}" for n in numbers]),
        "b": pa.array([n % 3 == 0 for n in numbers]),
        "t": pa.array([n * 1000 for n in numbers], pa.timestamp("us", "Europe/Berlin"))})


def write(path, first=0, **options):
    """Both files, and where the row groups of the one end."""
    options.setdefault("row_group_size", 3000)
    pa.parquet.write_table(table(first), path, **options)
    metadata = pa.parquet.read_metadata(path)
    ends = []
    for i in range(metadata.num_row_groups):
        last = metadata.row_group(i).column(metadata.num_columns - 1)
        begin = last.dictionary_page_offset or last.data_page_offset
        ends.append(begin + last.total_compressed_size)
    return pathlib.Path(path).read_bytes(), ends


def recover(data, code, *arguments):
    """Rows that come out, by pyarrow."""
    pathlib.Path("broken").write_bytes(data)
    result = run("mpq", "recover", "broken", "--schema", "from.parquet", "-o", "out.parquet", "--overwrite", *arguments)
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    return pa.parquet.read_table("out.parquet", page_checksum_verification=True) if code != 2 else result


def check_cuts(rows_of_cut_chunk=0, **options):
    write("from.parquet", 500_000, **options)
    data, ends = write("whole.parquet", **options)
    for size, rows, code in ((ends[-1], ROWS, 0), (ends[-1] + 100, ROWS, 1), (ends[1], 6000, 0),
                             (ends[1] + 37, 6000, 1), (ends[2] - 1, 6000 + rows_of_cut_chunk, 1),
                             (ends[0] + (ends[1] - ends[0]) // 2, 3000, 1)):
        found = recover(data[:size], code)
        check_equal(found.schema, table().schema, "schema")
        check(found.equals(table().slice(0, rows)), f"{found.num_rows} rows of {size} bytes, expected {rows}")
    check_equal(recover(data[:ends[0] // 3], 2).stdout.count("no row is there"), 1, "nothing is there")


def test_dictionaries_and_snappy():
    check_cuts()


def test_checksums_and_second_page_version():
    check_cuts(write_page_checksum=True, data_page_version="2.0", compression="zstd")


def test_many_pages_a_chunk():
    check_cuts(rows_of_cut_chunk=2048, data_page_size=2000, write_page_checksum=True)


def test_plain_columns_whose_sizes_tell_them_apart():
    check_cuts(use_dictionary=False, compression="none", write_page_checksum=True)


def test_a_damaged_page_costs_its_row_group():
    write("from.parquet", 500_000, write_page_checksum=True)
    data, ends = write("whole.parquet", write_page_checksum=True)
    found = recover(flip(data[:ends[-1]], ends[1] - 40), 1)
    check(found.equals(pa.concat_tables([table().slice(0, 3000), table().slice(6000)])), found.num_rows)


def write_alike(path, first, rows):
    """Columns of one type in pages of one size: the bytes do not say where a row group ends."""
    numbers = list(range(first, first + rows))
    alike = pa.table({name: pa.array([n + i * 10**9 for n in numbers], pa.int64()) for i, name in enumerate("abcd")})
    pa.parquet.write_table(alike, path, compression="none", use_dictionary=False, row_group_size=4000,
                           data_page_size=8000, write_batch_size=1000, max_rows_per_page=1000)
    return alike


def test_what_can_be_read_in_two_ways_is_not_read():
    write_alike("from.parquet", 500_000, 8000)
    alike = write_alike("whole.parquet", 0, 12_000)
    data = pathlib.Path("whole.parquet").read_bytes()
    result = recover(data[:-200], 2)
    check("--rows-per-group" in result.stdout and "4000" in result.stdout, result.stdout)
    found = recover(data[:-200], 1, "--rows-per-group", "4000")
    check(found.equals(alike.slice(0, 12_000)), found.num_rows)


def test_another_schema_gives_nothing():
    pa.parquet.write_table(pa.table({"x": pa.array(["text"] * 1000), "y": pa.array(range(1000), pa.int32())}),
                           "from.parquet", compression="none", use_dictionary=False)
    data, ends = write("whole.parquet", compression="none", use_dictionary=False)
    check("no row is there" in recover(data[:ends[-1]], 2).stdout, "rows of another schema")


def test_lists_of_the_second_page_version():
    lists = pa.table({"l": [[i, i + 1] if i % 3 else [] for i in range(4000)], "n": range(4000)})
    options = {"row_group_size": 1000, "data_page_version": "2.0"}
    pa.parquet.write_table(lists, "from.parquet", **options)
    data = pathlib.Path("from.parquet").read_bytes()
    metadata = pa.parquet.read_metadata("from.parquet")
    cut = metadata.row_group(2).column(1).dictionary_page_offset
    found = recover(data[:cut], 1)
    check(found.equals(lists.slice(0, 2000)), found.num_rows)


def test_key_values_of_the_other_file_are_left_out():
    other = table().replace_schema_metadata({"site": "roof"})
    pa.parquet.write_table(other, "from.parquet", row_group_size=3000)
    data, ends = write("whole.parquet")
    recover(data[:ends[-1]], 0)
    check_equal(sorted(pa.parquet.read_metadata("from.parquet").metadata), [b"ARROW:schema", b"site"])
    check_equal(list(pa.parquet.read_metadata("out.parquet").metadata), [b"ARROW:schema"], "key-values")


def test_wrong_arguments():
    data, ends = write("whole.parquet")
    pathlib.Path("broken").write_bytes(data[:ends[-1]])
    check_refused(run("mpq", "recover", "broken", "--schema", "none.parquet", "-o", "out.parquet"), "none.parquet",
                  code=2)
    check_refused(run("mpq", "recover", "broken", "--schema", "whole.parquet"), "--schema", "-o", code=2)
    pathlib.Path("text").write_text("hello")
    check_refused(run("mpq", "recover", "broken", "--schema", "text", "-o", "out.parquet"), "text", code=2)
    check_ok(run("mpq", "recover", "broken", "--schema", "whole.parquet", "--dry-run"))


def test_a_damaged_page_of_a_whole_file():
    data, ends = write("whole.parquet", write_page_checksum=True)
    pathlib.Path("damaged").write_bytes(flip(data, ends[1] - 40))
    result = run("mpq", "recover", "damaged", "-o", "out.parquet")
    check_equal(result.returncode, 1, result.stdout)
    check("of row group 1" in result.stdout and "checksum" in result.stdout, result.stdout)
    found = pa.parquet.read_table("out.parquet")
    check(found.equals(pa.concat_tables([table().slice(0, 3000), table().slice(6000)])), found.num_rows)
    check_equal(run("mpq", "recover", "damaged").returncode, 1, "in place")
    check(pathlib.Path("damaged").read_bytes().startswith(flip(data, ends[1] - 40)), "bytes of the file were changed")
    check(pa.parquet.read_table("damaged").equals(found), "in place")
