"""The emulated board with a firmware, whose card can be pulled out and put in while it runs."""
import collections
import json
import os
import pathlib
import re
import select
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
from emulated_board import EMULATOR, SECONDS

SLOT = "slot"


class Lines:
    """Lines that come from a socket."""

    def __init__(self, source):
        self._source = source
        self._rest = b""
        self.waiting = collections.deque()
        self.ended = False

    def fileno(self):
        return self._source.fileno()

    def send(self, line):
        self._source.sendall(line.encode() + b"\n")

    def receive(self):
        try:
            data = self._source.recv(4096)
        except OSError:
            data = b""
        self.ended = not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.waiting.extend(line.decode() for line in lines)


class Board:
    """Switched on at once. `card`: an image, or what QEMU takes for one; None: the slot is empty. `words`: the command line;
    `bench`: more of it, see bench.h of sd_logger. `serial`: "none", for a program that prints by semihosting.

    It stops where nobody reads what it prints: a test that is slow misses nothing, and the board's time does not run away
    from it, other than to the next line."""

    def __init__(self, firmware, card, words="", serial="stdio", **bench):
        self._ends = time.monotonic() + SECONDS
        self.output = []  # lines, as far as they were read
        with tempfile.TemporaryDirectory() as folder:
            monitor = os.path.join(folder, "monitor")
            output, port = socket.socketpair()
            port.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)  # as few bytes as the system allows
            words = " ".join([*words.split(), *(f"{name}={value}" for name, value in bench.items())])
            self._process = subprocess.Popen(
                [*EMULATOR, "-S", "-serial", serial, "-qmp", f"unix:{monitor},server=on,wait=off", "-kernel", firmware,
                 "-append", words, "-drive", f"if=sd,id={SLOT},format=raw,file={card or 'null-co://'}"],
                stdout=port, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
            port.close()
            self._serial = Lines(output)
            self._monitor = Lines(self._connect(monitor))
        self._answer()
        self._command("qmp_capabilities")
        if card is None:
            self.pull()
        self._command("cont")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut_power()

    def pull(self):
        """Takes the card out."""
        self._command("eject", device=SLOT, force=True)

    def put(self, card):
        """Puts a card in."""
        self._command("blockdev-change-medium", device=SLOT, filename=str(card), format="raw")

    def stop(self):
        """Its time stands still until go_on()."""
        self._command("stop")

    def go_on(self):
        self._command("cont")

    def word_at(self, address):
        """The word that the processor would read there."""
        said = self._command("human-monitor-command", **{"command-line": f"xp /1wx {address}"})
        return int(said.split()[-1], 16)

    def cut_power(self):
        self._process.kill()
        self._process.wait()

    def is_on(self):
        return self._process.poll() is None and time.monotonic() < self._ends

    def wait(self, pattern):
        """Waits for a line that matches, and returns the match; None: it did not come."""
        while True:
            line = self._next_line()
            if line is None:
                return None
            match = re.search(pattern, line)
            if match:
                return match

    def finish(self):
        """Waits for the end of the program, and returns its exit code; None: it did not end in time."""
        while self._next_line() is not None:
            pass
        try:
            return self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return None

    def _next_line(self):
        line = self._next_of(self._serial)
        if line is not None:
            self.output.append(line)
        return line

    def _next_of(self, wanted):
        """None: it has ended, or does not come in time. Takes what comes from the other one meanwhile: the emulator does not
        answer while its serial port has to wait."""
        while not wanted.waiting and not wanted.ended:
            sources = [lines for lines in (self._serial, self._monitor) if not lines.ended]
            ready = select.select(sources, [], [], max(0, self._ends - time.monotonic()))[0]
            if not ready:
                return None
            for lines in ready:
                lines.receive()
        return wanted.waiting.popleft() if wanted.waiting else None

    def _connect(self, path):
        while True:
            try:
                monitor = socket.socket(socket.AF_UNIX)
                monitor.connect(path)
                return monitor
            except OSError:
                monitor.close()
                if not self.is_on():
                    raise
                time.sleep(0.01)

    # The emulator may have ended before it is asked.
    def _command(self, name, **arguments):
        try:
            self._monitor.send(json.dumps({"execute": name, "arguments": arguments}))
            answer = self._answer()
        except OSError:
            answer = {}
        if "error" in answer:
            raise RuntimeError(f"{name}: {answer['error']['desc']}")
        return answer.get("return")

    def _answer(self):
        while (line := self._next_of(self._monitor)) is not None:
            answer = json.loads(line)
            if "event" not in answer:
                return answer
        return {}
