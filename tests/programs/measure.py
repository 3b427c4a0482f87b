#!/usr/bin/env python3
"""measure.py COMMAND...: runs it without its output, and prints its exit code, the seconds of CPU it took, and the most
memory it had in KiB. A process of its own, since what a large process starts counts that one's memory as its own."""
import resource
import subprocess
import sys

code = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss)
