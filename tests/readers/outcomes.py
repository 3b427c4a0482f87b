"""outcomes.txt: what comes of files in releases, but for those that are right.

A line each: RELEASE | KIND | REASON | NAMES of files, "all" for all."""

import collections
import os

from outcome import KINDS, RIGHT

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'outcomes.txt')
HEAD = """# Outcomes of the files of the interop matrix in releases of other readers that are not the values that were written:
# RELEASE | KIND | REASON | FILES. Written by check.py --every --update.
"""


class Outcomes:
    def __init__(self):
        self.found = collections.OrderedDict()
        if os.path.exists(PATH):
            with open(PATH, encoding='utf-8') as f:
                for line in f:
                    if not line.startswith('#'):
                        release, kind, reason, names = line.rstrip('\n').split(' | ')
                        files = self.found.setdefault(release, {})
                        files.update({name: (kind, reason) for name in names.split()})

    def take(self, release, found):
        self.found[release] = {name: outcome for name, outcome in found.items() if outcome[0] != RIGHT}

    def of(self, release, name):
        return self.found.get(release, {}).get(name, (RIGHT, ''))

    def counts(self, release, files):
        counts = dict.fromkeys(KINDS, 0)
        for kind, _ in self.found.get(release, {}).values():
            counts[kind] += 1
        counts[RIGHT] = files - sum(counts.values())
        return counts

    def reasons(self, release):
        """{(kind, reason): names}, in the order of the kinds and the most files first."""
        reasons = {}
        for name, outcome in self.found.get(release, {}).items():
            reasons.setdefault(outcome, []).append(name)
        return dict(sorted(reasons.items(), key=lambda r: (KINDS.index(r[0][0]), -len(r[1]), r[0][1])))

    def write(self):
        with open(PATH, 'w', encoding='utf-8') as f:
            f.write(HEAD)
            for release in sorted(self.found):
                for (kind, reason), names in self.reasons(release).items():
                    f.write(f"{release} | {kind} | {reason} | {' '.join(sorted(names))}\n")
