"""The correct file in place that test_checker.py damages: two segments, checkpoints, an interruption and what follows."""

import good_file
from tiny_log import TinyLog

PAGE_ROWS = 3
SEGMENT_SECTORS = 2 * (2 * 6 + 10 * 8)


def log(hook=None, block=512, head=0):
    writer = TinyLog(good_file.columns(), PAGE_ROWS, hook, block, head)
    writer.add_segment(SEGMENT_SECTORS + 2 * head // 512)
    writer.begin_group()
    writer.put_rows(6)
    writer.checkpoint()
    writer.put_rows(6)
    writer.end_group()
    return writer


def interrupted(hook=None, block=512, head=0):
    """A row group with a checkpoint, one that was interrupted, and one that continued in its extents."""
    writer = log(hook, block, head)
    writer.begin_group()
    writer.put_rows(6)
    writer.interrupt(writer.checkpoint())
    writer.put_rows(6)
    writer.end_group()
    return writer


def over_footers(rows=6):
    """A segment that is laid over three footers."""
    writer = log()
    writer.add_segment(SEGMENT_SECTORS, over_footers=True)
    writer.begin_group()
    writer.put_rows(rows)
    writer.end_group()
    return writer.close_at_end()


def write(hook=None, block=512, head=0):
    return interrupted(hook, block, head).close_at_end()


def closed_in_its_segment(block=512):
    return interrupted(block=block).close_in_segment()


def cut_while_it_closes():
    """The last footer is written, and the file does not end there yet."""
    writer = interrupted()
    writer.close_in_segment()
    return writer.not_yet_cut


def cut():
    """Left where a row group had just been finished after the last checkpoint."""
    writer = log()
    writer.begin_group()
    writer.put_rows(6)
    writer.checkpoint()
    writer.put_rows(6)
    writer.end_group()
    return bytes(writer.out)


def left(slot_a, gap=True, between=0):
    """A row group was interrupted after a checkpoint, after `slot_a` of the writer and its later entry had been written; the
    file continued in another segment, that many bytes after."""
    writer = log()
    writer.begin_group()
    writer.put_rows(6)
    entry, state = writer.checkpoint(), writer.progress()
    writer.put_rows(3)
    later = writer.entry()
    writer.go_back_to(state)
    writer.interrupt_and_leave(entry, slot_a(writer, later), gap)
    writer.out += bytes(between)
    writer.add_segment(SEGMENT_SECTORS)
    writer.begin_group()
    writer.put_rows(6)
    writer.end_group()
    return writer.close_at_end()


def lost_behind_an_interruption():
    """The row group that continued in the extents of an interrupted one was finished, and lost with the medium's last writes, but
    for its record; the file continued in another segment."""
    writer = log()
    writer.begin_group()
    writer.put_rows(6)
    writer.interrupt(writer.checkpoint())
    state, sequence = writer.progress(), writer.sequence - 2  # the slots were emptied
    writer.put_rows(6)
    writer.end_group()
    writer.entries.pop()
    writer.go_back_to(state)
    writer.sequence = sequence
    writer.add_segment(SEGMENT_SECTORS)
    writer.begin_group()
    writer.put_rows(6)
    writer.end_group()
    return writer.close_at_end()


def closed_at_its_last_row_group(hook=None):
    """A file in one row group, interrupted, and closed by a footer that names the row group's slots as the next place."""
    writer = TinyLog(good_file.columns(), PAGE_ROWS, hook)
    writer.add_segment(SEGMENT_SECTORS)
    writer.begin_group()
    writer.put_rows(24)
    entry = writer.checkpoint()
    writer.interrupt_and_leave(entry, bytes(writer.slot_bytes))
    return writer.close_at_end()


def forked():
    """The second checkpoint of a row group was lost to an interruption: its rows are others now, but not its bytes."""
    writer = log()
    writer.begin_group()
    writer.put_rows(6)
    entry, state = writer.checkpoint(), writer.progress()
    writer.put_rows(3)
    writer.checkpoint()
    writer.go_back_to(state)
    writer.interrupt(entry)
    writer.put_rows(6)
    writer.end_group()
    return writer.close_at_end()
