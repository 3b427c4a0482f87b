"""Writes the portable unit tests as two sources for programs that have the library as two files, and headers that include those in place
of the library's: unit_sources.py FOLDER

FOLDER/public.cpp has the tests that need public headers alone, FOLDER/private.cpp the others, each test a namespace; FOLDER/include/
microparquet forwards to <microparquet.h> and to that of the port for memory."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORWARDED = {"include": "microparquet.h", "port/memory/include": "microparquet_memory.h"}
LEAST = {"public": 50, "private": 5}


def write_forwarding_headers(folder):
    for part, whole in FORWARDED.items():
        for path in (ROOT / part).rglob("*.h"):
            name = path.relative_to(ROOT / part)
            header = folder / name
            header.parent.mkdir(parents=True, exist_ok=True)
            header.write_text(f"#pragma once\n#include <{'microparquet_c.h' if 'c' in name.parts[:-1] else whole}>\n")


def is_private(text):
    return any((ROOT / "src" / name).is_file() for name in re.findall(r'^#include "([^"]+)"', text, re.M))


def main():
    folder = pathlib.Path(sys.argv[1])
    write_forwarding_headers(folder / "include")
    parts = {"public": [], "private": []}
    for path in sorted((ROOT / "tests/unit").glob("*_test.cpp")):
        parts["private" if is_private(path.read_text()) else "public"].append(path)
    for name, paths in parts.items():
        assert len(paths) >= LEAST[name], f"{len(paths)} tests have {name} headers"
        includes = dict.fromkeys(line for path in paths for line in path.read_text().splitlines() if line.startswith("#include "))
        tests = [f'namespace {path.stem} {{\n#include "{path}"\n}}' for path in paths]
        (folder / f"{name}.cpp").write_text("\n".join([*includes, *tests]) + "\n")
        print(f"{name}: {len(paths)} files of tests")


main()
