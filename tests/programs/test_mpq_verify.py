"""mpq verify: silent on whole files, a line for everything that is wrong."""
import json
import pathlib
import struct

import hostile
import numpy
import pyarrow as pa
import pyarrow.parquet
from damage import chooser, flip, make, used_ranges
from harness import check, check_equal, check_ok, check_refused, corpus_folder, data_file, run


def verify(path, code=0, *options):
    result = run("mpq", "verify", path, *options)
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    return result.stdout


def findings(path, *parts):
    text = verify(path, 1)
    for part in parts:
        check(part in text, f"{part!r} is not in {text!r}")


def tiny_file(path, **options):
    """A file of the checker's own writer, which can be made wrong on purpose."""
    import good_file
    pathlib.Path(path).write_bytes(good_file.write(**options))


def change(kind, edit):
    """A hook that edits the first structure of a kind."""
    seen = []

    def hook(found, structure):
        if found == kind and not seen:
            seen.append(structure)
            edit(structure)
    return hook


def test_our_files():
    for recording in ("walk.csv", "weather.csv"):
        check_ok(run("csv_log", data_file(recording), "out.parquet", "--overwrite", "--rows-per-group", 500))
        text = verify("out.parquet")
        check("all of it holds" in text and "not checked" not in text, text)
    check_ok(run("host_log", "host.parquet", "--seconds", "0.5", "--hz", "50"))
    verify("host.parquet")
    tiny_file("tiny.parquet")
    verify("tiny.parquet")


def test_what_was_checked_is_told():
    make("whole.parquet", 3000, 0, "--rows-per-group", 500)
    metadata = pyarrow.parquet.read_metadata("whole.parquet")
    text = verify("whole.parquet")
    check(f"3,000 in {metadata.num_row_groups} row groups, 6 columns" in text, text)
    check("records of" in text and "have a checksum" in text, text)


def test_files_of_other_writers():
    rows = 5000
    table = pa.table({
        "i": pa.array([None if i % 7 == 0 else i - 2500 for i in range(rows)], pa.int32()),
        "u": pa.array([i * 1_000_003 % 2**32 for i in range(rows)], pa.uint32()),
        "f": pa.array([float("nan") if i % 5 == 0 else i / 3 for i in range(rows)], pa.float32()),
        "d": pa.array([(-1)**i * i for i in range(rows)], pa.float64()),
        "b": pa.array([i % 3 == 0 for i in range(rows)]),
        "s": pa.array([f"text {i % 97}" for i in range(rows)]),
        "t": pa.array(range(rows), pa.timestamp("us", "UTC")),
        "m": pa.array([pa.scalar(i, pa.int64()).as_py() for i in range(rows)], pa.decimal128(20, 0)),
        "h": pa.array(numpy.arange(rows, dtype=numpy.float16)),
        "x": pa.array([struct.pack(">I", i) for i in range(rows)], pa.binary(4))})
    pa.parquet.write_table(table, "plain.parquet", compression="none", use_dictionary=False, row_group_size=1700,
                           write_page_checksum=True, column_encoding={"b": "PLAIN"})
    text = verify("plain.parquet")
    check("all of it holds" in text and "column b" not in text, text)
    hostile.not_decoded("zipped.parquet", 10)
    text = verify("zipped.parquet")
    check("what could be checked holds; 10 of 10 columns not decoded" in text, text)
    check("not checked column c3: values and statistics" in text, text)
    verify("zipped.parquet", 1, "--strict")
    verify("plain.parquet", 0, "--strict")
    pa.parquet.write_table(pa.table({"l": [[1, 2], [], None]}), "lists.parquet", compression="none")
    check("all of it holds" in verify("lists.parquet"), "lists")


def test_official_files_of_other_writers():
    for path in sorted((corpus_folder()).glob("*.parquet")):
        # One has bounds that are NaN.
        wrong = any(word in path.name for word in ("corrupt", "malformed", "nan_in_stats"))
        verify(path, 1 if wrong else 0)


