#!/usr/bin/env python3
"""Writes expected/NAME.txt for each file of data/: what pyarrow reads from it.

Of more than SHOWN rows only the first are written out, and a digest of all. Run once when a file is added; the tests
read what is committed.
"""

import hashlib
import pathlib

import physical_values

SHOWN = 50


def main():
    here = pathlib.Path(__file__).parent
    for path in sorted((here / "data").glob("*.parquet")):
        lines = physical_values.lines(path)
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        shown = lines[:SHOWN + 1]
        text = [f"rows {len(lines) - 1}", f"sha256 {digest}"] + shown
        (here / "expected" / f"{path.stem}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
