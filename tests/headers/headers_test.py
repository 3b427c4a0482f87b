#!/usr/bin/env python3
"""Compiles the public headers as strict programs do, after macros of the names that cores and SDKs use.

    headers_test.py [--long | --figures]    with --figures the last two lines are figures

- Each header by itself, under one GCC: it includes what it needs.
- Each header alone and twice, after the standard headers and macros of all names in macros.txt whose bodies no compiler takes:
  under every compiler and standard with --long, else a twentieth of that.
- All headers in one source after the macros, in their order and the other way round, and uses*.cpp, which instantiate their
  templates: always, under every compiler; in C++17, or with --long in each standard.
- The headers for C by themselves and twice, in three standards.
"""
import concurrent.futures
import functools
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import macros
import public_headers

ROOT = public_headers.ROOT
BUILD = pathlib.Path(os.environ.get("MICROPARQUET_BUILD", ROOT / "build"))
LONG = "--long" in sys.argv or "--figures" in sys.argv or os.environ.get("MICROPARQUET_LONG") == "1"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Werror"]
STRICT_CPP = [*STRICT, "-fno-exceptions", "-fno-rtti"]
STRICT_C = [*STRICT, "-Wstrict-prototypes", "-pedantic-errors"]
STANDARDS = {"17": "c++17", "20": "c++20", "23": "c++2b"}
C_STANDARDS = ("c99", "c11", "c17")
OLDEST = {"g++": 12, "clang++": 14}
SHARE = 20  # one of that many is compiled where not all are
DEVICE = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard"]

passed = failed = 0


def version_of(compiler):
    """Its major version, 0 where it is not there."""
    path = shutil.which(compiler)
    said = path and subprocess.run([path, "-dumpversion"], capture_output=True, text=True, check=False).stdout
    return int(said.split(".")[0]) if said else 0


def compilers():
    """Compilers of this machine that the library is promised for: command lines by name, each version once."""
    found = {}
    for kind, oldest in OLDEST.items():
        for command in [kind, *(f"{kind}-{number}" for number in range(oldest, 40))]:
            version = version_of(command)
            if version >= oldest:
                found.setdefault(f"{kind} {version}", (command,))
    if version_of("arm-none-eabi-g++") >= OLDEST["g++"]:
        found["arm-none-eabi-g++"] = ("arm-none-eabi-g++", *DEVICE)
    return found


def is_there(header):
    """Whether what a port's header includes of its system can be found."""
    folders = include_paths()
    return all(name not in public_headers.foreign_headers() or any((folder / name).exists() for folder in folders)
               for name in public_headers.includes(header))


@functools.cache
def include_paths():
    return [BUILD / pathlib.Path(path).relative_to("build") if path.startswith("build/") else ROOT / path
            for paths in public_headers.SYSTEMS.values() for path in paths]


def options():
    return [*(f"-I{folder}" for folder in public_headers.include_folders()), *(f"-isystem{path}" for path in include_paths())]


def definitions():
    """A macro of each name, with a body that no compiler takes."""
    known = macros.read()
    lines = []
    for name in sorted(known.sources):
        arguments = "(...)" if known.takes_arguments[name] else ""
        lines += [f"#undef {name}", f"#define {name}{arguments} @ {name} is a macro of {sorted(known.sources[name])[0]} @"]
    return lines


def before_headers():
    """The standard headers and those of systems, then the macros."""
    foreign = [name for name in public_headers.foreign_headers() if any((folder / name).exists() for folder in include_paths())]
    return [*(f"#include <{name}>" for name in [*public_headers.standard_headers(), *foreign]), *definitions()]


