"""mpq recover on files whose last footer is there, but not its length or its PAR1; and on bytes that look like a footer."""
import itertools
import os
import pathlib

import pyarrow as pa
import pyarrow.parquet
from damage import chooser, flip
from harness import check, check_equal, check_ok, check_refused, run

ROWS = 3000
LONG = bool(os.environ.get("MICROPARQUET_LONG"))


def csv_of(rows):
    pathlib.Path("rows.csv").write_text("n,v,text\n" + "".join(f"{n},{n % 50}.5,row {n % 300}\n" for n in range(rows)))


def own(path, *options, rows=ROWS):
    csv_of(rows)
    check_ok(run("csv_log", "rows.csv", path, "--overwrite", *options))
    return pathlib.Path(path).read_bytes()


def own_stream(*options):
    csv_of(ROWS)
    return run("csv_log", "rows.csv", "-", *options, text=False).stdout


def table(first, rows):
    numbers = range(first, first + rows)
    return pa.table({"n": pa.array(numbers, pa.int64()), "v": [n % 50 + 0.5 for n in numbers],
                     "text": [f"row {n % 300}" for n in numbers], "list": [[n, n + 1] for n in numbers]})


def foreign(first=0, rows=ROWS, **options):
    pa.parquet.write_table(table(first, rows), "foreign.parquet", **{"row_group_size": 700, **options})
    return pathlib.Path("foreign.parquet").read_bytes()


def footer_of(data):
    return data[-8 - int.from_bytes(data[-8:-4], "little"):]


def recovered(data, code, *options):
    """The numbers of the rows in a new file, whose other cells have to be theirs."""
    pathlib.Path("damaged").write_bytes(data)
    result = run("mpq", "recover", "damaged", "-o", "out.parquet", "--overwrite", *options)
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    check_ok(run("mpq", "verify", "out.parquet"))
    found = pa.parquet.read_table("out.parquet", page_checksum_verification=True)
    numbers = found["n"].to_pylist()
    check_equal(found["v"].to_pylist(), [n % 50 + 0.5 for n in numbers], "v")
    check_equal(found["text"].to_pylist(), [f"row {n % 300}" for n in numbers], "text")
    return numbers


def check_in_place(data):
    pathlib.Path("damaged.parquet").write_bytes(data)
    check_ok(run("mpq", "recover", "damaged.parquet"))
    mended = pathlib.Path("damaged.parquet").read_bytes()
    check(mended.startswith(data), "bytes of the file were changed")
    check_equal(pa.parquet.read_table("damaged.parquet")["n"].to_pylist(), list(range(ROWS)), "in place")
    result = check_ok(run("mpq", "recover", "damaged.parquet"))
    check("nothing: the file is complete" in result.stdout, "a second footer was added", result.stdout)


def files():
    return {"in place": own("own.parquet"), "with checkpoints": own("own.parquet", "--checkpoint-rows", 400),
            "forward": own_stream(), "foreign": foreign(),
            "with checksums": foreign(compression="zstd", write_page_checksum=True)}


def what_follows():
    other, other_foreign = own("other.parquet", "--rows-per-group", 200), foreign(5000, 900)
    junk = chooser(5).randbytes(9000)
    return {"nothing": b"", "zeros": bytes(5000), "ones": b"\xff" * 3000, "other data": junk, "zeros and data": bytes(512) + junk,
            "a footer": footer_of(other), "a foreign footer": footer_of(other_foreign), "a file": other,
            "a foreign file": other_foreign, "a trailer": b"abcd\x40\0\0\0PAR1", "PAR1": b"PAR1"}


def test_a_footer_without_its_last_bytes():
    """However many of the eight are missing, and whatever follows."""
    tails = list(what_follows().items())
    whole = files()
    for i, ((name, data), missing) in enumerate(itertools.product(whole.items(), range(9))):
        for j, (tail_name, tail) in enumerate(tails):
            if LONG or (i + j) % 5 == 0:
                damaged = data[:len(data) - missing] + tail
                check_equal(recovered(damaged, 0), list(range(ROWS)), f"{name}, {missing} bytes missing, then {tail_name}")
    for data in whole.values():
        check_in_place(data[:-3])
        check_in_place(data[:-8] + bytes(700))


