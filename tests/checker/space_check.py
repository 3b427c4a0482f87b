"""The segments and extents that a footer calls free: they lie before it, and nothing that is in use lies in them. A segment may
begin over footers that are dead when its own is published."""

from log_state import rounded_up
from own_structures import HISTORY_GAP, SECTOR

LARGEST_HEAD = 64 << 10  # before the first page of a chunk, where a dictionary may stand


def stands_in_its_segment(footer):
    return footer.may_begin_at(footer.extension.next * SECTOR)


def suits_its_place(footer):
    """Whether it stands after the segments that it names, or at the beginning of the free one. The first one names none."""
    e = footer.extension
    segments_lie_before = 0 < e.next <= e.segment_end and max(e.segment_end, e.free_end) * SECTOR <= footer.start
    return footer.start == 4 or stands_in_its_segment(footer) or segments_lie_before


def calls_free(footer, place):
    """Whether a place in the file lies in a segment, or the rest of one, that a footer says is free."""
    e = footer.extension
    return any(begin * SECTOR <= place < end * SECTOR for begin, end in ((e.next, e.segment_end), (e.free_begin, e.free_end)))


class WrittenOver:
    """Places where row groups lie, or may lie after a footer, those included that a cut or a recovery has left out: older
    content may be gone there, or be there in part."""

    def __init__(self, log, footers):
        extensions = [log.last.extension, *(footer.extension for footer in footers if footer.genuine())]
        free = [place for e in extensions
                for place in (*e.extents, (e.next, e.segment_end), (e.free_begin, e.free_end))]
        self.places = [(begin * SECTOR, end * SECTOR) for begin, end in free]
        has_heads = any(any(group.dictionaries) for group in log.groups)
        before = 2 * log.slot_bytes + (LARGEST_HEAD if has_heads else 0)
        self.places += [(group.begin - before, group.end) for group in log.groups]

    def may_have(self, begin, end):
        """Whether something may have been written over a part of [begin, end)."""
        return any(begin < place_end and place_begin < end for place_begin, place_end in self.places)


def check_space(log, footer, where):
    """The segments lie before the footer, and hold nothing that is in use. A closed file's footer stands in its segment."""
    e = footer.extension
    if stands_in_its_segment(footer) and not e.open_bytes and not any(map(any, e.extents)):
        return
    for place in (e.next, e.segment_end, e.free_begin, e.free_end):
        if place * SECTOR % log.block:
            log.complain('extension.space', footer.extension_at, f'{where}: sector {place} is on no block of {log.block}')
    slots = (e.next, e.next + 2 * log.slot_bytes // SECTOR) if e.open_bytes else (e.next, e.next)
    if not 0 < e.next <= e.segment_end or slots[1] > e.segment_end or \
            (e.free_begin, e.free_end) != (0, 0) and not 0 < e.free_begin < e.free_end:
        log.complain('extension.space', footer.extension_at, f'{where}: next {e.next}, end of its segment '
                     f'{e.segment_end}, free segment [{e.free_begin}, {e.free_end})')
        return
    free = [(begin, end) for begin, end in e.extents if (begin, end) != (0, 0)]
    free.append((e.free_begin, e.free_end))
    if e.open_bytes:
        free.append(slots)
        check_extents(log, footer, where)
    else:
        free.append((free_from(log, footer), e.segment_end))
        if any(map(any, e.extents)):
            log.complain('extension.extents', footer.extension_at, f'{where}: extents without an open row group')
    used = [chunk for group in log.states(footer) for chunk in group.chunks]
    used += [(other.start, other.end) for other in (log.footers[0], footer)]  # segments may be laid over those between
    check_disjoint(log, [(a * SECTOR, b * SECTOR) for a, b in free if a < b], used, footer, where)


def free_from(log, footer):
    """The sector from which a segment without an open row group is free. A library that closed an interrupted file before a
    row came named the last row group's offset instead: that footer, the first of its history, may be excused."""
    e, groups = footer.extension, log.states(footer)
    if log.options.excuses_place_with_rows and e.sequence % (2 * HISTORY_GAP) == 0 and groups and \
            e.next * SECTOR == groups[-1].begin - 2 * log.slot_bytes:
        return rounded_up(groups[-1].end) // SECTOR
    return e.next


def check_extents(log, footer, where):
    e = footer.extension
    group = log.states(footer)[-1]
    is_tail = log.has_tail(footer)
    for column, ((begin, end), (_, pages_end)) in enumerate(zip(e.extents, group.chunks)):
        follows = begin * SECTOR > pages_end if is_tail else begin * SECTOR == pages_end
        if not (begin == end == 0 or (follows and e.next < begin <= end <= e.segment_end)):
            log.complain('extension.extents', footer.extension_at, f'{where}: column {column} has [{begin}, {end}) '
                          f'free, its pages end at {pages_end} and the segment at sector {e.segment_end}')


def check_disjoint(log, free, used, footer, where):
    marks = sorted([(begin, end, 'free') for begin, end in free] + [(begin, end, 'used') for begin, end in used])
    end_of = {'free': 0, 'used': 0}
    for begin, end, kind in marks:
        other = 'used' if kind == 'free' else 'free'
        if begin < end_of[other] or kind == 'free' and begin < end_of['free']:
            log.complain('extension.space', footer.extension_at, f'{where}: [{begin}, {end}) is {kind}, and also '
                          'part of what is free or used otherwise')
            return
        end_of[kind] = max(end_of[kind], end)
