"""mpq recover on logs as devices leave them: on media of larger blocks, continued after cuts, closed without a row."""
import pathlib
import zlib

import pyarrow.parquet
from damage import flip
from harness import check, check_equal, check_image, check_ok, run

BLOCKS = (512, 1024, 2048, 4096)
COLUMNS = 2
ONE_ROW_GROUP = "--row-group=65536"  # of which the first is a quarter: it has all rows


def log(path, *calls):
    """Continues the log, or begins it."""
    check_ok(run("log_calls", path, *calls))
    return pathlib.Path(path).read_bytes()


def new_log(path, *calls):
    pathlib.Path(path).unlink(missing_ok=True)
    return log(path, *calls)


def numbers_of(path):
    """Numbers of the rows in a log; every cell must be that of its row."""
    rows = pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pylist()
    for row in rows:
        check_equal(row["x"], None if row["n"] % 3 == 0 else float(row["n"]), f"x of row {row['n']}")
    return [row["n"] for row in rows]


def last_footer(data, layout_columns):
    import own_structures
    return own_structures.footer_at_end(data, len(data), layout_columns)


def recover_in_place(path, data, code=0):
    """Recovers a file in place and returns its bytes; `data` at its begin must stay as it is."""
    pathlib.Path(path).write_bytes(data)
    result = run("mpq", "recover", path)
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    recovered = pathlib.Path(path).read_bytes()
    check(recovered.startswith(data), "bytes of the file were changed")
    check_ok(run("mpq", "verify", path))
    return recovered


def check_continued(path, kept, block, *options):
    """The writer continues the recovered file: rows are added, and none is lost."""
    first = len(kept)
    log(path, *options, "rows=700", "checkpoint", "rows=100", "close")
    check_equal(numbers_of(path), [*kept, *range(first, first + 800)])
    check_image(path, debris=True, block_bytes=block)
    check_ok(run("mpq", "verify", path))


def test_what_recovery_adds_ends_on_a_block():
    for block in BLOCKS:
        for layout, columns in ((), COLUMNS), (("--forward",), 0):
            options = (f"--block={block}", *layout)
            data = new_log("log.parquet", *options, "unsynced", "rows=1000", "checkpoint", "rows=2000", "checkpoint", "rows=500")
            for cut in (data + bytes(700), data[:-10]):
                recovered = recover_in_place("cut.parquet", cut)
                footer = last_footer(recovered, columns)
                check(block == 512 or footer.end % block == 0, options, "ends inside of a block")
                check(not columns or footer.may_begin_at(footer.extension.next * 512), options, "names another place")
                check(block != 512 or not columns or footer.start % 512 == 0, options, "begins inside of a sector")
                check_image("cut.parquet", debris=True, block_bytes=block)
                kept = numbers_of("cut.parquet")
                check(len(kept) >= 3000 and kept == list(range(len(kept))), options, len(kept), "rows")
                check_continued("cut.parquet", kept, block, *options)


def last_published(data):
    """The last footer of those that stand in it, of which the last one may have been on its way."""
    import own_structures
    return [footer for footer in own_structures.all_footers(data, COLUMNS) if footer.genuine()][-1]


def test_row_groups_across_the_border_of_two_segments():
    across = 0
    for ms_per_row, lengths in ((5, range(6000, 60000, 1500)), (1000, range(3000, 15000, 1500))):
        for rows in lengths:
            data = new_log("log.parquet", "--row-group=0", f"--ms-per-row={ms_per_row}", "unsynced", f"rows={rows}")
            border = last_published(data).extension.free_begin * 512
            recover_in_place("cut.parquet", data)
            check_image("cut.parquet", debris=True)
            kept = numbers_of("cut.parquet")
            metadata = pyarrow.parquet.read_metadata("cut.parquet")
            groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
            check(kept == list(range(len(kept))) and len(kept) >= rows - 2 * max(group.num_rows for group in groups),
                  f"{len(kept)} of {rows} rows")
            chunks = [[group.column(i).data_page_offset for i in range(COLUMNS)] for group in groups]
            across += any(min(offsets) < border <= max(offsets) for offsets in chunks)
            check_continued("cut.parquet", kept, 512, "--row-group=0")
    check(across > 0, "no row group lies across a border that the last footer names")