def test_slips_of_other_writers():
    """Errors that other writers are known to make, and that no reader relies on; in files of ours verify reports them."""
    unknown = hostile.tiny_writer.encode_struct(
        "PageHeader", {"type": 9, "uncompressed_page_size": 4, "compressed_page_size": 4}) + b"page"
    for edit, part in (
            (lambda group: group.update(total_byte_size=99), "total_byte_size is 99"),
            (lambda group: group["columns"][0]["meta_data"].update(encodings=[3]), "encoding that the footer does not name"),
            (lambda group: None, "its first data page is at")):
        file = hostile.File([hostile.leaf(0)])
        other = unknown if part.startswith("its first") else b""
        file.add_row_group([other + hostile.page(struct.pack("<i", 5), 1)], 1)
        edit(file.groups[0])
        file.write("slip.parquet")
        text = verify("slip.parquet")
        check(part in text and "1 statement is wrong that no reader relies on" in text, text)
        verify("slip.parquet", 1, "--strict")


def test_a_chunk_that_ends_within_a_page():
    """Its rows are read, by pyarrow and DuckDB too: it is reported, and none of its rows is lost."""
    file = hostile.File([hostile.leaf(0)])
    file.add_row_group([hostile.page(struct.pack("<8i", *range(8)), 8) + hostile.page(struct.pack("<9i", *range(8, 17)), 9)],
                       16)
    file.write("cut.parquet")
    findings("cut.parquet", "row group 0, column c0: its pages up to 106 have 17 values, the footer says 16", "1 finding")
    recovered = run("mpq", "recover", "cut.parquet")
    check_ok(recovered)
    check("kept        16 rows" in recovered.stdout and "the file is complete" in recovered.stdout, recovered.stdout)
    rows = run("mpq", "cat", "cut.parquet")
    check_equal(rows.stdout.split()[1:], [str(i) for i in range(16)], "rows")
    # More than there are bytes for is damage.
    file = hostile.File([hostile.leaf(0)])
    file.add_row_group([hostile.page(struct.pack("<16i", *range(16)), 17)], 16)
    file.write("short.parquet")
    findings("short.parquet", "the page at 4 cannot be decoded", "have 17 values, the footer says 16", "2 findings")


def test_row_groups_without_rows():
    """pyarrow says of their chunks that they are at 0, or at 4 and 15 bytes long."""
    table = pa.table({"i": pa.array([1, 2, 3], pa.int32()), "s": ["a", None, "c"]})
    for options in ({}, {"use_dictionary": False}, {"compression": "none"}, {"data_page_version": "2.0"}):
        pa.parquet.write_table(table.slice(0, 0), "empty.parquet", **options)
        verify("empty.parquet")
        with pa.parquet.ParquetWriter("some.parquet", table.schema, **options) as writer:
            for part in (table.slice(0, 0), table, table.slice(0, 0), table):
                writer.write_table(part)
        verify("some.parquet")
    pa.parquet.write_table(pa.table({}), "none.parquet")
    verify("none.parquet")


def test_every_flipped_bit_of_values_is_found():
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 500)
    choose = chooser(5)
    for _, end in choose.choices(used_ranges("whole.parquet")[2:], k=30):  # pages end in values, whatever precedes them
        pathlib.Path("damaged").write_bytes(flip(data, end - 1, choose.randrange(8)))
        findings("damaged", "does not have its checksum")


def test_a_damaged_page():
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 500)
    column = pyarrow.parquet.read_metadata("whole.parquet").row_group(1).column(4)
    page = column.data_page_offset
    pathlib.Path("damaged").write_bytes(flip(data, page + 500))
    findings("damaged", f"row group 1, column word: the page at {page} does not have its checksum", "1 finding")
    pathlib.Path("damaged").write_bytes(flip(flip(data, page + 500), page + 512 + 500))
    findings("damaged", f"the page at {page} does", f"the page at {page + 512} does")
    pathlib.Path("damaged").write_bytes(data[:page] + b"\xff" * 16 + data[page + 16:])
    findings("damaged", f"row group 1, column word: the page at {page} has no proper header")


def statistics(**values):
    """A hook that changes the statistics of the first chunk."""
    return change("chunk", lambda chunk: chunk["meta_data"]["statistics"].update(values))


def test_statistics():
    def wrong(text, **values):
        tiny_file("wrong.parquet", hook=statistics(**values))
        findings("wrong.parquet", "row group 0, column id: statistics: " + text)

    wrong("null_count says 3, the values 0", null_count=3)
    wrong("min is above the smallest value", min_value=struct.pack("<i", 5))
    wrong("max is below the largest value", max_value=struct.pack("<i", 5))
    wrong("min is said to be exact", min_value=struct.pack("<i", -5))
    wrong("max is said to be exact", max_value=struct.pack("<i", 500))
    wrong("min is no bound of this type", min_value=b"abc")
    tiny_file("loose.parquet", hook=statistics(min_value=struct.pack("<i", -5), is_min_value_exact=False))
    verify("loose.parquet")


