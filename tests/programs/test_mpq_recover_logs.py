"""mpq recover on logs as devices leave them: on media of larger blocks, continued after cuts, closed without a row."""
import pathlib
import zlib

import pyarrow.parquet
from damage import flip
from harness import check, check_equal, check_image, check_ok, run

BLOCKS = (512, 1024, 2048, 4096)
COLUMNS = 2


def log(path, *calls):
    """Continues the log, or begins it."""
    check_ok(run("log_calls", path, *calls))
    return pathlib.Path(path).read_bytes()


def numbers_of(path):
    """Which rows a log has; every cell must be that of its row."""
    rows = pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pylist()
    for row in rows:
        check_equal(row["x"], None if row["n"] % 3 == 0 else float(row["n"]), f"x of row {row['n']}")
    return [row["n"] for row in rows]


def last_footer(data, layout_columns):
    import own_structures
    return own_structures.footer_at_end(data, len(data), layout_columns)


def recover_in_place(path, data, code=0):
    """What stands in the file after its recovery, of which `data` stays as it is."""
    pathlib.Path(path).write_bytes(data)
    result = run("mpq", "recover", path)
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    recovered = pathlib.Path(path).read_bytes()
    check(recovered.startswith(data), "bytes of the file were changed")
    check_ok(run("mpq", "verify", path))
    return recovered


def check_continued(path, kept, *options):
    """The writer continues the recovered file: rows are added, and none is lost."""
    import itertools
    first = len(kept)
    log(path, *options, "rows=700", "checkpoint", "rows=100", "close")
    check_equal(numbers_of(path), list(itertools.chain(kept, range(first, first + 800))))
    check_image(path, debris=True)
    check_ok(run("mpq", "verify", path))


def test_what_recovery_adds_ends_on_a_block():
    for block in BLOCKS:
        for layout, columns in ((), COLUMNS), (("--forward",), 0):
            options = (f"--block={block}", *layout)
            pathlib.Path("log.parquet").unlink(missing_ok=True)
            data = log("log.parquet", *options, "unsynced", "rows=1000", "checkpoint", "rows=2000", "checkpoint", "rows=500")
            for cut in (data + bytes(700), data[:-10]):
                recovered = recover_in_place("cut.parquet", cut)
                footer = last_footer(recovered, columns)
                check(block == 512 or footer.end % block == 0, options, "ends inside of a block")
                check(not columns or footer.may_begin_at(footer.extension.next * 512), options, "names another place")
                check(block != 512 or not columns or footer.start % 512 == 0, options, "begins inside of a sector")
                check_image("cut.parquet", debris=True)
                kept = numbers_of("cut.parquet")
                check(len(kept) >= 3000 and kept == list(range(len(kept))), options, len(kept), "rows")
                check_continued("cut.parquet", kept, *options)


def test_rows_written_again_leave_the_blocks_of_the_others_alone():
    for block in BLOCKS:
        option = f"--block={block}"
        pathlib.Path("log.parquet").unlink(missing_ok=True)
        data = log("log.parquet", option, "rows=3000", "close")
        chunk = pyarrow.parquet.read_metadata("log.parquet").row_group(1).column(0)
        recovered = recover_in_place("damaged.parquet", flip(data, chunk.data_page_offset + 300), 1)
        kept = numbers_of("damaged.parquet")
        check(2500 < len(kept) < 3000, len(kept))
        check(block == 512 or not any(recovered[len(data):len(data) + -len(data) % block]), "a block of the file goes on")
        check_image("damaged.parquet", debris=True)
        log("damaged.parquet", option, "rows=10", "close")
        check_equal(numbers_of("damaged.parquet"), kept + list(range(len(kept), len(kept) + 10)))
