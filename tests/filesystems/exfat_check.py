"""What fsck.exfat has to say of an exFAT volume."""
import re
import subprocess

# Of a file whose power failed: of what was reserved, no byte is the file's. The next boot that closes the file mends it.
LONGER_CHAIN = r"ERROR: .*: more clusters are allocated\. truncate to \d+ bytes .*\n"
IRRELEVANT = r"exfatprogs version .*\n|.*: (clean|corrupted)\. directories \d+, files \d+\n|.*: files corrupted \d+, files fixed 0\n"


def complaints(image, left):
    """What it says and may not, of a card that was left "cut", "resumed" or "closed". Clusters that are taken and no file's it
    does not look for."""
    result = subprocess.run(["fsck.exfat", "-n", image], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    text = re.sub(LONGER_CHAIN, "", result.stdout) if left == "cut" else result.stdout
    rest = re.sub(IRRELEVANT, "", text).strip()
    mended = text != result.stdout
    return rest or ("" if result.returncode == 0 or mended else f"exit code {result.returncode}")