def test_statistics_of_other_columns():
    def hook(name, **values):
        def edit(kind, structure):
            if kind == "chunk" and structure["meta_data"]["path_in_schema"] == [name]:
                structure["meta_data"]["statistics"].update(values)
        return edit

    for name, values, part in (
            ("f", {"nan_count": 7}, "nan_count says 7"), ("f", {"max_value": struct.pack("<f", 1)}, "max is below"),
            ("f", {"min_value": struct.pack("<f", float("nan"))}, "min is no bound"),
            ("s", {"min_value": b"zzzz"}, "min is above"),
            ("s", {"is_min_value_exact": True}, "min is said to be exact"),
            ("b", {"min_value": b"\1"}, "min is above"), ("o", {"null_count": 0}, "null_count says 0"),
            ("d", {"min_value": (-1).to_bytes(5, "big", signed=True)}, "min is above"),
            ("h", {"nan_count": 0}, "nan_count says 0")):
        tiny_file("wrong.parquet", hook=hook(name, **values))
        findings("wrong.parquet", f"row group 0, column {name}: statistics: {part}")


def test_size_statistics():
    def say(sizes):
        def edit(structure):
            if "meta_data" in structure and structure["meta_data"]["path_in_schema"] == ["s"]:
                structure["meta_data"]["size_statistics"] = sizes
        tiny_file("sized.parquet", hook=lambda kind, structure: edit(structure) if kind == "chunk" else None)
    say({"unencoded_byte_array_data_bytes": 300, "definition_level_histogram": [4, 8], "repetition_level_histogram": [12]})
    verify("sized.parquet")
    chunk = json.loads(check_ok(run("mpq", "meta", "--json", "sized.parquet")).stdout)["row_groups"][0]["columns"][4]
    check_equal((chunk["byte_array_bytes"], chunk["definition_levels"], chunk["repetition_levels"]), (300, [4, 8], [12]))
    for sizes, sentence in (({"unencoded_byte_array_data_bytes": 299}, "299 bytes of values, the pages have 300"),
                            ({"definition_level_histogram": [5, 7]}, "5 items of definition level 0, the pages have 4"),
                            ({"repetition_level_histogram": [13]}, "13 items of repetition level 0, the pages have 12")):
        say(sizes)
        findings("sized.parquet", f"column s: size statistics: {sentence}")  # of a file of this library
    say({"definition_level_histogram": [1, 4, 7]})  # the column has two levels: nobody can use it
    verify("sized.parquet")


