"""Makes a table for the flash of a recording: CSV with a header line, then seconds and six readings a line.

Usage: make_recording.py IN.csv OUT.cpp
"""
import csv
import decimal
import sys


def microseconds(seconds):
    return int((decimal.Decimal(seconds) * 10**6).quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as recording:
        rows = list(csv.reader(recording))[1:]
    with open(sys.argv[2], "w", encoding="utf-8") as table:
        print('// Made by make_recording.py.\n#include "recording.h"\n', file=table)
        print("const RecordedSample recording[] = {", file=table)
        for seconds, *readings in rows:
            values = ", ".join(f"{float(reading)!r}F" for reading in readings)
            print(f"    {{{microseconds(seconds)}U, {{{values}}}}},", file=table)
        rate = (len(rows) - 1) / (float(rows[-1][0]) - float(rows[0][0]))
        print(f"}};\nconst std::uint32_t recorded_samples = {len(rows)};", file=table)
        print(f'const char recorded_rate_hz[] = "{rate:.2f}";', file=table)


main()
