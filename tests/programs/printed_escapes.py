"""Tests how our programs print files, names and command lines that strangers made, in a terminal and in a log."""
import json
import os
import pathlib
import pty
import select
import stat
import subprocess
import sys
import tempfile

import pyarrow as pa
import pyarrow.parquet
from hostile_names import NOT_SHOWN

EVIL = "evil\x1b[31m\x07\x7f\x9b2J\u202e\u2066\u2028\u061c\x85\r\nFORGED\tz"
WRONG = b"evil\x9b31m\xff\xfe"  # no UTF-8: the first byte begins an escape sequence on terminals of eight bits
LIMIT = 240  # seconds, for a program
DATA = {"cat", "follow", "--csv"}  # words of command lines whose standard output is CSV, which a pipe gets as it is
# Sequences of our own in a terminal, whose driver writes CR LF for LF: of a progress line, and the colours of plots, red not among
# them.
OWN = ("\r\n", "\x1b[K", "\r", "\x1b[0m", *(f"\x1b[3{color}m" for color in range(2, 7)))


def small(name):
    """A name in a folder, which has fewer bytes than EVIL and no slash."""
    return f"{name}{EVIL}"


def rows(path, names, values, facts=(), **options):
    table = pa.table({name: pa.array(values) for name in names})
    pyarrow.parquet.write_table(table.replace_schema_metadata({**dict(facts)}), path, **options)


def changed(path, before, after):
    data = pathlib.Path(path).read_bytes()
    assert before in data and len(before) == len(after), (path, before)
    pathlib.Path(path).write_bytes(data.replace(before, after))


