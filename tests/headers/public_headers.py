"""The headers that programs include: of the library, of its API for C, and of the ports, each with what it needs to compile."""
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Ports whose headers include a system's, and where that is: a stand-in of tests/ports/api, or sources that the group
# `filesystems` has fetched.
SYSTEMS = {
    "arduino": ["tests/ports/api/arduino"],
    "zephyr": ["tests/ports/api/zephyr"],
    "fatfs": ["build/filesystems_sources/fatfs", "tests/filesystems/config"],
    "littlefs": ["build/filesystems_sources/littlefs"],
}
INCLUDED = re.compile(r'^#include [<"]([\w./]+)[>"]', re.M)
OURS = re.compile(r"microparquet[/.]")
NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|^#[^\n]*", re.M | re.S)
FOR_C = re.compile(r"/c/|_c\.h$")


@functools.cache
def include_folders():
    """Folders of headers of the library and of its ports."""
    return [ROOT / "include", *sorted(folder / "include" for folder in (ROOT / "port").iterdir() if (folder / "include").is_dir()),
            ROOT / "port" / "arduino"]


@functools.cache
def all_headers():
    """All of them, as they are included."""
    found = ["microparquet.h"]
    for folder in include_folders()[:-1]:
        found += sorted(str(path.relative_to(folder)) for path in folder.rglob("*.h"))
    return found


@functools.cache
def path_of(header):
    return next(folder / header for folder in reversed(include_folders()) if (folder / header).exists())


def is_for_c(header):
    """Whether C programs include it."""
    return bool(FOR_C.search(header)) and "/c/detail/" not in header


@functools.cache
def includes(header):
    return INCLUDED.findall(path_of(header).read_text())


@functools.cache
def foreign_headers():
    """Headers of systems that public headers include."""
    return sorted({name for header in all_headers() for name in includes(header)
                   if name.endswith(".h") and not OURS.match(name) and not name.startswith(("std", "sys/"))})


@functools.cache
def standard_headers():
    """Headers of the C and C++ libraries that public headers include."""
    return sorted({name for header in all_headers() for name in includes(header)
                   if not OURS.match(name)} - set(foreign_headers()))


@functools.cache
def identifiers():
    """All names in the public headers, but those of comments and of the preprocessor."""
    return {name for header in all_headers()
            for name in re.findall(r"\b[A-Za-z_]\w*", NO_CODE.sub(" ", path_of(header).read_text()))}
