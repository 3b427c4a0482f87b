#!/usr/bin/env python3
"""Runs the programs `lives` and `desktop_lives`, and gives what they leave to programs that know nothing of them.

    check_lives.py PROGRAMS FOLDER LIVES [--figures]

LIVES lives of the first, half as many of the second, but no more than 180 s of CPU take, and at least 300; with --long all of them in MICROPARQUET_LONG=1. Each
20th file, of very many some 2,000 in all, must have the same rows for pyarrow and DuckDB, and be right for `mpq verify` and
the strict checker. Damaged, `mpq recover` brings back none but their rows. Bugs that are put back must
be found. The last line is "N passed, N failed"; with --figures the figures are printed instead.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys

for folder in ("checker", "faults"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))

import duckdb
import numpy
import pyarrow
import pyarrow.parquet
import parquet_checker
from bugs import BUGS, SAVED_STREAMS, TAILED_LIVES

LEAST_LIVES = 300
CPU_SECONDS = 180
EVERY = 20
FILES_OF_A_LIFE = 42  # on average
MOST_FILES = 2000  # that are kept, about
DAMAGED = 300
PROCESSES = 2
TAILED = ("--first", "304", "--step", "6")  # lives whose checkpoints leave pages open: plan.cpp, choose_tails()
STREAMS = ("--first", "309", "--step", "10", "--stop")  # streams with saves: choose_saved_stream()
ONCE_FAILED = (7509, 11353, 13357, 25475, 63710)  # beyond the usual ones; as long as lives are drawn as they are
DESKTOP = "desktop"  # folder of the files of desktop_lives
DESKTOP_ONCE_FAILED = (1400181, 2100252, 13001516)
OPS = 1000  # of each kind at least, in as many lives
COUNTS = re.compile(r"^(\w+) (\d+)$", re.MULTILINE)
OPERATIONS = ("open", "resume", "append", "append_columns", "tick", "checkpoint", "save", "end_row_group", "set_key_value",
              "roll", "reconnect", "reset", "close")
WRONG = ("durable_rows_lost", "wrong_rows", "unreadable", "key_values", "loss_bound_exceeded", "calls")


class Counts:
    def __init__(self):
        self.passed = self.failed = 0

    def add(self, what, faults, count):
        """`count` cases, of which `faults` say what is wrong with some."""
        for fault in faults:
            print(f"FAILED: {fault}")
        self.failed += len(faults)
        self.passed += count - len(faults)
        print(f"{what}: {count - len(faults)} right, {len(faults)} wrong", flush=True)


def live(program, folder, lives):
    """Runs them in two processes; returns the sums of what they count, and the failures."""
    share = -(-lives // PROCESSES)
    limits = [] if os.environ.get("MICROPARQUET_LONG") == "1" else \
        ["--seconds", str(CPU_SECONDS / PROCESSES), "--least", str(LEAST_LIVES // PROCESSES)]
    every = max(EVERY, lives * FILES_OF_A_LIFE // MOST_FILES)
    runs = []
    for process in range(PROCESSES):
        images = folder / str(process)
        images.mkdir(parents=True)
        command = [program, "--first", str(process), "--step", str(PROCESSES), "--lives", str(share),
                   "--images", images, str(every), *limits]
        runs.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    sums, faults = {}, []
    for run in runs:
        output = run.communicate()[0]
        if run.returncode not in (0, 1):
            faults.append(f"{program.name} ended with {run.returncode}: {output[-300:]}")
        for name, count in COUNTS.findall(output):
            sums[name] = sums.get(name, 0) + int(count)
        failures = re.split(r"^FAILED: ", output.split("\nlives ")[0], flags=re.MULTILINE)[1:]
        faults += [failure.rstrip() for failure in failures]
    return sums, faults


def ids_by_pyarrow(path):
    table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
    return table["id"].to_numpy(), table


def check_image(path):
    """Checks a file; returns its fault, or None."""
    wanted = numpy.fromfile(path.with_suffix(".ids"), dtype="<i8")
    try:
        found, table = ids_by_pyarrow(path)
        relation = duckdb.sql("SELECT * FROM read_parquet(?)", params=[str(path)])
        other = relation.to_arrow_table()
    except (OSError, pyarrow.ArrowException, duckdb.Error) as error:
        return f"{path}: {type(error).__name__}: {error}"
    if not numpy.array_equal(found, wanted):
        return f"{path}: pyarrow finds other rows"
    if not numpy.array_equal(other["id"].to_numpy(), wanted):
        return f"{path}: DuckDB finds other rows"
    for name in table.column_names:
        if table[name].null_count != other[name].null_count:
            return f"{path}: pyarrow and DuckDB find other nulls in column {name}"
    block, length = (int(number) for number in path.stem.split("_")[-2:])
    seed = int(path.stem.split("_")[1])
    indexes = DESKTOP in path.parts or seed >= 300 and seed % 4 == 0  # plan.cpp, choose_index()
    options = parquet_checker.Options(debris=True, statistics_length=length, block_bytes=block, indexes_pages=indexes)
    report = parquet_checker.check_file(path, options)
    return f"{path}: the checker: {report.complaints[0]}" if report.complaints else None


def check_images(paths):
    return [fault for fault in map(check_image, paths) if fault]


def verify(programs, paths):
    """By mpq, many at once; then one by one those of a call that complains."""
    faults = []
    for first in range(0, len(paths), 100):
        some = paths[first:first + 100]
        if subprocess.run([programs / "mpq", "verify", *some], capture_output=True).returncode == 0:
            continue
        for path in some:
            run = subprocess.run([programs / "mpq", "verify", path], capture_output=True, text=True)
            if run.returncode != 0:
                faults.append(f"{path}: mpq verify: {(run.stdout + run.stderr).strip()[-300:]}")
    return faults


def damage(data, chance):
    """Some bytes are others, or missing, or those of another place, or the end is gone."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        kind, at = chance.randrange(5), chance.randrange(len(data))
        # Half of it where a footer is.
        if chance.random() < 0.5:
            at = max(0, len(data) - 1 - chance.randrange(min(len(data), 600)))
        size = chance.choice((1, 4, 64, 512))
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at:at + size] = chance.randbytes(len(data[at:at + size]))
        elif kind == 2:
            data[at:at + size] = bytes(len(data[at:at + size]))
        elif kind == 3:
            source = chance.randrange(len(data))
            piece = data[source:source + size]
            data[at:at + len(piece)] = piece
        elif len(data) > 64:
            del data[max(at, 32):]
    return bytes(data)


