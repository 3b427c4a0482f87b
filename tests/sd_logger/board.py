"""The emulated board with the firmware sd_logger, whose card can be pulled out and put in while it runs."""
import json
import os
import pathlib
import queue
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
from emulated_board import EMULATOR

SECONDS = 300  # that one run may take
SLOT = "slot"


class Board:
    """Switched on at once. `card`: an image, or what QEMU takes for one; None: the slot is empty. `bench`: see bench.h of
    the firmware."""

    def __init__(self, firmware, card, **bench):
        self._ends = time.monotonic() + SECONDS
        self._lines = queue.Queue()
        self.output = []  # lines, as far as they were read
        with tempfile.TemporaryDirectory() as folder:
            monitor = os.path.join(folder, "monitor")
            words = " ".join(f"{name}={value}" for name, value in bench.items())
            self._process = subprocess.Popen(
                [*EMULATOR, "-S", "-serial", "stdio", "-qmp", f"unix:{monitor},server=on,wait=off", "-kernel", firmware,
                 "-append", words, "-drive", f"if=sd,id={SLOT},format=raw,file={card or 'null-co://'}"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
            threading.Thread(target=self._read, daemon=True).start()
            self._monitor = self._connect(monitor)
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
        try:
            line = self._lines.get(timeout=max(0, self._ends - time.monotonic()))
        except queue.Empty:
            return None
        if line is not None:
            self.output.append(line)
        return line

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _connect(self, path):
        while True:
            try:
                monitor = socket.socket(socket.AF_UNIX)
                monitor.connect(path)
                return monitor.makefile("rw")
            except OSError:
                monitor.close()
                if not self.is_on():
                    raise
                time.sleep(0.01)

    # The emulator may have ended before it is asked.
    def _command(self, name, **arguments):
        try:
            self._monitor.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
            self._monitor.flush()
            answer = self._answer()
        except OSError:
            answer = {}
        if "error" in answer:
            raise RuntimeError(f"{name}: {answer['error']['desc']}")

    def _answer(self):
        for line in self._monitor:
            answer = json.loads(line)
            if "event" not in answer:
                return answer
        return {}
