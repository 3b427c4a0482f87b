"""Counts what passed and prints what did not."""

import sys


class Results:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, what, complaint):
        """`complaint` is None or empty when the check passed."""
        if not complaint:
            self.passed += 1
            return
        self.failed += 1
        print(f'FAILED {what}: {complaint}')
        sys.stdout.flush()

    def finish(self):
        print(f'{self.passed} passed, {self.failed} failed')
        return 1 if self.failed else 0
