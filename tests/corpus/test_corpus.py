#!/usr/bin/env python3
"""Files of other writers, read here: test_corpus.py DUMP_VALUES DUMP_RECORDS.

The corpus of parquet-testing against what pyarrow gives (expected.txt, see make_expected.py), its damaged files each with
its status, files whose chunks end within a page, and files that pyarrow, DuckDB and Polars write now.
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile

import corpus_files
import cut_chunks
import duckdb
import make_expected
import nested_corpus
import physical_values
import pyarrow.parquet
import written_files
from dump import WAYS, dump


# Statuses of the damaged files, and their causes. `flat` is the status of reading the columns without repeated values.
BAD_DATA = {
    # The list of encodings of one column chunk says that its elements are of another type: found in the footer.
    "ARROW-GH-41317": "corrupt",
    # Too few levels, or indices: in columns of repeated values, and in others.
    "ARROW-GH-41321": "corrupt",
    # Dictionary indices of width 0, which can be read: all of them are 0.
    "ARROW-GH-43605": "end",
    # Repetition levels that begin with 1, in the only column, which is repeated: by rows none is read.
    "ARROW-GH-45185": "unsupported",
    # Fewer values than the page says, in a column that is required.
    "ARROW-GH-47662": "corrupt",
    # A negative count in a dictionary page's header; before it, the column chunk reaches into the footer.
    "ARROW-RS-GH-6229-DICTHEADER": "corrupt",
    # Too few repetition levels, in the only column, which is repeated and in SNAPPY.
    "ARROW-RS-GH-6229-LEVELS": "unsupported",
    # Repetition levels that begin with 1, in the column that is repeated; the other one is whole.
    "non_list_repeated_field": "end",
    # A type in the schema that no version of the format has.
    "PARQUET-1481": "corrupt",
}

# Files with compressed pages that are longer than any buffer of WAYS, and the buffers that they take.
LONG_PAGES = {"hadoop_lz4_compressed_larger", "lz4_raw_compressed_larger"}
WIDE_WAYS = [(by, 1 << 20) for by in ("rows", "batches", "runs")]


class Counts:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, name, problem):
        if problem:
            self.failed += 1
            print(f"FAILED: {name}: {problem}")
        else:
            self.passed += 1


def difference(expected, found):
    """The first line that differs, or None."""
    for number, (left, right) in enumerate(zip(expected, found)):
        if left != right:
            return f"line {number}: expected {left[:200]!r}, found {right[:200]!r}"
    if len(expected) > len(found):
        return f"line {len(found)} is missing: {expected[len(found)][:200]!r}"
    return None


def against_expected(path, result):
    """None, or how the lines of `result` differ from what is committed."""
    expected = corpus_files.expected_values()[path.stem]
    found = physical_values.normalise(result.lines, expected.lines[0])
    problem = difference(expected.lines, found)
    if problem:
        return problem
    if len(found) - 1 != expected.rows:
        return f"{len(found) - 1} rows, expected {expected.rows}"
    if hashlib.sha256("\n".join(found).encode()).hexdigest() != expected.digest:
        return "another digest than pyarrow's values"
    return None


def needs_memory(path):
    """Whether a dictionary, or a page that is compressed or split, must lie in a buffer whole."""
    metadata = pyarrow.parquet.ParquetFile(path).metadata
    chunks = [metadata.row_group(i).column(c) for i in range(metadata.num_row_groups) for c in range(metadata.num_columns)]
    # One malformed file does not say its encodings, and pyarrow does not know ALP.
    return any(chunk.compression != "UNCOMPRESSED" or not chunk.encodings
               or any(word in str(chunk.encodings) for word in ("DICTIONARY", "SPLIT", "BYTE_ARRAY", "UNKNOWN")) for chunk in chunks)


def end_problem(path, result, buffer_bytes):
    """The fault of the status at the end, or None. A dictionary or page may not fit in a small buffer."""
    most = WIDE_WAYS[-1][1] if path.stem in LONG_PAGES else WAYS[-1][1]
    small = result.status == "out of memory" and buffer_bytes < most and needs_memory(path)
    return None if small or result.status == "end" else f"status {result.status}"


def flat_files():
    """Files whose values are compared."""
    return [path for folder in ("data", "others") for path in sorted((corpus_files.FILES / folder).glob("*.parquet"))
            if path.stem not in make_expected.NOT_PRINTED]


def test_whole_corpus(counts):
    """No file lies there without being compared, nor values of a file that is gone."""
    compared = {path.stem for path in [*flat_files(), *(corpus_files.FILES / "nested").glob("*.parquet")]} - set(nested_corpus.BY_HAND)
    counts.check("every file has its values", sorted(compared ^ corpus_files.expected_values().keys()) or None)


def test_corpus(program, counts):
    for path in flat_files():
        corrupt = "corrupt" in path.stem
        for by, buffer_bytes in WAYS + (WIDE_WAYS if path.stem in LONG_PAGES else []):
            result = dump(program, path, by, buffer_bytes, ["--no-crc"] if corrupt else [])
            if result.status == "value too large" and buffer_bytes == 64:
                problem = None if values_are_long(path) else "a value too large"
            elif result.status != "end":
                problem = end_problem(path, result, buffer_bytes)
            else:
                problem = against_expected(path, result)
            counts.check(f"{path.stem} by {by} through {buffer_bytes} bytes", problem)


def values_are_long(path):
    rows = corpus_files.expected_values()[path.stem].lines[1:]
    return any(len(cell) > 2 * 48 for row in rows for cell in row.split("\t"))


def test_checksums(program, counts):
    good = corpus_files.FILES / "data" / "datapage_v1-uncompressed-checksum.parquet"
    bad = corpus_files.FILES / "data" / "datapage_v1-corrupt-checksum.parquet"
    for by, buffer_bytes in WAYS:
        where = f"by {by} through {buffer_bytes} bytes"
        result = dump(program, good, by, buffer_bytes)
        whole = result.pages > 0 and result.checked == result.pages and result.status == "end"
        counts.check(f"right checksums {where}", None if whole else f"{result}"[-200:])
        result = dump(program, bad, by, buffer_bytes)
        counts.check(f"a wrong checksum {where}", None if result.status == "corrupt" else f"status {result.status}")
        result = dump(program, bad, by, buffer_bytes, ["--no-crc"])
        counts.check(f"checksums off {where}", None if result.checked == 0 else f"{result.checked} pages checked")


def test_bad_data(program, counts):
    names = {path.stem for path in (corpus_files.FILES / "bad_data").glob("*.parquet")}
    counts.check("every damaged file has its status", sorted(names ^ set(BAD_DATA)) or None)
    for name, status in BAD_DATA.items():
        for by, buffer_bytes in WAYS:
            result = dump(program, corpus_files.FILES / "bad_data" / f"{name}.parquet", by, buffer_bytes)
            small = result.status == "out of memory" and buffer_bytes < WAYS[-1][1]  # for its dictionary or page
            problem = None if small or result.status == status else f"status {result.status}, expected {status}"
            counts.check(f"{name} by {by} through {buffer_bytes} bytes", problem)


def check_values(program, counts, name, path):
    """All ways of reading give the values that pyarrow reads."""
    expected = physical_values.lines(path)
    for by, buffer_bytes in WAYS:
        result = dump(program, path, by, buffer_bytes)
        found = physical_values.normalise(result.lines, expected[0])
        problem = end_problem(path, result, buffer_bytes)
        if result.status == "end":
            problem = difference(expected, found)
        counts.check(f"{name} by {by} through {buffer_bytes} bytes", problem)


def test_written(program, counts):
    with tempfile.TemporaryDirectory() as folder:
        for name, path in written_files.write_all(pathlib.Path(folder)):
            check_values(program, counts, name, path)


def test_cut_chunks(program, counts):
    with tempfile.TemporaryDirectory() as folder:
        for name, path in cut_chunks.write_all(pathlib.Path(folder)):
            rows = [tuple(row.values()) for row in pyarrow.parquet.read_table(path).to_pylist()]
            others = duckdb.sql(f"FROM read_parquet('{path}')").fetchall()
            counts.check(f"{name}: pyarrow and DuckDB agree", None if rows == others else f"{rows} and {others}")
            check_values(program, counts, name, path)


def test_unsigned_deltas(program, counts):
    """DuckDB packs differences of unsigned numbers in 33 bits, which pyarrow does not read."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "unsigned.parquet")
        duckdb.sql(f"""
            COPY (SELECT (i * 2654435761 % 4294967296)::UINTEGER AS u FROM range(5000) t(i))
            TO '{path}' (FORMAT parquet, COMPRESSION uncompressed, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 0)""")
        numbers = [number for number, in duckdb.sql(f"FROM read_parquet('{path}')").fetchall()]
        expected = ["u:1", *(str(number - (number >> 31 << 32)) for number in numbers)]
        for by, buffer_bytes in WAYS:
            result = dump(program, path, by, buffer_bytes)
            counts.check(f"unsigned deltas of DuckDB by {by} through {buffer_bytes} bytes",
                         difference(expected, result.lines) or end_problem(path, result, buffer_bytes))


