"""The options of csv_log."""
import pathlib
import re
import subprocess

import duckdb
import polars
import pyarrow.parquet
from harness import (SECONDS, check, check_equal, check_file, check_ok, check_refused, command, data_file, key_values, read, run,
                     wait_until_idle)


def simple_csv(rows=3):
    pathlib.Path("in.csv").write_text("a,b\n" + "".join(f"{i},{i / 4}\n" for i in range(rows)))


def test_compatible():
    simple_csv(2500)
    check_ok(run("csv_log", "in.csv", "out.parquet", "--compatible"))
    check_equal(encodings_of("out.parquet"), [({"PLAIN"}, "UNCOMPRESSED")] * 2)
    check_ok(run("csv_log", "in.csv", "out.parquet", "--compatible", "--append"))
    check_equal(read("out.parquet")["a"].to_pylist(), [*range(2500)] * 2)
    check_refused(run("csv_log", "in.csv", "out.parquet", "--append"), "begun with --compatible")
    check_equal(read("out.parquet")["a"].to_pylist(), [*range(2500)] * 2)
    check_ok(run("csv_log", "in.csv", "other.parquet"))
    check_refused(run("csv_log", "in.csv", "other.parquet", "--compatible", "--append"), "begun without --compatible")
    check(run("csv_log", "in.csv", "out.parquet", "--compatible", "--codec", "zstd", "--overwrite").returncode != 0, "a codec is taken")


def test_rows_per_group():
    simple_csv(2500)
    check_ok(run("csv_log", "in.csv", "out.parquet", "--rows-per-group", 1000))
    metadata = pyarrow.parquet.read_metadata("out.parquet")
    check_equal([metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)], [1000, 1000, 500])
    check_equal(read("out.parquet")["a"].to_pylist(), list(range(2500)))


def test_page_bytes():
    simple_csv(2500)
    sizes = {}
    for bytes_a_page in (256, 512, 4096):
        check_ok(run("csv_log", "in.csv", "out.parquet", "--page-bytes", bytes_a_page, "--overwrite"))
        check_equal(read("out.parquet")["b"].to_pylist(), [i / 4 for i in range(2500)])
        sizes[bytes_a_page] = pathlib.Path("out.parquet").read_bytes()
    check(len(set(sizes.values())) == 3, "the page size changes nothing")


def encodings_of(path):
    """The encodings and codecs of the first row group's columns."""
    row_group = pyarrow.parquet.read_metadata(path).row_group(0)
    columns = [row_group.column(i) for i in range(row_group.num_columns)]
    return [(set(column.encodings) - {"RLE"}, column.compression) for column in columns]


def test_encoding():
    pathlib.Path("in.csv").write_text("time,volts,state\n" + "".join(
        f"2024-05-01 00:00:{i % 60:02},{i / 8},state {i % 3}\n" for i in range(3000)))
    check_ok(run("csv_log", "in.csv", "plain.parquet", "--encoding", "plain"))
    check_equal(encodings_of("plain.parquet"), [({"PLAIN"}, "UNCOMPRESSED")] * 3)
    rows = read("plain.parquet")
    for options, time, volts, text in (
            ([], "DELTA_BINARY_PACKED UNCOMPRESSED", "BYTE_STREAM_SPLIT LZ4", "PLAIN LZ4"),
            (["--page-bytes", 512], "DELTA_BINARY_PACKED UNCOMPRESSED", "PLAIN UNCOMPRESSED", "PLAIN UNCOMPRESSED"),
            (["--encoding", "auto", "--codec", "none"], "DELTA_BINARY_PACKED UNCOMPRESSED", "PLAIN UNCOMPRESSED",
             "PLAIN UNCOMPRESSED"),
            (["--encoding", "delta"], "DELTA_BINARY_PACKED UNCOMPRESSED", "PLAIN UNCOMPRESSED", "PLAIN UNCOMPRESSED"),
            (["--encoding", "plain", "--codec", "lz4_raw"], "PLAIN LZ4", "PLAIN LZ4", "PLAIN LZ4")):
        check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", *options))
        check(read("out.parquet").equals(rows), f"{options} changes the values")
        found = encodings_of("out.parquet")
        for (encodings, codec), expected in zip(found, (time, volts, text)):
            encoding, expected_codec = expected.split()
            check(encoding in encodings and codec == expected_codec, f"{options}: {found}")
        check_ok(run("mpq", "verify", "out.parquet"))


