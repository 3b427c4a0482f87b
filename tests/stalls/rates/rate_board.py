"""Runs the logs of port/rates.md under QEMU, on the board whose card is an image of the host: examples/boards/mps2_an386."""
import collections
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
# An instruction takes 8 ns: 1.3 clocks of a core of 162 MHz. Time passes at once while the core sleeps.
EMULATOR = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
            "-semihosting-config", "enable=on,target=native", "-icount", "shift=3,sleep=off"]
SECONDS = 900  # that a run may take, on a machine however busy
TRACES = ROOT / "tests/stalls/traces"
EARLY_MS = 60
PAUSES = {250: TRACES / "pauses.csv", 500: TRACES / "sdxc.csv", 1000: TRACES / "worst.csv"}  # of SDHC, SDXC and the worst card

Outcome = collections.namedtuple("Outcome", "rows dropped pending files pauses ms writer_bytes queue_bytes depth all_bytes begun")


def build(*names):
    """Builds programs; returns the folder they lie in."""
    done = subprocess.run([ROOT / "tests/filesystems/build", "cortex-m4f", *names], check=True, capture_output=True, text=True)
    return pathlib.Path(done.stdout.strip())


def make_card(folder):
    """A card of 4 GB, FAT32 with clusters of 32 KiB, as such cards are sold."""
    card = folder / "card.img"
    card.unlink(missing_ok=True)
    with card.open("wb") as file:
        file.truncate(4095 << 20)
    subprocess.run(["mkfs.fat", "-F", "32", "-s", "64", card], check=True, stdout=subprocess.DEVNULL)
    return card


def run(firmware, folder, seconds, trace=None, options=()):
    """Logs onto a new card for that many seconds; `trace`: the table of its pauses, as text, or none. Returns the outcome."""
    folder.mkdir(parents=True, exist_ok=True)
    make_card(folder)
    words = f"{seconds} calm"
    if trace is not None:
        (folder / "pauses.csv").write_text(trace, encoding="ascii")
        words = f"{seconds}"
    board = subprocess.run([*EMULATOR, *options, "-kernel", firmware, "-append", words], cwd=folder, timeout=SECONDS,
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    found = re.search(r"^(rows (?:[a-z_\d]+ ?)+)$", board.stdout, re.M)
    if board.returncode != 0 or not found:
        raise RuntimeError(f"{firmware}: code {board.returncode}: {board.stdout[-500:]}{board.stderr[-500:]}")
    numbers = {name: int(number) for name, number in re.findall(r"([a-z_]+) (\d+)", found[1])}
    begun = [int(ms) for ms in re.findall(r"^file \d+ at (\d+)$", board.stdout, re.M)]
    return Outcome(**numbers, begun=begun)


def take_files(folder, prefix, count):
    """Copies the files of a log off its card."""
    paths = [folder / f"{prefix}{number:05}.parquet" for number in range(1, count + 1)]
    for path in paths:
        path.unlink(missing_ok=True)
        subprocess.run(["mcopy", "-n", "-i", folder / "card.img", f"::{path.name}", path], check=True)
    return paths


def trace_of(times, pause_ms):
    """A table of pauses: the first write after each of these times."""
    return "from_ms,latency_ms\n" + "".join(f"{at},{pause_ms}\n" for at in times)


def trace_of_ends(begun, pause_ms):
    """Pauses where files end, by the times at which the next ones had begun; a file takes longer than that to end."""
    return trace_of([at - EARLY_MS for at in begun], pause_ms)
