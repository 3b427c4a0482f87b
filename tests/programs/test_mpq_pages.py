"""mpq pages and mpq meta, held against other ways to list a file."""
import json
import os
import pathlib
import subprocess

import pyarrow
import pyarrow.parquet
import page_listing
from harness import check, check_equal, check_ok, check_refused, command, corpus_folder, data_file, run
from test_mpq import lines_in_a_terminal
from test_checkpoints import wait_for_acknowledgement, write_csv

CORPUS = ("alltypes_tiny_pages_plain.parquet", "datapage_v1-corrupt-checksum.parquet", "int32_with_null_pages.parquet",
          "fixed_length_byte_array.parquet", "overflow_i16_page_cnt.parquet", "byte_array_decimal.parquet",
          "binary_truncated_min_max.parquet")


def pages(path, *options):
    out = check_ok(run("mpq", "pages", "--json", *options, path)).stdout
    return [json.loads(line) for line in out.splitlines()]


def meta(path):
    return json.loads(check_ok(run("mpq", "meta", "--json", path)).stdout)


def made_log(path, rows, block_bytes=512, page_bytes=512, layout="in_place", end="close", checkpoint_rows=1000):
    check_ok(run("made_log", path, rows, checkpoint_rows, block_bytes, page_bytes, layout, end))


ROW_GROUPS = ["--row-group-bytes", "72000"]  # few of them, and all in one segment


def check_listing(path, own_columns=None):
    """Returns the lines by kind."""
    lines = pages(path)
    data = pathlib.Path(path).read_bytes()
    page_listing.check_every_byte(path, lines, len(data))
    page_listing.check_pages(path, lines)
    if own_columns is not None:
        page_listing.check_own_parts(path, data, lines, own_columns)
    kinds = {}
    for line in lines:
        kinds.setdefault(line["kind"], []).append(line)
    return kinds


def test_a_closed_log():
    write_csv(range(20000))
    check_ok(run("csv_log", "--encoding", "plain", "in.csv", "out.parquet"))
    kinds = check_listing("out.parquet", 2)
    check_equal(sum(line["rows"] for line in kinds["data_page"] if line["column"] == "a"), 20000)
    check_equal(len(kinds["record"]), meta_groups("out.parquet"), "records")
    check_equal({line["crc"] for line in kinds["data_page"]}, {"ok"})
    check("unused_slot" in kinds and "dead_bytes" not in kinds, kinds.keys())


def meta_groups(path):
    return pyarrow.parquet.read_metadata(path).num_row_groups


def test_checkpoints_and_blocks():
    for block_bytes in (512, 1024, 2048, 4096):
        for page_bytes in (256, 512, 1024):
            for end in ("close", "cut"):
                made_log("log.parquet", 9999, block_bytes, page_bytes, end=end)
                kinds = check_listing("log.parquet", 3)
                check(len(kinds["checkpoint_record"]) > 1, kinds.keys())
                check(end == "close" or len(kinds["old_footer"]) > 9, kinds["old_footer"])
            if page_bytes == 512:
                check(any(line["padding"] > 16 for line in kinds["data_page"]), "no page was lengthened")


def test_forward():
    for end in ("close", "cut"):
        made_log("log.parquet", 9500, layout="forward", end=end)
        kinds = check_listing("log.parquet", 0)
        check("unused_slot" not in kinds and len(kinds["record"]) > 2, kinds.keys())


def rows_of(lines, column):
    return sum(line["rows"] for line in lines if line["column"] == column)


def test_a_log_that_was_cut():
    """After the last checkpoint come pages that a record describes, and pages that nothing does."""
    made_log("log.parquet", 9999, end="cut")
    kinds = check_listing("log.parquet", 3)
    check("reserved" in kinds, kinds.keys())
    recorded = rows_of(kinds["recorded_page"], "number")
    check_equal((rows_of(kinds["data_page"], "number"), {line["row_group"] for line in kinds["recorded_page"]}), (9000, {3}))
    check(f"{recorded} rows more" in check_ok(run("mpq", "info", "log.parquet")).stdout, recorded)
    strays = [line for line in kinds["stray_page"] if line["values"] == 60]
    check(strays and all(line["crc"] == "ok" and "column" not in line for line in strays), kinds["stray_page"])


