"""Files of earlier versions against this one. See README.md."""

import dataclasses
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
for folder in (".", "corpus", "filesystems", "checker"):
    sys.path.insert(0, str(HERE.parent / folder))

import duckdb
import pyarrow.parquet as pq
import pytest

import archives  # pylint: disable=wrong-import-position
import own_structures  # pylint: disable=wrong-import-position
import parquet_checker  # pylint: disable=wrong-import-position
from dump import dump  # pylint: disable=wrong-import-position

PROGRAMS = pathlib.Path(os.environ.get("MICROPARQUET_BUILD") or HERE.parents[1] / "build", "host", "bin").resolve()
BOOLEAN, INT32, INT64, FLOAT, DOUBLE, FIXED = 0, 1, 2, 4, 5, 7
CONTINUED = ["resume", "log=90", "checkpoint", "log=30", "cut", "resume", "log=60", "end", "log=5", "close"]
ADDED = 90 + 60 + 5
BUFFER_BYTES = 4096  # of a column of the reader: a compressed page of 1,024 bytes, and what it becomes
# A fault of earlier versions only: a key that was set again after resume() stands twice.
FORGIVEN = {"footer.key_value"}
# What recover finds of a save lies together at the end of the file it mends: the footer before describes the row group elsewhere.
OF_SAVES = {"footer.open"}


@dataclasses.dataclass
class Log:
    path: pathlib.Path
    settings: list  # schema, layout, page_bytes, sectors, row_group_bytes
    rows: int
    finished: int
    calls: list

    @property
    def torn(self):
        return self.calls[-1].startswith(("tear", "kill"))

    @property
    def saved(self):
        return "save" in self.calls

    @property
    def resumed_rows(self):
        """Those that resume() takes up: the last footer's, and those of a save after it."""
        return self.finished if self.saved else self.rows

    @property
    def closed_before_rows(self):
        """Interrupted, and closed with a key and no row: earlier versions named the last row group's offset then."""
        return self.calls[-3:-2] == ["resume"] and self.calls[-2].startswith("key=") and self.calls[-1] == "close"

    @property
    def has_index(self):
        return "+index" in self.settings[1] or "+filters" in self.settings[1]

    @property
    def optional(self):
        return self.settings[0] == "optional"


