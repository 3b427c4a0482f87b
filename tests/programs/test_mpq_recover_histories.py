"""mpq recover on raw images of logs that were cut off more than once: the rows of the last footer come back whatever the boot
after it has left, and rows that were void do not where anything proves it."""
import os
import pathlib

import pyarrow.parquet
from damage import check_ascending, chooser
from harness import check, check_equal, check_ok, run

LONG = bool(os.environ.get("MICROPARQUET_LONG"))
LAYOUTS = ((), ("--forward",), ("--block=2048",), ("--forward", "--block=1024"))
COLUMNS = 2
SECTOR = 512
LATER = 100_000  # numbers of rows that a third boot writes


def log(path, data, *calls):
    """The rest of the log after some more calls."""
    pathlib.Path(path).write_bytes(data)
    check_ok(run("log_calls", path, *calls))
    return pathlib.Path(path).read_bytes()


def recovered(medium, *codes):
    """The numbers of the rows of a log that lies somewhere on a medium."""
    pathlib.Path("card.img").write_bytes(b"\x55" * (37 * SECTOR) + medium + b"\xaa" * 3000)
    result = run("mpq", "recover", "card.img", "-o", "out.parquet", "--overwrite")
    check(result.returncode in codes, f"exit code {result.returncode}, with {result.stdout!r} {result.stderr!r}")
    rows = pyarrow.parquet.read_table("out.parquet", page_checksum_verification=True).to_pylist()
    for row in rows:
        check_equal(row["x"], None if row["n"] % 3 == 0 else float(row["n"]), f"x of row {row['n']}")
    return [row["n"] for row in rows]


def with_lost_sectors(before, after, choose):
    """A medium on which half of the sectors written since `before` never arrived."""
    medium = bytearray(after)
    for at in range(0, len(after), SECTOR):
        new = after[at:at + SECTOR]
        old = before[at:at + SECTOR].ljust(len(new), b"\0")
        if new != old and choose.random() < 0.5:
            medium[at:at + SECTOR] = old
    return bytes(medium)


def rows_in_groups(count):
    return ["rows=150", "end_row_group"] * count


def slots(data, size):
    """The slots of records in a file, by their ends."""
    import own_structures
    at = data.find(b"mpqR")
    while at >= 0:
        slot = own_structures.Slot(data, at + 36 - size, size) if at + 36 >= size else None
        if slot and slot.whole:
            yield slot
        at = data.find(b"mpqR", at + 1)


def genuine_footers(data, layout):
    import own_structures
    columns = 0 if "--forward" in layout else COLUMNS
    return [footer for footer in own_structures.all_footers(data, columns) if footer.genuine()]


FIRST_BOOT, SECOND_BOOT = ["rows=100", "checkpoint"], ["rows=300", "checkpoint", "rows=400", "end_row_group", "rows=200", "checkpoint"]
DURABLE = 1000


def published(layout):
    return log("log.parquet", log("log.parquet", b"", *layout, *FIRST_BOOT), *layout, *SECOND_BOOT)


def check_durable(numbers, layout):
    """Rows after the durable ones may be there, where all of theirs is."""
    check(numbers[:DURABLE] == list(range(DURABLE)), f"{layout}: durable rows are lost: {numbers[:DURABLE]}")
    check_ascending(numbers)


def test_rows_of_a_footer_whose_next_boot_left_sectors_of_its_rows():
    """Written in another order than asked for, and cut off before the first sync: whatever is left, no durable row is lost."""
    choose = chooser(6)
    unproved = 0
    for i in range(400 if LONG else 24):
        layout = LAYOUTS[i % len(LAYOUTS)]
        before = published(layout)
        if i % 3 == 0:  # another boot in between, which was cut off as well
            once = log("log.parquet", before, *layout, "unsynced", "rows=300")
            before = with_lost_sectors(before, once, choose)[:len(before)]
        after = log("log.parquet", before, *layout, "unsynced", *rows_in_groups(choose.randrange(1, 9)))
        medium = with_lost_sectors(before, after, choose)
        numbers = recovered(medium, 0, 1)
        check_durable(numbers, layout)
        unproved += len(numbers) == 1000
    check(unproved != 0, "always something was left that followed the footer")


def test_rows_of_a_footer_whose_next_boot_left_all_but_its_first_record():
    for layout in LAYOUTS:
        before = published(layout)
        after = log("log.parquet", before, *layout, "unsynced", *rows_in_groups(8))
        last = genuine_footers(before, layout)[-1].extension
        medium = bytearray(after)
        later = [slot for slot in slots(after, last.slot_bytes) if slot.sequence > last.sequence + 10_000]
        records = [slot for slot in later if slot.entry_bytes]
        check(len(records) > 2, layout, "too few records")
        for slot in later:
            if slot.at <= records[0].at:  # of emptied slots, and of the first record what it begins with
                medium[slot.at:slot.at + 40] = bytes(40)
                if not slot.entry_bytes:
                    medium[slot.at:slot.at + slot.size] = bytes(slot.size)
        numbers = recovered(bytes(medium), 0, 1)
        check_durable(numbers, layout)


def test_what_a_proved_later_history_left_out_stays_void():
    """A file system that gives back an older size: what a boot published after it is void when the next one begins there."""
    for layout in LAYOUTS:
        abandoned = log("log.parquet", b"", *layout, *FIRST_BOOT, *SECOND_BOOT, "rows=400", "checkpoint", "rows=1200", "checkpoint")
        before = abandoned[:[footer.end for footer in genuine_footers(abandoned, layout) if footer.extension.rows == DURABLE][0]]
        gone_on = log("log.parquet", before, *layout, "unsynced", f"--first={LATER}", "rows=100", "end_row_group", "rows=100")
        medium = gone_on + abandoned[len(gone_on):]
        numbers = recovered(medium, 0, 1)
        check_durable(numbers, layout)
        check(all(n >= LATER for n in numbers[DURABLE:]), f"{layout}: rows of an abandoned history: {numbers[DURABLE:][:9]}")