def test_a_row_group_that_only_a_record_describes():
    made_log("log.parquet", 9999, end="cut", checkpoint_rows=6000)
    kinds = check_listing("log.parquet", 3)
    groups = {line["row_group"] for line in kinds["recorded_page"]}
    check_equal((len(groups), rows_of(kinds["data_page"], "half")), (2, 6000))
    check(max(groups) >= meta_groups("log.parquet"), groups)
    check_ok(run("mpq", "recover", "log.parquet"))
    recovered = check_listing("log.parquet", 3)
    check_equal(rows_of(recovered["data_page"], "half"), 6000 + rows_of(kinds["recorded_page"], "half"))


def log_of(row_group, *boots):
    pathlib.Path("log.parquet").unlink(missing_ok=True)
    for calls in boots:
        check_ok(run("log_calls", "log.parquet", "--dictionary", f"--row-group={row_group}", *calls))


def test_a_dictionary_of_which_record_and_footer_tell():
    log_of(8192, ["rows=10", "checkpoint", "rows=600"])
    kinds = check_listing("log.parquet", 2)
    check_equal(len(kinds["dictionary_page"]), 1, kinds["dictionary_page"])
    check(rows_of(kinds["recorded_page"], "x") > 10 and "dead_bytes" not in kinds, kinds.keys())


def test_pages_over_slots_of_an_earlier_boot():
    """A record that stayed there is no sign that the slot beside it did."""
    log_of(4096, ["rows=60", "checkpoint", "rows=700"], ["rows=100", "checkpoint", "rows=300", "checkpoint"])
    kinds = check_listing("log.parquet", 2)
    check("overlap" not in kinds and rows_of(kinds["data_page"], "n") == 460, kinds.keys())


