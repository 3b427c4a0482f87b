#!/usr/bin/env python3
"""Bugs that were mended, and how each is put back into a copy of its source.

    bugs.py --list                       names what they lack, each with the source it is in
    bugs.py NAME SOURCE_FOLDER OUTPUT    writes the source without it
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "power_loss"))

from sabotage import Sabotage, main

LIVES = "lives"
TAILED_LIVES = "tailed lives"  # those of plan.cpp, choose_tails()
SAVED_STREAMS = "saved streams"  # those of choose_saved_stream()

BUGS = {
    # A file that is closed before a row came names no place inside the interrupted row group as the next one's.
    "leftovers_left_at_close": Sabotage("write/in_place/in_place_layout.cpp", "(closes || !use_leftover_extents(state, in_place))",
                                    "(!closes && !use_leftover_extents(state, in_place))", LIVES),
    # reconnect() tells the pages that were written from others in their places.
    "pages_sum": Sabotage("write/writer_reconnect.cpp", "return sum_left(state) == 0 ? Status::kOk : Status::kCorrupt;",
                          "return Status::kOk;", LIVES),
    # reconnect() takes a sector that cannot be read, after a footer that can, for lost.
    "unreadable_is_lost": Sabotage("write/writer_reconnect.cpp", "if (status != Status::kIoError) return status;", "return status;",
                                   LIVES),
    # A footer that a failed sync may have published takes no key-values any more,
    "key_value_refused": Sabotage("write/writer.cpp",
                                  "if (state_.may_be_live) return Status::kWrongState;", "", LIVES),
    # and is published before another footer is begun.
    "settled": Sabotage("write/in_place/in_place_layout.cpp", "return state.may_be_live ? publish(state) : Status::kOk;",
                        "state.may_be_live = false;\n  return Status::kOk;", LIVES),
    # A save counts on pages that were stored before it: they are on the medium first.
    "save_barrier": Sabotage("write/in_place/tailed_layout.cpp", "if (tail.stored) MICROPARQUET_TRY(state.file->barrier());", "",
                             TAILED_LIVES),
    # Before a stream's row group is saved there is space for all that it may become: the footer that adds some has none of its rows.
    "space_for_row_group": Sabotage("write/forward/save.cpp",
                                    "waits ? fit(state, least) : settle_save(state)",
                                    "waits && saving.redo_bytes == 0 ? end_footer_away(state) : settle_save(state)",
                                    SAVED_STREAMS,
                                    also=("fit(state, most_bytes_of_row_group(state)));\n  if (!is_undurable",
                                          "fit(state, with_zeros(state, static_cast<std::uint32_t>(\n      place_chunks(state, "
                                          "record_end(state)) - saving.position))));\n  if (!is_undurable")),
    # reconnect() continues from a save where the rows after it are lost.
    "waits_for_save": Sabotage("write/writer_reconnect.cpp", "tail.waits_for_save = saved;", "static_cast<void>(saved);", TAILED_LIVES),
}

if __name__ == "__main__":
    main(BUGS)