def test_encodings_of_text():
    """Each is read by other readers, by mpq, and when the file was cut off."""
    rows = [f"{i},/usr/share/{i // 500}/{i // 7:06}/file{i:07}.txt,{'x' * (i * i % 23)},{i % 60 if i % 3 else ''}" for i in range(6000)]
    pathlib.Path("in.csv").write_text("\n".join(["id,path,text,maybe", *rows]) + "\n")
    types = ["--type", "text=string", "--type", "maybe=string"]
    check_ok(run("csv_log", "in.csv", "plain.parquet", "--encoding", "plain", "--page-bytes", 4096, *types))
    expected, size = read("plain.parquet"), pathlib.Path("plain.parquet").stat().st_size
    text = check_ok(run("mpq", "cat", "plain.parquet")).stdout
    for encoding, part in (("delta_length_byte_array", 0.95), ("delta_byte_array", 0.5)):
        for options in (["--page-bytes", 256], ["--codec", "lz4_raw"], ["--codec", "zstd", "--page-bytes", 16384], []):
            check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", "--encoding", encoding, *types, *options))
            found = encodings_of("out.parquet")
            check("DELTA_BINARY_PACKED" in found[0][0] and encoding.upper() in found[1][0], options, found)
            same_for_other_readers("out.parquet", expected, f"{encoding} {options}")
            check(check_ok(run("mpq", "cat", "out.parquet")).stdout == text, f"mpq reads other values: {encoding} {options}")
            check_ok(run("mpq", "verify", "--strict", "out.parquet"))
        check(pathlib.Path("out.parquet").stat().st_size < part * size, encoding, "is not much smaller than PLAIN")
        pathlib.Path("cut.parquet").write_bytes(pathlib.Path("out.parquet").read_bytes()[:-7])
        pathlib.Path("again.parquet").unlink(missing_ok=True)
        check_ok(run("mpq", "recover", "cut.parquet", "-o", "again.parquet"))
        check(pyarrow.parquet.read_table("again.parquet").equals(expected), f"{encoding} recovered")


def same_for_other_readers(path, expected, what):
    check(pyarrow.parquet.read_table(path, page_checksum_verification=True).equals(expected), f"pyarrow reads other values: {what}")
    check(duckdb.sql(f"FROM '{path}'").to_arrow_table().cast(expected.schema).equals(expected), f"DuckDB reads other values: {what}")
    check(polars.read_parquet(path).equals(polars.from_arrow(expected)), f"Polars reads other values: {what}")


def test_codecs():
    """Each is read by other readers, by mpq, and when the file was cut off."""
    check_ok(run("csv_log", data_file("walk.csv"), "plain.parquet", "--encoding", "plain"))
    expected = read("plain.parquet")
    text = check_ok(run("mpq", "cat", "plain.parquet")).stdout
    for codec, name in (("zstd", "ZSTD"), ("gzip", "GZIP"), ("brotli", "BROTLI"), ("snappy", "SNAPPY"), ("lz4_raw", "LZ4")):
        for options in ([], ["--page-bytes", 256], ["--page-bytes", 65536], ["--encoding", "plain"]):
            check_ok(run("csv_log", data_file("walk.csv"), "out.parquet", "--overwrite", "--codec", codec, *options))
            check_equal(encodings_of("out.parquet")[1][1], name, "compression")
            check_file("out.parquet")
            same_for_other_readers("out.parquet", expected, f"{codec} {options}")
            check(check_ok(run("mpq", "cat", "out.parquet")).stdout == text, f"mpq reads other values: {codec} {options}")
            check_ok(run("mpq", "verify", "--strict", "out.parquet"))
        whole = pathlib.Path("out.parquet").read_bytes()
        pathlib.Path("cut.parquet").write_bytes(whole[:-7])
        pathlib.Path("again.parquet").unlink(missing_ok=True)
        check_ok(run("mpq", "recover", "cut.parquet", "-o", "again.parquet"))
        check(pyarrow.parquet.read_table("again.parquet").equals(expected), f"{codec} recovered")


