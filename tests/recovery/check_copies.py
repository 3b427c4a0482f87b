#!/usr/bin/env python3
"""Recovers logs with dictionaries whose last footer is damaged, and copies that end early.

check_copies.py PROGRAMS FOLDER [--figures]: --figures prints how much of what is whole comes back. MICROPARQUET_LONG takes every
bit of the last footer and every length, else it is one in 16, or 128 of logs of other settings than one has without options. The
last line is "N passed, N failed".
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / folder) for folder in ("checker", "support")]

from checks import Checks  # pylint: disable=wrong-import-position
from log_state import RowGroup  # pylint: disable=wrong-import-position
from own_structures import HISTORY_GAP, all_footers  # pylint: disable=wrong-import-position
from parquet_checker import Options, check_bytes  # pylint: disable=wrong-import-position

ROWS = 2000
MOST_MISSING = 4000  # bytes of a copy that ends early
LENGTHS = 100  # of copies that end anywhere
USUAL = ("csv_log_default", "csv_log_checkpoints", "host_log_default", "writer_closed")


class Log:
    def __init__(self, path, block=None):
        self.path, self.data = path, path.read_bytes()
        report = check_bytes(self.data, Options(debris=True, block_bytes=block))
        self.complaints = [str(complaint) for complaint in report.complaints]
        groups = [RowGroup(self.data[group.start:group.end], group) for group in report.footer.row_groups]
        self.groups = groups
        self.whole = [(group.end, group.rows) for group in groups]
        self.dictionaries = sum(sum(group.dictionaries) for group in groups)
        self.rows = sum(rows for _, rows in self.whole)
        self.footer = len(self.data) - 8 - int.from_bytes(self.data[-8:-4], "little")

    def rows_in(self, length):
        """In row groups of which all pages and dictionaries are whole in that many bytes."""
        return sum(rows for end, rows in self.whole if end <= length)

    def proved_from(self):
        """The end of the first footer after which the log was continued, of one that was cut off: a copy that ends before does not
        prove which rows were void then (port/desktop/recovery/DESIGN.md)."""
        if self.path.stem != "writer_continued":
            return 0
        footers = all_footers(self.data, len(self.groups[0].chunks))
        return next(footer.end for footer in footers if footer.genuine() and footer.extension.sequence > HISTORY_GAP)

    def cases(self, step):
        """Damages a file in all ways; with the number of rows that must come back for each."""
        begin = self.proved_from()
        for bit in range(8 * self.footer, 8 * len(self.data), step):
            yield f"bit {bit}", self.rows
        lengths = {len(self.data) - missing for missing in (*range(1, 9), *range(9, MOST_MISSING + 1, step))}
        lengths |= {len(self.data) * part // LENGTHS for part in range(1, LENGTHS)}
        for length in sorted(length for length in lengths if length > 0):
            yield f"cut {length}", self.rows_in(length) if length >= begin else 0

    def recovered(self, programs, cases):
        """(rows, wrong ones) of each."""
        lines = "".join(case + "\n" for case in cases)
        result = subprocess.run([programs / "damaged_copies", self.path], input=lines, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return [tuple(int(word) for word in line.split()[::2]) for line in result.stdout.splitlines()]


class Maker:
    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder

    def run(self, program, *arguments):
        result = subprocess.run([self.programs / program, *map(str, arguments)], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise RuntimeError(f"{program} {arguments}: {result.stdout}{result.stderr}")

    def table(self, rows):
        """A CSV file of these rows: numbers of which there are few, and texts."""
        path = self.folder / f"{rows.start}_{rows.stop}.csv"
        values = [(row, row * 7 % 50 / 4, f"name {row * row % 300}", f"state {row // 40 % 7}") for row in rows]
        path.write_text("n,v,text,state\n" + "".join(f"{n},{v},{text},{state}\n" for n, v, text, state in values), encoding="utf-8")
        return path

    def csv_log(self, name, *options):
        out = self.folder / f"csv_log_{name}.parquet"
        self.run("csv_log", self.table(range(ROWS)), out, "--overwrite", *options)
        return out

    def csv_log_added(self):
        out = self.folder / "csv_log_added.parquet"
        self.run("csv_log", self.table(range(ROWS // 2)), out, "--overwrite", "--checkpoint-rows", 300)
        self.run("csv_log", self.table(range(ROWS // 2, ROWS)), out, "--append", "--checkpoint-rows", 300)
        return out

    def host_log(self, name, *options):
        out = self.folder / f"host_log_{name}.parquet"
        self.run("host_log", out, "--overwrite", "--hz", 1000, "--seconds", ROWS / 1000, *options)
        return out

    def writer(self, name, settings, *calls):
        """Runs the library's writer, as tests/compatibility has it."""
        out = self.folder / f"writer_{name}.parquet"
        out.unlink(missing_ok=True)
        self.run("write_log", out, *settings.split(), *calls)
        return out

    def all(self):
        yield self.csv_log("default")
        yield self.csv_log("checkpoints", "--checkpoint-rows", 300)
        yield self.csv_log("row_groups", "--rows-per-group", 400)
        yield self.csv_log("index", "--rows-per-group", 400, "--page-index", "--checkpoint-rows", 150)
        yield self.csv_log_added()
        yield self.host_log("default")
        yield self.host_log("checkpoints", "--checkpoint-seconds", 0.1)
        yield self.writer("closed", "strings in_place+small 512 whole 8192", "open", "log=2000", "close")
        yield self.writer("checkpoints", "numbers in_place+small 1024 whole 0",
                          "open", *["log=250", "checkpoint"] * 7, "log=250", "close")
        yield self.writer("continued", "optional in_place+small 512 part 8192",
                          "open", "log=700", "checkpoint", "log=90", "cut", "resume", "log=700", "close", "resume", "log=600", "close")
        yield self.writer("blocks", "strings in_place+small 512 blocks 30000", "open", "log=900", "checkpoint", "log=1100", "close")
        yield self.writer("uncheckpointed", "types uncheckpointed+small 512 whole 16384", "open", "log=2000", "close")
        yield self.writer("forward", "strings forward+small 512 part 20000", "open", "log=1100", "checkpoint", "log=900", "close")


