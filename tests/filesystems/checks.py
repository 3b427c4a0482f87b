"""Checks that are counted."""


class Checks:
    passed = failed = 0

    def check(self, name, fault):
        """A check of that name has passed if `fault`, a text, is empty."""
        if fault:
            self.failed += 1
            print(f"FAILED: {name}: {fault}", flush=True)
        else:
            self.passed += 1

    def finish(self):
        """Prints the counts; returns the exit code."""
        print(f"{self.passed} passed, {self.failed} failed")
        return self.failed != 0
