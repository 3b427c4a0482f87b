"""Checks a FAT volume with fsck.fat."""
import collections
import re
import subprocess

# Messages that fsck.fat may give for a card whose power failed. None of them touches a byte of a file. The first, about
# reserved clusters, is gone when a later boot has closed the file; the others are FatFs's own, and stay.
LONGER_CHAIN = "chain longer than its file"
ALLOWED_AFTER_A_CUT = {
    LONGER_CHAIN: r"/.*\n  File size is \d+ bytes, cluster chain length is > \d+ bytes\.\n"
                  r"  Truncating file to \d+ bytes\.\n",
    # a hint, which FatFs writes last of all
    "count of free clusters": r"Free cluster summary (wrong|uninitialized).*\n  Auto-(correct|sett)ing\.\n",
    # FatFs writes one sector of the first table, then of the second
    "copies of the table differ": r"FATs differ but appear to be intact\.\n  Using first FAT\.\n",
    # of a chain that no directory entry names yet, or that was about to go from one sector of the table to the next
    "lost clusters": r"Reclaimed \d+ unused clusters? \(\d+ bytes\)\.\n",
}
# A count that is unknown, as SdFat leaves it, is counted by whoever wants it.
IRRELEVANT = (r"Free cluster summary uninitialized \(should be \d+\)\n|"
              r"fsck\.fat .*\n|.*: \d+ files, \d+/\d+ clusters\n|\n+Leaving filesystem unchanged\.\n")

said = collections.Counter()


def complaints(image, left):
    """Messages of fsck.fat that it may not give for a card which was left "cut", "resumed" or "closed"; the rest is counted in
    `said`."""
    text = subprocess.run(["fsck.fat", "-n", image], capture_output=True, text=True, check=False).stdout
    if not re.search(r"\d+/\d+ clusters", text):
        return f"fsck.fat gave up: {text}"
    for name, pattern in ALLOWED_AFTER_A_CUT.items():
        if left == "cut" or (left == "resumed" and name != LONGER_CHAIN):
            text, count = re.subn(pattern, "", text)
            said[name] += count
    return re.sub(IRRELEVANT, "", text).strip()
