"""Programs as a user runs them, and checks of what they print and write."""
import fcntl
import os
import pathlib
import pty
import signal
import subprocess
import sys
import termios
import time

import pyarrow.parquet

SECONDS = 900  # that anything may take, on a machine however busy
FACTS = ["device_id", "unit.cpu_percent", "unit.memory_used_bytes", "unit.temperature_c"]  # that host_log says of itself
ROOT = pathlib.Path(__file__).resolve().parents[2]
# MICROPARQUET_PROGRAMS names another build's.
PROGRAMS = pathlib.Path(os.environ.get("MICROPARQUET_PROGRAMS") or
                        pathlib.Path(os.environ.get("MICROPARQUET_BUILD") or ROOT / "build", "host", "bin")).resolve()
sys.path[:0] = [str(ROOT / "tests" / "checker"), str(ROOT / "tests")]

import archives  # noqa: E402


class Failed(AssertionError):
    """A check that did not hold."""


def root_folder():
    return ROOT


def data_file(name):
    """A recording: of this folder, or of the examples."""
    own = root_folder() / "tests" / "programs" / "data" / name
    return own if own.exists() else root_folder() / "examples" / "data" / name


def corpus_folder():
    """Unpacked files of other writers."""
    return unpacked("corpus") / "data"


def unpacked(of_set):
    """A folder for each archive of tests/`of_set`."""
    return archives.unpack(of_set)


def command(program, *arguments):
    return [str(PROGRAMS / program), *map(str, arguments)]


def run(program, *arguments, **options):
    """The finished program, its output as text unless told otherwise."""
    options.setdefault("text", True)
    return subprocess.run(command(program, *arguments), capture_output=True, timeout=SECONDS,
                          restore_signals=True, **options)


def on_terminal(width, *arguments, height=24, env=None):
    """What mpq writes to a terminal, its lines as text has them."""
    main, side = pty.openpty()
    termios.tcsetwinsize(side, (height, width))
    with subprocess.Popen(command("mpq", *arguments), stdout=side, env=env or {**os.environ, "LC_ALL": "C.UTF-8"}) as process:
        os.close(side)
        written = b""
        try:
            while part := os.read(main, 1 << 16):
                written += part
        except OSError:  # nobody has it open any more
            pass
        os.close(main)
        check_equal(process.wait(SECONDS), 0)
    return written.decode().replace("\r\n", "\n")


def check(held, *seen):
    __tracebackhide__ = True  # pytest shows the line that asked
    if not held:
        raise Failed(" ".join(map(str, seen)))


def check_equal(found, expected, what=""):
    __tracebackhide__ = True
    check(found == expected, f"{what}: found {found!r}, expected {expected!r}")


def wait_until(condition, what):
    """A test that asks for a state waits for it: how long it takes is the machine's affair."""
    end = time.monotonic() + SECONDS
    while not condition():
        check(time.monotonic() < end, "it does not come:", what)
        time.sleep(0.02)


def wait_until_idle(process):
    """Until a program has taken in all that was written to its standard input, and sleeps; or has ended."""
    def status():
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0], fields[11:13]  # the time it has computed for

    def unread_bytes():
        return int.from_bytes(fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)), sys.byteorder)

    def is_idle():
        if process.poll() is not None:
            return True
        if process.stdin and unread_bytes():
            return False
        before = status()
        time.sleep(0.1)
        return status() == before and before[0] == "S"

    wait_until(is_idle, "idle")


def check_ok(result):
    __tracebackhide__ = True
    check(result.returncode == 0, "exit code", result.returncode, result.stderr)
    return result


def check_refused(result, *parts, code=1):
    """The exit code, and a message on standard error that has all parts."""
    check_equal(result.returncode, code, f"exit code, with {result.stderr!r}")
    for part in parts:
        check(part in result.stderr, f"{part!r} is not in {result.stderr!r}")


def check_file(path):
    """Checks a file with the strict checker of the project's files."""
    import parquet_checker
    report = parquet_checker.check_file(str(path))
    check(not report.complaints, f"{path}:", *report.complaints[:5])


def check_image(path, debris, block_bytes=None):
    """The same of a file whose writing was interrupted; with `debris` parts of footers may lie in it."""
    import parquet_checker
    complaints = parquet_checker.check_image(str(path), debris, block_bytes)
    check(not complaints, f"{path}:", *complaints[:5])


def read(path):
    """The rows of a file by pyarrow, checksums included, after the checker has seen it."""
    check_file(path)
    with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read()


def key_values(path):
    metadata = pyarrow.parquet.read_metadata(path).metadata or {}
    return {key.decode(): value.decode() for key, value in metadata.items() if key != b"ARROW:schema"}


def interrupt(process, with_signal=signal.SIGINT):
    """Sends the signal, and gives what the process came to."""
    process.send_signal(with_signal)
    out, error = process.communicate(timeout=SECONDS)
    return subprocess.CompletedProcess(process.args, process.returncode, out, error)
