"""The example late_clock: dates for rows from before the time was known, and a line on how well logging went."""
import pyarrow.parquet
from harness import check, check_equal, check_ok, run


def test_boots_that_learn_the_time_late():
    for rows in (600, 1200):
        check_equal(check_ok(run("late_clock")).stdout, f"ok: {rows} rows\n", "says")
    lines = check_ok(run("mpq", "info", "log.parquet")).stdout.splitlines()
    check("  time        2026-01-01T00:00:00.020Z to 2026-01-01T00:29:59.040Z" in lines, lines)
    check("  gaps        1, the longest 10 min after row 600; 600 rows are missing" in lines, lines)
    check("  health      longest append 130 ms at 0.130 s, started by power on" in lines, lines)
    anchors = {key: value for key, value in pyarrow.parquet.read_metadata("log.parquet").metadata.items() if key.startswith(b"clock.")}
    check_equal(anchors, {b"clock.0000000000": b"600 240000=1767225840020 480000=1767226080040",
                          b"clock.0000000600": b"1200 240000=1767227040020 480000=1767227280040"}, "anchors")
