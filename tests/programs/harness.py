"""Tests that run programs, each in an empty folder of its own."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import traceback

import pyarrow.parquet

_state = {"passed": 0, "failed": 0}


class Failed(Exception):
    """A check that did not hold."""


def configure(root, programs):
    _state["root"] = pathlib.Path(root).resolve()
    _state["programs"] = pathlib.Path(programs).resolve()
    sys.path.insert(0, str(root_folder() / "tests" / "checker"))


def root_folder():
    return _state["root"]


def data_file(name):
    """A recording: of this folder, or of the examples."""
    own = root_folder() / "tests" / "programs" / "data" / name
    return own if own.exists() else root_folder() / "examples" / "data" / name


def command(program, *arguments):
    return [str(_state["programs"] / program), *map(str, arguments)]


def run(program, *arguments, **options):
    """The finished program, its output as text unless told otherwise."""
    options.setdefault("text", True)
    return subprocess.run(command(program, *arguments), capture_output=True, timeout=600,
                          restore_signals=True, **options)


def check(held, *seen):
    if not held:
        raise Failed(" ".join(map(str, seen)))


def check_equal(found, expected, what=""):
    check(found == expected, f"{what}: found {found!r}, expected {expected!r}")


def check_ok(result):
    check(result.returncode == 0, "exit code", result.returncode, result.stderr)
    return result


def check_refused(result, *parts, code=1):
    """The exit code, and a message on standard error that has all parts."""
    check_equal(result.returncode, code, f"exit code, with {result.stderr!r}")
    for part in parts:
        check(part in result.stderr, f"{part!r} is not in {result.stderr!r}")


def check_file(path):
    """What the strict checker of the project's files has to say against a file."""
    import parquet_checker
    report = parquet_checker.check_file(str(path))
    check(not report.complaints, f"{path}:", *report.complaints[:5])


def check_image(path, debris):
    """The same of a file whose writing was cut short; with `debris` parts of footers may lie in it."""
    import parquet_checker
    complaints = parquet_checker.check_image(str(path), debris)
    check(not complaints, f"{path}:", *complaints[:5])


def read(path):
    """The rows of a file by pyarrow, checksums included, after the checker has seen it."""
    check_file(path)
    return pyarrow.parquet.read_table(path, page_checksum_verification=True)


def key_values(path):
    metadata = pyarrow.parquet.read_metadata(path).metadata or {}
    return {key.decode(): value.decode() for key, value in metadata.items() if key != b"ARROW:schema"}


def run_test(name, function):
    with tempfile.TemporaryDirectory(prefix="programs-") as folder:
        os.chdir(folder)
        try:
            function()
            _state["passed"] += 1
            print(f"ok: {name}", flush=True)
        except Failed as failure:
            _state["failed"] += 1
            place = traceback.extract_tb(failure.__traceback__)
            lines = [f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in place[1:-1]]
            print(f"FAILED: {name} ({', '.join(lines)}): {failure}", flush=True)
        except Exception:
            _state["failed"] += 1
            print(f"FAILED: {name}", flush=True)
            traceback.print_exc(file=sys.stdout)
        finally:
            os.chdir(root_folder())


def report():
    print(f"{_state['passed']} passed, {_state['failed']} failed")
    return _state["failed"] != 0


def interrupt(process, with_signal=signal.SIGINT):
    """Sends the signal, and gives what the process came to."""
    process.send_signal(with_signal)
    out, error = process.communicate(timeout=20)
    return subprocess.CompletedProcess(process.args, process.returncode, out, error)
