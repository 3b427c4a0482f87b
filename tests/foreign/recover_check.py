#!/usr/bin/env python3
"""mpq recover --schema on files of other writers that end early, or are damaged in the middle, held against the whole ones.

recover_check.py MPQ FOLDER [--long] [--figures]: --long cuts all files at every hundredth, else some files at some places.
--figures prints how much of what is in whole pages comes back. The last line is "N passed, N failed".
"""
import argparse
import pathlib
import random
import subprocess
import sys

import pyarrow
import pyarrow.parquet

from programs import has_rust
from truth import Truth, compare_columns
from writers import CASES, arrow, duck

MOST_LOST = 0.001  # of the values in whole pages
# Nothing shows how many pages a row group of the first columns has if pages of columns that decode alike all have one length.
MORE_LOST = {"arrow-rs plain": 0.01}


class Tally:
    def __init__(self):
        self.present = self.delivered = self.wrong = self.passed = self.failed = 0

    def note(self, name, held, *seen):
        self.passed += held
        self.failed += not held
        if not held:
            print("FAILED:", name, *seen, file=sys.stderr)


class Recovery:
    def __init__(self, mpq, folder):
        self.mpq, self.folder = mpq, folder

    def run(self, data, other, *options):
        """The table that is recovered, none when there is none, and what was said; `unsure` is whether it may be wrong."""
        broken, out = self.folder / "broken", self.folder / "out.parquet"
        broken.write_bytes(data)
        result = subprocess.run([self.mpq, "recover", broken, "--schema", other, "-o", out, "--overwrite", *options],
                                capture_output=True, text=True)
        if result.returncode not in (0, 1, 2, 3) or result.stderr:
            raise RuntimeError(f"exit code {result.returncode}: {result.stderr}")
        self.unsure = result.returncode == 3
        return (pyarrow.parquet.read_table(out) if result.returncode != 2 else None), result.stdout


def hold(found, whole):
    """Values of a prefix of the rows: right and wrong ones."""
    rows = min(found.num_rows, whole.num_rows)
    pairs = [compare_columns(found.column(i).slice(0, rows), whole.column(i).slice(0, rows))
             for i in range(whole.num_columns)]
    return sum(right for right, _ in pairs), sum(wrong for _, wrong in pairs) + found.num_rows - rows


def check_cuts(name, truth, other, recovery, places, tally):
    present = delivered = wrong = 0
    for place in places:
        size = len(truth.data) * place // 100
        found, _ = recovery.run(truth.data[:size], other, "--partial", "--same-settings")
        right, bad = hold(found, truth.table) if found else (0, 0)
        present, delivered, wrong = present + truth.present(size), delivered + right, wrong + bad
        complete, _ = recovery.run(truth.data[:size], other)
        if complete and not complete.equals(truth.table.slice(0, complete.num_rows)):
            wrong += 1
    tally.present, tally.delivered, tally.wrong = tally.present + present, tally.delivered + delivered, tally.wrong + wrong
    tally.note(name, wrong == 0, wrong, "wrong values")
    tally.note(name, delivered >= (1 - MORE_LOST.get(name, MOST_LOST)) * present, delivered, "of", present, "values")
    print(f"{name:22} {100 * delivered / max(present, 1):8.3f} percent of {present}, {wrong} wrong", file=sys.stderr)