def test_encoding_makes_files_small():
    sizes = {}
    for encoding, options in {"plain": ["--encoding", "plain"], "auto": []}.items():
        check_ok(run("csv_log", data_file("weather.csv"), f"{encoding}.parquet", *options))
        sizes[encoding] = pathlib.Path(f"{encoding}.parquet").stat().st_size
    check(read("auto.parquet").equals(read("plain.parquet")), "--encoding changes the values")
    check(sizes["auto"] < 0.7 * sizes["plain"], f"not much smaller: {sizes}")


def test_dictionary_bytes():
    pathlib.Path("in.csv").write_text("volts\n" + "".join(f"{i * 7 % 300 / 8}\n" for i in range(5000)))
    sizes = {}
    for size in (512, 4096):
        check_ok(run("csv_log", "in.csv", "out.parquet", "--encoding", "auto", "--codec", "none", "--dictionary-bytes", size,
                     "--overwrite"))
        check_equal(read("out.parquet")["volts"].to_pylist(), [i * 7 % 300 / 8 for i in range(5000)])
        sizes[size] = pathlib.Path("out.parquet").stat().st_size
    check(sizes[4096] < 0.5 * sizes[512], f"300 values of 8 bytes find a place in 4096 bytes alone: {sizes}")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--dictionary-bytes", 700), "--dictionary-bytes", "700", "512")


def test_options_that_would_do_nothing_are_refused():
    simple_csv()
    for without in (["--encoding", "plain"], ["--encoding", "delta"], ["--compatible"]):
        check_refused(run("csv_log", "in.csv", "out.parquet", "--dictionary-bytes", 4096, *without),
                      "--dictionary-bytes", "only --encoding auto has dictionaries")
    for option, value in (("--bloom-values", 4000), ("--bloom-wrong", 0.1)):
        check_refused(run("csv_log", "in.csv", "out.parquet", option, value), option, "requires --bloom")
        check_ok(run("csv_log", "in.csv", "out.parquet", option, value, "--bloom", "a", "--overwrite"))


