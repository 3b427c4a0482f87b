"""A plugin of pytest: each test runs in an empty folder of its own, and ends."""
import contextlib
import signal
import tempfile

import harness
import pytest


def give_up(_signal, _frame):
    raise harness.Failed(f"not done after {2 * harness.SECONDS} s")


@pytest.fixture(autouse=True)
def empty_folder():
    signal.signal(signal.SIGALRM, give_up)
    with tempfile.TemporaryDirectory(prefix="programs-") as folder, contextlib.chdir(folder):
        signal.alarm(2 * harness.SECONDS)  # also for a program that never says what a test waits for
        try:
            yield
        finally:
            signal.alarm(0)
