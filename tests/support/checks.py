"""Checks that are counted."""


class Checks:
    """`shows_passed`: a line for each check that has passed as well."""
    passed = failed = 0

    def __init__(self, shows_passed=False):
        self._shows_passed = shows_passed

    def check(self, name, fault):
        """A check of that name has passed if `fault`, a text, is empty."""
        if fault:
            self.failed += 1
            print(f"FAILED: {name}: {fault}", flush=True)
            return
        self.passed += 1
        if self._shows_passed:
            print(f"ok: {name}", flush=True)

    def check_that(self, name, held, seen=""):
        """A check of that name has passed if `held`; else it shows what was `seen`."""
        self.check(name, "" if held else str(seen) or "it is not")

    def finish(self):
        """Prints the counts; returns the exit code."""
        print(f"{self.passed} passed, {self.failed} failed")
        return self.failed != 0
