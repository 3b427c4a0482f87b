#!/usr/bin/env python3
"""Defences of the writer, and how each is taken out of a copy of its source.

    sabotage.py --list                       names them, each with the source it is in; if that is a header, also with the
                                             source to compile with it
    sabotage.py NAME SOURCE_FOLDER OUTPUT    writes the source without it
"""
import pathlib
import sys

RECOVERY = "recovery"


class Sabotage:
    """In `source`, `old` must stand exactly once, and so the first of the pair `also`. `attack` is
    one of "power_loss --list", or RECOVERY: `mpq recover` finds rows that are not to be. A header's templates are those of
    the source `compiled`, which includes it."""

    def __init__(self, source, old, new, attack, also=None, compiled=None):
        self.source, self.attack, self.compiled = source, attack, compiled
        self.edits = [(old, new), also] if also else [(old, new)]


SABOTAGES = {
    # Data that a footer describes is on the medium before the footer.
    "checkpoint_barrier": Sabotage("write/in_place/checkpoints.h", "MICROPARQUET_TRY(state.file->barrier());", "", "lost_size",
                                   compiled="write/in_place/checkpointed_layout.cpp"),
    "footer_barrier": Sabotage("write/in_place/in_place_layout.cpp",
                               "write_whole(WriterState& state) {\n  MICROPARQUET_TRY(state.file->barrier());",
                               "write_whole(WriterState& state) {", "lost_size"),
    # The last footer is on the medium before the file becomes smaller.
    "closing_barrier": Sabotage("write/in_place/in_place_layout.cpp",
                                "MICROPARQUET_TRY(state.file->barrier());\n    MICROPARQUET_TRY(state.file->shrink",
                                "MICROPARQUET_TRY(state.file->shrink", "lost"),
    # Rows are durable when a sync has succeeded.
    "sync_errors": Sabotage("write/in_place/in_place_layout.cpp",
                            "MICROPARQUET_TRY(state.file->sync(draft.offset + draft.written));",
                            "static_cast<void>(state.file->sync(draft.offset + draft.written));", "errors"),
    # A footer with a wrong bit is not resumed from.
    "footer_crc": Sabotage("write/writer_resume.cpp",
                           "in.expect_crc(draft.footer_crc, Status::kCorrupt);", "", "flipped"),
    # Records of an interrupted history are not taken for those of the one that continued.
    "emptied_slots": Sabotage("write/in_place/in_place_layout.cpp",
                              "  MICROPARQUET_TRY(empty_slot(state, at.offset()));\n"
                              "  MICROPARQUET_TRY(empty_slot(state, at.offset() + state.footer.now.slot_bytes));\n",
                              "  static_cast<void>(at);\n",
                              RECOVERY),
    "histories": Sabotage("write/writer_resume.cpp", "now.sequence = next_history(now.sequence) - 1;", "",
                          RECOVERY),
    # Entries that were read wrong do not get into a footer.
    "entries_crc": Sabotage("write/footer.cpp", "if (sink.reaches() && progress.entries_crc != draft.contents.entries_crc)",
                            "if (false)", "misreads"),
    "inherited_crc": Sabotage("write/writer_resume.cpp", "  end_inherited(sink, state, state.inherited.bytes);\n", "", "misreads"),
    "begun_anew": Sabotage("write/footer.cpp", "if (status == Status::kCorrupt) restart_footer(draft);", "", "misreads"),
    # No sector with durable bytes is written again: the page before a cut is lengthened, or the row group ends.
    "sector_ends": Sabotage("write/in_place/page_lengthening.cpp",
                            "padding_of(state, column);\n  if (padding == 0)", "0;\n  if (padding == 0)", "torn",
                            also=("if (block.inside(column.chunk_bytes) != 0) return false;", "static_cast<void>(block.inside(column.chunk_bytes));")),
    # Bytes of a compressed page that wait in memory are on the medium before a footer describes them.
    "tail_ends": Sabotage("write/in_place/page_lengthening.cpp", "padding_of(state, column);\n  MICROPARQUET_TRY(padding",
                          "0;\n  MICROPARQUET_TRY(padding", "each", also=("store_whole_sectors, &write::pages_end_on_blocks", "store_whole_sectors, [](const WriterState&) { return true; }")),
    "last_tails": Sabotage("write/in_place/extent_plan.cpp",
                           "MICROPARQUET_TRY(write::store_tails(state));", "", "each"),
    # Blocks that a medium erases before it writes hold nothing that is durable: pages, footers, row groups.
    "page_blocks": Sabotage("write/in_place/page_lengthening.cpp", "const detail::BlockSize block = block_of(state);\n  const std::uint32_t end",
                            "const detail::BlockSize block(detail::kSectorBytes);\n  const std::uint32_t end", "erased",
                            also=("const detail::BlockSize block = block_of(state);\n  for", "const detail::BlockSize block(detail::kSectorBytes);\n  for")),
    "footer_blocks": Sabotage("write/footer.cpp", "draft.offset += block_of(state).bytes_to_block(end);",
                              "static_cast<void>(end);", "erased"),
    "extent_blocks": Sabotage("write/in_place/extent_plan.cpp", "block_of(state).round_up(extent)",
                              "detail::BlockSize(detail::kSectorBytes).round_up(extent)", "erased"),
    # A tail is never written over the one that the last footer describes.
    "free_place": Sabotage("write/in_place/tail.cpp", "while (number == tail.live.place || number == tail.safe);",
                           "while (tail.live.place != kNoPlace && number != tail.live.place);", "lost"),
    # A footer on its way is complete before what it copies changes.
    "ended_draft": Sabotage("write/in_place/tailed_layout.cpp",
                            "  MICROPARQUET_TRY(TailedLayout::end_draft(state));\n  MICROPARQUET_TRY(empty_stale_slots(state));\n  TailedLayout::stop_counting",
                            "  MICROPARQUET_TRY(empty_stale_slots(state));\n  TailedLayout::stop_counting", "lost"),
    # Rows are safe when their head is on the medium, and so is what it counts on before it.
    "save_barrier": Sabotage("write/in_place/tailed_layout.cpp",
                             "  MICROPARQUET_TRY(state.file->barrier());\n  tail.safe =", "  tail.safe =", "lost"),
    "page_before_save": Sabotage("write/in_place/tailed_layout.cpp",
                                 "  if (tail.stored) MICROPARQUET_TRY(state.file->barrier());\n", "", "lost"),
    # A save is not written over by the next one, also where a call in between has failed.
    "place_of_save": Sabotage("write/in_place/tail.cpp", "while (number == tail.live.place || number == tail.safe);",
                              "while (number == tail.live.place);", "errors"),
    # The same of a stream: a barrier before it and after it, places by turns, and a checksum of what is copied.
    "group_before_save": Sabotage("write/forward/save.cpp",
                                  "  if (saving.unproved) MICROPARQUET_TRY(saving.file.medium().barrier());\n", "", "lost"),
    "stream_barrier": Sabotage("write/forward/save.cpp",
                               "  MICROPARQUET_TRY(saving.file.medium().barrier());\n  saving.number", "  saving.number", "lost"),
    "saves_by_turns": Sabotage("write/forward/save.cpp", "(number & 1) * half", "(number & 0) * half", "lost"),
    "save_checksum": Sabotage("write/forward/save.cpp", "if (bytes_crc != head.bytes_crc) return Status::kCorrupt;",
                              "static_cast<void>(bytes_crc);", "lost"),
    # A medium that is back has all rows, also of a boot that began with a save.
    "pages_of_save": Sabotage("write/writer_reconnect.cpp", "return tail.slots_stale || end_row < tail.resumed_rows;",
                              "return tail.slots_stale && end_row < tail.resumed_rows;", "lost_medium"),
    # Inherited key-values are copied from the last footer: by turns the one before it is written over.
    "moved_inherited": Sabotage("write/in_place/tailed_layout.cpp", "  tail.safe = kNoPlace;\n  move_inherited(state);\n",
                                "  tail.safe = kNoPlace;\n", "lost"),
}


def make(sabotage, name, folder, output):
    path = pathlib.Path(folder) / sabotage.source
    text = path.read_text()
    for old, new in sabotage.edits:
        count = text.count(old)
        if count != 1:
            sys.exit(f"{name}: {count} places in {path} instead of one: {old}")
        text = text.replace(old, new)
    output = pathlib.Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text)


def main(sabotages):
    if sys.argv[1:] == ["--list"]:
        print("\n".join(f"{name} {sabotage.source} {sabotage.compiled or ''}".rstrip() for name, sabotage in sabotages.items()))
    else:
        name, folder, output = sys.argv[1:]
        make(sabotages[name], name, folder, output)


if __name__ == "__main__":
    main(SABOTAGES)
