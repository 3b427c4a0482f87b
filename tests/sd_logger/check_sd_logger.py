"""Runs the firmware sd_logger on the emulated board with good and bad cards, and reads what it logged.

Usage: check_sd_logger.py FIRMWARE RECORDING FOLDER fat|exfat|without_exfat|in_place MPQ

The fourth word says what is on the cards, that the firmware's FatFs does not know exFAT, or that it logs in place. Else it logs a
stream: rows are durable half a minute after they were taken, and a file ends each minute. With MICROPARQUET_LONG=1 both sizes of FAT are tried where otherwise one is.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import pyarrow.parquet as pq

import card
from board import Board
from log_check import Log, numbers_of
from recorded_rows import Recording

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import exfat_check
import fat_check
from checks import Checks

FIRMWARE, RECORDING, FOLDER = sys.argv[1], Recording(sys.argv[2]), pathlib.Path(sys.argv[3])
MPQ = sys.argv[5]
DEVICE = "6A1B0042"
BEGAN_S = 1_795_334_400  # 2026-11-22T08:00:00Z
ALL = 4000  # samples of the recording
IN_PLACE = sys.argv[4] == "in_place"
PLAN = "in place: pages of 512 bytes" if IN_PLACE else "a stream: row groups of 16480 bytes"
RATE = 0.39772  # samples a millisecond
# The longest time until a row is durable: between two checkpoints, part of a row group, and the footer.
LOSS_MS = 60_000 if IN_PLACE else 30_000 + 2_000
FULL = 16 * ALL  # more than 2 MB hold
ONE_FILE = {"split_ms": 3_600_000}
LONG = os.environ.get("MICROPARQUET_LONG") == "1"
checks = Checks()
check = checks.check


def path_of(name):
    FOLDER.mkdir(parents=True, exist_ok=True)
    return FOLDER / re.sub("[ ,:]+", "-", name)  # a comma would be QEMU's


def read_log(name, image, debris=False):
    log = Log(card.copy_logs(image, path_of(f"{name}.files")), RECORDING, debris, in_place=IN_PLACE)
    check(f"{name}: pyarrow, DuckDB, checker, recording", log.fault)
    return log


def check_volume(name, image, left="closed"):
    if card.is_exfat(image):
        check(f"{name}: fsck.exfat", exfat_check.complaints(image))
    else:
        check(f"{name}: fsck.fat", fat_check.complaints(image, left))


def check_end(name, board, expected="complete"):
    code = board.finish()
    said = board.output[-1] if board.output else "nothing"
    check(f"{name}: ends", "" if said == expected and code == (expected != "complete") else f"{said}, exit code {code}")


def check_states(name, board, *states):
    """The states of the card, in the order in which the board said them."""
    found = []
    for line in board.output:
        state = re.match(r"\d+ ms, ([a-z -]+)[:;]", line)
        if state and (not found or found[-1] != state[1]):
            found.append(state[1])
    check(f"{name}: states", "" if found == list(states) else f"{found}")


def check_gap(name, files, samples, kept=0):
    """The samples that are missing are those that were dropped or lost, but for those that were `kept` though they counted as
    lost."""
    missing = samples - len(numbers_of(files))
    facts = files[-1].facts if files else {}
    counted = int(facts.get("rows_dropped", 0)) + int(facts.get("rows_lost", 0))
    check(f"{name}: the gap is counted", "" if missing == counted - kept else f"{missing} missing, {kept} kept, {facts}")
    return missing


def check_durable(name, output, log):
    """No row that was said to be durable is missing."""
    durable = {}
    for line in output:
        said = re.search(rf"LOG/{DEVICE}/(\d+/\d+)\.parquet, \d+ rows, (\d+) durable", line)
        if said:
            durable[said[1]] = max(durable.get(said[1], 0), int(said[2]))
    faults = [f"{file}: {rows}" for file, rows in durable.items()
              if rows > (len(log.files[file].numbers) if file in log.files else 0)]
    check(f"{name}: durable rows", ", ".join(faults))


def session_of(board):
    return next((int(said[1]) for line in board.output if (said := re.search(rf"LOG/{DEVICE}/(\d+)/", line))), 0)


def check_loss(name, board, files):
    """The power was cut: the session has all rows up to those of the last moments."""
    last_ms = max((int(said[1]) for line in board.output if (said := re.match(r"(\d+) ms, logging", line))), default=0)
    numbers = list(numbers_of(files))
    least = int(RATE * (last_ms - LOSS_MS))
    faults = [] if numbers == list(range(len(numbers))) else ["one is missing between two"]
    faults += [] if len(numbers) >= least else [f"{len(numbers)}, not {least}"]
    check(f"{name}: rows up to the last moments", ", ".join(faults))


def check_card_as_sold(name, megabytes):
    """A card that nobody has formatted: two boots log on it, of which the first is cut."""
    image = card.make_as_sold(path_of(f"{name}.img"), megabytes)
    with Board(FIRMWARE, image, samples=10 * ALL) as board:
        board.wait("^4[0-9]{4} ms, logging.* [1-9][0-9]* durable")
        board.cut_power()
        board.finish()
    with Board(FIRMWARE, image, samples=ALL) as second:
        check_end(name, second)
    check_states(name, second, "logging")
    volume = card.volume_as_sold(image)
    check_volume(name, volume, "resumed")
    log = read_log(name, volume, debris=True)
    check_durable(name, board.output, log)
    check_loss(name, board, log.session(1))
    check(f"{name}: the second has all rows", "" if len(numbers_of(log.session(2))) == ALL else "it has not")
    volume.unlink()
    image.unlink()


def check_good_card(name, megabytes, fat, cluster_sectors=None):
    image = card.make(path_of(f"{name}.img"), megabytes, fat, cluster_sectors)
    with Board(FIRMWARE, image, samples=ALL) as board:
        check_end(name, board)
    check_states(name, board, "logging")
    check(f"{name}: says its plan", "" if board.output[0].startswith(PLAN) else board.output[0])
    check_volume(name, image)
    log = read_log(name, image)
    files = log.session(1)
    names = card.names(image)
    check(f"{name}: one file", "" if names == [f"/LOG/{DEVICE}/00000001/00000001.parquet"] else str(names))
    check(f"{name}: all rows", "" if len(numbers_of(files)) == ALL else f"{len(numbers_of(files))} rows")
    facts = files[0].facts if files else {}
    units = {f"unit.{sensor}_{axis}": unit for sensor, unit in (("gyroscope", "deg/s"), ("accelerometer", "g")) for axis in "xyz"}
    expected = {**units, "unit.time_us": "us", "schema_version": "1",
                "device_id": DEVICE, "firmware_version": "1.0.0", "session": "00000001", "split": "00000001",
                "sampling_rate_hz": "397.72", "rows_dropped": "0", "rows_lost": "0", "files_removed": "0"}
    check(f"{name}: facts", "" if facts == expected else str(facts))
    image.unlink()


def check_cut_at_once(name, fat):
    """A file that was cut before its first checkpoint says where it is from; one of a boot that learns the time later says it."""
    image = card.make(path_of(f"{name}.img"), 64, fat)
    with Board(FIRMWARE, image, samples=10 * ALL) as board:
        board.wait(r"^0 ms, logging")
        time.sleep(0.5)
        board.cut_power()
        board.finish()
    facts = [file.facts for file in read_log(name, image, debris=True).files.values()]
    check(f"{name}: device, firmware, session", "" if [(fact.get("device_id"), fact.get("firmware_version"), fact.get("session"))
                                                       for fact in facts] == [(DEVICE, "1.0.0", "00000001")] else str(facts))
    began = "2026-11-22T08:00:00Z"
    with Board(FIRMWARE, image, samples=ALL, started_s=BEGAN_S, clock_ms=3000) as board:
        check_end(name, board)
    log = read_log(name, image, debris=True)
    last = log.files[max(log.files)].facts if log.files else {}
    check(f"{name}: when it began", "" if last.get("started_at") == began else str(last))


def check_rolling(name, fat, samples, dates=(), **split):
    """A stream knows its size when it makes a checkpoint. `dates`: what follows the numbers in the names, once the time is known."""
    image = card.make(path_of(f"{name}.img"), 64, fat)
    with Board(FIRMWARE, image, samples=samples, **split) as board:
        check_end(name, board)
    check_volume(name, image)
    log = read_log(name, image, debris=fat == card.EXFAT)  # there a file takes what the one before had reserved
    count = len(log.files)
    expected = [f"00000001/{i + 1:08}{dates[min(i, len(dates) - 1)] if dates else ''}" for i in range(count)]
    check(f"{name}: several files", "" if count >= 4 and list(log.files) == expected else str(list(log.files)))
    check(f"{name}: no row is lost between two", "" if list(numbers_of(log.session(1))) == list(range(samples)) else "one is")
    splits = [file.facts.get("split") for file in log.session(1)]
    check(f"{name}: each knows its number", "" if splits == [f"{i:08}" for i in range(1, count + 1)] else str(splits))


def check_late(name):
    """After 125 days the samples are more than 32 bits count."""
    image = card.make(path_of(f"{name}.img"), 64, 32)
    first = 2**32 - ALL // 2
    with Board(FIRMWARE, image, first=first, samples=ALL) as board:
        check_end(name, board)
    check_states(name, board, "logging")
    numbers = numbers_of(read_log(name, image).session(1))
    check(f"{name}: all rows", "" if numbers.tolist() == list(range(first, first + ALL)) else f"{len(numbers)} rows")


def check_recovery(name, image, board):
    """On FAT mpq recover finds all rows that had left the memory: those of the last moments were in it, or on their way."""
    out = path_of(f"{name}.recovered")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    said = subprocess.run([MPQ, "recover", image, "-o", out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    files = sorted(out.iterdir())
    rows = [number for file in files for number in pq.read_table(file, page_checksum_verification=True)["number"].to_pylist()]
    last_ms = max(int(line.split()[0]) for line in board.output if " ms, logging" in line)
    least = int(RATE * (last_ms - 2_000))
    check(f"{name}: recovered", "" if len(rows) >= least and rows == list(range(len(rows))) else f"{len(rows)}, not {least}: {said.stdout}")


def check_power_cuts(name, fat, chance):
    """Each boot begins a session; what the one before had reserved is free again then."""
    image = card.make(path_of(f"{name}.img"), 64, fat)
    outputs = []
    for _ in range(6):
        with Board(FIRMWARE, image, samples=10 * ALL) as board:
            board.wait(r"^0 ms, logging")
            board.wait(f"^{chance.randrange(3, 10)}0...? ms")
            time.sleep(chance.uniform(0, 0.2))
            board.cut_power()
            board.finish()
        check_volume(f"{name}: cut", image, "cut")
        if not outputs and fat != card.EXFAT and not IN_PLACE:
            check_recovery(name, image, board)
        outputs.append(board)
    with Board(FIRMWARE, image, samples=ALL) as board:
        check_end(name, board)
    check_volume(name, image, "resumed")
    log = read_log(name, image, debris=True)
    for number, cut in enumerate(outputs, 1):
        check_durable(name, cut.output, log)
        kept = session_of(cut) not in map(session_of, [*outputs[number:], board])  # a session without rows is begun again
        check_loss(f"{name}: {number}", cut, log.session(session_of(cut)) if kept else [])
    sessions = sorted({file.split("/")[0] for file in log.files})
    check(f"{name}: a session each", "" if sessions == [f"{i:08}" for i in range(1, len(sessions) + 1)] and len(sessions) > 5
          else str(sessions))
    check(f"{name}: the last is whole", "" if len(numbers_of(log.session(len(sessions)))) == ALL else "it is not")


def check_absent(name):
    image = card.make(path_of(f"{name}.img"), 64, 32)
    with Board(FIRMWARE, None, samples=5 * ALL) as board:
        check(f"{name}: is said", "" if board.wait(r"no card; [1-9]\d* dropped") else "it is not")
        board.put(image)
        check_end(name, board)
    check_states(name, board, "no card", "logging")
    check_volume(name, image)
    log = read_log(name, image)
    check(f"{name}: rows are missing", "" if check_gap(name, log.session(1), 5 * ALL) > 0 else "none is")
    with Board(FIRMWARE, None, samples=ALL) as board:
        check_end(f"{name} to the end", board, "given up")
    check_states(f"{name} to the end", board, "no card")


def check_unknown(name, unknown):
    before = unknown.read_bytes()
    image = card.make(path_of(f"{name}.img"), 64, 16)
    with Board(FIRMWARE, unknown, samples=5 * ALL) as board:
        check(f"{name}: is said", "" if board.wait("unknown file system; [1-9]") else "it is not")
        board.pull()
        board.put(image)
        check_end(name, board)
    check(f"{name}: nothing is written to it", "" if unknown.read_bytes() == before else "something is")
    check_volume(name, image)
    check_gap(name, read_log(name, image).session(1), 5 * ALL)


def check_full(name, fat):
    image = card.make(path_of(f"{name}.img"), 64, fat)
    card.fill(image, 2 << 20)
    other = card.make(path_of(f"{name}.other.img"), 64, fat)
    with Board(FIRMWARE, image, samples=FULL, **ONE_FILE) as board:
        check(f"{name}: is said", "" if board.wait("full.* [1-9][0-9]* dropped") else "it is not")
        board.pull()
        board.put(other)
        check_end(name, board)
    check_volume(name, image)
    check_volume(f"{name}: the other", other)
    first, second = read_log(name, image), read_log(f"{name}: the other", other)
    # Both cards have a file of that name.
    full = max((i for i, line in enumerate(board.output) if " ms, full" in line), default=0)
    swap = next((i for i in range(full, len(board.output)) if " ms, logging" in board.output[i]), full)
    check(f"{name}: goes on", "" if 0 < full < swap else f"lines {full}, {swap}")
    check_durable(name, board.output[:swap], first)
    check_durable(f"{name}: the other", board.output[swap:], second)
    files = first.session(1)
    check(f"{name}: up to its end", "" if len(numbers_of(files)) > (20_000 if IN_PLACE else 40_000) else f"{len(numbers_of(files))} rows")
    check_gap(name, files + second.session(1), FULL)


def check_drops(name, fat):
    """The oldest files make place, before the card is full."""
    image = card.make(path_of(f"{name}.img"), 64, fat)
    card.fill(image, 5 << 20)
    with Board(FIRMWARE, image, samples=12 * ALL, split_bytes=200_000, drop_oldest=1) as board:
        check_end(name, board)
    check_states(name, board, "logging")
    check_volume(name, image)
    log = read_log(name, image)
    files = log.session(1)
    numbers = list(numbers_of(files))
    check(f"{name}: the newest rows are there", "" if numbers == list(range(12 * ALL - len(numbers), 12 * ALL)) else "not all are")
    gone = int(next(iter(log.files)).split("/")[1]) - 1
    said = int(files[-1].facts.get("files_removed", "0"))
    check(f"{name}: the oldest are not, and counted", "" if gone > 1 and gone - 1 <= said <= gone else f"{gone} are gone, {said} counted")


def check_put_back(name, fat, chance):
    """Pulled at random times, and the log continues: what the card has kept is not lost. A file is given up that fails four
    times with the same rows: after three times it is waited for more."""
    progress = r"logging: (\S+), \d+ rows, (\d+) durable"
    image = card.make(path_of(f"{name}.img"), 64, fat)
    pulled = 0
    with Board(FIRMWARE, image, samples=25 * ALL, split_bytes=500_000) as board:
        while board.is_on() and pulled < 12:
            time.sleep(chance.uniform(0, 0.6))
            board.pull()
            if chance.random() < 0.5:
                board.wait("no card")
            time.sleep(chance.uniform(0, 0.05))
            board.put(image)
            pulled += 1
            before = now = board.wait(progress)
            while now and pulled % 3 == 0 and now.groups() == before.groups():
                now = board.wait(progress)
        check_end(name, board)
    check(f"{name}: it was pulled", "" if pulled > 5 else f"{pulled} times")
    check_volume(name, image, "resumed")
    log = read_log(name, image, debris=True)
    check_durable(name, board.output, log)
    # Pulled between two files it cannot be distinguished from another card, and gets another session.
    files = [file for _, file in sorted(log.files.items())]
    missing = check_gap(name, files, 25 * ALL)
    lost = int(files[-1].facts.get("rows_lost", -1))
    most = 0 if IN_PLACE else int(pulled * RATE * LOSS_MS)
    check(f"{name}: no more is lost than may be", "" if 0 <= lost <= most else f"{lost} rows")
    print(f"{name}: pulled {pulled} times, {lost} lost, {missing} of {25 * ALL} rows missing, {len(log.files)} files")


def last_counts(output):
    """How many rows there were, and how many of them durable, as said last."""
    counts = [re.search(r"parquet, (\d+) rows, (\d+) durable", line) for line in output]
    return next(((int(match[1]), int(match[2])) for match in reversed(counts) if match), (0, 0))


def check_swapped(name):
    first, second = (card.make(path_of(f"{name}.{i}.img"), 64, 32) for i in (1, 2))
    with Board(FIRMWARE, first, samples=16 * ALL, **ONE_FILE) as board:
        for image in (second, first):
            board.wait(r"logging: .*, [1-9]\d* durable")
            board.pull()
            board.put(image)
            check(f"{name}: is said", "" if board.wait("another card") else "it is not")
        check_end(name, board)
    logs = [read_log(f"{name}: {image.stem}", image, debris=True) for image in (first, second)]
    check_volume(name, second, "cut")
    check_volume(name, first, "resumed")
    check(f"{name}: sessions", "" if [list(log.files) for log in logs] ==
          [["00000001/00000001", "00000002/00000001"], ["00000001/00000001"]] else str([list(log.files) for log in logs]))
    swaps = [i for i, line in enumerate(board.output) if "another card" in line and "another card" not in board.output[i - 1]]
    check(f"{name}: twice", "" if len(swaps) == 2 else str(swaps))
    for log, begin, end in zip((logs[0], logs[1], logs[0]), (0, *swaps), (*swaps, None)):
        check_durable(name, board.output[begin:end], log)
    left = logs[0].session(1) + logs[1].session(1)
    files = left + logs[0].session(2)
    said = [last_counts(board.output[:swap]) for swap in swaps]
    lost = sum(rows - durable for rows, durable in said)
    counted = files[-1].facts.get("rows_lost") if files else None
    check(f"{name}: rows that were not durable are lost", "" if counted == str(lost) else f"{said}, {counted}")
    kept = sum(len(file.numbers) - durable for file, (_, durable) in zip(left, said))
    check_gap(name, files, 16 * ALL, kept)


def lying(image, lies):
    """A card that says it has written, and has not, where `lies` of QEMU's blkdebug say so."""
    rules = image.with_suffix(".rules")
    rules.write_text(f'[inject-error]\nevent = "none"\niotype = "write"\nerrno = "5"\n{lies}\n')
    return f"blkdebug:{rules}:{image}"