def test_resolution():
    simple_csv(1000)
    told = ["--type", "b=float", "--resolution", "b=0.75", "--resolution", "a=0.75"]
    check_ok(run("csv_log", "in.csv", "out.parquet", *told))
    table = read("out.parquet")
    check_equal(table["b"].to_pylist(), [(2 * i + 2) // 4 / 2 for i in range(1000)], "halves")
    check_equal(table["a"].to_pylist(), list(range(1000)), "an integer")
    check_refused(run("csv_log", "in.csv", "new.parquet", "--resolution", "c=0.1"), "--resolution c=0.1", "no such column", "a, b")
    for wrong in ("b", "b=", "b=fine", "b=0", "b=-1", "b=1e31", "b=nan"):
        check_refused(run("csv_log", "in.csv", "new.parquet", "--resolution", wrong), f"--resolution {wrong}", "NAME=STEP")
    check(not pathlib.Path("new.parquet").exists(), "a file is left behind")


def test_encoding_of_what_is_added():
    simple_csv(2500)
    for first, then in (("plain", "auto"), ("auto", "plain")):
        check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", "--encoding", first))
        check_ok(run("csv_log", "in.csv", "out.parquet", "--append", "--encoding", then))
        check_equal(read("out.parquet")["b"].to_pylist(), [i / 4 for i in range(2500)] * 2)
        check_ok(run("mpq", "verify", "out.parquet"))


def test_encoding_that_is_not_there():
    simple_csv()
    check_refused(run("csv_log", "in.csv", "out.parquet", "--encoding", "small"), "--encoding", "small", "auto", "plain")
    for wrong in ("4", "AUTO"):  # nor what a program calls it inside
        result = run("csv_log", "in.csv", "out.parquet", "--encoding", wrong)
        check_refused(result, f"--encoding: {wrong} not in", "delta_byte_array")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--codec", "lzo"), "--codec", "lzo", "lz4_raw", "zstd")


def test_row_group_bytes():
    simple_csv(25000)
    groups = []
    for size in (30000, 100000):
        check_ok(run("csv_log", "in.csv", "out.parquet", "--encoding", "plain", "--row-group-bytes", size, "--overwrite"))
        groups.append(pyarrow.parquet.read_metadata("out.parquet").num_row_groups)
    check(groups[0] > 2 * groups[1] > 2, f"the size changes nothing: {groups}")


def test_page_bytes_too_small():
    simple_csv()
    check_refused(run("csv_log", "in.csv", "out.parquet", "--page-bytes", 64), "--page-bytes", "64", "128")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--page-bytes", 128, "--codec", "zstd"), "--page-bytes 128", "256")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--page-bytes", 513), "--page-bytes 513", "multiple of 512")
    pathlib.Path("null.csv").write_text("a,b\n1,\n,2.5\n3,4.5\n")
    for options in (["--page-bytes", 128, "--encoding", "delta", "--codec", "lz4_raw"], ["--page-bytes", 2**28]):
        check_refused(run("csv_log", "null.csv", "out.parquet", *options), f"pages of {options[1]} bytes do not suit", "--page-bytes 512")
    check(not pathlib.Path("out.parquet").exists(), "a file is left behind")


def test_text_too_long_to_be_compressed():
    text = "x" * 20_000_000
    pathlib.Path("in.csv").write_text(f"a,s\n1,{text}\n2,y\n")
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    check(read("out.parquet")["s"].to_pylist() == [text, "y"], "other values")


def test_counts_out_of_range():
    simple_csv()
    for option in ("--rows-per-group", "--checkpoint-rows", "--bloom-values"):
        check_refused(run("csv_log", "in.csv", "out.parquet", option, 0, "--bloom", "a"),
                      f"{option}: Value 0 not in range 1 to")


def test_arena_bytes_says_how_many_are_needed():
    result = run("csv_log", data_file("weather.csv"), "out.parquet", "--arena-bytes", 2000)
    check_refused(result, "--arena-bytes 2000", "15 columns", "4096 bytes need ", "give that many")
    needed = result.stderr.split("bytes need ")[1].split(" ")[0]
    check(not pathlib.Path("out.parquet").exists(), "a file is left behind")
    check_ok(run("csv_log", data_file("weather.csv"), "out.parquet", "--arena-bytes", needed))


def test_key_values():
    simple_csv()
    check_ok(run("csv_log", "in.csv", "out.parquet", "--kv", "site=roof", "--kv", "formula=a=b", "--kv", "empty="))
    check_equal(key_values("out.parquet"), {"site": "roof", "formula": "a=b", "empty": ""})


def test_key_value_without_equals_sign():
    simple_csv()
    check_refused(run("csv_log", "in.csv", "out.parquet", "--kv", "roof"), "--kv roof", "KEY=VALUE")


def test_type_of_a_column_that_is_not_there():
    simple_csv()
    check_refused(run("csv_log", "in.csv", "out.parquet", "--type", "c=int8"), "in.csv has no such column", "a, b")


def test_type_that_is_not_there():
    simple_csv()
    check_refused(run("csv_log", "in.csv", "out.parquet", "--type", "a=int128"), "no such type", "int64", "decimal(")


def test_delimiter():
    pathlib.Path("in.csv").write_text("a|b\n1|2,5\n")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--delimiter", "|"))
    check_equal(read("out.parquet").to_pydict(), {"a": [1], "b": [2.5]})
    pathlib.Path("in.csv").write_text("a\tb\n1\t2\n")
    check_equal(check_ok(run("csv_log", "in.csv", "out.parquet", "--delimiter", "\\t", "--overwrite")).stderr, "")
    check_equal(read("out.parquet").to_pydict(), {"a": [1], "b": [2]})


