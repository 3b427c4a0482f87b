"""Logs on an emulated RP2040, through drivers of cards that are not this project's, onto a model of a card that is busy and whose power
fails; each image is read by pyarrow.

Usage: check_board.py FIRMWARE_FOLDER RP2040JS_MODULE BOOTROM [--every-block] [TEXT]   (TEXT: only the logs whose name has it)
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

FIRMWARE, RP2040JS, BOOTROM = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
EVERY_BLOCK = "--every-block" in sys.argv
TEXT = next((text for text in sys.argv[4:] if not text.startswith("--")), "")
ROWS = 120
MORE_ROWS = 20  # after a cut
CHECKPOINT_ROWS = 20

checks = Checks(shows_passed=True)
check = checks.check


def new_card(path):
    with open(path, "wb") as image:
        image.truncate(40 << 20)
    subprocess.run(["mkfs.fat", "-F", "32", "-s", "1", path], stdout=subprocess.DEVNULL, check=True)


def boot(firmware, image, forward, dedicated, rows=ROWS, **trouble):
    options = {"rp2040js": str(RP2040JS), "bootrom": str(BOOTROM), "settings": [forward, dedicated, rows, CHECKPOINT_ROWS], **trouble}
    said = subprocess.run(["node", HERE / "board/run_board.mjs", FIRMWARE / f"{firmware}.bin", image, json.dumps(options)],
                          capture_output=True, text=True, check=True).stdout
    return json.loads(said.splitlines()[-1])


def first_after_root(image):
    """The first block of a FAT32 volume, whose clusters are blocks, after the tables and the root."""
    boot_block = image.read_bytes()[:512]
    reserved, tables = int.from_bytes(boot_block[14:16], "little"), boot_block[16]
    return reserved + tables * int.from_bytes(boot_block[36:40], "little") + 1


def blocks_to_cut(written, image):
    """The numbers of the blocks at which the power fails: those of tables and the root, which decide, and some of the others."""
    numbers = range(1, len(written) + 1)
    if EVERY_BLOCK:
        return list(numbers)
    decisive = [number for number in numbers if written[number - 1] < first_after_root(image)]
    return sorted(set(decisive[:16]) | set(decisive[-8:]) | set(numbers[::max(1, len(written) // 6)]))


def durable(result):
    return max([int(line.split()[1]) for line in result["lines"] if line.startswith("durable ")], default=0)


def rows_of(image):
    """How many rows the log has, or what is wrong with it."""
    path = image.with_suffix(".parquet")
    copied = subprocess.run(["mcopy", "-n", "-i", image, "::LOG.PQT", path], capture_output=True, check=False)
    if copied.returncode != 0:
        return 0
    try:
        if path.stat().st_size == 0:
            return 0
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        return str(error)
    finally:
        path.unlink(missing_ok=True)
    numbers = range(len(table))
    good = (table["number"].to_pylist() == list(numbers) and table["half"].to_pylist() == [n * 0.5 for n in numbers] and
            table["square"].to_pylist() == [n * n for n in numbers] and table["third"].to_pylist() == [n / 3 for n in numbers])
    return len(table) if good else "other values"


def life(way, name, **trouble):
    """A boot in which something happens, and one that continues. Returns what was wrong."""
    image = pathlib.Path(f"{'_'.join(map(str, way))}_{name}.img".replace(" ", "_"))
    new_card(image)
    first = boot(way[0], image, *way[1:], **trouble)
    before = rows_of(image)
    second = boot(way[0], image, *way[1:], rows=ROWS + MORE_ROWS)
    after = rows_of(image)
    image.unlink()
    faults = first["violations"] + second["violations"]
    if not isinstance(before, int) or before < durable(first):
        faults.append(f"{before} rows, and {durable(first)} were durable")
    if second["why"] != "ended" or second["lines"][-1] != "ended ok":
        faults.append(f"then {second['why']}: {second['lines'][-2:]}")
    if after != ROWS + MORE_ROWS:
        faults.append(f"then {after} rows")
    return "; ".join(faults)


def name_of(way):
    return f"{way[0]}, {'forward' if way[1] else 'in place'}{', dedicated SPI' if way[2] else ''}"


def check_way(way, pool):
    name = name_of(way)
    image = pathlib.Path("_".join(map(str, way)) + ".img")
    new_card(image)
    whole = boot(way[0], image, *way[1:])
    rows = rows_of(image)
    blocks = blocks_to_cut(whole["written"], image)
    image.unlink()
    good = whole["why"] == "ended" and whole["lines"][-1] == "ended ok" and not whole["violations"] and rows == ROWS
    check(f"{name}: a whole log", "" if good else f"{rows} rows; {whole['lines']}; {whole['violations']}")
    if not good:
        return
    faults = list(pool.map(lambda block: (block, life(way, f"block_{block}", cutAt=block)), blocks))
    check(f"{name}: cut at {len(faults)} of {len(whole['written'])} blocks", "\n".join(f"{block}: {text}" for block, text in faults if text))
    lines = [line for line in whole["lines"] if line.startswith("durable ")]
    faults = list(pool.map(lambda line: (line, life(way, line, cutAfter=line)), lines))
    check(f"{name}: cut after each of {len(lines)} checkpoints", "\n".join(f"{line}: {text}" for line, text in faults if text))


def main():
    ways = [("sdfat_log", forward, dedicated) for forward in (0, 1) for dedicated in (0, 1)]
    ways += [("fatfs_log", forward, 0) for forward in (0, 1)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for way in ways:
            if (FIRMWARE / f"{way[0]}.bin").exists() and TEXT in name_of(way):
                check_way(way, pool)
    return checks.finish()


sys.exit(main())
