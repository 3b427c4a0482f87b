"""csv_log writes data pages of version 2, in every way that it writes others."""
import pathlib

import pyarrow
import pyarrow.parquet
from harness import check, check_equal, check_file, check_ok, check_refused, read, run

V2 = ("--data-pages", "v2")
CODECS = ("none", "lz4_raw", "zstd", "gzip", "brotli", "snappy")
ENCODINGS = ("auto", "delta", "plain", "delta_byte_array", "delta_length_byte_array")


def kinds(path):
    lines = check_ok(run("mpq", "pages", path)).stdout.splitlines()
    return {"v2" if "data page v2" in line else "v1" for line in lines if "data page" in line}


def write_rows(rows=6000):
    text = "".join(f"{i},{'' if i % 3 == 0 or 2000 < i < 4000 else i / 7:},{'abc'[i // 50 % 3] * 5},{i % 2 == 0}\n" for i in range(rows))
    pathlib.Path("in.csv").write_text("n,x,text,flag\n" + text.replace("True", "true").replace("False", "false"), encoding="utf-8")
    check_ok(run("csv_log", "in.csv", "v1.parquet", "--overwrite"))
    return read("v1.parquet")


def test_every_encoding_and_codec():
    expected = write_rows()
    check_equal(kinds("v1.parquet"), {"v1"})
    for i, encoding in enumerate(ENCODINGS):
        for codec in CODECS[i % 2::2]:
            index = ("--page-index", "--bloom", "n,text") if i % 2 else ()
            check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", *V2, "--encoding", encoding, "--codec", codec,
                         "--page-bytes", 1024, "--checkpoint-rows", 900, *index))
            check_equal(kinds("out.parquet"), {"v2"}, f"{encoding} {codec}")
            check_ok(run("mpq", "verify", "--strict", "out.parquet"))
            table = pyarrow.parquet.read_table("out.parquet", page_checksum_verification=True)
            check(table.equals(expected), f"{encoding} {codec}: other values")


def test_files_in_the_order_of_their_bytes():
    expected = write_rows()
    written = check_ok(run("csv_log", "in.csv", "-", *V2, "--codec", "zstd", text=False)).stdout
    pathlib.Path("out.parquet").write_bytes(written)
    check_equal(kinds("out.parquet"), {"v2"})
    check(read("out.parquet").equals(expected), "other values")


def test_a_file_is_continued_with_either_version():
    expected = write_rows()
    for first, then in ((V2, ()), ((), V2), (V2, V2)):
        check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite", *first))
        check_ok(run("csv_log", "in.csv", "out.parquet", "--append", *then))
        check_file("out.parquet")
        check_equal(kinds("out.parquet"), {"v2" if options else "v1" for options in (first, then)})
        check(read("out.parquet").equals(pyarrow.concat_tables([expected, expected])), f"{first} {then}")


def test_recover():
    expected = write_rows()
    check_ok(run("csv_log", "in.csv", "out.parquet", *V2, "--encoding", "plain", "--codec", "zstd", "--page-bytes", 4096))
    whole = pathlib.Path("out.parquet").read_bytes()
    pathlib.Path("out.parquet").write_bytes(whole[:-20])
    check_ok(run("mpq", "recover", "out.parquet", "-o", "recovered.parquet"))
    check(pyarrow.parquet.read_table("recovered.parquet", page_checksum_verification=True).equals(expected), "other values")
    check_ok(run("mpq", "verify", "recovered.parquet"))
    check_equal(kinds("recovered.parquet"), {"v2"})


def test_compatible_files_have_none():
    write_rows(10)
    check_refused(run("csv_log", "in.csv", "out.parquet", "--compatible", *V2), "--compatible")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--data-pages", "v3"), "--data-pages")
