"""The example card_bench on the emulated board: its line, with cards that are good, missing, full or pulled out, and what it
leaves on them.

Usage: check_card_bench.py FIRMWARE FOLDER
"""
import pathlib
import subprocess
import sys
import time

for folder in ("cards", "filesystems", "sd_logger", "support"):
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / folder))
import card  # pylint: disable=wrong-import-position
import fat_check  # pylint: disable=wrong-import-position
import rows  # pylint: disable=wrong-import-position
from board import Board  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

FIRMWARE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
checks = Checks()
check, check_that = checks.check, checks.check_that


def check_end(name, board, place="", call=""):
    """One line, which speaks of that error, in a place that begins so, or of none. Returns what it says."""
    code = board.finish()
    check_that(f"{name}: one line", len(board.output) == 1, board.output)
    line, fault = rows.read_line(board.output[0] if board.output else "")
    check(f"{name}: its shape", fault)
    if fault:
        return None
    check_that(f"{name}: the emulator is named", line["is_emulated"] and "times mean nothing" in line["driver"])
    error = line["error"] or {"place": "", "call": ""}
    as_told = error["place"].startswith(place) and error["call"].startswith(call) and bool(error["place"]) == bool(place)
    check_that(f"{name}: error", as_told, error)
    check_that(f"{name}: exit code", code == (1 if place else 0), code)
    return line


def is_on(image):
    return any("CARDBNCH" in name for name in card.names(image))


def check_rows(good):
    """Lines that card_bench does not print are refused."""
    for was, becomes in (('"writes":', '"Writes":'), ('"us_mean":', '"us_mean":-'), ('"is_file_left":false', '"is_file_left":0'),
                         ('"error":null', '"error":null,"more":1'), ('"clock_hz":', '"clock_hz":"'), ('"card_bench":1', '"card_bench":2'),
                         ('"bytes_written":', '"bytes_written":1'), ('{"card_bench":1', '{"card_bench":1,"card_bench":1'), ("}", "")):
        check_that(f"rows.py refuses {becomes}", was in good and rows.read_line(good.replace(was, becomes, 1))[1])


def check_pulled(image):
    """Pulled out in the middle, and put in again: the next run finds the file, and removes it."""
    name = "pulled out"
    with Board(FIRMWARE, image) as board:
        gives_up = time.monotonic() + 60
        while time.monotonic() < gives_up and image.stat().st_blocks * 512 < 4 << 20:
            time.sleep(0.01)
        board.pull()
        line = check_end(name, board, "random_")
    check_that(f"{name}: the file is left", is_on(image) and line and line["is_file_left"])
    with Board(FIRMWARE, image, "short") as board:
        line = check_end("a whole run", board)
    check_that("a whole run: no file is left", not is_on(image) and line and not line["is_file_left"])
    check("a whole run: fsck.fat", fat_check.complaints(image, "closed"))
    if line:
        check_that("a whole run: its card", line["card"]["product"] == "QEMU!" and line["capacity_bytes"] == 64 << 20, line["card"])
        check_rows(board.output[0])
        check_that("a whole run: every part", all(result and result["us_mean"] > 0 for result in line["results"].values()))


def check_full(image):
    card.fill(image, 19 << 20)
    with Board(FIRMWARE, image, "short") as board:
        check_end("full", board, "file", "no space in one piece")
    check_that("full: no file is left", not is_on(image), card.names(image))
    check("full: fsck.fat", fat_check.complaints(image, "closed"))


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Board(FIRMWARE, None, "short") as board:
        check_end("no card", board, "card", "start")
    image = card.make(FOLDER / "card_bench.img", 64, 32)
    subprocess.run(["mcopy", "-i", image, __file__, "::OWNERS.PY"], check=True)
    check_pulled(image)
    owners = subprocess.run(["mtype", "-i", image, "::OWNERS.PY"], check=True, capture_output=True).stdout
    check_that("the owner's file is as it was", owners == pathlib.Path(__file__).read_bytes())
    check_full(image)
    with Board(FIRMWARE, card.make_blank(image, 64), "short") as board:
        check_end("not formatted", board, "volume", "mount")
    image.unlink()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
