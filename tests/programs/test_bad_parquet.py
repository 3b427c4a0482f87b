"""Tests the messages of mpq on files it cannot read."""
import json
import os
import pathlib
import struct

import hostile
import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, check_refused, data_file, run

COMMANDS = (["info"], ["schema"], ["head"], ["cat"], ["plot"])


def refused_by_all(path, *parts):
    for words in COMMANDS:
        result = run("mpq", *words, path)
        check_refused(result, f"mpq: {path}", *parts)
        check_equal(result.stdout, "", "standard output")


def our_file():
    check_ok(run("csv_log", data_file("walk.csv"), "whole.parquet"))
    return pathlib.Path("whole.parquet").read_bytes()


def test_not_parquet():
    pathlib.Path("text").write_text("time,value\n" * 100)
    refused_by_all("text", "not a Parquet file", "PAR1")


def test_empty():
    pathlib.Path("empty").write_bytes(b"")
    refused_by_all("empty", "is empty")


def test_missing():
    refused_by_all("none.parquet", "no such file; check the name")


def test_a_folder():
    os.mkdir("folder")
    refused_by_all("folder", "folder")


def test_a_pipe():
    refused_by_all("/dev/null", "pipe or a device")


def test_no_right_to_read():
    if os.geteuid() == 0:
        return  # the administrator may read everything
    pathlib.Path("mine").write_bytes(our_file())
    os.chmod("mine", 0)
    refused_by_all("mine", "Permission denied")


def test_cut_short():
    data = our_file()
    for size in (len(data) - 1, len(data) - 9, len(data) // 2, 1000, 12, 4):
        pathlib.Path("cut").write_bytes(data[:size])
        refused_by_all("cut", "cut short", "copy it again")


def test_encrypted_footer():
    pathlib.Path("encrypted").write_bytes(b"PARE" + b"x" * 100 + struct.pack("<I", 50) + b"PARE")
    refused_by_all("encrypted", "encrypted")


def test_damaged_footer():
    data = bytearray(our_file())
    length = struct.unpack("<I", data[-8:-4])[0]
    data[-8 - length:-8 - length + 40] = b"\xff" * 40
    pathlib.Path("damaged").write_bytes(data)
    refused_by_all("damaged", "damaged")


def test_a_footer_longer_than_the_file():
    data = our_file()
    pathlib.Path("damaged").write_bytes(data[:-8] + struct.pack("<I", len(data)) + b"PAR1")
    for words in COMMANDS:
        check_refused(run("mpq", *words, "damaged"), "mpq: damaged")


def test_a_damaged_page_is_found_and_the_rows_before_it_are_printed():
    data = bytearray(our_file())
    column = pa.parquet.read_metadata("whole.parquet").row_group(1).column(2)
    data[column.data_page_offset + column.total_compressed_size // 1024 * 512 - 4] ^= 1  # the end of a page: a value
    pathlib.Path("damaged.parquet").write_bytes(data)
    result = run("mpq", "cat", "damaged.parquet")
    name = pa.parquet.read_schema("whole.parquet").names[2]
    check_refused(result, "damaged.parquet after row ", f": column {name} is damaged: the page at byte ", "contradicts its checksum",
                  "copy the file", "mpq recover")
    rows = result.stdout.splitlines()
    whole = check_ok(run("mpq", "cat", "whole.parquet")).stdout.splitlines()
    first = pa.parquet.read_metadata("whole.parquet").row_group(0).num_rows
    check(first < len(rows) < len(whole), len(rows), len(whole))
    check_equal(rows, whole[:len(rows)])
    check_ok(run("mpq", "head", "damaged.parquet"))


def test_a_codec_that_is_not_there():
    for codec, name, words in ((3, "LZO", ["this mpq was built without lzo", "liblzo2-dev"]), (8, "codec 8", ["does not know"])):
        hostile.not_decoded("codec.parquet", 2, codec)
        check_ok(run("mpq", "info", "codec.parquet"))
        check_ok(run("mpq", "schema", "codec.parquet"))
        check_refused(run("mpq", "cat", "codec.parquet"), "codec.parquet", "column c0", name, *words, "rewrite", "SNAPPY")


def test_strings_in_every_encoding():
    strings = ["", "axis", "axle", "axle", "babble", "ba\N{LATIN SMALL LETTER E WITH ACUTE}"]
    for encoding in ("PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"):
        pa.parquet.write_table(pa.table({"s": strings}), "strings.parquet", compression="none", use_dictionary=False,
                               column_encoding={"s": encoding})
        lines = [json.loads(line)["s"] for line in check_ok(run("mpq", "cat", "--json", "strings.parquet")).stdout.splitlines()]
        check_equal(lines, strings)
        check_ok(run("mpq", "verify", "strings.parquet"))


def made_file(path, **options):
    """A file of the checker's own writer, which can be made odd on purpose."""
    import good_file
    pathlib.Path(path).write_bytes(good_file.write(**options))


def change_of(kind, column, edit):
    """A hook that edits the structures of a kind that belong to the column's number."""
    seen = []

    def hook(found, structure):
        if found == kind:
            seen.append(structure)
            if len(seen) - 1 == column:
                edit(structure)
    return hook


def test_a_column_in_another_file():
    made_file("two.parquet", hook=change_of("chunk", 0, lambda chunk: chunk.update(file_path="values\x1b.parquet")))
    for words in (["cat"], ["head"], ["cat", "--json"]):
        result = run("mpq", *words, "two.parquet")
        check_refused(result, "two.parquet: column id: values?.parquet: no such file")
        check_equal(result.stdout, "", "standard output")


def test_an_encoding_that_the_footer_does_not_name():
    made_file("odd.parquet", hook=change_of("header", 0, lambda page: page["data_page_header"].update(encoding=11)))
    check_refused(run("mpq", "cat", "odd.parquet"), "odd.parquet: column id has a page in an encoding", "encoding 11", "rewrite",
                  "dictionaries", "--columns")
    check_ok(run("mpq", "cat", "odd.parquet", "--columns", "u8"))


def test_no_command():
    check_refused(run("mpq"), "subcommand", "--help")
    check_refused(run("mpq", "info"), "FILE")
    check_refused(run("mpq", "cat", "--csv", "--json", "x"), "--csv")


def test_nothing_is_printed_of_a_file_that_cannot_be_read():
    hostile.not_decoded("lzo.parquet", 1)
    result = run("mpq", "cat", "lzo.parquet")
    check_refused(result, "lzo.parquet: column c0")
    check_equal(result.stdout, "", "standard output")


def test_statistics_that_cannot_be_read():
    """All else of the file is shown."""
    file = hostile.File([hostile.leaf(0)])
    file.add_row_group([hostile.page(struct.pack("<ii", 5, 6), 2)], 2)
    file.groups[0]["columns"][0]["meta_data"]["statistics"] = {"null_count": -1}
    file.write("bounds.parquet")
    said = check_ok(run("mpq", "info", "bounds.parquet")).stdout
    check("rows        2" in said and "1 column chunk has statistics that cannot be read" in said, said)
    check_equal(check_ok(run("mpq", "cat", "bounds.parquet")).stdout, "c0\n5\n6\n")


def test_more_columns_than_are_read_in_one_group_or_two():
    for make in (hostile.bare, hostile.in_two_groups):
        make("wide.parquet", 65_535)
        check_ok(run("mpq", "info", "wide.parquet"))
        make("wide.parquet", 65_536)
        check_refused(run("mpq", "info", "wide.parquet"), "wide.parquet has a schema of more than 65,535 columns")
