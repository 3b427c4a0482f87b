#!/usr/bin/env python3
"""Counts how large the project is and how it reads, from the tracked files.

Usage: house.py [--details], from anywhere. --details names on standard error where the largest counts come from.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = ("src/", "include/")
PRODUCTS = ("src/", "include/", "port/", "examples/")
SOURCES = (".h", ".cpp", ".c")

# A comment begins with a noun or a verb. One that begins with these words has neither before its end.
OPENERS = re.compile(r"\s*(?://+|/\*+) ?(?:What|Where|Of|Those|So|As|Which|If|That)\b")
CAST = re.compile(r"static_cast<\s*(?:const )?(?:microparquet::)?(?:detail::)?ColumnWriter\s*(?:const ?)?[&*]>")

COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# Text between the `)` of a function's parameters and its body; a constructor's list of members may follow.
BEFORE_BODY = re.compile(r"\)(?:\s*(?:const|noexcept(?:\s*\([^()]*\))?|override|final|&&?|\[\[[^]]*\]\]))*"
                         r"(?:\s*->\s*[^;{}()=]+?)?\s*(?:(?<!:):(?!:).*[)}]\s*)?$", re.S)


def blanked(text):
    """The same number of lines without comments, strings and directives."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    return DIRECTIVE.sub(blank, COMMENT_OR_STRING.sub(blank, text))


def without_parentheses(text):
    while (shorter := re.sub(r"\([^()]*\)", "()", text)) != text and "(" in re.sub(r"\(\)", "", text):
        text = shorter
    return re.sub(r"\([^()]*\)", "()", text)


def is_scope(words):
    """Whether a block after these words holds declarations."""
    scope = re.match(r"(?:\[\[[^]]*\]\]\s*)?(?:inline )?(?:namespace|class|struct|union|enum|extern\b(?!.*\())\b", words)
    return not words or bool(scope) and not re.search(r"\w\s*\(\)", words)


def is_function(words):
    """Whether a block after these words is a function's body."""
    is_variable = re.search(r"(?<![=!<>])=(?!=)", re.sub(r"operator\s*\W+?(?=\(\))", "operator", words))
    return not is_scope(words) and not is_variable and bool(BEFORE_BODY.search(words))


def function_lengths(text):
    """(lines, first line) of each function, from the line of its name to that of its closing brace."""
    code = blanked(text)
    blocks, begin = [], 0  # of each open block: where its function begins, or None, and where its statement continues
    for match in re.finditer(r"[{};]|\b(?:public|private|protected)\s*:", code):
        if match[0] == "{":
            head = code[begin:match.start()]
            words = without_parentheses(re.sub(r"template\s*<[^{};]*?>\s*(?=[\w\[:])", "", head)).strip()
            inside = any(first is not None for first, _ in blocks)
            first = begin + head.find("(") if not inside and "(" in head and is_function(words) else None
            continues = begin if not inside and first is None and not is_scope(words) else None
            blocks.append((first, continues))
        elif match[0] == "}":
            if not blocks:
                raise ValueError("a brace too many")
            first, continues = blocks.pop()
            if first is not None:
                line = code.count("\n", 0, first) + 1
                yield code.count("\n", 0, match.start()) + 2 - line, line
            if continues is not None:  # the values of a variable or member
                begin = continues
                continue
        begin = match.end()
    if blocks:
        raise ValueError("a brace too few")


def longest(lengths):
    return max(lengths, key=lambda entry: entry[0])


def details(name, text):
    if "--details" in sys.argv:
        print(f"{name}: {text}", file=sys.stderr)


def lines_of(path):
    return (ROOT / path).read_text(errors="replace").splitlines()


def functions_of(paths):
    for path in paths:
        try:
            yield from ((length, f"{path}:{line}") for length, line in function_lengths((ROOT / path).read_text()))
        except ValueError as error:
            sys.exit(f"{path}: {error}")


def matches(paths, pattern):
    for path in paths:
        for number, line in enumerate(lines_of(path), 1):
            for _ in pattern.finditer(line):
                yield f"{path}:{number}"


def count(name, places):
    details(name, " ".join(places))
    return len(places)


def main():
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
    there = [name for name in tracked if (ROOT / name).exists()]
    library = [name for name in there if name.startswith(LIBRARY) and name.endswith(SOURCES)]
    products = [name for name in there if name.startswith(PRODUCTS) and name.endswith(SOURCES)]
    file_lines, longest_file = longest((len(lines_of(name)), name) for name in library)
    function_lines, longest_function = longest(functions_of(library))
    details("house.longest_file", longest_file)
    details("house.longest_function", longest_function)
    asked = re.compile("__OPTIMIZE_" + "SIZE__")  # in two parts, so that this line does not count
    text = [name for name in there if name.endswith((*SOURCES, ".cmake", ".txt", ".md", ".py", ".ino"))]
    openers = (f"{name}:{number}" for name in library for number, line in enumerate(lines_of(name), 1) if OPENERS.match(line))
    print(f"readme.words {len((ROOT / 'README.md').read_text().split())} words")
    print(f"design.lines {len(lines_of('src/DESIGN.md'))} lines")
    print(f"house.files {len(there)} files")
    print(f"house.src_read_files {sum(name.startswith('src/read/') for name in there)} files")
    print(f"house.src_sources {sum(name.startswith('src/') and name.endswith('.cpp') for name in there)} files")
    print(f"house.longest_file {file_lines} lines")
    print(f"house.longest_function {function_lines} lines")
    print(f"house.openers {count('house.openers', list(openers))} comments")
    print(f"house.optimize_size {count('house.optimize_size', list(matches(text, asked)))} places")
    print(f"house.casts_to_column_writer {count('house.casts_to_column_writer', list(matches(products, CAST)))} places")


if __name__ == "__main__":
    main()