def check_damage(name, truth, other, recovery, times, tally):
    """Sectors of zeros and of noise in the middle: rows that come are rows of the file. Without checksums not all damage is
    seen. Where it is, nothing comes unless it is asked for, and that it may be wrong is said; where not, that it has none."""
    chance = random.Random(name)
    checksums = "crc" in name
    rows = set(map(repr, truth.table.drop_columns(["d"]).to_pylist()))
    kept = wrong = seen = unseen_wrong = 0
    for number in range(times):
        data = bytearray(truth.data[:-8])
        at = chance.randrange(8, len(data) // 512) * 512
        data[at:at + 512] = bytes(512) if number % 2 else chance.randbytes(512)
        found, said = recovery.run(bytes(data), other, *([] if checksums else ["--unchecked"]))
        bad = 0
        for row in found.drop_columns(["d"]).to_pylist() if found else []:
            kept += 1
            bad += repr(row) not in rows
        if checksums:
            tally.note(name + " damaged", not recovery.unsure and "no checksum" not in said, said)
            wrong += bad
            continue
        seen += recovery.unsure
        unseen_wrong += 0 if recovery.unsure else bad
        wrong += bad
        damaged = "and the file is damaged: values of them may be wrong ones" in said
        tally.note(name + " damaged", recovery.unsure == damaged and "pages have no checksum" in said, said)
        if recovery.unsure:
            sure, said = recovery.run(bytes(data), other)
            tally.note(name + " damaged", sure is None and "--unchecked" in said and not recovery.unsure, said)
    if checksums:
        tally.note(name + " damaged", wrong == 0, wrong, "wrong rows of", kept)
    else:
        tally.note(name + " damaged", seen > times // 4, "seen in only", seen, "of", times)
        print(f"{name} damaged: seen in {seen} of {times}; {wrong} wrong rows of {kept}, {unseen_wrong} of them where it is not",
              file=sys.stderr)
    tally.note(name + " damaged", kept > times * truth.table.num_rows // 4, "only", kept, "rows kept")


def alike(rows, seed):
    """Columns that decode alike, whose pages only their lengths tell apart."""
    chance = random.Random(seed)
    return pyarrow.table({f"c{i}": pyarrow.array([chance.random() for _ in range(rows)]) for i in range(12)})


def check_other_settings(folder, recovery, times, tally):
    """Whole files that end pages or row groups elsewhere, or are of another writer, make no value a wrong one, unless it is said
    that their settings are the same."""
    chance = random.Random(1)
    whole, other = folder / "whole.parquet", folder / "other.parquet"
    right = wrong = likely_wrong = 0
    for number in range(times):
        page_rows = chance.choice([500, 1000, 2000])
        for path, seed in ((whole, 1), (other, 2)):
            rows = alike(chance.choice([3000, 8000, 12000]), seed)
            if path == other and number % 4 == 3:
                duck("")(rows, path)
            else:
                arrow(use_dictionary=False, compression="none", max_rows_per_page=page_rows, write_batch_size=500,
                      row_group_size=chance.choice([1000, 2000, 2500, 6000]))(rows, path)
        table, data = pyarrow.parquet.read_table(whole), whole.read_bytes()
        for place in (2, 7, 17, 44, 90):
            found, _ = recovery.run(data[:len(data) * place // 100], other, "--partial")
            good, bad = hold(found, table) if found else (0, 0)
            right, wrong = right + good, wrong + bad
            found, _ = recovery.run(data[:len(data) * place // 100], other, "--partial", "--same-settings")
            likely_wrong += hold(found, table)[1] if found else 0
    tally.wrong += wrong
    tally.note("other settings", wrong == 0, wrong, "wrong values")
    tally.note("other settings", right > 3000 * times, "only", right, "values")
    tally.note("other settings, said to be the same", likely_wrong != 0, "this check shows nothing")


def check_messages(folder, recovery, tally):
    """Another schema is named, and nothing comes of a file that is no Parquet file."""
    name, table, write, _ = CASES[1]
    whole, other = folder / "whole.parquet", folder / "other.parquet"
    write(table(6000, 1), whole)
    write(table(6000, 2).select(["text", "id", "ok"]), other)
    found, said = recovery.run(whole.read_bytes()[:-500], other)
    tally.note("another schema", found is None and "where the other file has text, is a page of 5000 values" in said, said)
    write(table(6000, 2), other)
    found, said = recovery.run(bytes(100_000), other)
    tally.note("zeros", found is None, said)
    found, said = recovery.run(random.Random(1).randbytes(100_000), other)
    tally.note("noise", found is None, said)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mpq")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--only", default="", help="cases whose names hold it")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    recovery, tally = Recovery(options.mpq, options.folder), Tally()
    for number, (name, table, write, quick) in enumerate(CASES):
        if "arrow-rs" in name and not has_rust():
            print(f"{name}: no rustc of 1.88 or later; Debian 12 has it as cargo-web", file=sys.stderr)
            tally.failed += quick or options.long
            continue
        if not (quick or options.long) or options.only not in name:
            continue
        whole, other = options.folder / "whole.parquet", options.folder / "other.parquet"
        rows = 12_000
        write(table(rows, 1), whole)
        write(table(rows - 2000 * (number % 2), 2), other)
        truth = Truth(options.mpq, whole, pyarrow.parquet.read_table(whole))
        places = range(1, 100) if options.long else range(1 + number % 9, 100, 14)
        check_cuts(name, truth, other, recovery, places, tally)
        if "crc" in name or name == "pyarrow v2 zstd":
            check_damage(name, truth, other, recovery, 40 if options.long else 6, tally)
    check_other_settings(options.folder, recovery, 200 if options.long else 12, tally)
    check_messages(options.folder, recovery, tally)
    if options.figures:
        print(f"recover.foreign.values {100 * tally.delivered / tally.present:.3f} percent")
        print(f"recover.foreign.wrong {tally.wrong} values")
    else:
        print(f"{tally.passed} passed, {tally.failed} failed")
    return tally.failed != 0


if __name__ == "__main__":
    sys.exit(main())
