#!/bin/bash
# Small images of media as seeds: make_images.sh FOLDER. Logs of earlier versions on volumes, FAT and exFAT, and on a medium without a
# file system.
set -euo pipefail
folder=$1
logs=("$("$(dirname "$0")/../archives.py" unpack compatibility)"/*/*.parquet)
export MTOOLS_SKIP_CHECK=1
number=0
for log in "${logs[@]}"; do
    size=$(stat -c %s "$log")
    ((size < 60000)) || continue
    number=$((number + 1))
    cp "$log" "$folder/file$number"
    { head -c 512 /dev/zero; cat "$log"; head -c 1024 /dev/zero; } >"$folder/raw$number"
    if ((number % 4 == 3 && size < 30000)); then
        python3 "$(dirname "$0")/../support/exfat_image.py" "$folder/exfat$number" "$log"
    fi
    ((number % 4 == 1)) || continue
    truncate -s 128K "$folder/volume$number"
    mkfs.fat -F 12 -s 1 "$folder/volume$number" >/dev/null
    mcopy -i "$folder/volume$number" "$log" ::log.parquet
done
((number > 0))