def test_wrong_bits_in_the_last_bytes_of_a_footer():
    for name, data in files().items():
        for at, bit in itertools.product(range(9), range(8)):
            if LONG or (at + bit) % 4 == 0:
                damaged = flip(data, len(data) - 9 + at, bit)
                if at == 0 and name in ("foreign", "with checksums"):
                    continue  # FileMetaData does not end there
                check_equal(recovered(damaged, 0), list(range(ROWS)), f"{name}, bit {bit} of byte {at - 9}")


def test_files_among_the_values_of_a_file():
    """Whole files, and what looks like the end of one: none of them is the file's own footer."""
    blobs = [own("own.parquet"), foreign(5000, 900), b"\x10\0\0\0PAR1", footer_of(own("own.parquet")), b"PAR1"]
    for order in itertools.permutations(blobs) if LONG else (blobs, blobs[::-1]):
        held = table(0, ROWS).append_column("blob", pa.array([order[n % 5] if n < 10 else b"" for n in range(ROWS)]))
        pa.parquet.write_table(held, "holds.parquet", row_group_size=700, compression="none", use_dictionary=False)
        data = pathlib.Path("holds.parquet").read_bytes()
        check(blobs[0] in data and blobs[1] in data, "they are not in it as they are")
        for missing in (0, 1, 5, 8):
            check_equal(recovered(data[:len(data) - missing], 0), list(range(ROWS)), missing)
        cut = data[:data.index(b"\x10\0\0\0PAR1") + 8]  # what it ends in are values
        pathlib.Path("damaged").write_bytes(cut)
        result = run("mpq", "recover", "damaged", "-o", "none.parquet")
        check(result.returncode == 2 and not pathlib.Path("none.parquet").exists(), result.stdout, result.stderr)


def test_of_two_genuine_footers_the_later_one_counts():
    """A log continued after a copy of it was made: the copy's last footer stands after the later one."""
    first = own("log.parquet", rows=1000)
    csv_of(ROWS)
    lines = pathlib.Path("rows.csv").read_text().splitlines(keepends=True)
    pathlib.Path("more.csv").write_text("".join(lines[:1] + lines[1001:]))
    check_ok(run("csv_log", "more.csv", "log.parquet", "--append"))
    data = pathlib.Path("log.parquet").read_bytes()
    for missing in (0, 1, 8):
        check_equal(recovered(data[:len(data) - missing] + footer_of(first), 0), list(range(ROWS)), missing)


def dictionary_headers(path):
    """Offsets of the encoding in the header of each dictionary page."""
    import thrift_compact
    data, metadata = pathlib.Path(path).read_bytes(), pa.parquet.read_metadata(path)
    for i, j in itertools.product(range(metadata.num_row_groups), range(metadata.num_columns)):
        at = metadata.row_group(i).column(j).dictionary_page_offset
        if at:
            header = thrift_compact.Parser(data, at, len(data)).struct("PageHeader")
            encoding = header.dictionary_page_header.encoding
            before_flag = data[at:header.end].rindex(bytes([0x15, 2 * encoding]))
            yield at + before_flag + 1


def test_a_dictionary_of_an_encoding_that_there_is_not():
    """No reader takes such a file, and nothing else of it is wrong: the dictionary is written with a proper header."""
    for name, data in {"own": own("own.parquet"), "foreign": foreign()}.items():
        pathlib.Path("whole.parquet").write_bytes(data)
        places = list(dictionary_headers("whole.parquet"))
        check(len(places) >= 2, name, "has hardly any dictionary")
        for place in places if LONG else places[:1] + places[-1:]:
            for encoding in range(1, 16) if LONG else (1, 4, 8, 15):
                if encoding == 2:
                    continue
                damaged = data[:place] + bytes([2 * encoding]) + data[place + 1:]
                pathlib.Path("damaged").write_bytes(damaged)
                check_equal(run("mpq", "verify", "damaged").returncode, 1, f"{name}: verify finds nothing")
                check_refused(run("mpq", "cat", "damaged"), "damaged", code=1)
                check("proper header" in run("mpq", "verify", "damaged").stdout, "verify does not name the header")
                check_equal(recovered(damaged, 0), list(range(ROWS)), f"{name}, encoding {encoding}")
                check_in_place(damaged)
        every = data
        for place in places:
            every = every[:place] + b"\x06" + every[place + 1:]
        check_equal(recovered(every, 0), list(range(ROWS)), f"{name}, all of them")
