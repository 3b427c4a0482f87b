"""Kills a firmware on an emulated board again and again while it logs to its SD card: whatever was said to be durable is in
the file, which every reader opens, and the next boot continues it.

Usage: kill_logger.py FIRMWARE FOLDER [exfat MPQ]   (exfat: on a card of 64 GB, instead of a FAT32 of 64 MB)
"""
import pathlib
import random
import re
import subprocess
import sys

import numpy
import pyarrow.parquet as pq

import emulated_board
import exfat_check
import fat_check
import log_readers

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "sd_logger"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import card as cards  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

BOOTS = 40
BOOTS_PER_CHECK = 5  # by all readers, which takes seconds in the end; by pyarrow after each
MEGABYTES = 64  # QEMU takes powers of two

checks = Checks()
check = checks.check


def make_card(card, is_exfat):
    if is_exfat:
        cards.make(card, 64 << 10, cards.EXFAT)
        return
    card.write_bytes(b"")
    with card.open("r+b") as file:
        file.truncate(MEGABYTES << 20)
    subprocess.run(["mkfs.fat", "-F", "32", "-s", "1", card], check=True, stdout=subprocess.DEVNULL)


def copy_log(card, copy):
    """Whether there is a file with bytes."""
    if cards.is_exfat(card):
        number = dict(cards.exfat_files(card)).get("/LOG.PQT")
        with copy.open("wb") as file:
            copied = number and subprocess.run(["icat", card, number], stdout=file, check=True)
        return copied is not None and copy.stat().st_size != 0
    copied = subprocess.run(["mcopy", "-n", "-i", card, "::LOG.PQT", copy], capture_output=True, check=False)
    return copied.returncode == 0 and copy.stat().st_size != 0


def read_rows(copy, by_all):
    """The rows of each boot, as [number of the boot, rows]."""
    boots = []
    table = log_readers.read(copy, debris=True) if by_all else pq.read_table(copy, page_checksum_verification=True)
    ids = table.column("id").to_numpy()
    numbers, rows = ids >> 32, ids & 0xFFFFFFFF
    begins = numpy.flatnonzero(numpy.diff(numbers, prepend=-1))
    for begin, end in zip(begins, [*begins[1:], len(ids)]):
        wrong = numpy.flatnonzero(rows[begin:end] != numpy.arange(end - begin))
        if wrong.size != 0:
            raise ValueError(f"boot {numbers[begin]}: row {rows[begin + wrong[0]]} follows row {wrong[0] - 1}")
        boots.append([int(numbers[begin]), int(end - begin)])
    return boots


def complaint_of_fsck(card, mpq, found):
    """Where fsck.exfat -p would make the log longer, `mpq recover` has to find the same rows after it."""
    if mpq is None:
        return fat_check.complaints(card, "cut")
    complaint = exfat_check.complaints(card)
    longer = exfat_check.lengthened(complaint, card)
    if longer is None:
        return complaint
    copy = longer.with_suffix(".parquet")
    copy_log(longer, copy)
    longer.unlink()
    subprocess.run([mpq, "recover", copy], stdout=subprocess.DEVNULL, check=False)
    recovered = read_rows(copy, by_all=False)
    return "" if recovered[:-1] == found[:-1] and recovered[-1][1] >= found[-1][1] else f"{recovered} after it, {found} before"


def main():
    firmware, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    card, copy = folder / "card.img", folder / "log.parquet"
    mpq = sys.argv[4] if sys.argv[3:4] == ["exfat"] else None
    make_card(card, mpq is not None)
    chance = random.Random(1)
    before = []
    killed = durable_rows = 0
    for number in range(1, BOOTS + 1):
        # A line is printed by each checkpoint. A few boots are killed before the first one.
        output, code = emulated_board.cut(firmware, str(number), card, max(0, chance.randrange(-2, 12)), chance.uniform(0, 0.3))
        killed += code < 0
        durable = max([int(rows) for rows in re.findall(r"^(?:durable|closed) (\d+)$", output, re.M)], default=0)
        durable_rows += durable
        if code > 0:
            check(f"boot {number}", output)
        try:
            found = read_rows(copy, by_all=number % BOOTS_PER_CHECK == 0) if copy_log(card, copy) else None
        except log_readers.ERRORS as error:
            check(f"boot {number}", str(error))
            break
        if found is None:
            check(f"boot {number}", "no file" if before or durable else "")
            continue
        fault = "" if found[:len(before)] == before else f"rows of earlier boots: {before}, now {found}"
        rest = found[len(before):]
        if not fault and (len(rest) > 1 or (rest and rest[0][0] != number)):
            fault = f"rows of other boots: {rest}"
        rows = rest[0][1] if rest else 0
        if not fault and rows < durable:
            fault = f"{rows} rows, but {durable} were durable"
        check(f"boot {number}", fault)
        check(f"fsck after boot {number}", complaint_of_fsck(card, mpq, found))
        before = found
    check("the emulator was killed, and rows were durable", "" if killed > BOOTS / 2 and durable_rows > 1000 else
          f"{killed} times, {durable_rows} rows")
    print(f"{BOOTS} boots, {killed} killed, {durable_rows} rows said to be durable, {sum(rows for _, rows in before)} found")
    return checks.finish()


sys.exit(main())
