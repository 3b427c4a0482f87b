#!/usr/bin/env python3
"""Collects the names of macros in the headers of cores and SDKs into macros.txt; nothing else of those headers is kept.

    collect_macros.py SOURCE=FOLDER@VERSION...    a repository's work tree, or its git directory

Three kinds of names are kept: those that a public header uses; all of the headers that a sketch or a Windows program has by
itself, and of those that have the words of all registers (ALL_OF); and those that a public header might use, because they are written like our names and made of one word, or of
words that our names have. A name has "()" where every definition of it takes arguments. A source that is not given keeps its
lines.
"""
import pathlib
import re
import subprocess
import sys

import macros
import public_headers

# Folders of a source that a program includes; those that match NOT_INCLUDED are left out.
SOURCES = {
    "arduino-api": ("ArduinoCore-API", ["api"]),
    "avr": ("ArduinoCore-avr", ["cores", "variants"]),
    "esp32": ("arduino-esp32", ["cores", "variants"]),
    "esp8266": ("esp8266/Arduino", ["cores", "variants"]),
    "mbed": ("ArduinoCore-mbed", ["cores", "variants"]),
    "nrf52": ("Adafruit_nRF52_Arduino", ["cores", "variants"]),
    "renesas": ("ArduinoCore-renesas", ["cores", "variants"]),
    "rp2040": ("arduino-pico", ["cores", "variants", "include"]),
    "sam": ("ArduinoCore-sam", ["cores", "system", "variants"]),
    "samd": ("ArduinoCore-samd", ["cores", "variants"]),
    "stm32": ("Arduino_Core_STM32 with CMSIS and the HAL of all families", ["cores", "system", "variants"]),
    "teensy": ("Teensy cores", ["teensy3", "teensy4"]),
    "cmsis": ("CMSIS_5", ["CMSIS"]),
    "esp-idf": ("ESP-IDF", ["components"]),
    "pico-sdk": ("pico-sdk", ["src"]),
    "zephyr": ("Zephyr", ["include"]),
    "windows": ("mingw-w64, the headers of windows.h", ["mingw-w64-headers/include"]),
}
ALL_OF = re.compile(r"^api/\w+\.h$|(^|/)(Arduino\.h|[Bb]inary\.h|wiring\w*\.h|WString\.h|WMath\.h|WCharacter\.h|minwindef\.h|"
                    r"sys/util(_macro)?\.h|stm32\w\wxx\.h|stm32\w+_hal_def\.h|esp_bit_defs\.h)$")
# Macros that a port's header means, where its system has them.
MEANT = {"FS_EXFAT", "O_CREAT", "O_RDWR"}
# Headers of Windows that windows.h includes for everybody.
WINDOWS = re.compile(r"/(minwindef|windef|rpcndr|combaseapi|objbase|winbase|winerror|minmax)\.h$")
# Tests, tools and other firmware; sockets and compressions by the names of POSIX and zlib, which renames functions of the C
# library that std::fstream has as members; debuggers; atomic.h of libmetal, which is for C.
NOT_INCLUDED = re.compile(r"(^|/)(tests?|testing|test_\w+|unit_?tests?|examples?|docs?|host|host_test|bootloaders?|lwip|"
                          r"lwipstack|bt|tools|scripts|private_include|libmetal|umm_malloc)/|xtensa-libdb-macros\.h$", re.I)
HEADER = re.compile(r"\.(h|hh|hpp)$")
DEFINITION = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)", re.M)
LIKE_OURS = re.compile(r"k?[A-Z][a-z][A-Za-z0-9]*|[a-z][a-z0-9_]*|[a-z]+([A-Z][a-z0-9]*)+|[A-Z][0-9]?")


def words(name):
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def of_git(folder, folders):
    """The headers below some folders of a git directory: (path, text)."""
    listing = subprocess.run(["git", "-C", folder, "ls-tree", "-r", "-z", "HEAD", *folders], check=True, capture_output=True).stdout
    entries = [entry.split(b"\t", 1) for entry in listing.split(b"\0") if entry]
    paths = {path.decode(errors="replace"): head.split()[2] for head, path in entries if head.split()[1] == b"blob"}
    wanted = [path for path in paths if HEADER.search(path)]
    with subprocess.Popen(["git", "-C", folder, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as git:
        for path in wanted:
            git.stdin.write(paths[path] + b"\n")
            git.stdin.flush()
            head = git.stdout.readline().split()
            if head[-1] != b"missing":
                yield path, git.stdout.read(int(head[2]) + 1)


def of_tree(folder, folders):
    for below in folders:
        for path in sorted((folder / below).rglob("*")):
            if path.is_file() and HEADER.search(path.name):
                yield str(path.relative_to(folder)), path.read_bytes()


def headers_of(name, folder):
    folders = SOURCES[name][1]
    found = of_git(folder, folders) if (folder / "objects").is_dir() else of_tree(folder, folders)
    for path, text in found:
        if not NOT_INCLUDED.search(path) and (name != "windows" or WINDOWS.search("/" + path)):
            yield path, text


def definitions(name, folder):
    """Definitions of a source's macros, by name: whether each takes arguments, and whether a header of ALL_OF has one."""
    found = {}
    for path, text in headers_of(name, folder):
        whole = bool(ALL_OF.search(path))
        for macro, bracket in DEFINITION.findall(text):
            takes, all_of = found.get(macro.decode(), (True, False))
            found[macro.decode()] = (takes and bracket == b"(", all_of or whole)
    return found


def standard_macros():
    """Macros that the standard headers define here: a core may define them, too, with the same meaning."""
    includes = "".join(f"#include <{header}>\n" for header in public_headers.standard_headers())
    return set(re.findall(r"#define (\w+)", subprocess.run(
        ["g++", "-std=c++17", "-dM", "-E", "-x", "c++", "-"], input=includes, text=True, check=True, capture_output=True).stdout))


def is_kept(name, all_of, used, vocabulary):
    if name in used:
        return True
    if all_of:
        return not name.startswith("_") and not re.search(r"_[hH]_?$", name)
    return bool(LIKE_OURS.fullmatch(name)) and (
        len(words(name)) == 1 or all(word in vocabulary or len(word) == 1 for word in words(name)))


def main():
    known = macros.read()
    used = public_headers.identifiers()
    vocabulary = {word for name in used for word in words(name)}
    never = macros.KEYWORDS | MEANT | standard_macros()
    for argument in sys.argv[1:]:
        name, place = argument.split("=", 1)
        folder, version = place.rsplit("@", 1)
        known.forget(name)
        known.versions[name] = f"{SOURCES[name][0]} {version}"
        for macro, (takes, all_of) in definitions(name, pathlib.Path(folder)).items():
            if macro not in never and is_kept(macro, all_of, used, vocabulary):
                known.add(macro, takes, name)
    known.write()
    print(f"{len(known.sources)} names of {len(known.versions)} sources")


main()
