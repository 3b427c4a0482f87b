"""Writes the programs of the page of the two files into a folder: page_programs.py FOLDER

A block of code under the headline "FatFs in C++" becomes fatfs.cpp, one under "POSIX in C" posix.c."""
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "port/packages/drop_in/README.md"
ENDINGS = {"C++": "cpp", "C": "c"}
WANTED = {"fatfs.cpp", "fatfs.c", "posix.cpp", "posix.c"}
MOST_LINES = 45


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    programs = {}
    for system, language, text in re.findall(r"^## (\w+) in (C\+\+|C)\n(?:(?!^##).)*?^```c(?:pp)?\n(.*?)^```$", PAGE.read_text(), re.M | re.S):
        programs[f"{system.lower()}.{ENDINGS[language]}"] = text
    assert set(programs) == WANTED, sorted(programs)
    for name, text in programs.items():
        lines = [line for line in text.splitlines() if line]
        assert len(lines) <= MOST_LINES, f"{name} has {len(lines)} lines"
        (folder / name).write_text(text)


main()
