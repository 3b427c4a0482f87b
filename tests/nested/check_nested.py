#!/usr/bin/env python3
"""Files with structs, arrays, lists and maps, value by value, by other readers, the checker and mpq.

usage: check_nested.py NESTED_GEN MPQ FOLDER [--seeds N] [--encoded N] [--figures]

With --figures it prints the figures of tests/figures.txt.
"""
import argparse
import json
import pathlib
import shutil
import struct
import subprocess
import sys

import duckdb
import polars
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/checker"))
import parquet_checker  # noqa: E402

# Columns that are maps.
MAPS = {"tags", "words"}


def with_entries(rows):
    """Maps as lists of pairs, whatever a reader makes of them."""
    def entries(value):
        return list(value.items()) if isinstance(value, dict) else value

    return [{name: entries(value) if name in MAPS else value for name, value in row.items()} for row in rows]


READERS = {
    "pyarrow": lambda path: pyarrow.parquet.read_table(path).to_pylist(),
    "DuckDB": lambda path: duckdb.sql(f"select * from '{path}'").to_arrow_table().to_pylist(),
    "Polars": lambda path: with_entries(polars.read_parquet(path).to_dicts()),
}
# Polars 2.1.0 panics at BYTE_STREAM_SPLIT beside PLAIN in an optional struct: "validity mask length must match the number
# of values".
NOT_READ = {("split_structs", "Polars")}

# What the checker cannot know of the files of a shape.
CHECKS = {"packed_structs_blocks": {"block_bytes": 4096}, "arrays_blocks": {"block_bytes": 4096},
          "packed_arrays_blocks": {"block_bytes": 4096}, "lists_blocks": {"block_bytes": 4096},
          "packed_lists_blocks": {"block_bytes": 4096},
          # Footers of several sectors, which lie by turns: a dead one has parts of a later one.
          "arrays_tailed": {"debris": True}, "arrays_saving": {"debris": True}}


def row_of(line):
    """A row of a line of JSON, in which bytes and maps have forms of their own."""
    def value_of(pairs):
        value = dict(pairs)
        if list(value) == ["hex"]:
            return bytes.fromhex(value["hex"])
        return [tuple(entry) for entry in value["map"]] if list(value) == ["map"] else value

    return json.loads(line, object_pairs_hook=value_of)


def wanted_rows(path):
    with open(path, encoding="utf-8") as lines:
        return list(map(row_of, lines))


