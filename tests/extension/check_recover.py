#!/usr/bin/env python3
"""`mpq recover` on what extension_files wrote: whole, cut off, and damaged.

usage: check_recover.py MPQ FOLDER

Rows that a footer describes are kept, and more where records tell of them; none is ever wrong.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import zlib

import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "checker"))

import own_structures  # noqa: E402
import thrift_compact  # noqa: E402
import tiny_writer  # noqa: E402

LEVEL = 5  # the column with a dictionary, uncompressed
READING = 3  # in SNAPPY


class Recovered:
    """The messages of mpq recover on `data`, and the rows that are kept."""

    def __init__(self, mpq, data):
        with tempfile.TemporaryDirectory() as folder:
            broken, out = pathlib.Path(folder) / "broken", pathlib.Path(folder) / "out.parquet"
            broken.write_bytes(data)
            done = subprocess.run([mpq, "recover", broken, "-o", out], capture_output=True, text=True, check=False)
            self.text = done.stdout + done.stderr
            self.rows = pyarrow.parquet.read_table(out, page_checksum_verification=True).to_pylist() if out.exists() else []


def durable_rows(data, columns):
    """Rows of the last genuine footer in the data."""
    footers = [footer for footer in own_structures.all_footers(data, columns) if footer.genuine()]
    return max(footers, key=lambda footer: footer.extension.sequence).extension.rows if footers else 0


def is_part(rows, whole):
    """Whether they are in the file in this order."""
    rest = iter(whole)
    return all(any(row == other for other in rest) for row in rows)


def cut_faults(mpq, data, whole, columns):
    """Cut off in each tenth. How many rows were kept beyond those of footers goes into the last element."""
    beyond = 0
    for part in range(1, 10):
        cut = data[:len(data) * part // 10]
        found = Recovered(mpq, cut)
        durable = durable_rows(cut, columns)
        # mpq does not believe the footers of an interrupted history whose successor began beyond the cut.
        if "not the footer that leads to it" in found.text:
            durable = int(re.search(r"sequence \d+, (\d+) rows", found.text)[1])
        beyond += max(len(found.rows) - durable, 0)
        if found.rows != whole[:len(found.rows)]:
            yield f"{part} tenths: other rows than were written; {found.text}"
        if len(found.rows) < durable:
            yield f"{part} tenths: {len(found.rows)} rows of {durable}; {found.text}"
    if beyond == 0 and columns == 0:
        yield "no record gives a row"


def damaged(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def damage_faults(mpq, path, data, whole):
    """A page costs its rows; a dictionary those whose values stand in it."""
    file = pyarrow.parquet.ParquetFile(path)
    group = 1
    rows = file.metadata.row_group(group).num_rows
    chunk = file.metadata.row_group(group).column(READING)
    found = Recovered(mpq, damaged(data, chunk.data_page_offset + chunk.total_compressed_size - 1))
    if "does not have its checksum" not in found.text or not is_part(found.rows, whole) or \
            not len(whole) - rows < len(found.rows) < len(whole):
        yield f"a damaged page of SNAPPY: {len(found.rows)} rows; {found.text}"
    chunk = next(file.metadata.row_group(group).column(LEVEL) for group in range(file.num_row_groups)
                 if file.metadata.row_group(group).column(LEVEL).has_dictionary_page)
    found = Recovered(mpq, damaged(data, chunk.data_page_offset - 1))
    if "does not have its checksum" not in found.text or not is_part(found.rows, whole) or \
            not len(whole) - chunk.num_values <= len(found.rows) < len(whole):
        yield f"a damaged dictionary: {len(found.rows)} rows; {found.text}"


def with_older_dictionary(data, chunk):
    """The same entries in another order, under a right checksum: what an earlier file may have left there."""
    begin, end = chunk.dictionary_page_offset, chunk.data_page_offset
    header = thrift_compact.Parser(data, begin, end).struct("PageHeader")
    entries = [data[at:at + 8] for at in range(header.end, end, 8)]
    chance = random.Random(1)
    for _ in range(1000):  # the checksum is a varint, of which few have the least bytes
        chance.shuffle(entries)
        body = b"".join(entries)
        crc = zlib.crc32(body)
        page = tiny_writer.encode_struct("PageHeader", {
            "type": 2, "uncompressed_page_size": len(body), "compressed_page_size": len(body), "crc": crc - (crc >> 31 << 32),
            "dictionary_page_header": {"num_values": len(entries), "encoding": 0}}) + body
        if len(page) == end - begin:
            return data[:begin] + page + data[end:]
    raise AssertionError("no dictionary of the same size")


def older_dictionary_faults(mpq, path, data, whole):
    """Records alone tell of these rows. Which dictionary theirs is, no bounds tell, but the record's own checksum."""
    file = pyarrow.parquet.ParquetFile(path)
    chunk = file.metadata.row_group(0).column(LEVEL)
    found = Recovered(mpq, with_older_dictionary(data[:len(data) * 9 // 10], chunk))
    if not is_part(found.rows, whole):
        yield f"rows by the dictionary of an earlier file: {len(found.rows)} rows; {found.text}"
    if "its dictionaries are not those for which its record was written" not in found.text:
        yield f"nothing is said of the dictionary of an earlier file; {found.text}"


def faults(mpq, path):
    data, columns = path.read_bytes(), 0 if path.stem == "forward" else 7
    whole = pyarrow.parquet.read_table(path).to_pylist()
    found = Recovered(mpq, data)
    if found.rows != whole or "lost" in found.text:
        yield f"whole: {len(found.rows)} rows, {found.text}"
    yield from cut_faults(mpq, data, whole, columns)
    yield from damage_faults(mpq, path, data, whole)
    if path.stem == "columns":
        yield from older_dictionary_faults(mpq, path, data, whole)


def main():
    mpq, folder = sys.argv[1:]
    failed = 0
    files = sorted(path for path in pathlib.Path(folder).glob("*.parquet") if path.stem != "fram")
    for path in files:
        wrong = list(faults(mpq, path))
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok'}: {path.name}{': ' if wrong else ''}{', '.join(wrong)}")
    print(f"{len(files) - failed} passed, {failed} failed")
    return failed != 0 or not files


sys.exit(main())