def check_lying(name, fat):
    image = card.make(path_of(f"{name}.img"), 64, fat)
    with Board(FIRMWARE, lying(image, 'once = "off"'), samples=5 * ALL) as board:
        check_end(f"{name}, always", board, "given up")
    check_states(f"{name}, always", board, "loses writes")
    check_volume(f"{name}, always", image)

    image = card.make(path_of(f"{name}.img"), 64, fat)
    with Board(FIRMWARE, image, samples=5 * ALL) as board:
        check_end(name, board)
    page = card.sector_of(image, next(iter(read_log(name, image).files.values())).first_page)
    for often, states in (("on", ["logging"]), ("off", ["logging", "loses writes", "logging"])):
        image = card.make(path_of(f"{name}.img"), 64, fat)
        with Board(FIRMWARE, lying(image, f'sector = "{page}"\nonce = "{often}"'), samples=8 * ALL) as board:
            check_end(f"{name}, once {often}", board)
        check_states(f"{name}, once {often}", board, *states)
        check_volume(f"{name}, once {often}", image, "resumed" if often == "on" else "cut")
        log = read_log(f"{name}, once {often}", image, debris=True)
        check_durable(f"{name}, once {often}", board.output, log)
        check_gap(f"{name}, once {often}", log.session(1), 8 * ALL)


