"""Finds the words of words.txt in tracked documents, and in comments, docstrings, names of tests and texts of help of tracked
sources.

Usage: check_prose.py [--count], from the project's folder. --count prints how many each folder has.
"""
import collections
import pathlib
import re
import subprocess
import sys

COMMENTS = {".h": "//", ".cpp": "//", ".ino": "//", ".py": "#", ".sh": "#", ".cmake": "#", ".txt": "#", ".yml": "#", ".ld": None,
            ".toml": "#", ".go": "//", ".js": "//", ".S": "//", "": "#"}
NOT_PROSE = ("tests/prose/", "tests/figures.txt", "tests/corpus/", "tests/programs/data/", "examples/data/", "LICENSE")


def patterns():
    for line in pathlib.Path("tests/prose/words.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            words, instead = line.split(" => ")
            yield re.compile(rf"\b(?:{words})\b".replace(" ", r"\s+"), re.I), instead


def comment(line, mark):
    """Returns the text after the mark of a comment in a line, outside of strings as far as one line shows."""
    plain = re.sub(r'"(?:\\.|[^"\\])*"', lambda match: '"' + " " * (len(match[0]) - 2) + '"', line)
    begin = plain.find(mark)
    while mark == "//" and begin > 0 and plain[begin - 1] == ":":  # the address of a page
        begin = plain.find(mark, begin + 2)
    return line[begin + len(mark):] if begin >= 0 else ""


STRING = r'"(?:\\.|[^"\\])*"'
# Names of tests, and what a program's help says of its commands and options; the string may stand on the next line.
SHOWN = re.compile(rf'^TEST\(\s*((?:{STRING}\s*)+)|\b(?:add_\w+|CLI::App|\w*app)\b[({{]((?:[^;"]|{STRING})*)', re.M)


def add_shown_strings(text, lines):
    for match in SHOWN.finditer(text):
        group = 1 if match[1] else 2
        for string in re.finditer(STRING, match[group] or ""):
            lines[text.count("\n", 0, match.start(group) + string.start())] += " " + string[0][1:-1]


def add_docstrings(text, lines):
    for match in re.finditer(r'^ *"""(.*?)"""', text, re.M | re.S):
        first = text.count("\n", 0, match.start())
        for number, line in enumerate(match[1].split("\n"), first):
            lines[number] = line


def prose_of(path):
    """The prose of a file, line by line, so that offsets tell lines; other lines are empty."""
    text = path.read_text(errors="replace")
    if path.suffix == ".md":
        fenced, lines = False, []
        for line in text.splitlines():
            fenced ^= line.startswith("```")
            lines.append("" if fenced else re.sub(r"`[^`]*`", "", line))
        return lines
    mark = COMMENTS.get(path.suffix)
    if mark is None:
        return []
    lines = [comment(line, mark) for line in text.splitlines()]
    if path.suffix == ".cpp":
        add_shown_strings(text, lines)
    if path.suffix == ".py":
        add_docstrings(text, lines)
    return [re.sub(r"`[^`]*`", "", line) for line in lines]


def findings(path):
    text = "\n".join(prose_of(path))
    for pattern, instead in patterns():
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f'{path}:{line}: "{" ".join(match[0].split())}": say {instead}'


def main():
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
    counts, wrong = collections.Counter(), []
    for name in tracked:
        path = pathlib.Path(name)
        if name.startswith(NOT_PROSE) or not path.is_file():
            continue
        found = list(findings(path))
        counts["/".join(path.parts[:2]) if len(path.parts) > 2 else str(path)] += len(found)
        wrong += found
    if "--count" in sys.argv:
        print("\n".join(f"{count:5} {folder}" for folder, count in counts.most_common() if count))
        return 0
    print("\n".join(wrong[:60] + [f"{len(wrong)} places"] if wrong else ["no place"]))
    return bool(wrong)


sys.exit(main())
