"""Checks an exFAT volume with fsck.exfat."""
import re
import subprocess

# What fsck.exfat says before it rounds the size of a file up to the clusters of its chain: no reader takes that for Parquet.
LONGER_CHAIN = re.compile(r"ERROR: .*: more clusters are allocated\. truncate to \d+ bytes.*\n?")
IRRELEVANT = r"exfatprogs version .*\n|.*: (clean|corrupted)\. directories \d+, files \d+\n|.*: files corrupted \d+, files fixed 0\n"


def complaints(image):
    """Complaints of fsck.exfat about a card, cut or not, but those that change nothing. It does not look for clusters that are
    taken and belong to no file."""
    result = subprocess.run(["fsck.exfat", "-n", image], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    rest = re.sub(IRRELEVANT, "", result.stdout).strip()
    return rest or ("" if result.returncode == 0 else f"exit code {result.returncode}")


def lengthened(complaint, image):
    """A copy of a card about which fsck.exfat says no more than that: -p, which asks nothing, has made the file longer. Else None."""
    if not complaint or LONGER_CHAIN.sub("", complaint).strip():
        return None
    copy = image.with_suffix(".longer.img")
    subprocess.run(["cp", "--sparse=always", image, copy], check=True)  # a card of 64 GB is mostly holes
    subprocess.run(["fsck.exfat", "-p", copy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return copy
