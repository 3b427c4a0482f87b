"""The example low_power on the emulated board: each row of its sensor is in the file, in few sector writes, and a power cut
costs no row that was said to be durable.

Usage: check_low_power.py FIRMWARE FOLDER
"""
import concurrent.futures
import pathlib
import random
import re
import sys

import sensor_rows

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "sd_logger"))
import board  # pylint: disable=wrong-import-position
import card as sd_card  # pylint: disable=wrong-import-position
import emulated_board  # pylint: disable=wrong-import-position
import fat_check  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

# seconds that are logged, seconds of a burst, milliseconds between rows, bytes of a row, what the sensor gives
SENSORS = {
    "motion": (600, 10, 10, 32, sensor_rows.motion_rows),
    "air": (3600, 300, 1000, 20, sensor_rows.air_rows),
}
CUTS = 4
SWITCH = 0x40007008  # the pin of the card's supply, D1
EXCHANGES = 2
EXCHANGE_SECONDS = 200

checks = Checks()


def run(firmware, folder, sensor, durable):
    """Returns the card, what was printed, and the exit code."""
    card = folder / f"{sensor}{'_durable' if durable else ''}.img"
    words = f"{sensor} {SENSORS[sensor][0]}{' durable' if durable else ''}"
    return card, *emulated_board.run(firmware, words, card)


def check_run(name, sensor, durable, card, output, code):
    """Returns how many sectors it wrote."""
    seconds, burst_seconds, period_ms, row_bytes, rows_of = SENSORS[sensor]
    report = {key: int(value) for key, value in re.findall(r"^(\w+) (\d+)$", output, re.M)}
    checks.check(f"{name}: it ends", "" if code == 0 and "sector_writes" in report else f"code {code}: {output[-200:]}")
    if "sector_writes" not in report:
        return 0
    rows = seconds * 1000 // period_ms
    log = sensor_rows.Log(card, "LOG.parquet", rows_of, period_ms)
    checks.check(f"{name}: the file", log.fault)
    counts = (log.rows, log.dropped, report["rows"], report["dropped"])
    checks.check(f"{name}: no row is missing", "" if counts == (rows, 0, rows, 0) else f"{counts} of {rows}")
    checks.check(f"{name}: fsck.fat", fat_check.complaints(card, "closed"))
    bursts = seconds // burst_seconds
    checks.check(f"{name}: the card is on once a burst", "" if bursts - 1 <= report["bursts"] <= bursts else f"{report}")
    for on_ms in report["card_us"] // 1000, report["ticks_with_card"] * 10:
        off = 0 < on_ms < seconds * 1000 // 50
        checks.check(f"{name}: the card is off nearly all the time", "" if off else f"{report}")
    said = [int(each) for each in re.findall(r"^durable (\d+)$", output, re.M)]
    in_a_burst = burst_seconds * 1000 // period_ms
    late = [number for number, each in enumerate(said, 1) if each < number * in_a_burst]
    if durable:
        checks.check(f"{name}: each burst makes its rows durable", f"not burst {late[0]}: {said}" if late else "")
    else:
        checks.check(f"{name}: rows become durable, but not in each burst", "" if late and said[-1] else f"{said}")
    data = rows * row_bytes // 512  # sectors; what close() writes is not counted
    checks.check(f"{name}: sector writes", "" if 0.9 * data < report["sector_writes"] < 2 * data else f"{report}")
    print(f"{name}: {rows} rows in {seconds} s, {report['bursts']} bursts, {report['sector_writes']} sector writes, "
          f"card on for {report['card_us'] / 1000:.0f} ms, writer {report['writer_bytes']} bytes, "
          f"queue {report['queue_bytes']} bytes")
    return report["sector_writes"]


def check_cuts(firmware, card):
    """A line is printed in each burst, so that power fails in one of them or after it, and long before the end."""
    chance = random.Random(1)
    seconds, _, period_ms, _, rows_of = SENSORS["motion"]
    for number in range(CUTS):
        emulated_board.make_card(card)
        output, code = emulated_board.cut(firmware, f"motion {10 * seconds} durable", card,
                                          chance.randrange(1, 50), chance.uniform(0, 0.05))
        log = sensor_rows.Log(card, "LOG.parquet", rows_of, period_ms)
        said = int(re.findall(r"^durable (\d+)$", output, re.M)[-1])
        checks.check(f"cut {number}: the power was cut, and rows were durable", "" if code < 0 < said else output[-200:])
        checks.check(f"cut {number}: the file", log.fault)
        checks.check(f"cut {number}: durable rows", "" if log.rows >= said else f"{log.rows} rows, but {said} were durable")
        checks.check(f"cut {number}: fsck.fat", fat_check.complaints(card, "cut"))


def exchange(machine, other):
    """Takes the card out and puts another one in, between two bursts."""
    machine.stop()
    while machine.word_at(SWITCH) != 0:
        machine.go_on()
        machine.wait("^durable")
        machine.stop()
    machine.pull()
    machine.put(other)
    machine.go_on()


def check_exchanges(firmware, folder, chance):
    """Another card is left alone, as is what is durable on the first one; the same card is continued."""
    _, _, period_ms, _, rows_of = SENSORS["motion"]
    first, second = folder / "first.img", folder / "second.img"
    for number in range(EXCHANGES):
        for other in second, first:
            for image in first, second:
                sd_card.make(image, 64, 32)
            before = second.read_bytes()
            with board.Board(firmware, first, f"motion {EXCHANGE_SECONDS} durable", serial="none") as machine:
                for _ in range(chance.randrange(1, 10)):
                    machine.wait("^durable")
                exchange(machine, other)
                code = machine.finish()
            name = f"exchange {number} for {other.stem}"
            fault = "" if code == (other == second) else f"code {code}: {machine.output[-3:]}"
            checks.check(f"{name}: it ends", fault)
            if other == second:
                checks.check(f"{name}: is said", "" if machine.output[-1] == "low_power: log: medium lost" else machine.output[-1])
            checks.check(f"{name}: the other card", "" if second.read_bytes() == before else "it was written")
            log = sensor_rows.Log(first, "LOG.parquet", rows_of, period_ms)
            said = max(int(line.split()[1]) for line in machine.output if line.startswith("durable"))
            checks.check(f"{name}: the file", log.fault)
            checks.check(f"{name}: durable rows", "" if log.rows >= said else f"{log.rows} rows, but {said} were durable")


def main():
    firmware, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    modes = [(sensor, durable) for sensor in SENSORS for durable in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(run, firmware, folder, *mode) for mode in modes]
        writes = {}
        for (sensor, durable), done in zip(modes, runs):
            name = f"{sensor}, {'durable' if durable else 'by options'}"
            writes[sensor, durable] = check_run(name, sensor, durable, *done.result())
    for sensor in SENSORS:
        fewer = 0 < writes[sensor, False] < writes[sensor, True]
        checks.check(f"{sensor}: fewer writes without a checkpoint in each burst", "" if fewer else f"{writes}")
    check_cuts(firmware, folder / "cut.img")
    check_exchanges(firmware, folder, random.Random(2))
    return checks.finish()


sys.exit(main())
