"""Runs dump_values and splits what it prints."""

import dataclasses
import subprocess

# Each way of reading takes other paths through the reader; small buffers make pages pass through them in pieces.
WAYS = [(by, buffer_bytes) for by in ("rows", "batches", "runs") for buffer_bytes in (64, 512, 1 << 17)]


@dataclasses.dataclass
class Dump:
    lines: list  # the header and the rows
    repeated: int
    pages: int
    checked: int
    status: str


def dump(program, path, by="rows", buffer_bytes=512, options=()):
    command = [program, str(path), "--by", by, "--buffer-bytes", str(buffer_bytes), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-3000:]}")
    lines = done.stdout.splitlines()
    status = lines.pop().removeprefix("status ")
    pages = checked = repeated = 0
    if lines and lines[-1].startswith("pages "):
        pages, checked = map(int, lines.pop().split()[1:])
    if lines and lines[0].startswith("repeated "):
        repeated = int(lines.pop(0).split()[1])
    return Dump(lines, repeated, pages, checked, status)