def rows_by_pyarrow(path):
    """Times that Python has no dates for stay text."""
    table = pyarrow.parquet.read_table(path)
    try:
        return repr(table.to_pylist())
    except OverflowError:
        return "".join(column.to_string(window=1 << 30) for column in table.columns)


def copied_wrongly(path, copied, said):
    """None, or what is wrong with a file that went through Arrow arrays, or with why it did not."""
    damaged = path.parent.name == "bad_data" or "corrupt" in path.stem
    if said.returncode not in (0, 1) or said.stderr:
        return f"exit code {said.returncode}: {said.stderr[-1000:]}"
    if said.returncode == 1:
        return None if damaged or "a type that is not written" in said.stdout else said.stdout
    if path.parent.name == "bad_data":
        return None
    found = rows_by_pyarrow(copied)
    try:
        expected = rows_by_pyarrow(path)
    except (OSError, pyarrow.ArrowException):
        return None  # in an encoding, or with lists or maps, that pyarrow does not know
    return None if expected == found else "other values"


def test_arrow_copies(program, counts):
    """Each file through Arrow arrays into a file of this library, with sanitizers."""
    with tempfile.TemporaryDirectory() as folder:
        copied = pathlib.Path(folder, "copied.parquet")
        for path in [*flat_files(), *(path for part in ("nested", "bad_data") for path in sorted((corpus_files.FILES / part).glob("*.parquet")))]:
            said = subprocess.run([program, path, copied], capture_output=True, text=True, check=False)
            counts.check(f"{path.stem} by way of Arrow", copied_wrongly(path, copied, said))


def main():
    counts = Counts()
    program = sys.argv[1]
    test_arrow_copies(pathlib.Path(program).with_name("arrow_copy"), counts)
    test_whole_corpus(counts)
    test_corpus(program, counts)
    test_checksums(program, counts)
    test_bad_data(program, counts)
    test_cut_chunks(program, counts)
    test_unsigned_deltas(program, counts)
    test_written(program, counts)
    nested_corpus.test_nested_corpus(sys.argv[2], counts)
    with tempfile.TemporaryDirectory() as folder:
        nested_corpus.test_random_nested(sys.argv[2], counts, pathlib.Path(folder))
    print(f"{counts.passed} passed, {counts.failed} failed")
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