def is_part(rows, of):
    rest = iter(of)
    return all(row in rest for row in rows)


def recover_damaged(programs, paths):
    """mpq recover of damaged files: it ends with 0, 1 or 2, and what it writes has no rows but the file's own."""
    faults = []
    chance = random.Random(11)
    for case in range(DAMAGED):
        path = chance.choice(paths)
        hostile, out = path.parent / "hostile.parquet", path.parent / "recovered.parquet"
        hostile.write_bytes(damage(path.read_bytes(), chance))
        out.unlink(missing_ok=True)
        name = f"{path}, damaged, case {case}"
        try:
            run = subprocess.run([programs / "mpq", "recover", hostile, "-o", out], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            faults.append(f"{name}: mpq recover does not end")
            continue
        if run.returncode not in (0, 1, 2):
            faults.append(f"{name}: mpq recover ends with {run.returncode}: {run.stderr.strip()[-200:]}")
        elif out.exists():
            try:
                found = ids_by_pyarrow(out)[0].tolist()
            except (OSError, KeyError, pyarrow.ArrowException) as error:
                if subprocess.run([programs / "mpq", "verify", out], capture_output=True).returncode != 0:
                    faults.append(f"{name}: what is recovered cannot be read: {error}")
                continue
            # After the last footer there may be rows that were not durable.
            last = numpy.fromfile(path.with_suffix(".ids"), dtype="<i8")
            durable = set(last.tolist())
            if not is_part([row for row in found if row in durable], last.tolist()) or len(set(found)) != len(found):
                faults.append(f"{name}: rows are recovered twice, or in another order")
    return faults


def found_bug(programs, name):
    """The first life that a bug makes fail, and it alone; or None."""
    which = {TAILED_LIVES: TAILED, SAVED_STREAMS: STREAMS}.get(BUGS[name].attack, ())
    run = subprocess.run([programs / f"lives_without_{name}", "--lives", str(LEAST_LIVES), *which], stdout=subprocess.PIPE, text=True)
    for number, fault in re.findall(r"^FAILED: life (\d+): (.*)$", run.stdout, re.MULTILINE):
        sound = subprocess.run([programs / "lives", "--lives", "1", "--first", number], stdout=subprocess.DEVNULL)
        if sound.returncode == 0:
            return f"life {number}: {fault}"
    return None


def find_bugs(programs):
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        return dict(zip(BUGS, pool.map(lambda name: found_bug(programs, name), BUGS)))


def print_figures(sums, found):
    print(f"lives.lives {sums['lives']} lives")
    print(f"lives.boots {sums['boots']} boots")
    for name in ("durable_rows_lost", "wrong_rows", "unreadable", "loss_bound_exceeded"):
        print(f"lives.{name} {sums[name]} lives")
    print(f"lives.sabotages_found {sum(1 for fault in found.values() if fault)} bugs")


def main():
    programs, folder, lives = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    sums, faults = live(programs / "lives", folder, lives)
    if "--figures" in sys.argv:
        print_figures(sums, find_bugs(programs))
        return 0
    counts = Counts()
    print("\n".join(f"{name} {count}" for name, count in sums.items()))
    counts.add("lives", faults, sums["lives"])
    rare = [f"{name} was called {sums[name]} times only" for name in OPERATIONS
            if sums[name] < OPS * min(1, sums["lives"] / 1000)]
    counts.add("kinds of calls", rare, len(OPERATIONS))

    desktop_sums, faults = live(programs / "desktop_lives", folder / DESKTOP, lives // 2)
    counts.add("lives of programs on desktops", faults, desktop_sums["lives"])

    full = sums["files_at_their_limit"]
    counts.add("sizes of files", [f"{full} files came to the largest size that there is"] if full > sums["lives"] / 100 else [], 1)

    paths = sorted([*folder.glob("*/life_*.parquet"), *folder.glob(f"{DESKTOP}/*/life_*.parquet")])
    with concurrent.futures.ProcessPoolExecutor(PROCESSES) as pool:
        results = pool.map(check_images, [paths[i::PROCESSES] for i in range(PROCESSES)])
        counts.add("files read by pyarrow, DuckDB and the checker", [f for part in results for f in part], len(paths))
    counts.add("files verified by mpq", verify(programs, paths), len(paths))
    counts.add("damaged files recovered", recover_damaged(programs, paths), DAMAGED)

    again = [subprocess.run([programs / program, "--first", str(life), "--lives", "1"], stdout=subprocess.PIPE, text=True)
             for program, failed in (("lives", ONCE_FAILED), ("desktop_lives", DESKTOP_ONCE_FAILED)) for life in failed]
    counts.add("lives that once failed", [run.stdout.split("\n")[0] for run in again if run.returncode != 0], len(again))

    run = subprocess.run([programs / "lives", "--boots", "400", "--lives", "6"], stdout=subprocess.PIPE, text=True)
    failures = re.findall(r"^FAILED: (.*)$", run.stdout, re.MULTILINE)
    counts.add("files of 400 boots", failures or ([] if run.returncode == 0 else ["lives --boots 400"]), 6)
    found = find_bugs(programs)
    for name, fault in found.items():
        print(f"without {name}: {fault}")
    counts.add("bugs put back", [f"{name} is not missed" for name, fault in found.items() if not fault], len(found))
    print(f"{counts.passed} passed, {counts.failed} failed")
    return counts.failed != 0


if __name__ == "__main__":
    sys.exit(main())
