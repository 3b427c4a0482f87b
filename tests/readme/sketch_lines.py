"""How many lines of a program are neither empty nor a comment.

Usage: sketch_lines.py FILE, from the project's folder.
"""
import pathlib
import sys


def count(text):
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith("//") for line in lines)


if __name__ == "__main__":
    print(count(pathlib.Path(sys.argv[1]).read_text()))