def test_a_log_that_was_resumed():
    write_csv(range(3000))
    process = subprocess.Popen(command("csv_log", "--encoding", "plain", "-", "out.parquet", "--ack", "--checkpoint-rows", "1000",
                                       *ROW_GROUPS),
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(pathlib.Path("in.csv").read_bytes())
    process.stdin.flush()
    wait_for_acknowledgement(process, 3000)
    process.kill()
    process.communicate()
    check_listing("out.parquet", 2)
    write_csv(range(6000))  # more than one row group takes
    check_ok(run("csv_log", "--encoding", "plain", "in.csv", "out.parquet", "--append", *ROW_GROUPS))
    kinds = check_listing("out.parquet", 2)
    check_equal(sum(line["rows"] for line in kinds["data_page"] if line["column"] == "a"), 9000)
    check_equal(len(kinds["emptied_slot"]), 2)


def test_files_of_others():
    for name in CORPUS:
        path = corpus_folder() / name
        kinds = check_listing(str(path))
        check({"magic", "footer"} <= kinds.keys() and "dead_bytes" not in kinds, name, kinds.keys())
    wrong = pages(corpus_folder() / "datapage_v1-corrupt-checksum.parquet")
    check_equal({line.get("crc") for line in wrong if line["kind"] == "data_page"}, {"ok", "wrong"})


def test_what_the_reader_does_not_decode():
    numbers = [i % 50 for i in range(5000)]
    table = pyarrow.table({"n": numbers, "l": [[i, None] for i in numbers], "s": [f"s{i}" for i in numbers]})
    for version in ("1.0", "2.0"):
        for codec in ("snappy", "zstd", "none"):
            pyarrow.parquet.write_table(table, "in.parquet", data_page_version=version, compression=codec,
                                        data_page_size=500, write_page_index=True, write_page_checksum=True)
            kinds = check_listing("in.parquet")
            check_equal(len(kinds["dictionary_page"]), 3)
            check_equal((len(kinds["column_index"]), len(kinds["offset_index"])), (3, 3))
            lists = [line for line in kinds["data_page" + ("_v2" if version == "2.0" else "")] if line["column"] != "n"]
            check_equal("rows" in [line for line in lists if line["column"].startswith("l")][0], version == "2.0")


def test_one_column():
    made_log("log.parquet", 5000)
    only = pages("log.parquet", "--column", "half")
    check_equal(only, [line for line in pages("log.parquet") if line.get("column") == "half"])
    check_refused(run("mpq", "pages", "--column", "none", "log.parquet"), "log.parquet", "none", "number, half, text")


def test_a_damaged_page():
    """Bytes that are no page are named, and the next page is found."""
    made_log("log.parquet", 5000)
    page = pages("log.parquet", "--column", "number")[1]
    with open("log.parquet", "r+b") as file:
        file.seek(page["offset"])
        file.write(b"\xff" * 30)
    lines = pages("log.parquet")
    page_listing.check_every_byte("log.parquet", lines, os.path.getsize("log.parquet"))
    damaged = [line for line in lines if line["offset"] == page["offset"]]
    check_equal([(line["kind"], line["bytes"]) for line in damaged], [("dead_bytes", page["bytes"])])


def test_text_standard_input_and_several_files():
    made_log("a.parquet", 3000)
    made_log("b.parquet", 100)
    for name in ("pages", "meta"):
        text = check_ok(run("mpq", name, "a.parquet")).stdout
        piped = subprocess.run(["sh", "-c", f"cat a.parquet | {' '.join(command('mpq', name, '-'))}"], capture_output=True,
                               text=True, check=True).stdout
        check_equal(piped, text.replace("a.parquet", "standard input", 1))
        both = run("mpq", name, "a.parquet", "missing.parquet", "b.parquet")
        check_refused(both, "missing.parquet", "no such file")
        check(both.stdout.startswith(text) and "b.parquet" in both.stdout, both.stdout)
        lines = check_ok(run("mpq", name, "--json", "a.parquet", "b.parquet")).stdout.splitlines()
        check_equal({json.loads(line)["file"] for line in lines}, {"a.parquet", "b.parquet"})


def test_terminals():
    """Lines no wider than a terminal, and nothing that a name could have it do."""
    table = pyarrow.table({"evil\x1b[31m\x07name": [1, 2], "zwei": ["\x1b[2J", "b"]})
    pyarrow.parquet.write_table(table, "in.parquet")
    for name in ("pages", "meta"):
        for width in (60, 80, 132):
            lines = lines_in_a_terminal(width, "mpq", name, "in.parquet")
            check(max(map(len, lines)) <= width, name, width, *lines)
            check(not any("\x1b" in line or "\x07" in line for line in lines), *lines)
        check("\x1b" not in check_ok(run("mpq", name, "--json", "in.parquet")).stdout)


def test_meta():
    """Against pyarrow's view of the footer."""
    made_log("log.parquet", 9999)
    write_csv(range(3000))
    check_ok(run("csv_log", "--encoding", "plain", "in.csv", "out.parquet", "--kv", "device=7"))
    corpus = [str(corpus_folder() / name) for name in CORPUS]
    for path in ("log.parquet", "out.parquet", *corpus):
        found, expected = meta(path), pyarrow.parquet.read_metadata(path)
        check_equal((found["rows"], len(found["row_groups"]), found["created_by"]),
                    (expected.num_rows, expected.num_row_groups, expected.created_by), path)
        check_equal(found["bytes"], os.path.getsize(path), path)
        for number, group in enumerate(found["row_groups"]):
            check_equal(group["rows"], expected.row_group(number).num_rows, path)
            for column, chunk in enumerate(group["columns"]):
                check_chunk(path, chunk, expected.row_group(number).column(column))
    check_equal(meta("out.parquet")["key_values"], [{"key": "device", "value": "7"}])
    first = meta("out.parquet")["row_groups"][0]["columns"][0]
    check_equal((first["min"], first["null_count"], first["type"]), (0, 0, "int64"))


def check_chunk(path, chunk, expected):
    check_equal((chunk["column"], chunk["codec"], chunk["values"], chunk["compressed_bytes"], chunk["uncompressed_bytes"],
                 chunk["data_page_offset"], sorted(chunk["encodings"])),
                (expected.path_in_schema, expected.compression, expected.num_values, expected.total_compressed_size,
                 expected.total_uncompressed_size, expected.data_page_offset, sorted(set(expected.encodings))), path)
    statistics = expected.statistics
    if statistics is not None and statistics.has_null_count:
        check_equal(chunk["null_count"], statistics.null_count, path)
    if statistics is not None and statistics.has_min_max and isinstance(statistics.min, int):
        check_equal((chunk["min"], chunk["max"]), (statistics.min, statistics.max), path)
