"""readers.md: a page of outcomes.txt for people."""

import os

from outcome import OTHERWISE, REFUSED, RIGHT, WRONG

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'readers.md')
HEAD = """# Ten years of readers

Written by `tests/readers/check.py`. Each release reads the {files} files of the interop matrix, of every type, encoding and
layout that microparquet writes, and every value is compared. *Otherwise*: the values are there, as another type that shows,
or cut as the release cuts them. *Refused*: by an error. *Wrong*: other values, and no error: a defect of that release, in the
files that the reason names. Each group of files and its reason is a line of [outcomes.txt](outcomes.txt).

| release | of | right | otherwise | refused | wrong |
|---|---|---|---|---|---|
"""
SHOWN = 4  # names of files for a reason


def named(names):
    shown = ', '.join(f'`{name}`' for name in sorted(names)[:SHOWN])
    return shown + (f' and {len(names) - SHOWN} more' if len(names) > SHOWN else '')


def plain(reason):
    return reason.replace('`', "'").replace('()', '')


def reasons(outcomes, release, files):
    lines = []
    for (kind, reason), names in outcomes.reasons(release).items():
        if kind in (REFUSED, WRONG):
            says = f'`{plain(reason)}`' if kind == REFUSED else f'**wrong**, {reason}'
            lines.append(f"- {says}: {'all files' if len(names) == files else named(names)}\n")
    return lines


def text(outcomes, entries, files):
    out = [HEAD.format(files=files)]
    names = [(f"{entry['reader']} {entry['version']}", entry['year']) for _, entry in entries]
    for name, year in names:
        counts = outcomes.counts(name, files)
        out.append(f'| {name} | {year} | {counts[RIGHT]} | {counts[OTHERWISE]} | {counts[REFUSED]} | {counts[WRONG]} |\n')
    out.append('\n## Why\n')
    for name, _ in names:
        found = reasons(outcomes, name, files)
        if found:
            out += [f'\n### {name}\n', *found]
    with open(os.path.join(os.path.dirname(PATH), 'notes.md'), encoding='utf-8') as f:
        out.append('\n' + f.read())
    return ''.join(out)


def write(outcomes, entries, files):
    with open(PATH, 'w', encoding='utf-8') as f:
        f.write(text(outcomes, entries, files))


def written():
    with open(PATH, encoding='utf-8') as f:
        return f.read()