def test_size_statistics_of_pages():
    texts = ["ab" * (2 + i // 100) if i % 10 else None for i in range(300)]
    pa.parquet.write_table(pa.table({"s": texts}), "sized.parquet", write_page_index=True, max_rows_per_page=100, write_batch_size=10,
                           compression="none", use_dictionary=False)
    verify("sized.parquet", 0, "--strict")
    whole = pathlib.Path("sized.parquet").read_bytes()
    for numbers, wrong, sentence in (((360, 540, 720), 361, "361 bytes of values, the pages have 360"),
                                     ((10, 90) * 3, 11, "11 items of definition level 0, the pages have 10")):
        put = [zigzag(number) if number > 63 else bytes([2 * number]) for number in (*numbers, wrong)]
        listed = bytes([len(numbers) << 4 | 6]) + b"".join(put[:-1])
        check_equal(whole.count(listed), 1)
        at = whole.index(listed) + 1
        pathlib.Path("wrong.parquet").write_bytes(whole[:at] + put[-1] + whole[at + len(put[0]):])
        text = verify("wrong.parquet", 1, "--strict")
        check("page index: the page at 4: size statistics: " + sentence in text, text)
        verify("wrong.parquet")


def test_lists_against_what_is_said_of_them():
    """Bounds and counts of each page, and of the whole; other writers count lists that are missing as nulls, or do not."""
    rows = [None if i % 7 == 0 else [] if i % 7 == 1 else [i, None, i + 1] for i in range(300)]
    pa.parquet.write_table(pa.table({"a": pa.array(rows, pa.list_(pa.int32()))}), "lists.parquet", write_page_index=True,
                           max_rows_per_page=50, write_batch_size=10, compression="none", use_dictionary=False)
    verify("lists.parquet")
    whole = pathlib.Path("lists.parquet").read_bytes()
    places = [json.loads(line) for line in check_ok(run("mpq", "pages", "--json", "lists.parquet")).stdout.splitlines()]
    part = next(place for place in places if place["kind"] == "column_index")
    bound = b"\x04" + struct.pack("<i", 51)  # the least value of the second page
    at = whole.index(bound, part["offset"]) + 1
    pathlib.Path("lists.parquet").write_bytes(whole[:at] + struct.pack("<i", 52) + whole[at + 4:])
    findings("lists.parquet", "page index: the page at", "min is above the smallest value")
    nulls = pa.parquet.read_metadata("lists.parquet").row_group(0).column(0).statistics.null_count
    check(nulls >= 214, nulls)
    at = whole.rindex(b"\x16" + zigzag(nulls) + b"\x28\x04")  # Statistics.null_count, and the length of max_value
    pathlib.Path("lists.parquet").write_bytes(whole[:at + 1] + zigzag(100) + whole[at + 1 + len(zigzag(nulls)):])
    findings("lists.parquet", "statistics: null_count says 100, the values 214")


def test_page_indexes_with_pages_without_rows():
    rows = [[f"text {i} {j}" * 3 for j in range(1 + i % 3)] for i in range(7)]
    pa.parquet.write_table(pa.table({"a": pa.array(rows, pa.list_(pa.string()))}), "empty.parquet", write_page_index=True,
                           data_page_size=9, write_batch_size=3, compression="none", use_dictionary=False,
                           column_encoding={"a.list.element": "DELTA_LENGTH_BYTE_ARRAY"})
    listed = check_ok(run("mpq", "pages", "--json", "empty.parquet")).stdout.splitlines()
    check(any(json.loads(line).get("values") == 0 for line in listed), "no page is empty")
    verify("empty.parquet")


def zigzag(number):
    """The zigzag encoding of a number, in two bytes."""
    return bytes([number * 2 & 127 | 128, number * 2 >> 7])


def test_counts_offsets_and_sizes():
    def wrong(kind, edit, *parts):
        tiny_file("wrong.parquet", hook=change(kind, edit))
        findings("wrong.parquet", *parts)

    def meta(**values):
        return lambda chunk: chunk["meta_data"].update(values)

    wrong("chunk", meta(total_uncompressed_size=7), "before compression, the footer says 7", "total_byte_size")
    wrong("chunk", meta(encodings=[3]), "an encoding that the footer does not name")
    wrong("chunk", meta(data_page_offset=1 << 40), "beyond the end of the file")
    wrong("chunk", lambda chunk: chunk["meta_data"].update(data_page_offset=chunk["meta_data"]["data_page_offset"] + 1),
          "has no proper header")
    wrong("chunk", lambda chunk: chunk["meta_data"].update(
        total_compressed_size=chunk["meta_data"]["total_compressed_size"] + 9), "row group 0, column id")
    wrong("row_group", lambda group: group.update(total_byte_size=99), "row group 0: total_byte_size is 99")
    wrong("row_group", lambda group: group.update(num_rows=11), "cannot be opened")
    wrong("header", lambda header: header.update(crc=1), "does not have its checksum")
    wrong("header", lambda header: header["data_page_header"].update(num_values=4), "row group 0, column id")
    wrong("header", lambda header: header["data_page_header"].update(definition_level_encoding=0), "no proper header")


def test_row_counts():
    """The row groups' sum against the footer, and the values of each chunk's pages against their number."""
    tiny_file("wrong.parquet", hook=change("footer", lambda footer: footer.update(num_rows=footer["num_rows"] - 1)))
    verify("wrong.parquet", 1)
    tiny_file("wrong.parquet", hook=change("header", lambda header: header["data_page_header"].update(
        num_values=header["data_page_header"]["num_values"] - 1)))
    findings("wrong.parquet", "row group 0, column id: its pages up to", "values, the footer says")


def test_two_chunks_in_one_place():
    places = []

    def hook(kind, structure):
        if kind == "chunk":
            places.append(structure["meta_data"])
            if len(places) == 9:  # "t" of the first row group, on "o"
                places[8].update(places[2], path_in_schema=["t"])
    tiny_file("wrong.parquet", hook=hook)
    findings("wrong.parquet", "belong to", "as well")


def test_our_extension():
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 500)
    pathlib.Path("damaged").write_bytes(flip(data, data.rindex(b"mpqF") + 12))
    findings("damaged", "the footer's extension")


def test_records_that_the_footer_lacks():
    data = make("whole.parquet", 4000, 0, "--rows-per-group", 500)
    import own_structures
    footers = [footer for footer in own_structures.all_footers(data, 6) if footer.genuine()]
    check(len(footers) >= 2, "footers")
    pathlib.Path("early").write_bytes(data + bytes(-len(data) % 512) + data[footers[0].start:footers[0].end])
    text = verify("early")
    check("records tell of" in text and "mpq recover adds them" in text, text)
    check("\n  what the footer describes holds\n" in text and "all of it" not in text, text)
    text = run("mpq", "verify", "early", "whole.parquet").stdout
    check("early: what the footer describes holds; not checked" in text and "parquet: all of it holds\n" in text, text)


def test_what_is_no_parquet_file():
    pathlib.Path("text").write_text("hello" * 100)
    findings("text", "cannot be opened")
    check_refused(run("mpq", "verify", "none.parquet"), "none.parquet", "no such file", code=2)
    check_refused(run("mpq", "verify"), "FILE", code=2)


def test_a_folder_and_other_kinds_of_files():
    """A folder is its files; what people take for a log is called what it is, by every command."""
    pathlib.Path("logs").mkdir()
    for name in ("a", "b"):
        pa.parquet.write_table(pa.table({"x": [1, 2, 3]}), f"logs/{name}.parquet")
    text = check_ok(run("mpq", "verify", "logs")).stdout
    check("a.parquet: " in text and "b.parquet: " in text, text)
    kinds = {"empty": (b"", "is empty"), "zip": (b"\x1f\x8b\x08rest" * 9, "gunzip"), "page": (b"<!DOCTYPE html><p>" * 9, "is a web page"),
             "lfs": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"), "zeros": (bytes(4096), "begins with zeros")}
    for name, (data, words) in kinds.items():
        pathlib.Path(name).write_bytes(data)
        for verb in ("info", "plot", "cat", "verify", "meta", "recover"):
            check_refused(run("mpq", verb, name), name, words, code=2 if verb in ("verify", "recover") else 1)


def test_page_indexes():
    """Places, rows and bounds of pages against the pages; every wrong number is found."""
    import random
    values = [(i * 37) % 1000 for i in range(600)]
    table = pa.table({"a": pa.array(values, pa.int32()),
                      "n": pa.array([None if i < 50 or value % 5 == 0 else float(value) for i, value in enumerate(values)]),
                      "s": pa.array([f"{value:03}" * 30 for value in values])})
    pa.parquet.write_table(table, "w.parquet", write_page_index=True, max_rows_per_page=50, write_batch_size=10,
                           row_group_size=400, compression="snappy", data_page_version="2.0")
    verify("w.parquet")
    whole = pathlib.Path("w.parquet").read_bytes()
    parts = [json.loads(line) for line in check_ok(run("mpq", "pages", "--json", "w.parquet")).stdout.splitlines()]
    r = random.Random(3)
    seen = ""
    told = []
    for part in parts:
        if part["kind"] not in ("column_index", "offset_index") or part["column"] == "s":  # of text it has sizes, too
            continue
        index = whole[part["offset"]:part["offset"] + part["bytes"]]
        if part["kind"] == "column_index" and part["column"] == "a":  # a bound that leaves values out
            page = next(p for p in parts if p.get("column") == "a" and p["kind"] == "data_page_v2")
            least = min(values[:50]) if part["row_group"] == 0 else min(values[400:450])
            at = index.index(b"\x04" + struct.pack("<i", least)) + 1
            lie = bytearray(whole)
            lie[part["offset"] + at:part["offset"] + at + 4] = struct.pack("<i", least + 1)
            pathlib.Path("lie.parquet").write_bytes(lie)
            findings("lie.parquet", "column a: page index: the page at", "min is above the smallest value")
            check(page["rows"] == 50, page)
        for _ in range(4 if part["kind"] == "offset_index" else 2):
            at = part["offset"] + r.randrange(part["bytes"] - 1)
            lie = bytearray(whole)
            lie[at] ^= 1 << r.randrange(8)
            pathlib.Path("lie.parquet").write_bytes(lie)
            result = run("mpq", "verify", "lie.parquet")
            check(result.returncode in (0, 1), result.returncode, result.stderr)
            if part["kind"] == "offset_index":
                told.append("page index:" in result.stdout)
            seen += result.stdout
    # A few of the bits say only how wide a number is meant to be.
    check(len(told) >= 16 and sum(told) >= 0.8 * len(told), told)
    check("it contradicts itself or the column chunk" in seen, seen)
