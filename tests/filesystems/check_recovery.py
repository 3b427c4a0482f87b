"""What `mpq recover` finds on cards that lost their power, and what it finds after fsck.exfat has repaired them: by their names,
at least the rows that were durable.

Usage: check_recovery.py PROGRAMS IMAGES [--figures]

PROGRAMS has mpq, and IMAGES is what recovery_images made. fsck.exfat -p and -y delete entry sets with a wrong checksum, and round
the size of a log whose chain is longer up to whole clusters, so that no reader takes it for Parquet. Copied off the card, such a
file is recovered as it is. --figures prints the rows that came back of the logs side by side.
"""
import pathlib
import shutil
import subprocess
import sys

import pyarrow.parquet as pq

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "sd_logger")]
import card  # noqa: E402  pylint: disable=wrong-import-position
from checks import Checks  # noqa: E402  pylint: disable=wrong-import-position

PROGRAMS, IMAGES = map(pathlib.Path, sys.argv[1:3])
FIGURES = sys.argv[3:] == ["--figures"]
WORK = IMAGES / "recovered"
checks = Checks()
check = checks.check
counts = {"rows": 0, "torn": 0, "deleted": 0, "no Parquet": 0}


def recover(source):
    """What mpq recover says, and what it writes: {name: ids of the rows}."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    output = WORK if source.suffix == ".img" else WORK / source.name
    said = subprocess.run([PROGRAMS / "mpq", "recover", source, "-o", output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False).stdout
    found = {path.name: pq.read_table(path, page_checksum_verification=True).column("id").to_pylist() for path in WORK.iterdir()}
    return said, found


def complaint(found, logs):
    """Empty when each log has its durable rows, and no others but later ones of its own."""
    for path, boot, rows in logs:
        ids = found.get(pathlib.Path(path).name)
        if ids is None:
            return f"no {path} among {list(found)}"
        if len(ids) < rows or ids != [boot << 32 | row for row in range(len(ids))]:
            return f"{path} has {len(ids)} rows, and not the {rows} that were durable"
    return "" if len(found) == len(logs) else f"more files than logs: {list(found)}"


def repaired(image, option):
    """A copy that fsck.exfat has repaired; None where it finds nothing to repair."""
    copy = image.with_name("repaired.img")
    shutil.copyfile(image, copy)
    said = subprocess.run(["fsck.exfat", option, copy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return copy if said.returncode != 0 else None


def check_repaired(image, option, logs):
    """After fsck, by the image; and the files that are still on the card by what is copied off it."""
    what = f"{image.name} after fsck.exfat {option}"
    copy = repaired(image, option)
    if copy is None:
        return
    said, found = recover(copy)
    check(what, complaint(found, logs) and said)
    counts["deleted"] += said.count("is a deleted one")
    for name, path in card.copy_logs(copy, WORK).items():
        log = [entry for entry in logs if pathlib.Path(entry[0]).stem == name.split("/")[-1]]
        if path.read_bytes().endswith(b"PAR1") or not log:
            continue
        counts["no Parquet"] += 1
        kept = copy.with_name(path.name)
        shutil.move(path, kept)
        check(f"{name} of {what}", complaint(recover(kept)[1], log))
        kept.unlink()


def main():
    for number, line in enumerate((IMAGES / "manifest.txt").read_text().splitlines()):
        name, *logs = line.split(" ")
        logs = [(path, int(boot), int(rows)) for path, boot, rows in (log.rsplit(":", 2) for log in logs)]
        image = IMAGES / name
        said, found = recover(image)
        check(name, complaint(found, logs) and said)
        if name.startswith("side_by_side_exfat"):
            counts["rows"] += sum(map(len, found.values())) / 2  # open and closed
        if name.startswith("torn"):
            check(f"{name} is torn", "" if "is torn" in said else said)
            counts["torn"] += 1
        options = ("-p", "-y")
        for option in () if "fat32" in name else options if FIGURES else (options[number % 2],):
            check_repaired(image, option, logs)
    check("sets were torn, and deleted by fsck", "" if min(counts["torn"], counts["deleted"]) > 10 else str(counts))
    if FIGURES:
        print(f"exfat.recovered_rows {counts['rows']:.0f} rows")
        return checks.failed != 0
    print(counts)
    return checks.finish()


sys.exit(main())
