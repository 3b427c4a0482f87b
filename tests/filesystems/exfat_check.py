"""Checks an exFAT volume with fsck.exfat."""
import re
import subprocess

# fsck.exfat may say this of a file whose power failed: no reserved byte is the file's. The next boot that closes the file
# mends it.
LONGER_CHAIN = r"ERROR: .*: more clusters are allocated\. truncate to \d+ bytes .*\n"
IRRELEVANT = r"exfatprogs version .*\n|.*: (clean|corrupted)\. directories \d+, files \d+\n|.*: files corrupted \d+, files fixed 0\n"


def complaints(image, left):
    """Complaints of fsck.exfat that it may not have about a card which was left "cut", "resumed" or "closed". It does not look
    for clusters that are taken and belong to no file."""
    result = subprocess.run(["fsck.exfat", "-n", image], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    text = re.sub(LONGER_CHAIN, "", result.stdout) if left == "cut" else result.stdout
    rest = re.sub(IRRELEVANT, "", text).strip()
    mended = text != result.stdout
    return rest or ("" if result.returncode == 0 or mended else f"exit code {result.returncode}")
