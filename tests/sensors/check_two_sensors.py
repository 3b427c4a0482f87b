"""The example two_sensors on the emulated board: both files hold each row of their sensor, rows become durable within the
bound that was computed, and a power cut costs none of them.

Usage: check_two_sensors.py FIRMWARE FOLDER
"""
import pathlib
import random
import re
import sys

import sensor_rows

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import emulated_board  # pylint: disable=wrong-import-position
import fat_check  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

# milliseconds between rows, what the sensor gives
FILES = {"MOTION.parquet": (10, sensor_rows.motion_rows), "AIR.parquet": (10_000, sensor_rows.air_rows)}
LOGGED_SECONDS = 1500  # of the slow sensor, more than a page
CUTS = 5
LATE = 2**32 // 1000 - 47  # what the clock says at the start of a run in which milliseconds exceed 32 bits; whole periods
LATE_SECONDS = 100

checks = Checks()


def facts(output, name):
    """The facts that the program printed of a file at its beginning and at its end."""
    lines = re.findall(rf"^{re.escape(name)} ((?:\w+ \d+ ?)+)$", output, re.M)
    return {key: int(value) for line in lines for key, value in re.findall(r"(\w+) (\d+)", line)}


def durables(output, name):
    """When rows became durable: [(milliseconds, rows)]."""
    found = re.findall(rf"^{re.escape(name)} at (\d+) durable (\d+)$", output, re.M)
    return [(int(ms), int(rows)) for ms, rows in found]


def fault_of_bound(output, name, period_ms):
    """The first row that was not durable yet is as old as a cut would have cost."""
    bound = facts(output, name)
    durable, oldest = 0, 0
    for at_ms, rows in durables(output, name):
        if at_ms - durable * period_ms > bound["loss_ms"] or at_ms // period_ms - durable > bound["loss_rows"]:
            return f"rows from {durable} on were durable at {at_ms} ms only, of {bound}"
        durable, oldest = rows, max(oldest, at_ms - durable * period_ms)
    return "" if oldest > bound["loss_ms"] / 4 else f"no row waited for longer than {oldest} ms, of {bound}"


def check_run(card, output, code):
    checks.check("it ends", "" if code == 0 else f"code {code}: {output[-200:]}")
    checks.check("fsck.fat", fat_check.complaints(card, "closed"))
    for name, (period_ms, rows_of) in FILES.items():
        rows = LOGGED_SECONDS * 1000 // period_ms
        log = sensor_rows.Log(card, name, rows_of, period_ms)
        said = facts(output, name)
        checks.check(f"{name}: the file", log.fault)
        counts = (log.rows, log.dropped, said.get("rows"), said.get("dropped"))
        checks.check(f"{name}: no row is missing", "" if counts == (rows, 0, rows, 0) else f"{counts} of {rows}")
        if not said:
            continue
        checks.check(f"{name}: loss bound", fault_of_bound(output, name, period_ms))
        print(f"{name}: {rows} rows; writer {said['writer_bytes']} bytes, queue {said['queue_bytes']} bytes, "
              f"all {said['all_bytes']} bytes; a cut costs {said['loss_ms'] / 1000:.0f} s, {said['loss_rows']} rows at the most")


def check_late(firmware, card):
    _, code = emulated_board.run(firmware, f"{LATE_SECONDS} {LATE}", card)
    checks.check("50 days: it ends", "" if code == 0 else f"code {code}")
    for name, (period_ms, rows_of) in FILES.items():
        log = sensor_rows.Log(card, name, rows_of, period_ms, LATE * 1000 // period_ms)
        rows = LATE_SECONDS * 1000 // period_ms
        checks.check(f"50 days: {name}: the file", log.fault)
        checks.check(f"50 days: {name}: no row is missing", "" if log.rows == rows else f"{log.rows} of {rows}")


def check_cut(number, card, output):
    for name, (period_ms, rows_of) in FILES.items():
        log = sensor_rows.Log(card, name, rows_of, period_ms)
        said = max((rows for _, rows in durables(output, name)), default=0)
        checks.check(f"cut {number}, {name}: the file", log.fault)
        checks.check(f"cut {number}, {name}", "" if log.rows >= said else f"{log.rows} rows, but {said} were durable")
    checks.check(f"cut {number}: fsck.fat", fat_check.complaints(card, "cut"))


def main():
    firmware, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    card = folder / "two_sensors.img"
    check_run(card, *emulated_board.run(firmware, str(LOGGED_SECONDS), card))
    check_late(firmware, card)
    chance = random.Random(1)
    for number in range(CUTS):  # the first two lines say what the sensors take, others when rows became durable
        emulated_board.make_card(card)
        output, code = emulated_board.cut(firmware, str(10 * LOGGED_SECONDS), card,
                                          chance.randrange(3, 12), chance.uniform(0, 1))
        checks.check(f"cut {number}: the power was cut", "" if code < 0 else output[-200:])
        check_cut(number, card, output)
    return checks.finish()


sys.exit(main())
