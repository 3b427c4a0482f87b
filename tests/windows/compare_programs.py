"""Compares the programs for Windows, on wine, with those of this system: what they print, write and end with.

    compare_programs.py PROGRAMS WINDOWS_PROGRAMS WORK [EVERY]

Every EVERYth text of tests/programs/data/logs.tar.xz goes through csv_log, and what it wrote through commands of mpq; the Parquet files go
through those alone. Then what Windows does otherwise: names, wildcards, long paths, files in use. Without an mpq.exe all is of csv_log.
Results go into files, since wine's services keep a pipe open. The last line is "N passed, N failed"; WORK/figures has windows.outputs and windows.differences.
"""
import os
import pathlib
import subprocess
import sys
import tarfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOGS = ROOT / "tests/programs/data/logs.tar.xz"
WALK = ROOT / "examples/data/walk.csv"
COMMANDS = (["info"], ["info", "--json"], ["cat"], ["verify"], ["plot"], ["pages"], ["meta"], ["head", "--json"])
SECONDS = 600
LONG_PATH = "/".join([*(letter * 60 for letter in "abcde"), "log.parquet"])


class Side:
    """The programs of one system, and a folder for them."""

    def __init__(self, folder, prefix, programs, suffix):
        self.folder, self.prefix, self.programs, self.suffix = folder, prefix, programs, suffix
        folder.mkdir(parents=True)
        self.runs = 0
        self.has_mpq = (programs / ("mpq" + suffix)).exists()
        self.environment = {name: os.environ[name] for name in ("WINEPREFIX", "WINEDEBUG") if name in os.environ}
        self.environment |= {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": str(folder.parent), "COLUMNS": "100"}

    def command(self, words):
        return [*self.prefix, str(self.programs / (words[0] + self.suffix)), *words[1:]]

    def run(self, *words, stdin=None):
        """Exit code, output and complaints; of another run where wine lost its server before the program began."""
        for _ in range(3):
            result = self.run_once(words, stdin)
            if not result[2].startswith(b"wine client error:"):
                break
        return result

    def run_once(self, words, stdin):
        self.runs += 1  # what outlives a program would write into the next one's
        out, err = (self.folder.with_name(f"{self.folder.name}_{what}_{self.runs}") for what in ("out", "err"))
        with open(out, "wb") as to, open(err, "wb") as complaints:
            code = subprocess.run(self.command(words), cwd=self.folder, env=self.environment, stdin=stdin or subprocess.DEVNULL,
                                  stdout=to, stderr=complaints, timeout=SECONDS, check=False).returncode
        return code, out.read_bytes(), err.read_bytes()


class Comparison:
    """Counts what is the same."""

    def __init__(self, own, windows):
        self.own, self.windows = own, windows
        self.outputs = self.differences = self.passed = self.failed = 0

    def note(self, what, ours, theirs):
        self.outputs += 1
        if ours != theirs:
            self.differences += 1
            ours, theirs = str(ours), str(theirs)
            begin = max(len(os.path.commonprefix([ours, theirs])) - 60, 0)
            print(f"DIFFERS: {what}\n    here  {ours[begin:begin + 600]}\n    wine  {theirs[begin:begin + 600]}")

    def both(self, *words, file=None):
        """Runs a command on both sides; of its output only `file`, if it is given, and what is printed."""
        results = [side.run(*words) for side in (self.own, self.windows)]
        self.note(" ".join(words), *results)
        if file:
            self.note(f"{file} of {' '.join(words)}", *((side.folder / file).read_bytes() if (side.folder / file).exists() else None
                                                        for side in (self.own, self.windows)))

    def check(self, what, good, *facts):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        print(f"ok: {what}" if good else f"FAILED: {what}: {facts}")


def compare_logs(comparison, every):
    with tarfile.open(LOGS) as archive:
        members = sorted((member for member in archive if member.name.startswith("files/")), key=lambda member: member.name)
        files = {pathlib.Path(member.name).name: archive.extractfile(member).read() for member in members}
    for name, content in list(files.items())[::every]:
        for side in (comparison.own, comparison.windows):
            (side.folder / name).write_bytes(content)
        parquet = name
        if not name.endswith(".parquet"):
            parquet = name + ".parquet"
            comparison.both("csv_log", "--file-id", "7", name, parquet, file=parquet)
        if comparison.windows.has_mpq and (comparison.own.folder / parquet).exists():
            for words in COMMANDS:
                comparison.both("mpq", *words, parquet)


def check_names(check, side):
    before = sorted(side.folder.iterdir())
    for name in ("aux.parquet", "CON.parquet", "nul", "a:b.parquet", "dot.parquet.", "space.parquet "):
        for options in ([], ["--overwrite"], ["--append"]):
            code, out, err = side.run("csv_log", *options, "walk.csv", name)
            check(f"{name} is refused {options}", code == 1 and out == b"" and b"does not take it for the name of a file" in err, code, err)
    check("no file is made of them", sorted(side.folder.iterdir()) == before)
    code, _, err = side.run("csv_log", str(side.folder / "walk.csv"), str(side.folder / "absolute.parquet"))
    check("/path is no option", code == 0 and (side.folder / "absolute.parquet").exists(), code, err)
    deep = side.folder.joinpath(*(letter * 60 for letter in "abcde"))
    deep.mkdir(parents=True)
    code, _, err = side.run("csv_log", "walk.csv", LONG_PATH)
    check("a path of 300 characters is written", code == 0 and (deep / "log.parquet").exists(), code, err)
    (side.folder / "läufe").mkdir()
    code, _, err = side.run("csv_log", "walk.csv", "läufe/温度.parquet")
    check("a name in Unicode is written", code == 0 and (side.folder / "läufe/温度.parquet").exists(), code, err)


def check_names_read(check, side):
    code, out, err = side.run("mpq", "info", str(side.folder / "walk.parquet"))
    check("/path is no option of mpq", code == 0 and b"walk.parquet" in out, code, err)
    code, out, err = side.run("mpq", "info", LONG_PATH)
    check("a path of 300 characters is read", code == 0 and LONG_PATH.encode() in out, code, err)
    code, out, err = side.run("mpq", "info", "läufe")
    check("a folder in Unicode is read, and printed with /", code == 0 and "läufe/温度.parquet".encode() in out, code, out, err)
    for command in ("info", "head", "verify", "pages"):
        code, out, err = side.run("mpq", command, "läufe/*.PARQUET")
        check(f"mpq {command} expands a pattern", code == 0 and out != b"", code, err)
    code, out, err = side.run("mpq", "head", "qq*.parquet")
    check("a pattern that nothing matches", code == 1 and b"qq*.parquet: no file matches" in err, code, err)
    code, out, err = side.run("mpq", "info", "läufe", "nothing.parquet")
    check("a file that is not there", code != 0 and b"no such file; check the name" in err, code, err)
    code, out, err = side.run("mpq", "cat", "läufe")
    check("a folder is no file", code == 1 and b"it is a folder" in err, code, err)


def check_files(check, side):
    before = (side.folder / "walk.parquet").read_bytes()
    code, _, err = side.run("csv_log", "walk.csv", "walk.parquet")
    check("a file that is there is refused", code == 1 and b"it exists" in err, code, err)
    code, _, err = side.run("csv_log", "--overwrite", "--file-id", "9", "walk.csv", "walk.parquet")
    after = (side.folder / "walk.parquet").read_bytes()
    check("--overwrite replaces a file", code == 0 and after != before, code, err)
    check("and leaves nothing beside it", [path.name for path in side.folder.iterdir() if path.name.startswith("walk.parquet")] == ["walk.parquet"])
    code, _, err = side.run("csv_log", "--append", "walk.csv", "walk.parquet")
    check("--append adds to it", code == 0 and len((side.folder / "walk.parquet").read_bytes()) > len(after), code, err)


def check_streams(check, side):
    with open(side.folder / "walk.parquet", "rb") as file:
        code, out, err = side.run("mpq", "cat", "-", stdin=file)
    check("standard input as a file", code == 0 and out == side.run("mpq", "cat", "walk.parquet")[1], code, err)
    with subprocess.Popen(["cat", side.folder / "walk.parquet"], stdout=subprocess.PIPE) as cat:
        code, out, err = side.run("mpq", "cat", "-", stdin=cat.stdout)
    check("standard input as a pipe", code == 0 and out == side.run("mpq", "cat", "walk.parquet")[1], code, err)
    code, out, err = side.run("csv_log", "walk.csv", "-")
    (side.folder / "forward.parquet").write_bytes(out)
    check("standard output as a file", code == 0 and side.run("mpq", "verify", "forward.parquet")[0] == 0, code, err)


def check_pipe(check, side):
    """Whoever reads has seen enough."""
    with open(side.folder / "said", "wb") as said:
        with subprocess.Popen(side.command(["mpq", "cat", "long.parquet"]), cwd=side.folder, env=side.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=said) as program:
            program.stdout.read(10)
            program.stdout.close()
            code = program.wait(timeout=SECONDS)
    check("a closed pipe is silent", code == 1 and (side.folder / "said").read_bytes() == b"", code, (side.folder / "said").read_bytes())


def check_lock(check, side):
    """A second writer is refused, a reader is not. Wine does not tell what a pipe of this system holds: rows enough that it is not asked."""
    rows = b"time,x\n" + b"".join(b"%d,%d\n" % (i, i) for i in range(200_000))
    read, write = os.pipe()
    with open(side.folder / "ack", "wb") as ack, open(side.folder / "said", "wb") as said:
        with subprocess.Popen(side.command(["csv_log", "--checkpoint-rows", "1000", "--ack", "-", "live.parquet"]), cwd=side.folder,
                              env=side.environment, stdin=read, stdout=ack, stderr=said) as program:
            os.close(read)
            with open(write, "wb", closefd=False) as rows_in:
                rows_in.write(rows)
            while b"durable" not in (side.folder / "ack").read_bytes() and program.poll() is None:
                time.sleep(0.01)
            code, _, err = side.run("csv_log", "--append", "walk.csv", "live.parquet")
            check("a second writer is refused", code == 1 and b"another program is writing it" in err, code, err)
            if side.has_mpq:
                code, _, err = side.run("mpq", "cat", "live.parquet")
                check("a reader is not", code == 0, code, err)
            os.close(write)
            check("and the first one ends well", program.wait(timeout=SECONDS) == 0, (side.folder / "said").read_bytes())


def main():
    programs, windows_programs, work = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    every = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    own = Side(work / "here", [], programs, "")
    windows = Side(work / "wine", [os.environ["WINE"]], windows_programs, ".exe")
    comparison = Comparison(own, windows)
    for side in (own, windows):
        (side.folder / "walk.csv").write_bytes(WALK.read_bytes())
        (side.folder / "long.csv").write_text("time,x\n" + "".join(f"{i},{i * 7}\n" for i in range(100_000)))
    compare_logs(comparison, every)
    comparison.both("csv_log", "--file-id", "7", "walk.csv", "walk.parquet", file="walk.parquet")
    comparison.both("csv_log", "--file-id", "7", "long.csv", "long.parquet", file="long.parquet")
    if windows.has_mpq:
        for side in (own, windows):  # one of them has no zstd: other bytes
            side.run("mpq", "collect", "walk.parquet", "long.parquet", "-o", "lake")
        comparison.both("mpq", "cat", "--columns", "path,rows,rows_lost,first_time,source", "lake/files.parquet")
    check_names(comparison.check, windows)
    check_files(comparison.check, windows)
    if windows.has_mpq:
        check_names_read(comparison.check, windows)
        check_streams(comparison.check, windows)
        check_pipe(comparison.check, windows)
    check_lock(comparison.check, windows)
    (work / "figures").write_text(f"windows.outputs {comparison.outputs} outputs\nwindows.differences {comparison.differences} outputs\n")
    print(f"{comparison.outputs - comparison.differences + comparison.passed} passed, {comparison.differences + comparison.failed} failed")
    return 0


sys.exit(main())