class Copies:
    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.long = bool(os.environ.get("MICROPARQUET_LONG"))
        self.checks = Checks()
        self.whole = self.back = 0

    def run(self):
        for path in Maker(self.programs, self.folder).all():
            self.check_log(Log(path, 4096 if path.stem == "writer_blocks" else None))
        self.check_exchanged()

    def check_log(self, log):
        name = log.path.stem
        self.checks.check_that(f"{name}: the checker holds it for right", not log.complaints, log.complaints)
        self.checks.check_that(f"{name}: it has dictionaries", log.dictionaries)
        cases = list(log.cases(1 if self.long else 16 if name in USUAL else 128))
        results = log.recovered(self.programs, [case for case, _ in cases])
        self.whole += sum(rows for _, rows in cases)
        self.back += sum(min(rows, expected) for (rows, _), (_, expected) in zip(results, cases))
        lost = [(case, expected, rows) for (case, expected), (rows, _) in zip(cases, results) if rows < expected]
        wrong = [case for (case, _), (_, wrong) in zip(cases, results) if wrong]
        self.checks.check_that(f"{name}: rows come back of {len(cases)} copies", not lost, f"{len(lost)} do not: {lost[:3]}")
        self.checks.check_that(f"{name}: none of them is wrong", not wrong, wrong[:3])

    def check_exchanged(self):
        """Two dictionaries of the same values in another order, each in the other's place: all pages have their checksums, all
        columns their bounds."""
        chance = random.Random(1)
        orders = [chance.sample(range(40), 40) for _ in range(2)]
        rows = [(row, *(f"{order[row % 40]:02}" for order in orders)) for row in range(ROWS)]
        table, out = self.folder / "exchanged.csv", self.folder / "exchanged.parquet"
        table.write_text("n,a,b\n" + "".join(f"{n},x{a},x{b}\n" for n, a, b in rows), encoding="utf-8")
        Maker(self.programs, self.folder).run("csv_log", table, out, "--overwrite", "--codec", "none")
        log = Log(out)
        metas = [chunk.meta_data for chunk in log.groups[0].record.columns if chunk.meta_data.dictionary_page_offset is not None]
        places = [(meta.dictionary_page_offset, meta.data_page_offset - meta.dictionary_page_offset) for meta in metas]
        self.checks.check_that("two dictionaries are of one length", len(places) == 2 and places[0][1] == places[1][1], places)
        (first, size), (second, _) = places
        case = f"swap {first} {second} {size}; bit {8 * log.footer}"
        self.checks.check_that("exchanged dictionaries are not used", log.recovered(self.programs, [case]) == [(0, 0)])
        changed = bytearray(log.data)
        changed[first:first + size], changed[second:second + size] = log.data[second:second + size], log.data[first:first + size]
        (self.folder / "changed.parquet").write_bytes(changed)
        said = subprocess.run([self.programs / "mpq", "verify", self.folder / "changed.parquet"], capture_output=True, text=True, check=False)
        self.checks.check_that("mpq verify finds them", said.returncode == 1 and "its dictionaries are not those" in said.stdout, said)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].split(":")[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--figures", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    copies = Copies(arguments.programs, arguments.folder)
    copies.run()
    if arguments.figures:
        print(f"recover.dictionary_rows {int(1000 * copies.back / copies.whole) / 10:g} percent")
        return copies.checks.failed != 0
    return copies.checks.finish()


sys.exit(main())
