"""The example rtos_logger as firmware, on an emulated Cortex-M3 with an SD card: the logger interrupts the task that keeps
notes, finds the volume taken, and comes again; boots continue each other's file, also after power cuts. Without the mutex it
has to be noticed.

Usage: check_interrupts.py FOLDER-OF-FIRMWARE FOLDER
"""
import pathlib
import random
import re
import subprocess
import sys

import task_files

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "sd_logger"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import card as cards  # pylint: disable=wrong-import-position
import emulated_board  # pylint: disable=wrong-import-position
import fat_check  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

SAMPLES = 300
BOOTS = 2
CUTS = 4
MOST_STACK = 1536  # bytes, of the logger with FatFs, the card's driver and the interrupt that samples

checks = Checks()


def check_boots(firmware, card):
    emulated_board.make_card(card)
    rows, lines = 0, []
    for number in range(1, BOOTS + 1):
        output, code = emulated_board.boot(firmware, str(SAMPLES), card)
        facts = task_files.said(output)
        checks.check_that(f"boot {number} ends", code == 0 and facts, f"code {code}: {output}")
        if not facts:
            return
        print(output.splitlines()[-1])
        lines.append(facts["lines"])
        checks.check(f"boot {number}: the log", task_files.fault_of_log(card, SAMPLES, facts, rows))
        checks.check(f"boot {number}: the notes", task_files.fault_of_notes(card, lines))
        checks.check(f"boot {number}: fsck.fat", fat_check.complaints(card, "closed"))
        checks.check_that(f"boot {number}: no row is dropped", facts["dropped"] == 0, facts)
        checks.check_that(f"boot {number}: the volume was taken", facts["refused"] > 0, facts)
        checks.check_that(f"boot {number}: the stack", 0 < facts["stack"] <= MOST_STACK, facts)
        rows = facts["rows"]


def check_large_card(firmware, card):
    """A card of 64 GB with exFAT."""
    cards.make(card, 64 << 10, cards.EXFAT)
    output, code = emulated_board.boot(firmware, str(SAMPLES), card)
    facts = task_files.said(output)
    checks.check_that("64 GB, exFAT: ends", code == 0 and facts, f"code {code}: {output}")
    if not facts:
        return
    checks.check("64 GB, exFAT: the log", task_files.fault_of_log(card, SAMPLES, facts))
    checks.check("64 GB, exFAT: the notes", task_files.fault_of_notes(card, [facts["lines"]]))
    checks.check_that("64 GB, exFAT: the stack", 0 < facts["stack"] <= MOST_STACK, facts)
    print(output.splitlines()[-1])
    card.unlink()


def check_unlocked(firmware, card):
    """Two tasks in one volume at a time: what comes of it is said by the files, fsck.fat, or the program's end."""
    output, code = emulated_board.run(firmware, str(SAMPLES), card)
    facts = task_files.said(output)
    try:
        fault = (not facts or task_files.fault_of_log(card, SAMPLES, facts)
                 or task_files.fault_of_notes(card, [facts["lines"]]) or fat_check.complaints(card, "closed"))
    except (subprocess.CalledProcessError, UnicodeDecodeError) as error:  # a file that cannot be copied, or is no text
        fault = str(error)
    checks.check_that("without the mutex it goes wrong", code != 0 or fault)


def check_cuts(firmware, card):
    chance = random.Random(1)
    emulated_board.make_card(card)
    before = 0
    for number in range(1, CUTS + 1):  # a line is printed when rows have become durable
        output, code = emulated_board.cut(firmware, str(100 * SAMPLES), card, chance.randrange(2, 5), chance.uniform(0, 0.5))
        checks.check_that(f"cut {number}: the power was cut", code < 0, code)
        durable = max(map(int, re.findall(r"^durable (\d+)$", output, re.M)))
        checks.check_that(f"cut {number}: the log was continued", durable > before, durable)
        checks.check(f"cut {number}: fsck.fat", fat_check.complaints(card, "cut"))
        checks.check(f"cut {number}: the log", task_files.fault_after_cuts(card, durable))
        before = durable
    print(f"{before} rows were durable after {CUTS} cuts")


def main():
    firmware, folder = (pathlib.Path(word) for word in sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    card = folder / "interrupts.img"
    check_boots(firmware / "rtos_logger.elf", card)
    check_large_card(firmware / "rtos_logger.elf", folder / "large.img")
    check_unlocked(firmware / "rtos_logger_unlocked.elf", card)
    check_cuts(firmware / "rtos_logger.elf", card)
    return checks.finish()


sys.exit(main())