def read_list(folder):
    """The logs of files.txt."""
    for line in (HERE / "files.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0] != "#":
            yield Log(folder / f"{words[0]}.parquet", words[1:6], int(words[6]), int(words[7]), words[8:])


def cell_text(log, name, kind, column, row):
    """The text that dump_values prints for a cell, by the rule of write_log.cpp."""
    number = row if column == 0 else (row * 7 + column) % 100
    optional = log.optional and column != 0 or name == "note"
    if optional and (row + column) % 4 == 1:
        return "null"
    if kind == BOOLEAN:
        return "true" if number % 3 == 0 else "false"
    if kind in (INT32, INT64):
        return str(number)
    if kind == FLOAT:
        return f"f{struct.unpack('<I', struct.pack('<f', number / 4))[0]:08x}"
    if kind == DOUBLE:
        return f"d{struct.unpack('<Q', struct.pack('<d', number / 8))[0]:016x}"
    if kind == FIXED:
        width = {"float16": 2, "uuid": 16, "decimal_fixed": 7, "fixed": 3 if log.optional else 5}[name]
        return "x" + (bytes(width - 1) + bytes([number])).hex()
    if name == "decimal_binary":
        return "x" + bytes([number]).hex()
    return "x" + (chr(ord("a") + number % 26) * (number % 23)).encode().hex()


def nested_row(row):
    """A row of structs and arrays, by the rule of write_log.cpp."""
    def number(column):
        return (row * 7 + column) % 100

    fix = {"lat": number(1) / 8, "place": {"x": number(2)} if row % 3 != 1 else None}
    return {"id": row, "fix": fix if row % 4 != 1 else None, "bins": [number(i) / 4 for i in range(5)],
            "axes": [{"x": number(i), "y": number(i + 1)} for i in range(3)], "counts": [number(i) for i in range(40)]}


def list_row(row):
    """A row of lists and maps, by the same rule."""
    def number(column):
        return (row * 7 + column) % 100

    return {"id": row, "levels": [number(i) / 4 for i in range(row % 21)],
            "counts": [number(i) for i in range(row % 6)] if row % 4 != 1 else None,
            "points": [{"x": number(i), "height": i / 2 if (row + i) % 3 else None} for i in range(row % 7)],
            "two": [[number(k) for k in range((row + i) % 4)] for i in range(row % 4)],
            "tags": [(key, number(i) / 8) for i, key in enumerate(("a", "bc", "def")[: row % 4])]}


def coded_row(row):
    """A row of arrays and lists of differences, indices and runs, by the same rule."""
    def number(column):
        return (row * 7 + column) % 100

    return {"id": row, "counts": [row * 1000 + 25 * i for i in range(33)],
            "times": [number(i) * 10000000000 + i for i in range(row % 41)] if row % 4 != 1 else None,
            "parts": [{"number": number(i) if (row + i) % 3 else None, "word": ("", "a", "bc", "def")[(row + i) % 4]} for i in range(row % 7)],
            "levels": [(number(i) % 5 if row < 90 else number(i)) / 4 for i in range(row % 21)],
            "bits": [i // (1 + row % 9) % 2 != 0 for i in range(row % 51)]}


# Schemas whose rows have more than values, and these.
NESTED = {"nested": nested_row, "lists": list_row, "coded_lists": coded_row}


def check_nested_values(path, rows, row_of):
    found = pq.read_table(path).to_pylist()
    if len(found) != rows:
        return f"{len(found)} rows, expected {rows}"
    wrong = [row for row in range(rows) if found[row] != row_of(row)]
    return f"row {wrong[0]} is {found[wrong[0]]}" if wrong else None


def check_values(programs, log, path, rows, ways=("batches",)):
    """None, or how the rows of a file are not rows 0 to `rows`."""
    if log.settings[0] in NESTED:
        return check_nested_values(path, rows, NESTED[log.settings[0]])
    for by in ways:
        result = dump(programs / "dump_values", path, by, BUFFER_BYTES)
        if result.status != "end":
            return f"reading {by}: {result.status}"
        if len(result.lines) - 1 != rows:
            return f"reading {by}: {len(result.lines) - 1} rows, expected {rows}"
        columns = [column.rsplit(":", 1) for column in result.lines[0].split("\t")]
        for row, line in enumerate(result.lines[1:]):
            expected = "\t".join(cell_text(log, name, int(kind), i, row) for i, (name, kind) in enumerate(columns))
            if line != expected:
                return f"reading {by}: row {row} is {line[:200]!r}, expected {expected[:200]!r}"
    return None


def read_by_pyarrow(path):
    table = pq.read_table(path, page_checksum_verification=True)
    return table["id"].to_pylist(), [column.null_count for column in table.columns]


def read_by_duckdb(path):
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(path)).to_arrow_table()
    return table["id"].to_pylist(), [column.null_count for column in table.columns]


def check_other_readers(path, rows, options, forgiven=frozenset(FORGIVEN)):
    """None, or what the independent checker has against a file, or how pyarrow or DuckDB find other rows."""
    complaints = [complaint for complaint in parquet_checker.check_file(path, options).complaints
                  if complaint.code not in forgiven]
    if complaints:
        return f"the checker: {complaints[0]}"
    found = {}
    for name, read in (("pyarrow", read_by_pyarrow), ("DuckDB", read_by_duckdb)):
        try:
            ids, found[name] = read(path)
        except (OSError, ValueError, duckdb.Error) as error:
            return f"{name}: {error}"
        if ids != list(range(rows)):
            return f"{name} finds {len(ids)} rows, expected {rows}"
    return None if found["pyarrow"] == found["DuckDB"] else "pyarrow and DuckDB find other nulls"


def expected_keys(calls):
    """By their last settings; but where earlier versions set one again after resume(), the first one counts."""
    keys, resumed = {}, False
    for call in calls:
        resumed = resumed or call == "resume"
        if call.startswith("key="):
            key, value = call.removeprefix("key=").split(":")
            keys[key] = keys.get(key, value) if resumed else value
    return keys


def check_keys(path, calls):
    found = pq.read_metadata(path).metadata or {}
    found = {key.decode(): value.decode() for key, value in found.items() if key != b"ARROW:schema"}
    expected = expected_keys(calls)
    return None if found == expected else f"key-values {found}, expected {expected}"


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=120)


def verify(programs, path):
    done = run([programs / "mpq", "verify", path])
    return None if done.returncode == 0 else f"mpq verify: {(done.stdout + done.stderr).strip()[-300:]}"


def write_log(programs, log, path, calls):
    return run([programs / "write_log", path, *log.settings, *calls])


def checker_options(log):
    """Options of the checker. Bytes that close() or another file has left on the medium may look like a footer, too."""
    return parquet_checker.Options(debris=log.torn or bool({"new", "close"} & set(log.calls[:-1])),
                                   block_bytes=4096 if log.settings[3] == "blocks" else 512,
                                   excuses_place_with_rows=log.closed_before_rows, indexes_pages=log.has_index)


def check_continued(programs, log, path, rows, forgiven=frozenset(FORGIVEN)):
    """Rows are added to `path`, and all must be there."""
    calls, rows = CONTINUED, rows + ADDED
    if log.settings[1].startswith("uncheckpointed"):
        calls = [call if call != "checkpoint" else "end" for call in calls if call not in ("cut", "resume")]
        calls, rows = ["resume", *calls], rows + 30
    done = write_log(programs, log, path, calls)
    if done.returncode != 0:
        return f"not continued: {done.stdout.strip()}"
    return check_values(programs, log, path, rows) or check_other_readers(path, rows, checker_options(log), forgiven) or \
        check_keys(path, log.calls) or verify(programs, path)


def recover(programs, log, work):
    """Recovers with mpq, both into a new file and into the file itself, which gets a footer more."""
    out, mended = work / "recovered.parquet", work / "mended.parquet"
    shutil.copy(log.path, mended)
    done = [run([programs / "mpq", "recover", log.path, "-o", out]), run([programs / "mpq", "recover", mended])]
    faults = [step.stdout + step.stderr for step in done if step.returncode not in (0, 1, 2)]
    return out, mended, faults


def check_recovered(programs, log, work):
    """mpq recover brings back all that is finished and nothing else, and a file that it has mended is continued."""
    out, mended, faults = recover(programs, log, work)
    if faults:
        return f"mpq recover: {faults[0]}"
    forgiven = FORGIVEN | OF_SAVES if log.saved else FORGIVEN
    if log.finished != 0:
        rows = pq.read_metadata(out).num_rows
        if rows < log.finished:
            return f"{rows} rows recovered, expected {log.finished}"
        fault = check_values(programs, log, out, rows) or \
            check_other_readers(out, rows, parquet_checker.Options(application="any", indexes_pages=log.has_index),
                                forgiven)
        if fault:
            return f"in a new file: {fault}"
    rows = pq.read_metadata(mended).num_rows
    if rows < log.finished:
        return f"mended: {rows} rows, expected {log.finished}"
    fault = check_values(programs, log, mended, rows) or check_continued(programs, log, mended, rows, forgiven)
    return f"mended: {fault}" if fault else None


def of_later_version(data):
    """The file with its last footer in the next format version, and right checksums."""
    footer_bytes = int.from_bytes(data[-8:-4], "little")
    begin = len(data) - 8 - footer_bytes
    at = data.rfind(own_structures.FOOTER_TAG, begin)
    words = struct.unpack_from("<12I", data, at)
    first, entries = words[7], words[9] + words[11]
    result = bytearray(data)
    struct.pack_into("<I", result, at + 4, own_structures.VERSION + 1)
    crc_at = len(data) - 8 - 1 - 4
    crc = zlib.crc32(result[begin:begin + first])
    struct.pack_into("<I", result, crc_at, zlib.crc32(result[begin + first + entries:crc_at], crc))
    return bytes(result)


def check_later_version(programs, log, work):
    path = work / "later.parquet"
    data = of_later_version(log.path.read_bytes())
    path.write_bytes(data)
    done = write_log(programs, log, path, CONTINUED)
    if done.stdout.strip() != "unsupported at resume":
        return f"of a later version: {done.stdout.strip()}"
    if path.read_bytes() != data:
        return "of a later version: refused, but not untouched"
    return check_values(programs, log, path, log.rows)


def check_torn(programs, log, work):
    path = work / "torn.parquet"
    shutil.copy(log.path, path)
    status = dump(programs / "dump_values", path).status
    if status not in ("not Parquet", "corrupt"):
        return f"read in spite of its torn footer: {status}"
    done = write_log(programs, log, path, CONTINUED)
    if done.stdout.strip() != "corrupt at resume" or path.read_bytes() != log.path.read_bytes():
        return f"continued in spite of its torn footer: {done.stdout.strip()}"
    return None


def check_whole(programs, log):
    return check_values(programs, log, log.path, log.rows, ("rows", "batches", "runs")) or \
        check_other_readers(log.path, log.rows, checker_options(log)) or check_keys(log.path, log.calls) or \
        verify(programs, log.path)


def check_copy_continued(programs, log, work):
    path = work / "continued.parquet"
    shutil.copy(log.path, path)
    return check_continued(programs, log, path, log.resumed_rows)


UNPACKED = archives.unpack("compatibility")
LOGS = list(read_list(UNPACKED))
WHOLE = [log for log in LOGS if not log.torn]
TORN = [log for log in LOGS if log.torn]


def of_each(logs):
    return pytest.mark.parametrize("log", logs, ids=lambda log: f"{log.path.parent.name}/{log.path.stem}")


def check(fault):
    __tracebackhide__ = True
    if fault is not None:
        pytest.fail(fault)


def test_each_file_stands_in_the_list():
    check("; ".join(map(str, set(UNPACKED.glob("*/*")) ^ {log.path for log in LOGS})) or None)


@of_each(LOGS)
def test_recovered(log, tmp_path):
    check(check_recovered(PROGRAMS, log, tmp_path))


@of_each(TORN)
def test_torn(log, tmp_path):
    check(check_torn(PROGRAMS, log, tmp_path))


@of_each(WHOLE)
def test_read(log):
    check(check_whole(PROGRAMS, log))


@of_each(WHOLE)
def test_continued(log, tmp_path):
    check(check_copy_continued(PROGRAMS, log, tmp_path))


@of_each(WHOLE)
def test_later_version(log, tmp_path):
    check(check_later_version(PROGRAMS, log, tmp_path))
