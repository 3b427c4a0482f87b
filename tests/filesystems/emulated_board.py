"""The emulated board with an SD card, for programs that run to their end or are killed."""
import itertools
import subprocess
import threading
import time

# One instruction takes 32 ns, as on a core of 30 MHz; time passes at once while the core sleeps.
EMULATOR = ["qemu-system-arm", "-M", "lm3s6965evb", "-nographic", "-monitor", "none",
            "-semihosting-config", "enable=on,target=native", "-icount", "shift=5,sleep=off"]
SECONDS = 900  # that a run may take, on a machine however busy


def make_card(card):
    """An empty card of 1 GiB, FAT32 with clusters of 4 KiB."""
    card.unlink(missing_ok=True)
    with card.open("wb") as file:
        file.truncate(1 << 30)
    subprocess.run(["mkfs.fat", "-F", "32", "-s", "8", card], check=True, stdout=subprocess.DEVNULL)


def start(firmware, words, card):
    """Starts a program with these words as its command line."""
    return subprocess.Popen([*EMULATOR, "-serial", "none", "-kernel", firmware, "-append", words,
                             "-drive", f"if=sd,format=raw,file={card}"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)


def run(firmware, words, card):
    """Runs a program to its end, on a new card; one that takes longer is killed. Returns what it printed, and its exit code."""
    make_card(card)
    return boot(firmware, words, card)


def boot(firmware, words, card):
    """The same, on the card as it is."""
    board = start(firmware, words, card)
    try:
        output, _ = board.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        board.kill()
        output, _ = board.communicate()
    return output, board.returncode


def cut(firmware, words, card, lines, delay):
    """Kills a program, as by a power cut, a delay in seconds after it has printed `lines` lines. Returns what it printed, and
    its exit code; negative: killed."""
    board = start(firmware, words, card)
    limit = threading.Timer(SECONDS, board.kill)
    limit.start()
    output = "".join(itertools.islice(board.stdout, lines))
    time.sleep(delay)
    limit.cancel()
    board.kill()
    return output + board.communicate()[0], board.returncode