def test_a_file_that_exists_is_left_alone():
    simple_csv()
    pathlib.Path("out.parquet").write_text("precious")
    check_refused(run("csv_log", "in.csv", "out.parquet"), "out.parquet", "exists", "--overwrite")
    check_equal(pathlib.Path("out.parquet").read_text(), "precious")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite"))
    check_equal(read("out.parquet").num_rows, 3)


def test_an_output_that_would_not_fit_leaves_the_old_file():
    simple_csv()
    pathlib.Path("out.parquet").write_text("precious")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--overwrite", "--arena-bytes", 10), "--arena-bytes 10")
    check_equal(pathlib.Path("out.parquet").read_text(), "precious")


def test_input_and_output_are_not_one_file():
    simple_csv()
    before = pathlib.Path("in.csv").read_text()
    check_refused(run("csv_log", "in.csv", "./in.csv", "--overwrite"), "same file")
    check_equal(pathlib.Path("in.csv").read_text(), before)


def test_more_key_values_than_there_is_space_for():
    simple_csv()
    many = [word for i in range(255) for word in ("--kv", f"key{i}=value")]
    check_refused(run("csv_log", "in.csv", "out.parquet", *many), "--kv", "254")
    check_ok(run("csv_log", "in.csv", "out.parquet", *many[2:]))
    check_equal(len(key_values("out.parquet")), 254)


def test_long_text_gets_larger_pages():
    pathlib.Path("in.csv").write_text("t,n\n" + "".join(f"{'x' * n},{n}\n" for n in (1, 600, 5000)))
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    check_equal([len(text) for text in read("out.parquet")["t"].to_pylist()], [1, 600, 5000])


def test_help():
    commands = ("info", "plot", "schema", "head", "tail", "cat", "follow", "meta", "pages", "verify", "recover", "report", "collect")
    for words in (["csv_log"], ["host_log"], ["mpq"], *(["mpq", name] for name in commands)):
        result = check_ok(run(*words, "--help"))
        check("Usage:" in result.stdout, result.stdout)
        wide = [line for line in result.stdout.splitlines() if len(line) > 80]
        check(not wide, wide)


def test_a_given_file_id_makes_the_same_file():
    pathlib.Path("in.csv").write_text("time,x\n" + "".join(f"{i},{i * i}\n" for i in range(5000)))
    for name in ("first.parquet", "second.parquet"):
        check_ok(run("csv_log", "in.csv", name, "--file-id", 7))
    check(pathlib.Path("first.parquet").read_bytes() == pathlib.Path("second.parquet").read_bytes(), "other bytes")
    check_ok(run("csv_log", "in.csv", "random.parquet"))
    check(pathlib.Path("random.parquet").read_bytes() != pathlib.Path("first.parquet").read_bytes(), "the same id without --file-id")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--file-id", 0), "--file-id")


def test_many_columns():
    names = [f"column {i}" for i in range(1000)]
    pathlib.Path("in.csv").write_text(",".join(names) + "\n" + ",".join(map(str, range(1000))) + "\n")
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    check_equal(read("out.parquet").to_pylist(), [dict(zip(names, range(1000)))])


def peak_kilobytes(rows):
    """The most memory csv_log has held after reading `rows` rows."""
    process = subprocess.Popen(command("csv_log", "-", f"{rows}.parquet"), stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL)
    process.stdin.write(b"a,b\n" + b"".join(b"%d,%d.25\n" % (i, i) for i in range(rows)))
    process.stdin.flush()
    wait_until_idle(process)
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    process.stdin.close()
    check_equal(process.wait(timeout=SECONDS), 0)
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


def test_memory_does_not_grow_with_the_rows():
    few, many = peak_kilobytes(20_000), peak_kilobytes(1_000_000)
    check(many - few < 256, f"{few} KB for 20,000 rows, {many} KB for 1,000,000")