def test_rows_written_again_leave_the_blocks_of_the_others_alone():
    for block in BLOCKS:
        option = f"--block={block}"
        data = new_log("log.parquet", option, "rows=3000", "close")
        chunk = pyarrow.parquet.read_metadata("log.parquet").row_group(1).column(0)
        recovered = recover_in_place("damaged.parquet", flip(data, chunk.data_page_offset + 300), 1)
        kept = numbers_of("damaged.parquet")
        check(2500 < len(kept) < 3000, len(kept))
        check(block == 512 or not any(recovered[len(data):len(data) + -len(data) % block]), "a block of the file goes on")
        check_image("damaged.parquet", debris=True, block_bytes=block)
        log("damaged.parquet", option, "rows=10", "close")
        check_equal(numbers_of("damaged.parquet"), kept + list(range(len(kept), len(kept) + 10)))


def closed_without_a_row(data):
    """The file as an earlier version of the library closed it after a cut, when a key-value but no row had come: the
    footer has no open row group, and names the slots of the interrupted one as the next row group's place."""
    last = last_footer(data, COLUMNS)
    extension = last.extension
    check(extension.open_bytes != 0, "no row group was open")
    extension.sequence += 1 << 15
    extension.finished_count += 1
    extension.finished_bytes += extension.open_bytes
    extension.finished_crc = extension.entries_crc
    extension.open_bytes = 0
    extension.extents = [(0, 0)] * COLUMNS
    footer = data[last.start:last.extension_at] + extension.pack()
    entries = slice(last.entries_begin - last.start, last.entries_end - last.start)
    crc = zlib.crc32(footer[entries.stop:], zlib.crc32(footer[:entries.start]))
    footer += crc.to_bytes(4, "little") + b"\0"
    return data + bytes(-len(data) % 512) + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def overwritten(closed, rows):
    """The same, continued by that version: a row group of that many rows, from 1,000 on, over the durable one, and its
    record."""
    import own_structures
    extension = last_footer(closed, COLUMNS).extension
    at, size = extension.next * 512, extension.slot_bytes
    other = new_log("other.parquet", ONE_ROW_GROUP, "--first=1000", f"rows={rows}", "end_row_group", "checkpoint")
    chunks = pyarrow.parquet.read_metadata("other.parquet").row_group(0)
    medium = bytearray(closed)
    for chunk in map(chunks.column, range(COLUMNS)):
        pages = slice(chunk.data_page_offset, chunk.data_page_offset + chunk.total_compressed_size)
        medium[pages] = other[pages]
    slot = own_structures.Slot(other, at, size)
    trailer = own_structures.TRAILER.pack(b"mpqR", 1, extension.file_id, extension.sequence + 1, slot.entry_bytes,
                                          zlib.crc32(slot.entry, extension.entries_crc), slot.next, 0)[:-4]
    medium[at:at + size] = slot.entry + slot.padding + trailer + zlib.crc32(trailer).to_bytes(4, "little")
    return bytes(medium)


def test_a_next_place_among_an_interrupted_row_group():
    closed = closed_without_a_row(new_log("log.parquet", "rows=1000", "checkpoint", "rows=300"))
    recover_in_place("log.parquet", closed)
    check_equal(pathlib.Path("log.parquet").read_bytes(), closed, "nothing is to be added")
    check_equal(numbers_of("log.parquet"), list(range(1000)))


def test_rows_that_were_written_over_durable_ones():
    """Later rows hold, and of those before them the ones in pages that are left."""
    closed = closed_without_a_row(new_log("log.parquet", ONE_ROW_GROUP, "rows=1000", "checkpoint", "rows=300"))
    for rows, most_lost in (300, 360), (1000, 1000):
        recover_in_place("log.parquet", overwritten(closed, rows), 1)
        numbers = numbers_of("log.parquet")
        first = 1000 - (len(numbers) - rows)
        check_equal(numbers, list(range(first, 1000 + rows)))
        check(rows <= first <= most_lost, f"{first} rows are lost to {rows}")
        check("complete" in run("mpq", "recover", "log.parquet", "--dry-run").stdout, "a second footer would be added")
