"""The example rtos_logger with threads, under ThreadSanitizer: three tasks and one volume, on as many cores as there are.
Without the mutex the sanitizer has to notice. And the code of its page, by declarations of FreeRTOS over threads.

Usage: check_threads.py FOLDER-OF-PROGRAMS FOLDER
"""
import os
import pathlib
import re
import subprocess
import sys

import task_files

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import fat_check  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

RACE = 66  # the exit code that is asked for below
SAMPLES = 4000
# From one sample to the next, in microseconds; 0: at once, so that the queue is full and rows are dropped.
PERIODS = (500, 0)

checks = Checks()


def make_card(card):
    card.write_bytes(b"")
    os.truncate(card, 64 << 20)
    subprocess.run(["mkfs.fat", "-F", "32", "-s", "1", card], check=True, stdout=subprocess.DEVNULL)


def run(program, card, period):
    words = [card, SAMPLES] if period is None else [card, SAMPLES, period]
    environment = dict(os.environ, TSAN_OPTIONS=f"halt_on_error=1 exitcode={RACE}")
    return subprocess.run([program, *map(str, words)], env=environment, capture_output=True, text=True,
                          timeout=600, check=False)


def check_boots(program, card):
    """Two boots on one card: the second continues what the first has left."""
    rows, lines = 0, []
    for period in PERIODS:
        name = f"a sample each {period} us"
        result = run(program, card, period)
        checks.check(f"{name}: no data race", "" if result.returncode == 0 else result.stderr[:4000])
        facts = task_files.said(result.stdout)
        if not facts:
            return
        lines.append(facts["lines"])
        checks.check(f"{name}: the log", task_files.fault_of_log(card, SAMPLES, facts, rows))
        checks.check(f"{name}: the notes", task_files.fault_of_notes(card, lines))
        checks.check(f"{name}: fsck.fat", fat_check.complaints(card, "closed"))
        print(f"{name}: {result.stdout.strip()}")
        rows = facts["rows"]
    checks.check_that("there are rows of both", rows > SAMPLES, rows)
    checks.check_that("rows were dropped", facts["dropped"] > 0, facts)
    checks.check_that("the notes were written meanwhile", lines[0] > 10, lines)


def check_page(program, card):
    """The page's code ends without closing the log: what it said to be durable is there."""
    result = run(program, card, None)
    checks.check("the page's code: no data race", "" if result.returncode == 0 else result.stderr[:4000])
    durable = re.search(r"^durable (\d+)$", result.stdout, re.M)
    checks.check_that("the page's code: rows are durable", durable and int(durable[1]) >= SAMPLES, result.stdout)
    if durable:
        checks.check("the page's code: the log", task_files.fault_after_cuts(card, int(durable[1])))
        checks.check("the page's code: fsck.fat", fat_check.complaints(card, "cut"))


def main():
    programs, folder = (pathlib.Path(word) for word in sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    card = folder / "threads.img"
    make_card(card)
    check_boots(programs / "rtos_logger", card)
    make_card(card)
    code = run(programs / "rtos_logger_unlocked", card, PERIODS[0]).returncode
    checks.check_that("without the mutex there is a data race", code == RACE, f"exit code {code}")
    make_card(card)
    check_page(programs / "rtos_page", card)
    for name, words in (("without words", []), ("without a card", [folder / "none.img", "10"])):
        result = subprocess.run([programs / "rtos_logger", *words], capture_output=True, text=True, check=False)
        checks.check_that(name, result.returncode in (1, 2) and "rtos_logger" in result.stderr, result)
    return checks.finish()


sys.exit(main())
