"""A plugin of pytest: what tests/run reads, and what a folder promises.

The last line is "N passed, N failed". A test that was skipped, or that failed because it was expected to, has not passed.
Where a folder has a names.txt, each test that it names has to pass whenever the whole folder runs: one that is gone, or is
no longer found, is a failure.
"""
import pathlib

import pytest

COUNTS = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--names", metavar="FILE", help="tests that have to pass, one a line")


def names_of(reporter, *outcomes):
    return [report.nodeid for outcome in outcomes for report in reporter.stats.get(outcome, []) if hasattr(report, "nodeid")]


def pytest_terminal_summary(terminalreporter, config):
    """On the process that reports alone: workers of xdist have no terminal."""
    passed = names_of(terminalreporter, "passed")
    failed = names_of(terminalreporter, "failed", "error", "skipped", "xfailed", "xpassed")
    for name in names_of(terminalreporter, "skipped", "xfailed", "xpassed"):
        terminalreporter.write_line(f"FAILED: {name}: skipped, or expected to fail")
    if config.option.names:
        promised = set(pathlib.Path(config.option.names).read_text(encoding="utf-8").split())
        for name in sorted(promised.difference(passed, failed)):
            terminalreporter.write_line(f"FAILED: {name}: {config.option.names} names it, and no such test was found")
            failed.append(name)
    config.stash[COUNTS] = len(passed), len(failed)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """Fails the run for what pytest itself forgives."""
    result = yield
    if session.exitstatus == 0 and session.config.stash.get(COUNTS, (0, 0))[1]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return result


def pytest_unconfigure(config):
    if COUNTS in config.stash:
        passed, failed = config.stash[COUNTS]
        print(f"{passed} passed, {failed} failed")