class Precompiled:
    """A precompiled header with all that stands before the headers, for a compiler and a standard, and the words that include
    it."""

    def __init__(self, name, command, standard):
        folder = BUILD / "headers" / f"{name.replace(' ', '-')}-{standard}"
        folder.mkdir(parents=True, exist_ok=True)
        self.source = folder / "before.h"
        self.is_clang = name.startswith("clang")
        self.output = folder / ("before.pch" if self.is_clang else "before.h.gch")
        self.command = [*command, "-x", "c++-header", f"-std={STANDARDS[standard]}", *STRICT_CPP, *options(), str(self.source)]
        self.lock = threading.Lock()

    @functools.cached_property
    def words(self):
        self.source.write_text("\n".join(before_headers()) + "\n")
        subprocess.run([*self.command, "-o", str(self.output)], check=True)
        return ["-include-pch", str(self.output)] if self.is_clang else ["-Winvalid-pch", "-include", str(self.source)]

    def get(self):
        with self.lock:
            return self.words


@functools.cache
def precompiled(name, command, standard):
    return Precompiled(name, command, standard)


def include_lines(headers):
    return [f'#include "{header}"' for header in headers]


class Case:
    """A source that has to compile, after the macros where `before` is what makes them."""

    def __init__(self, name, command, lines, before=None):
        self.name = name
        self.command = [*command, "-fsyntax-only", *options()]
        self.source = "\n".join(lines) + "\n"
        self.before = before

    def run(self):
        before = self.before.get() if self.before else []
        return subprocess.run([*self.command, *before, "-"], input=self.source, text=True, capture_output=True, check=False)


def cpp(command, standard):
    return [*command, "-x", "c++", f"-std={STANDARDS[standard]}", *STRICT_CPP]


def single_cases(headers, found):
    """Each header alone and twice after the macros, under every compiler and standard."""
    for name, command in found.items():
        for standard in STANDARDS:
            for header in headers:
                yield Case(f"{header}, {name}, C++{standard}", cpp(command, standard), include_lines([header, header]),
                           precompiled(name, command, standard))


def whole_cases(headers, found):
    """All headers in one source, and their templates."""
    usual = [header for header in headers if not header.endswith("_c.h")]
    lists = {"all headers": usual, "all headers, the last one first": usual[::-1]}
    uses = {path.name: path.read_text() for path in sorted((ROOT / "tests" / "headers").glob("uses*.cpp"))}
    for name, command in found.items():
        for standard in STANDARDS if LONG else ["17"]:
            for title, headers_of_list in lists.items():
                yield Case(f"{title}, {name}, C++{standard}", cpp(command, standard), include_lines(headers_of_list),
                           precompiled(name, command, standard))
            for title, text in uses.items():
                yield Case(f"{title}, {name}, C++{standard}", cpp(command, standard), [text], precompiled(name, command, standard))


def self_contained_cases(headers, found):
    name = next(name for name in found if name.startswith("g++"))
    for header in headers:
        yield Case(f"{header} by itself, {name}", cpp(found[name], "17"), include_lines([header]))


def c_cases(headers, found):
    for name, command in found.items():
        c_command = [command[0].replace("clang++", "clang").replace("g++", "gcc"), *command[1:]]
        if shutil.which(c_command[0]) is None:
            continue
        for standard in C_STANDARDS if LONG else ["c99"]:
            for header in headers:
                yield Case(f"{header}, {c_command[0]}, {standard}", [*c_command, "-x", "c", f"-std={standard}", *STRICT_C],
                           include_lines([header, header]))


def cases():
    found = compilers()
    headers = [header for header in public_headers.all_headers() if is_there(header)]
    for_c = [header for header in headers if public_headers.is_for_c(header)]
    singles = itertools.islice(single_cases(headers, found), 0, None, 1 if LONG else SHARE)
    return [*whole_cases(headers, found), *self_contained_cases(headers, found), *c_cases(for_c, found), *singles]


def main():
    global passed, failed
    found = cases()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, result in zip(found, pool.map(Case.run, found)):
            if result.returncode == 0:
                passed += 1
                continue
            failed += 1
            lines = [line for line in result.stderr.splitlines() if re.search(r"error|macro", line)]
            print(f"FAILED: {case.name}", *lines[:8], sep="\n  ")
    if "--figures" in sys.argv:
        print(f"headers.compiles {passed + failed} compiles")
        print(f"headers.failures {failed} compiles")
        return 0
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
