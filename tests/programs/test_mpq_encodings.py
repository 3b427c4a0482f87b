"""mpq on columns that are not in PLAIN, or compressed: the same rows, and every statement of the footer held against them."""
import itertools
import pathlib
import struct

import pyarrow as pa
import pyarrow.parquet
from damage import flip
from harness import check, check_equal, check_ok, check_refused, corpus_folder, run

OFFICIAL = 47  # all but two, which have wrong checksums, and two that pyarrow does not read
CODECS = ("none", "snappy", "lz4", "zstd", "gzip", "brotli")
ROWS = 5000


def table():
    return pa.table({
        "i": pa.array([None if i % 7 == 0 else (i * i) % 40_000 - 900 for i in range(ROWS)], pa.int32()),
        "t": pa.array(range(0, ROWS * 1000, 1000), pa.timestamp("us", "UTC")),
        "b": pa.array([None if i % 11 == 0 else i // 40 % 3 == 0 for i in range(ROWS)]),
        "r": pa.array([i // 100 % 2 == 0 for i in range(ROWS)]),
        "f": pa.array([i % 50 / 4 for i in range(ROWS)], pa.float32()),
        "s": pa.array([None if i % 5 == 0 else f"text {i % 97}" * (i % 4) for i in range(ROWS)]),
        "x": pa.array([bytes([i % 13, i % 3]) for i in range(ROWS)], pa.binary(2))})


def write(path, **options):
    pa.parquet.write_table(table(), path, row_group_size=1700, write_page_checksum=True, data_page_size=3000, **options)


def cat(path, *options):
    return check_ok(run("mpq", "cat", path, *options)).stdout


def kinds():
    delta = {"i": "DELTA_BINARY_PACKED", "t": "DELTA_BINARY_PACKED", "b": "RLE", "r": "RLE"}
    for codec, version in itertools.product(CODECS, ("1.0", "2.0")):
        yield {"compression": codec, "data_page_version": version}
        yield {"compression": codec, "data_page_version": version, "use_dictionary": False, "column_encoding": delta}


def test_a_long_text_after_a_full_dictionary():
    """It is shorter than its column's buffer, in which the dictionary stays."""
    texts = [f"{i:04}" * 250 for i in range(300)] + ["x" * 120_000] * 3
    pa.parquet.write_table(pa.table({"s": texts}), "long.parquet", compression="none", dictionary_pagesize_limit=250_000,
                           write_batch_size=10, data_page_size=1000)
    check_equal(cat("long.parquet").split("\n")[1:-1], texts)


def test_all_that_is_decoded():
    write("plain.parquet", compression="none", use_dictionary=False)
    expected = {options: cat("plain.parquet", *options) for options in ((), ("--json",))}
    check_equal(expected[()].count("\n"), ROWS + 1)
    for options in kinds():
        write("in.parquet", **options)
        for words, text in expected.items():
            check(cat("in.parquet", *words) == text, "mpq cat", words, options)
        check_equal(check_ok(run("mpq", "head", "--csv", "-n", "40", "in.parquet")).stdout,
                    "".join(expected[()].splitlines(True)[:41]), "mpq head")
        said = run("mpq", "verify", "--strict", "in.parquet")
        check(said.returncode == 0 and "all of it holds" in said.stdout and "not checked" not in said.stdout, options, said.stdout)


def test_long_pages_and_dictionaries():
    """Longer than any buffer that a column begins with."""
    texts = pa.table({"s": [f"{i} " * 300 for i in range(2000)], "n": range(2000)})
    pa.parquet.write_table(texts, "plain.parquet", compression="none", use_dictionary=False)
    expected = cat("plain.parquet")
    for options in ({"compression": "snappy", "use_dictionary": False, "data_page_size": 2**24},
                    {"compression": "none", "dictionary_pagesize_limit": 2**24},
                    {"compression": "lz4", "dictionary_pagesize_limit": 2**24}):
        pa.parquet.write_table(texts, "in.parquet", **options)
        check(cat("in.parquet") == expected, options)
        check_ok(run("mpq", "verify", "--strict", "in.parquet"))
        first = check_ok(run("mpq", "head", "--csv", "-n", "3", "in.parquet")).stdout
        check(first.count("\n") == 4 and expected.startswith(first), options)


def test_official_files():
    """Compares the files that can be decoded with the rows that pyarrow reads, written again in PLAIN."""
    read = 0
    for path in sorted((corpus_folder()).glob("*.parquet")):
        result = run("mpq", "cat", "--json", path)
        if result.returncode != 0 or path.stem.startswith("alp_"):
            continue
        groups = pa.parquet.ParquetFile(path)
        rows = pa.concat_tables([groups.read_row_group(i) for i in range(groups.num_row_groups)])
        pa.parquet.write_table(rows, "again.parquet", compression="none", use_dictionary=False)
        check(result.stdout == cat("again.parquet", "--json"), path.name)
        read += 1
    check_equal(read, OFFICIAL, "official files that are read")


def test_statistics_are_held_against_a_dictionary():
    pa.parquet.write_table(pa.table({"i": pa.array([5, 9, 5, 7] * 50, pa.int32())}), "in.parquet", compression="none")
    data = pathlib.Path("in.parquet").read_bytes()
    chunk = pa.parquet.read_metadata("in.parquet").row_group(0).column(0)
    at = data.index(struct.pack("<3i", 5, 9, 7), chunk.dictionary_page_offset, chunk.data_page_offset)
    pathlib.Path("wrong.parquet").write_bytes(data[:at + 4] + struct.pack("<i", 8) + data[at + 8:])
    said = run("mpq", "verify", "wrong.parquet")
    check(said.returncode == 1 and "row group 0, column i: statistics: " in said.stdout and "1 finding" in said.stdout, said.stdout)
    check_equal(cat("wrong.parquet").split()[1:5], ["5", "8", "5", "7"])


def test_a_damaged_dictionary():
    write("in.parquet", compression="snappy")
    data = pathlib.Path("in.parquet").read_bytes()
    chunk = pa.parquet.read_metadata("in.parquet").row_group(1).column(0)
    pathlib.Path("damaged.parquet").write_bytes(flip(data, chunk.data_page_offset - 1))
    result = run("mpq", "cat", "damaged.parquet")
    check_refused(result, "damaged.parquet after row 1700: column i is damaged: the page at byte", "contradicts its checksum")
    check_equal(result.stdout.splitlines(), cat("in.parquet").splitlines()[:1701])
    said = run("mpq", "verify", "damaged.parquet")
    check(said.returncode == 1 and "does not have its checksum" in said.stdout, said.stdout)


def test_dictionaries_in_numbers():
    """`mpq info` counts the chunks that have one, and those that fall back, as the pages' headers say by another reader."""
    import page_listing
    columns = pa.table({"none": range(9000), "few": [i % 50 for i in range(9000)],
                        "often": [i % 50 if i < 3000 else i for i in range(9000)], "always": [f"text {i}" for i in range(9000)]})
    for version in ("1.0", "2.0"):
        pa.parquet.write_table(columns, "in.parquet", row_group_size=3000, use_dictionary=["few", "often", "always"],
                               dictionary_pagesize_limit=4000, data_page_size=1000, write_batch_size=100,
                               data_page_version=version)
        pages = {}
        for group, column, _, page in page_listing.pages_of("in.parquet"):
            pages.setdefault((column, group), []).append(page)
        expected = []
        for name in columns.column_names:
            chunks = [pages[name, group] for group in range(3)]
            having = [chunk for chunk in chunks if chunk[0].type == "DICTIONARY_PAGE"]
            falling = [chunk for chunk in having if any("DICTIONARY" not in page.encoding for page in chunk[1:])]
            if having:
                expected.append([name, "3", str(len(having)), str(len(falling))])
        check_equal([row[3] for row in expected], ["0", "2", "3"], "the file has some of each")
        said = check_ok(run("mpq", "meta", "in.parquet")).stdout
        table = said[said.index("  dictionaries  "):].splitlines()[1:]
        check_equal([line.split() for line in table], expected, "mpq meta")
    pa.parquet.write_table(columns, "in.parquet", use_dictionary=False)
    check("with fallback" not in check_ok(run("mpq", "meta", "in.parquet")).stdout, "no column has a dictionary")
