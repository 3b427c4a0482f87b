#!/usr/bin/env python3
"""Defences of RetainedQueue, and how each is taken out of a copy of its header.

    bugs.py --list                       their names, each with the header it is in
    bugs.py NAME SOURCE_FOLDER OUTPUT    writes the header without it
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "power_loss"))

from sabotage import Sabotage, main  # pylint: disable=wrong-import-position

HEADER = "retained_queue.h"
RESETS = "resets"

BUGS = {
    # The difference is known before a footer can have the row.
    "difference": Sabotage(HEADER, "    set_difference(writer);  // a RollingWriter may have begun another file with the row\n", "",
                           RESETS),
    # Rows of an empty queue get numbers that the difference is not of.
    "numbers_apart": Sabotage(HEADER, "pushed_.load() + kApart", "0 * kApart", RESETS),
    # A row leaves the queue when it is safe, not when it is written.
    "durable": Sabotage(HEADER, "static_cast<std::uint32_t>(writer.safe_rows())", "static_cast<std::uint32_t>(writer.rows())",
                        RESETS),
    # What has left the queue is not found again.
    "emptied": Sabotage(HEADER, "      empty(popped);\n", "", RESETS),
    # Rows that the writer has lost wait again.
    "waiting_again": Sabotage(HEADER, "if (static_cast<std::uint32_t>(writer.rows()) - drained_ != difference) drained_ = popped;",
                              "if (static_cast<std::int32_t>(popped - drained_) > 0) drained_ = popped;", RESETS),
}

if __name__ == "__main__":
    main(BUGS)
