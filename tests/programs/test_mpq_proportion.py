"""Checks that mpq's time and memory follow from a file's size, whatever the file says. The bounds are for a busy machine and
any build: the faults that they are to find exceed them several times."""
import pathlib
import subprocess
import sys

import exfat_image
import hostile
from damage import make
from harness import SECONDS, check, check_refused, command, run

COMMANDS = (("info",), ("schema",), ("meta",), ("meta", "--json"), ("pages",), ("pages", "--json"), ("head",), ("verify",),
            ("recover", "--dry-run"), ("plot",))


def costs(*arguments):
    """Seconds of CPU and MB that mpq takes."""
    script = pathlib.Path(__file__).with_name("measure.py")
    said = subprocess.run([sys.executable, "-S", script, *command("mpq", *arguments)], capture_output=True, text=True,
                          timeout=SECONDS, check=True).stdout.split()
    check(int(said[0]) in (0, 1, 2), "exit code", said[0], *arguments)
    return float(said[1]), int(said[2]) / 1024


def check_costs(path, commands=COMMANDS, seconds=4):
    most = 10 * pathlib.Path(path).stat().st_size / 2**20 + 32
    for arguments in commands:
        cpu, memory = costs(*arguments, path)
        check(cpu < seconds, f"mpq {arguments[0]} {path}: {cpu:.2f} s")
        check(memory < most, f"mpq {arguments[0]} {path}: {memory:.0f} MB, {most:.0f} would be enough")


def test_clusters_that_many_files_name():
    """20,000 entries on a volume of 12 MiB, each with a log that goes to its end: sound ones, and deleted ones of the table."""
    for deleted, flags in ((False, exfat_image.CONTIGUOUS), (True, exfat_image.TABLE)):
        volume = exfat_image.Volume(3000)
        numbers = volume.take(800 * volume.cluster, flags=flags)
        volume.fill(numbers, make("log", 2000))
        folder = volume.add_folder(volume.root, "LOG")
        firsts = (numbers[0] + i % 10 * (not deleted) for i in range(20_000))
        entries = b"".join(exfat_image.entry_set(str(i), exfat_image.FILE, flags, first, 800 * volume.cluster)
                           for i, first in enumerate(firsts))
        folder.entries += exfat_image.delete(entries) if deleted else entries
        pathlib.Path("card.img").write_bytes(volume.image())
        check_costs("card.img", (("recover", "--dry-run"),))


def test_columns():
    hostile.bare("bare.parquet", 60_000)
    check_costs("bare.parquet")
    hostile.wide("wide.parquet", 60_000)
    check_costs("wide.parquet")
    hostile.wide("groups.parquet", 2_000, 20)
    check_costs("groups.parquet")


def test_key_values():
    hostile.key_values("many.parquet", 200_000)
    check_costs("many.parquet")


def test_widths():
    for columns, width in ((1, 2**31 - 1), (40, 2**28)):
        hostile.fixed("widths.parquet", width, columns)
        check_costs("widths.parquet", (*COMMANDS, ("cat",)))


def test_nulls():
    hostile.claimed_nulls("nulls.parquet", 20)
    check_costs("nulls.parquet")


def test_values():
    hostile.claimed_values("values.parquet", 20)
    check_costs("values.parquet")


def test_times_that_are_only_claimed():
    """`info` and `plot` look at each time, unless a file claims more than its bytes could have."""
    hostile.claimed_values("values.parquet", 20)
    for command_of in ("info", "plot"):
        check_costs("values.parquet", ((command_of, "--time", "c0"),))
    check_refused(run("mpq", "plot", "values.parquet"), "values.parquet claims 42,949,672,940 rows in", "bytes")


def test_sizes_of_pages():
    for codec in (1, 2, 4, 5, 6, 7):  # SNAPPY, GZIP, BROTLI, LZ4, ZSTD, LZ4_RAW
        hostile.claimed_sizes("sizes.parquet", 40, codec)
        check_costs("sizes.parquet", (*COMMANDS, ("cat",)))


def test_a_long_text():
    hostile.one_long_text("long.parquet", 1_000, 3_000_000)
    check_costs("long.parquet", (*COMMANDS, ("cat",), ("cat", "--json")))


def test_tags_of_footers():
    hostile.footer_tags("tags.parquet", 8_000_000)
    check_costs("tags.parquet")
