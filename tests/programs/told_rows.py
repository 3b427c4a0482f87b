"""What mpq info, verify, pages and recover say of the rows of a file: all have to say the same."""
import json
import pathlib
import re

import pyarrow.parquet
from harness import check, check_equal, check_ok, run


def number_before(words, text):
    found = re.search(rf"([\d,]+) {words}", text)
    return int(found[1].replace(",", "")) if found else 0


def parts_of(path):
    return [json.loads(line) for line in check_ok(run("mpq", "pages", "--json", path)).stdout.splitlines()]


def told_rows(path):
    """Rows in the footer, rows that `mpq recover` adds, and those of them that a save has made safe."""
    info = json.loads(check_ok(run("mpq", "info", "--json", path)).stdout)
    rows, more, safe = info["rows"], info["rows_after_footer"], info["rows_safe_after_footer"]
    verified = check_ok(run("mpq", "verify", path)).stdout
    by_verify = number_before("rows? more that a save has made safe", verified)
    by_records = number_before("rows? that records tell of", verified)
    check_equal((by_records + by_verify, by_verify), (more, safe), f"rows of {path} by verify")
    run("mpq", "recover", path, "-o", "told.parquet", "--overwrite")
    check_equal(pyarrow.parquet.read_metadata("told.parquet").num_rows, rows + more, f"rows of {path} by recover")
    pathlib.Path("told.parquet").unlink()
    parts = parts_of(path)
    check_equal([part["rows"] for part in parts if part["kind"] == "save_head"], [rows + safe] if safe else [], f"the save of {path} by pages")
    saved = [part for part in parts if part["kind"] == "saved_page"]
    check(all(part["crc"] == "ok" and "column" in part for part in saved), f"saved pages of {path}", saved)
    check(not any(part["kind"] == "overlap" for part in parts), f"pages of {path}", parts)
    return rows, more, safe