def make_files():
    """Parquet files whose every text is hostile, whole and damaged; CSV files; a folder of parts; an image of a card."""
    facts = {key: EVIL for key in ("device", "firmware", "session", "split", "started_at", "device_id", "microparquet.stopped",
                                   "microparquet.collect", "rows_dropped", EVIL, "unit." + EVIL, "scale." + EVIL)}
    nested = pa.table({EVIL: pa.array([[{EVIL: EVIL, "b": 1}], []]), "map": pa.array([[(EVIL, EVIL)], None], pa.map_(pa.string(), pa.string()))})
    rows("good.parquet", [EVIL, "evil2"], [EVIL, None, EVIL + "2"], facts, use_dictionary=False, compression="none", write_page_index=True,
         write_page_checksum=True)
    rows("times.parquet", ["time_us", EVIL], [1000, 2000, 9000], facts, use_dictionary=False, compression="none")
    pyarrow.parquet.write_table(nested, "nested.parquet")
    data = pathlib.Path("good.parquet").read_bytes()
    by = data[data.index(b"parquet-cpp-arrow version"):][:25]
    for name in ("good.parquet", "times.parquet", "nested.parquet"):
        changed(name, by, ("evil\x1b[2J\x07\u202e" + "x" * 13).encode())
        changed(name, b"\x06schema", b"\x06\x1b[2Jev")
    data = pathlib.Path("good.parquet").read_bytes()
    for name, content in (("torn", data[:len(data) // 2]), ("noend", data[:-3]), ("magic", b"PAR1" + data[:9]),
                          ("damaged", data[:60] + bytes(byte ^ 0x55 for byte in data[60:90]) + data[90:]),
                          ("footer", data[:-60] + bytes(40) + data[-20:]), (EVIL, data), (EVIL + ".txt", b"no Parquet"), ("-" + EVIL, data)):
        pathlib.Path(f"{name}.parquet").write_bytes(content)
    pathlib.Path(os.fsdecode(WRONG + b".parquet")).write_bytes(data)
    pathlib.Path(EVIL, "below").mkdir(parents=True)
    pathlib.Path(EVIL, "below", small("a") + ".parquet").write_bytes(data)
    pathlib.Path(EVIL, "torn.parquet").write_bytes(data[:200])
    os.symlink(small("nowhere"), "link.parquet")
    os.mkdir("set")
    rows("set/part-0.parquet", ["n", EVIL], [1, 2])
    schema, part = pyarrow.parquet.read_schema("set/part-0.parquet"), pyarrow.parquet.read_metadata("set/part-0.parquet")
    part.set_file_path("\x1b[2J" + EVIL + ".parquet")
    pyarrow.parquet.write_metadata(schema, "set/_metadata", [part])
    pathlib.Path("quoted.csv").write_bytes(f'"{EVIL}",b,b2\r\n1,2,3\r\n{"x" * 50},"{EVIL}",y\r\n'.encode())
    pathlib.Path("twice.csv").write_bytes(f'"{EVIL}","{EVIL}"\n1,2\n'.encode())
    pathlib.Path("cells.csv").write_bytes(f'a\n1\n"{EVIL}"\n3\n4\n'.encode())
    pathlib.Path("ragged.csv").write_bytes(f'a,b\n"{EVIL}"\n'.encode())
    pathlib.Path("wrong.csv").write_bytes(b"a," + WRONG + b"\n" + WRONG + b",2\n")
    pathlib.Path(EVIL + ".csv").write_bytes(b"\x1f\x8b" + EVIL.encode())
    pathlib.Path("not\x1b[2J.csv").write_bytes(b"a,b\n1,2\n1,\"open\n")
    make_image()
    os.mkdir("bin")
    program = pathlib.Path("bin/duckdb")
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.stdin.read()\nprint({EVIL!r})\nprint({EVIL!r}, file=sys.stderr)\nsys.exit(1)\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def make_image():
    """A log of ours, with a hostile name, on a card."""
    subprocess.run([*PROGRAMS["csv_log"], "-", "log", "--encoding", "plain", "--kv", f"device={EVIL}"], input=b"a,b\n1,2\n3,4\n", capture_output=True,
                   check=True)
    with open("card.img", "wb") as file:
        file.truncate(8 << 20)
    words = {**os.environ, "MTOOLS_SKIP_CHECK": "1"}
    for command in (["mkfs.fat", "-F", "12", "-s", "8", "card.img"], ["mmd", "-i", "card.img", "::A"],
                    ["mcopy", "-i", "card.img", "log", "::A/abcdefghijk.parquet"]):
        subprocess.run(command, check=True, capture_output=True, env=words)
    changed("card.img", "abcde".encode("utf-16-le"), "ev\x1b\x9b\u202e".encode("utf-16-le"))
    log = pathlib.Path("log").read_bytes()
    pathlib.Path("torn_log.parquet").write_bytes(log[:-9])


PROGRAMS = {}  # of each its command line


def command_lines():
    """Command lines of mpq, csv_log and host_log."""
    wrong = os.fsdecode(WRONG)
    files = ["good.parquet", "times.parquet", "nested.parquet", "torn.parquet", "noend.parquet", "magic.parquet", "damaged.parquet",
             "footer.parquet", f"{EVIL}.parquet", f"{EVIL}.txt.parquet", "link.parquet", "set/_metadata", f"{wrong}.parquet", small("none"), wrong,
             "torn_log.parquet"]
    verbs = [["info"], ["info", "--json"], ["plot"], ["schema"], ["head"], ["head", "--json"], ["tail"], ["cat"], ["cat", "--json"],
             ["follow", "--until-idle", "0.01"], ["meta"], ["meta", "--json"], ["pages"], ["pages", "--json"], ["verify"],
             ["recover", "--dry-run"]]
    yield from (["mpq", *verb, file] for verb in verbs for file in files)
    yield from (["mpq", verb, "good.parquet", f"./-{EVIL}.parquet", "torn.parquet", "nested.parquet"]
                for verb in ("info", "plot", "head", "cat", "meta", "verify"))
    yield from (["mpq", "info", EVIL], ["mpq", "info", f"-{EVIL}.parquet"], ["mpq", EVIL], ["mpq", wrong], ["mpq", f"--{EVIL}"], ["mpq", "info", f"--{EVIL}", "x"],
                ["mpq", "head", "-n", EVIL, "good.parquet"], ["mpq", "head", "--columns", small("no"), "good.parquet"],
                ["mpq", "head", "--columns", f"{EVIL},{EVIL}", "good.parquet"], ["mpq", "cat", "--lists", EVIL, "nested.parquet"],
                ["mpq", "cat", "nested.parquet"], ["mpq", "cat", "--lists", "json", "nested.parquet"],
                ["mpq", "cat", "--where", f'"{EVIL}" = 5', "good.parquet"], ["mpq", "cat", "--where", f"'{EVIL}", "good.parquet"],
                ["mpq", "cat", "--where", f"{EVIL} = 1", "good.parquet"], ["mpq", "cat", "--where", f'"{EVIL}" > \'{EVIL}\'', "times.parquet"],
                ["mpq", "info", "--time", EVIL, "good.parquet"], ["mpq", "info", "--time", EVIL, "times.parquet"],
                ["mpq", "plot", "--columns", EVIL, "good.parquet"], ["mpq", "plot", "--from", EVIL, "times.parquet"],
                ["mpq", "pages", "--column", small("x"), "good.parquet"], ["mpq", "pages", "--column", EVIL, "good.parquet"],
                ["mpq", "recover", "card.img", "--dry-run"], ["mpq", "recover", "card.img", "-o", small("image")], ["mpq", "recover", "card.img", "-o", EVIL],
                ["mpq", "recover", "card.img", "-o", EVIL], ["mpq", "recover", "card.img", "-o", small("no/") + "/x"],
                ["mpq", "recover", "card.img"], ["mpq", "recover", "--file-id", EVIL, "good.parquet"],
                ["mpq", "recover", "damaged.parquet", "-o", small("r")], ["mpq", "recover", f"{EVIL}.parquet", "-o", small("r")],
                ["mpq", "recover", "torn.parquet", "--schema", f"{EVIL}.parquet", "-o", small("s")],
                ["mpq", "recover", "torn.parquet", "--schema", EVIL, "-o", small("t"), "--partial", "--unchecked"],
                ["mpq", "report", "good.parquet", "-o", small("page"), "--viewer", EVIL], ["mpq", "report", EVIL, "-o", small("page"), "--viewer", "viewer.html"],
                ["mpq", "report", EVIL, "-o", small("page"), "--viewer", "viewer.html"],
                ["mpq", "merge", "good.parquet", f"./-{EVIL}.parquet", f"{EVIL}.txt.parquet", "damaged.parquet", EVIL, "-o", small("m")],
                ["mpq", "merge", "good.parquet", "times.parquet", "-o", small("m"), "--overwrite"], ["mpq", "merge", "nested.parquet", "good.parquet", "-o", small("m"), "--overwrite"],
                ["mpq", "merge", "good.parquet", "-o", f"{EVIL}.parquet"], ["mpq", "merge", f"{EVIL}.parquet", "--time", EVIL, "-o", small("m"), "--overwrite"],
                ["mpq", "merge", "good.parquet", "-o", small("no/") + "/x"],
                ["mpq", "collect", "good.parquet", f"{EVIL}.parquet", EVIL, "damaged.parquet", "card.img", small("none"), "link.parquet", "-o", small("lake")],
                ["mpq", "collect", "times.parquet", f"{EVIL}.txt.parquet", "-o", small("lake"), "--compact"], ["mpq", "collect", "good.parquet", "-o", "bin"],
                ["mpq", "collect", "good.parquet", "-o", f"{EVIL}.parquet"], ["mpq", "collect", "good.parquet", "-o", small("lake"), "--rename", EVIL],
                ["mpq", "collect", "good.parquet", "-o", small("lake"), "--rename", f"{EVIL}={EVIL}"])
    for file in ("quoted.csv", "twice.csv", "cells.csv", "ragged.csv", "wrong.csv", f"{EVIL}.csv", "not\x1b[2J.csv", small("none"), "good.parquet"):
        yield ["csv_log", file, small("c") + ".parquet", "--overwrite"]
    yield from (["csv_log", "quoted.csv", small("c") + ".parquet"], ["csv_log", "quoted.csv", small("c") + ".parquet", "--append"],
                ["csv_log", "cells.csv", "d.parquet", "--types", f"a={EVIL}"], ["csv_log", "cells.csv", "d.parquet", "--type", f"a={EVIL}"],
                ["csv_log", "cells.csv", "d.parquet", "--type", f"{EVIL}=int64"], ["csv_log", "cells.csv", "d.parquet", "--type", "a=int64"],
                ["csv_log", "cells.csv", "d.parquet", "--type", "a=int64", "--bad-cells", EVIL], ["csv_log", "cells.csv", EVIL], ["csv_log", f"--{EVIL}"],
                ["csv_log", "quoted.csv", "e.parquet", "--columns", small("no")], ["csv_log", "quoted.csv", "e.parquet", "--columns", f"{EVIL},{EVIL}"],
                ["csv_log", "quoted.csv", "e.parquet", "--kv", EVIL], ["csv_log", "cells.csv", "torn_log.parquet", "--append"],
                ["csv_log", "cells.csv", f"{EVIL}.parquet", "--append"], ["csv_log", "cells.csv", "d.parquet", "--delimiter", EVIL],
                ["csv_log", "quoted.csv", small("no/") + "/x.parquet"], ["csv_log", "quoted.csv", "e.parquet", "--bloom", EVIL],
                ["host_log", small("h") + ".parquet", "--seconds", "0.02", "--hz", "100"], ["host_log", small("h") + ".parquet", "--seconds", "0.02"],
                ["host_log", small("h") + ".parquet", "--append", "--seconds", "0.02", "--hz", "100"], ["host_log", f"{EVIL}.txt.parquet", "--append"],
                ["host_log", f"{EVIL}.parquet", "--append"], ["host_log", "noend.parquet", "--append"], ["host_log", EVIL, "--overwrite"],
                ["host_log", small("no/") + "/x.parquet"], ["host_log", f"--{EVIL}"], ["host_log", "x.parquet", "--hz", EVIL], ["host_log", wrong + "/x"])


def in_a_terminal(line, **options):
    """All that is printed by a program whose standard output and errors are a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, **options)
    os.close(theirs)
    said = b""
    while select.select([ours], [], [], LIMIT)[0]:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:
            break
        said += piece
    os.close(ours)
    process.wait(LIMIT)
    return said


def faults_of(said, own=()):
    """Parts of the output that do more than to be shown."""
    text = said.decode(errors="surrogateescape")
    for piece in own:
        text = text.replace(piece, "\n" if "\n" in piece else "")
    faults = [repr(found) for found in sorted(set(NOT_SHOWN.findall(text.replace("\n", ""))))]
    faults += ["bytes that are no UTF-8"] if any("\udc80" <= c <= "\udcff" for c in text) else []
    return faults + [f"a line of its own: {line}" for line in text.split("\n") if line.startswith("FORGED")]


def printed_escapes(programs, folder):
    """`programs`: of mpq, csv_log and host_log the command. The faults, and how often a hostile text was printed at all."""
    PROGRAMS.update(programs)
    os.chdir(folder)
    make_files()
    pathlib.Path("viewer.html").write_text("<div id=\"sessions\"></div></body>")
    options = {"env": {**os.environ, "PATH": f"{os.path.abspath('bin')}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}}
    faults, shown = [], 0
    for words in command_lines():
        line = [*PROGRAMS[words[0]], *words[1:]]
        is_data = words[0] == "mpq" and DATA & set(words) and "--json" not in words
        result = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False, **options)
        outputs = [("errors", result.stderr, ()), ("terminal", in_a_terminal(line, **options), OWN)]
        outputs += [] if is_data else [("output", result.stdout, ())]
        for where, said, own in outputs:
            faults += [f"{words}: {where}: {fault}" for fault in faults_of(said, own)]
            shown += b"evil" in said
        if result.returncode not in range(4) and result.returncode < 100:
            faults.append(f"{words}: exit code {result.returncode}")
        if "--json" in words:
            faults += [f"{words}: no JSON" for text in result.stdout.splitlines() if not is_json(text)]
    readme = next(pathlib.Path().glob("lake*/README.md")).read_bytes()
    return faults + [f"README.md of a lake: {fault}" for fault in faults_of(readme)], shown


def is_json(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def main(programs):
    names = ("mpq", "csv_log", "host_log")
    with tempfile.TemporaryDirectory() as folder:
        faults, _ = printed_escapes({name: [os.path.abspath(f"{programs}/{name}")] for name in names}, folder)
        os.chdir("/")
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    print(f"escapes.printed {len(faults)} count")


if __name__ == "__main__":
    main(sys.argv[1])
