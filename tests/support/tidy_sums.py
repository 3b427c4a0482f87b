"""Recognises sources that clang-tidy has found right by a sum of all that they depend on in this project.

The sum of a source is of its compiler options, the configuration of clang-tidy, and the text of the source and of all headers of the
project that it includes, directly or not; comments of headers are no part of it. Nor are headers of the system: they are the
distribution's.
"""
import functools
import hashlib
import pathlib
import re
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "port/packages"))
from releasing import version  # noqa: E402  pylint: disable=wrong-import-position

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
COMMENT = re.compile(r"^[ \t]*//(?!.*NOLINT).*\n", re.M)


@functools.lru_cache(maxsize=None)
def text_of(path):
    """The text; of a header without lines of comments, of a release as of the state before it, in which nothing else is changed."""
    text = path.read_text(errors="replace")
    if path.suffix == ".h":
        text = COMMENT.sub("", text)
    if path.name == pathlib.Path(version.HEADER).name:
        for released, before in zip(version.RELEASED, version.UNRELEASED):
            text = re.sub(re.escape(released).replace(r"\{\}", f"({version.NUMBER})"), before.format(r"\1"), text)
    return text


@functools.lru_cache(maxsize=None)
def digest(path):
    return hashlib.sha256(text_of(path).encode()).hexdigest()


@functools.lru_cache(maxsize=None)
def included_by(path, folders):
    """The headers of the project that a file includes itself."""
    found = []
    for name in INCLUDE.findall(text_of(path)):
        for folder in (path.parent, *folders):
            header = folder / name
            if header.is_file():
                found.append(header.resolve())
                break
    return found


def files_of(source, folders):
    """The source, and the project's headers that it includes."""
    seen = {source}
    left = [source]
    while left:
        for header in included_by(left.pop(), folders):
            if header not in seen:
                seen.add(header)
                left.append(header)
    return seen


def without_places(words, root, build):
    """Compiler options that a clone elsewhere has, too: without the launcher, the output, the names of folders, and which
    warnings are errors."""
    words = words[1:] if pathlib.Path(words[0]).name == "ccache" else words
    words = words[1:words.index("-o")] if "-o" in words else words[1:]
    words = [word for word in words if not word.startswith(("-Werror", "-Wno-error"))]
    return [word.replace(str(build), "BUILD").replace(str(root), "ROOT") for word in words]


def sum_of(source, command, config, root, build):
    words = shlex.split(command)
    folders = tuple(pathlib.Path(word[2:]) for word in words if word.startswith("-I"))
    folders = tuple(folder for folder in folders if root in folder.parents and build not in folder.parents)
    parts = [config, *without_places(words, root, build)]
    parts += sorted(f"{path.relative_to(root)} {digest(path)}" for path in files_of(source.resolve(), folders)
                    if root in path.parents)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def read(table):
    """{source: sum} of a table."""
    if not table.exists():
        return {}
    return dict(line.rsplit(" ", 1) for line in table.read_text().splitlines() if line and not line.startswith("#"))


def write(table, sums):
    head = "# What clang-tidy has found right: see tests/support/tidy_sums.py. Made by tests/groups/format --write.\n"
    table.write_text(head + "".join(f"{source} {sums[source]}\n" for source in sorted(sums)))