def count_values(value):
    """Leaves of a row, missing ones included."""
    if isinstance(value, dict):
        return sum(map(count_values, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(count_values, value))
    return 1


def wrong_values(wanted, found):
    """How many leaves differ; all of a part that has another form."""
    if isinstance(wanted, dict) and isinstance(found, dict) and list(wanted) == list(found):
        return sum(wrong_values(value, found[name]) for name, value in wanted.items())
    if isinstance(wanted, (list, tuple)) and type(wanted) is type(found) and len(wanted) == len(found):
        return sum(map(wrong_values, wanted, found))
    same = wanted == found and isinstance(wanted, bool) == isinstance(found, bool)  # 1.0 is 1 in JSON, and True is not
    return 0 if same else count_values(wanted)


def fill_of_pages(path, column):
    """The values' share of the pages of a row group in which all are full, in percent."""
    metadata = pyarrow.parquet.read_metadata(path)
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    chunks = [group.column(i) for group in groups for i in range(group.num_columns)]
    return max(100 * 4 * chunk.num_values / chunk.total_compressed_size for chunk in chunks if chunk.path_in_schema == column)


def overhead_of_lists(path):
    """The file's bytes for each byte of its values."""
    metadata = pyarrow.parquet.read_metadata(path)
    values = pyarrow.parquet.read_table(path).column("levels").combine_chunks().flatten()
    return path.stat().st_size / (4 * len(values) + 8 * metadata.num_rows)


# Most that overhead_of_lists() may be.
MOST_OVERHEAD = 1.35


class Check:
    def __init__(self, mpq):
        self.mpq = mpq
        self.values = self.wrong = self.files = 0
        self.complaints = []

    def compare(self, path, reader, wanted, found):
        self.values += sum(map(count_values, wanted))
        wrong = sum(map(wrong_values, wanted, found)) if len(wanted) == len(found) else sum(map(count_values, wanted))
        self.wrong += wrong
        if wrong != 0:
            self.complaints.append(f"{path.name}: {reader}: {wrong} wrong values, {len(found)} of {len(wanted)} rows")

    def run(self, path, *command):
        result = subprocess.run([self.mpq, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if result.returncode != 0:
            self.complaints.append(f"{path.name}: mpq {command[0]} ends with {result.returncode}: {result.stdout[-300:]}")
        return result.stdout

    def cat(self, path, wanted):
        """mpq prints floats as short as they are, and bytes in its own way: only what JSON says alike is compared."""
        lines = self.run(path, "cat", "--json", str(path)).decode().splitlines()
        if len(lines) != len(wanted):
            self.complaints.append(f"{path.name}: mpq cat prints {len(lines)} of {len(wanted)} rows")

    def file(self, path):
        self.files += 1
        shape = path.stem.rpartition("_")[0]
        wanted = wanted_rows(path.with_suffix(".json"))
        for reader, read in READERS.items():
            if (shape, reader) in NOT_READ:
                continue
            try:
                found = read(path)
            except BaseException as error:  # Polars panics with one that is no Exception
                self.complaints.append(f"{path.name}: {reader}: {error}")
                found = []
            self.compare(path, reader, wanted, found)
        for complaint in parquet_checker.check_image(str(path), **CHECKS.get(shape, {}))[:3]:
            self.complaints.append(f"{path.name}: {complaint}")
        if shape.endswith("_indexed"):
            self.index(path)
        self.run(path, "verify", str(path))
        self.run(path, "pages", str(path))
        self.cat(path, wanted)
        self.recover(path, wanted)

    def index(self, path):
        """Each column chunk of a row group that has ended says where its pages are."""
        metadata = pyarrow.parquet.read_metadata(path)
        chunks = [metadata.row_group(i).column(j) for i in range(metadata.num_row_groups) for j in range(metadata.num_columns)]
        if not any(chunk.has_offset_index for chunk in chunks):
            self.complaints.append(f"{path.name}: no page index")

    def recover(self, path, wanted):
        """A copy without its footer gives rows from the first one on, each as it was written."""
        damaged = path.with_name("damaged.parquet")
        recovered = path.with_name("recovered.parquet")
        recovered.unlink(missing_ok=True)
        data = path.read_bytes()
        damaged.write_bytes(data[: len(data) - len(data) // 50 - 100])
        result = subprocess.run([self.mpq, "recover", damaged, "-o", recovered], capture_output=True, check=False)
        if not recovered.exists():
            return
        found = pyarrow.parquet.read_table(recovered).to_pylist()
        self.compare(path, f"mpq recover, status {result.returncode}", wanted[: len(found)], found)

    def points(self, folder):
        """Fixes in both forms of geo.h; DuckDB knows the first one for geometry."""
        wanted = [(i * 0.5 - 70, i * 0.25 - 40) if i % 3 else None for i in range(300)]
        wkb = pyarrow.parquet.read_table(folder / "wkb.parquet").column("position").to_pylist()
        if [value and struct.unpack("<BIdd", value)[2:] for value in wkb] != wanted or any(v[:5] != b"\1\1\0\0\0" for v in wkb if v):
            self.complaints.append("wkb.parquet: points are wrong")
        kind = duckdb.sql(f"select position from '{folder}/wkb.parquet'").types[0]
        if not str(kind).startswith("GEOMETRY"):
            self.complaints.append(f"wkb.parquet: DuckDB sees {kind}")
        found = polars.read_parquet(folder / "point.parquet")["position"].to_list()
        if [value and (value["x"], value["y"]) for value in found] != wanted:
            self.complaints.append("point.parquet: points are wrong")
        for name in "wkb", "point":
            path = folder / f"{name}.parquet"
            geo = json.loads(pyarrow.parquet.read_metadata(path).metadata[b"geo"])
            if geo["columns"][geo["primary_column"]]["encoding"] != {"wkb": "WKB", "point": "point"}[name]:
                self.complaints.append(f"{path.name}: {geo}")
            self.complaints += [f"{path.name}: {complaint}" for complaint in parquet_checker.check_image(str(path))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gen")
    parser.add_argument("mpq")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=7)
    parser.add_argument("--encoded", type=int, default=6, help="seeds of each encoder: a length of rows each, of which there are six")
    parser.add_argument("--figures", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    written = subprocess.run([options.gen, options.folder, str(options.seeds), str(options.encoded)], stdout=subprocess.PIPE, text=True, check=False)
    check = Check(options.mpq)
    check.complaints += written.stdout.splitlines()
    if written.returncode != 0:
        check.complaints.append(f"{options.gen} ends with {written.returncode}")
    for path in sorted(options.folder.glob("*_*.json")):
        check.file(path.with_suffix(".parquet"))
    check.points(options.folder)
    overhead = overhead_of_lists(options.folder / "spectra.parquet")
    if overhead > MOST_OVERHEAD:
        check.complaints.append(f"spectra.parquet: {overhead:.2f} bytes for each of its values")
    for complaint in check.complaints:
        print(complaint, file=sys.stderr)
    if options.figures:
        fill = fill_of_pages(options.folder / "arrays_large_2.parquet", "spectrum.list.element")
        print(f"nested.array32_1024.fill {fill:.1f} percent")
        print(f"nested.list_overhead {overhead:.3f} bytes_per_byte")
        print(f"nested.values {check.values} values")
        print(f"nested.wrong_values {check.wrong} values")
    else:
        print(f"{check.values} values, {check.wrong} wrong")
        failed = len(check.complaints)
        print(f"{max(check.files - failed, 0)} passed, {failed} failed")
    return 1 if check.complaints or check.wrong or check.files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
