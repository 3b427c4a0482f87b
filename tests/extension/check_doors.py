#!/usr/bin/env python3
"""Checks that an addition of a program needs only the library's public headers and a line that names it.

usage: check_doors.py, from the project's folder

For each addition: its sources include nothing of the library but the headers named here, compile with include/ alone, and
neither src/ nor include/ knows its name.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/extension"

# The name of the object or the class, its sources, the public headers it may include.
ADDITIONS = [
    ("FramFile", ["fram_file.h"], {"crc32.h", "file.h"}),
    ("kRunEncoder", ["run_encoder.h", "run_encoder.cpp"], {"encoder.h"}),
    ("kRunDecoder", ["run_decoder.h", "run_decoder.cpp"], {"decoder.h"}),
    ("kTableEncoder", ["table_encoder.h", "table_encoder.cpp"], {"encoder.h"}),
    ("kTableDecoder", ["table_decoder.h", "table_decoder.cpp"], {"dictionary_decoder.h"}),
    ("kSnappyCompressor", ["snappy_compressor.h", "snappy_compressor.cpp"], {"compressor.h"}),
    ("kOwnSnappyDecompressor", ["snappy_decompressor.h", "snappy_decompressor.cpp"], {"decompressor.h"}),
]


def faults(name, sources, headers):
    for source in sources:
        text = (HERE / source).read_text(encoding="utf-8")
        included = set(re.findall(r'#include "microparquet/([^"]+)"', text))
        yield from (f"{source} includes {header}" for header in sorted(included - headers))
        command = ["c++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-fsyntax-only", "-x", "c++", f"-I{ROOT / 'include'}", HERE / source]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            yield f"{source} does not compile with include/ alone: {result.stderr[:300]}"
    for folder in "src", "include":
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and name in path.read_text(encoding="utf-8"):
                yield f"{path.relative_to(ROOT)} names {name}"
    programs = [path for path in HERE.glob("*.cpp") if path.name not in sources]
    if not any(name in path.read_text(encoding="utf-8") for path in programs):
        yield f"no program names {name}"


def main():
    failed = 0
    for name, sources, headers in ADDITIONS:
        wrong = list(faults(name, sources, headers))
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok'}: {name} needs {', '.join(sorted(headers))} and the line that names it"
              f"{': ' if wrong else ''}{'; '.join(wrong)}")
    print(f"{len(ADDITIONS) - failed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
