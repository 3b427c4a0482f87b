#!/usr/bin/env python3
"""How many bytes a row of recordings takes, written by csv_log in all forms, and by pyarrow as its defaults are.

usage: recording_sizes.py CSV_LOG FOLDER_FOR_FILES

Columns have the types that a device gives them: float, int32, a time in microseconds. All figures are of column chunks,
page headers included. `counts` is what the sensor counted, 16 bits, as scaled() stores it; `resolution` is floats rounded
to these counts' steps.
"""
import csv
import lzma
import math
import pathlib
import subprocess
import sys

import pyarrow.parquet

RECORDINGS = pathlib.Path(__file__).parent / "recordings"
FORMS = {
    "plain": ["--encoding", "plain"],
    "delta": ["--encoding", "delta"],
    "auto": ["--encoding", "auto", "--codec", "none"],
    "small": ["--encoding", "auto", "--codec", "lz4_raw"],
}
# Compressed pages of 512 bytes are padded, larger ones are not.
PAGE_BYTES = dict.fromkeys(("plain", "delta", "auto", "counts"), (512, 4096)) | dict.fromkeys(
    ("small", "resolution"), (512, 1024, 4096))
# Options for a program with plenty of memory: pages of 4 KB, and dictionaries and row groups that have place for all values.
LARGE = [*FORMS["small"], "--page-bytes", 4096, "--dictionary-bytes", 16384, "--row-group-bytes", 1_000_000]

# Values of one count: 16 bits of 2000 degrees a second and of 16 g.
WALK_STEPS = {"Gyroscope": 2000 / 32768, "Accelerometer": 16 / 32768}
WALK_TIME = "decimal(18,6)"


class Recording:
    """Rows in a CSV file, and the options by which csv_log gives them their types."""

    def __init__(self, name, folder):
        self.name = name
        self.csv = folder / f"{name}.csv"
        with lzma.open(RECORDINGS / f"{name}.csv.xz", "rt", newline="", encoding="utf-8") as file:
            self.heads, *self.rows = csv.reader(file)

    def write(self, heads, rows):
        with open(self.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([heads, *rows])

    def types(self, kinds):
        return [part for head, kind in kinds.items() for part in ("--type", f"{head}={kind}")]


def weather(folder):
    recording = Recording("weather", folder)
    recording.write(recording.heads, recording.rows)
    kinds = dict.fromkeys(("year", "month", "day", "hour", "wind_dir"), "int32")
    kinds |= dict.fromkeys(("temp", "dewp", "humid", "wind_speed", "wind_gust", "precip", "pressure", "visib"), "float")
    return recording, recording.types(kinds)


def machine_temperature(folder):
    recording = Recording("machine_temperature", folder)
    recording.write(recording.heads, recording.rows)
    return recording, recording.types({"value": "float"})


def step_of(head):
    return WALK_STEPS[head.split()[0]]


def walk(name, folder):
    recording = Recording(name, folder)
    time, *axes = recording.heads
    recording.write(recording.heads, [[f"{float(at):.6f}", *values] for at, *values in recording.rows])
    return recording, recording.types({time: WALK_TIME} | dict.fromkeys(axes, "float"))


def walk_as_counts(recording):
    """Counts, as scaled() has them where a count is a thousandth of something."""
    time, *axes = recording.heads
    rows = [[f"{float(at):.6f}", *(f"{round(float(value) / step_of(head)) / 1000:.3f}" for head, value in zip(axes, values))]
            for at, *values in recording.rows]
    recording.write(recording.heads, rows)
    return recording.types({time: WALK_TIME} | dict.fromkeys(axes, "decimal(9,3)"))


def resolutions(recording):
    return [part for head in recording.heads[1:] for part in ("--resolution", f"{head}={step_of(head)}")]


class Sizes:
    def __init__(self, csv_log, folder):
        self.csv_log = csv_log
        self.folder = folder
        self.file = folder / "log.parquet"

    def log(self, recording, options):
        command = [self.csv_log, recording.csv, self.file, "--overwrite", *options]
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"recording_sizes.py: {recording.name}: {result.stderr}")
        return self.chunk_bytes(self.file, len(recording.rows))

    @staticmethod
    def chunk_bytes(path, rows):
        """Bytes of a row in a file's column chunks."""
        metadata = pyarrow.parquet.read_metadata(path)
        if metadata.num_rows != rows:
            sys.exit(f"recording_sizes.py: {path} has {metadata.num_rows} rows of {rows}")
        groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
        chunks = (group.column(i) for group in groups for i in range(metadata.num_columns))
        return sum(chunk.total_compressed_size for chunk in chunks) / rows

    def pyarrow(self, recording):
        """Bytes of a row when pyarrow writes the rows of the last file."""
        path = self.folder / "pyarrow.parquet"
        pyarrow.parquet.write_table(pyarrow.parquet.read_table(self.file), path)
        return self.chunk_bytes(path, len(recording.rows))

    def print_forms(self, recording, types, forms):
        for form, options in forms.items():
            for page_bytes in PAGE_BYTES[form]:
                size = self.log(recording, [*types, *options, "--page-bytes", page_bytes])
                print(f"size.{recording.name}_{form}_{page_bytes}.chunks {size:.2f} bytes_per_row", flush=True)

    def print_recording(self, recording, types):
        self.print_forms(recording, types, FORMS)
        ours = self.log(recording, [*types, *LARGE])
        print(f"size.{recording.name}.chunks {ours:.2f} bytes_per_row")
        # Rounded up: below 1 is smaller.
        print(f"size.{recording.name}.vs_pyarrow {math.ceil(100 * ours / self.pyarrow(recording)) / 100:.2f} times")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    sizes = Sizes(sys.argv[1], folder)
    for recording, types in (weather(folder), machine_temperature(folder)):
        sizes.print_recording(recording, types)
    for name in ("long_walk", "short_walk"):
        recording, types = walk(name, folder)
        sizes.print_recording(recording, types)
        sizes.print_forms(recording, types, {"resolution": [*resolutions(recording), *FORMS["small"]]})
        sizes.print_forms(recording, walk_as_counts(recording), {"counts": FORMS["delta"]})


if __name__ == "__main__":
    main()
