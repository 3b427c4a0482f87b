#!/usr/bin/env python3
"""Reads the files of the interop matrix with releases of other readers, old and new, and holds what came of it against
outcomes.txt, both ways.

    check.py --gen interop_gen --out FOLDER --installed FOLDER [--every] [--only READER] [--update] [--figures]

--every: also the releases that are left to --long, and for each of them all files; without, each reads those of one type, those
of compatible.h and another part of the others. --update, which needs --every, writes outcomes.txt and readers.md again. --figures
prints counts. Ends with the line "N passed, N failed".
"""

import argparse
import os
import subprocess
import sys
import time
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'interop'), os.path.join(HERE, '..', 'checker')]

import install
import page
import releases
from interop_check import Interop
from matrix import share
from outcome import KINDS, OTHERWISE, RIGHT, Judge
from outcomes import Outcomes
from results import Results


def write_files(gen, matrix):
    for case in matrix.cases:
        subprocess.run([gen, matrix.path(case), *case.arguments()], check=True)


def cases_of(matrix, number):
    """Cases that release `number` reads each time."""
    always = [case for case in matrix.cases if case in matrix.single or case.compatible]
    return always + share([case for case in matrix.cases if case not in always], number)


def measure(release, matrix, judge, cases):
    """{case's name: (kind, reason)}"""
    files = release.read_all([matrix.path(case) for case in cases])
    return {case.name: judge.judge(release, case, files[matrix.path(case)]) for case in cases}


def compare(results, release, found, outcomes):
    """A file that is named nowhere is right."""
    for name, got in found.items():
        want = outcomes.of(release.name, name)
        results.check(f'{release.name}, {name}', None if got == want else f'{": ".join(got)}; outcomes.txt: {": ".join(want)}')


def hold_compatible(results, release, matrix, found):
    """Checks the promises of compatible.h, whatever outcomes.txt says."""
    for case in matrix.cases:
        if case.compatible:
            kind, reason = found[case.name]
            results.check(f'{release.name}, {case.name} is taken', None if kind in (RIGHT, OTHERWISE) else f'{kind}: {reason}')


def print_figures(outcomes, entries, files):
    counts = dict.fromkeys(KINDS, 0)
    for _, entry in entries:
        for kind, number in outcomes.counts(f"{entry['reader']} {entry['version']}", files).items():
            counts[kind] += number
    for kind in KINDS:
        print(f'readers.{kind} {counts[kind]} files')
    print(f'readers.releases {len(entries)} releases')


def main():
    parser = argparse.ArgumentParser(description='Reads our files with releases of other readers.')
    parser.add_argument('--gen', required=True, help='the program interop_gen')
    parser.add_argument('--out', required=True, help='folder for the files')
    parser.add_argument('--installed', required=True, help='folder for the releases')
    parser.add_argument('--only', default='', help="part of a release's name")
    parser.add_argument('--every', action='store_true')
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--figures', action='store_true')
    args = parser.parse_args()
    if args.update and not args.every:
        parser.error('--update needs --every: it writes what became of all files')
    out = os.path.abspath(args.out)
    os.makedirs(out, exist_ok=True)
    matrix, judge, results, outcomes = Interop(types.SimpleNamespace(out=out)), Judge(), Results(), Outcomes()
    everything = releases.chosen(True)
    installer = install.Installer(args.installed)
    write_files(args.gen, matrix)
    for number, (kind, entry) in enumerate(everything):
        name = f"{entry['reader']} {entry['version']}"
        if args.only not in name or (entry.get('long') and not args.every):
            continue
        started = time.monotonic()
        release = releases.make(kind, entry, installer, out)
        found = measure(release, matrix, judge, matrix.cases if args.every else cases_of(matrix, number))
        if args.update:
            outcomes.take(release.name, found)
        compare(results, release, found, outcomes)
        hold_compatible(results, release, matrix, found)
        right = sum(kind == RIGHT for kind, _ in found.values())
        print(f'{name}: {right} of {len(found)} right, {time.monotonic() - started:.1f} s', file=sys.stderr)
    if args.update:
        outcomes.write()
        page.write(outcomes, everything, len(matrix.cases))
    results.check('readers.md', None if page.text(outcomes, everything, len(matrix.cases)) == page.written()
                  else 'not made of outcomes.txt: check.py --every --update')
    if args.figures:
        print_figures(outcomes, everything, len(matrix.cases))
        return 1 if results.failed else 0
    return results.finish()


if __name__ == '__main__':
    sys.exit(main())