def check_on_fat():
    check_cut_at_once("FAT32, cut at once", 32)
    check_good_card("FAT16, 64 MB", 64, 16)
    check_good_card("FAT32, 64 MB", 64, 32, 1)
    check_good_card("FAT32, 4 GB", 4 << 10, 32)
    check_good_card("FAT32, 8 GB", 8 << 10, 32)
    check_rolling("by size", 16, 14 * ALL, split_bytes=200_000)
    check_rolling("by time", 32, 5 * ALL, ["", "", "_20261122T0800Z"], split_ms=10_000, started_s=BEGAN_S, clock_ms=15_000)
    check_late("125 days")
    check_absent("absent")
    check_unknown("unknown file system", card.make_blank(path_of("blank.img"), 64))
    check_full("full, FAT32", 32)
    check_drops("the oldest go, FAT32", 32)
    check_swapped("swapped")
    check_lying("lying", 32)
    check_power_cuts("power cuts", 32, random.Random(1))
    check_put_back("put back, FAT16", 16, random.Random(2))
    if LONG:
        check_full("full, FAT16", 16)
        check_put_back("put back, FAT32", 32, random.Random(3))


def check_without_exfat():
    check_unknown("exFAT where it is unknown", card.make(path_of("unknown exFAT.img"), 64, card.EXFAT))


def check_in_place():
    check_cut_at_once("in place, cut at once", 32)
    check_good_card("in place, FAT32", 64, 32)
    check_full("in place, full", 32)
    check_power_cuts("in place, power cuts", 32, random.Random(6))
    check_put_back("in place, put back", 16, random.Random(2))
    if LONG:
        check_swapped("in place, swapped")


def check_on_exfat():
    check_good_card("exFAT, 64 MB", 64, card.EXFAT)
    check_card_as_sold("64 GB as it is sold", 64 << 10)
    check_rolling("exFAT, by size", card.EXFAT, 14 * ALL, split_bytes=200_000)
    check_power_cuts("exFAT, power cuts", card.EXFAT, random.Random(4))
    check_put_back("exFAT, put back", card.EXFAT, random.Random(5))


def main():
    {"fat": check_on_fat, "exfat": check_on_exfat, "without_exfat": check_without_exfat, "in_place": check_in_place}[sys.argv[4]]()
    return checks.finish()


sys.exit(main())
