"""Holds the images that power_loss leaves against the rows they must have, by readers that know nothing of it."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

for folder in ("checker", "faults"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))

import duckdb
import pyarrow
import pyarrow.parquet
import parquet_checker
from expected_rows import plain, read_rows


class Lived:
    """The rows of one life, as PLAIN bytes: those that are there, and all that were offered."""

    def __init__(self, rows, offered):
        self.rows, self.offered = rows, offered


class Image:
    """A line of the manifest."""

    def __init__(self, folder, line):
        name, self.scenario, *lives = line.split()
        self.folder, self.path, self.words = folder, folder / name, lives
        self.name = f"{self.path} ({' '.join([self.scenario, *lives])})"
        # Whether pages are no whole sectors, by the scenario's name.
        self.tiny = self.scenario.startswith(("tiny", "dense", "forward", "stream"))
        # And the blocks that the medium erases.
        block = re.search(r"_(\d+)$", self.scenario)
        self.block_bytes = int(block[1]) if block else 512

    def lives(self):
        for word in self.words:
            life, counts = word.split(":")
            count, offered = map(int, counts.split("/"))
            rows = read_rows(self.folder / f"{self.scenario}.{life}")
            yield Lived(rows[:count], rows[:offered])


def arrow_rows(table, leaves):
    """Values as PLAIN bytes. Timestamps are cast to the integers they are."""
    def column(leaf, data):
        if pyarrow.types.is_timestamp(data.type):
            data = data.cast(pyarrow.int64())
        return [plain(leaf, v.encode() if isinstance(v, str) else v) for v in data.to_pylist()]

    columns = [column(leaf, data) for leaf, data in zip(leaves, table.columns)]
    return [list(row) for row in zip(*columns)]


def checked_rows(path, options, allowed=()):
    """The strict checker's first complaint in a list, the columns' leaves, and the rows."""
    report = parquet_checker.check_file(path, options)
    columns = report.columns.values()
    rows = zip(*([plain(column.leaf, value) for value in column.values] for column in columns))
    complaints = [str(complaint) for complaint in report.complaints if complaint.code not in allowed]
    return complaints[:1], [column.leaf for column in columns], [list(row) for row in rows]


def check_file(image, _):
    """Checks a file; returns its fault, or None."""
    wanted = [row for life in image.lives() for row in life.rows]
    options = parquet_checker.Options(sector=not image.tiny, debris=True, block_bytes=image.block_bytes)
    complaints, leaves, rows = checked_rows(image.path, options)
    if complaints:
        return f"the checker: {complaints[0]}"
    if rows != wanted:
        return "the checker finds other rows"
    if arrow_rows(pyarrow.parquet.read_table(image.path), leaves) != wanted:
        return "pyarrow finds other rows"
    relation = duckdb.connect().sql("SELECT * FROM read_parquet(?)", params=[str(image.path)])
    if arrow_rows(relation.to_arrow_table(), leaves) != wanted:
        return "DuckDB finds other rows"
    return None


def is_part(rows, of):
    """Whether `rows` are some of the rows `of`, in their order."""
    rest = iter(of)
    return all(row in rest for row in rows)


def may_be_recovered(rows, lives):
    """A life may have more rows than its last footer says, with gaps where a write was lost, unless a later life has
    durable rows after them."""
    before = []
    for i, life in enumerate(lives):
        before += life.rows
        more = rows[len(before):]
        final = not any(later.rows for later in lives[i + 1:])
        if final and rows[:len(before)] == before and is_part(more, life.offered[len(life.rows):]):
            return True
    return False


def check_medium(image, mpq):
    """Checks the rows recovered from all that a medium held; returns their fault, or None."""
    lives = list(image.lives())
    out = image.path.with_suffix(".recovered")
    run = subprocess.run([mpq, "recover", image.path, "-o", out], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        return f"mpq recover: {run.stderr.strip() or run.stdout.strip()}" if any(life.rows for life in lives) else None
    complaints, _, rows = checked_rows(out, parquet_checker.Options(), {"extension.missing"})
    out.unlink()
    if complaints:
        return f"the checker, after recovery: {complaints[0]}"
    return None if may_be_recovered(rows, lives) else f"{len(rows)} rows are recovered, not those that may be"


def check_some(check, folder, lines, argument):
    wrong = []
    for line in lines:
        image = Image(folder, line)
        try:
            fault = check(image, argument)
        except (OSError, pyarrow.ArrowException, duckdb.Error) as error:
            fault = f"{type(error).__name__}: {error}"
        if fault:
            wrong.append(f"{image.name}: {fault}")
    return wrong


def check_folder(check, folder, argument=None):
    """Checks all images of a folder; returns how many there are, and what is wrong."""
    lines = (folder / "manifest.txt").read_text().splitlines()
    workers = os.cpu_count()
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        futures = [pool.submit(check_some, check, folder, lines[i::workers], argument) for i in range(workers)]
        return len(lines), [fault for future in futures for fault in future.result()]
