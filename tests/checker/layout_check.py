"""Checks the rules of src/FORMAT.md for a whole file: every footer, the segments, the records, the chain after the last
footer.

The last footer has been held against its pages by the caller. Here the older ones, of which a file is full, are held
against it and against the pages, and the places of everything against each other.
"""

from footer_check import FooterChecker
from log_state import LogState
from record_check import RecordChecker
from stream_check import StreamChecker
from tail_check import TailChecker


def check_layout(data, report, columns, check_pages, options):
    """The parameters are those of LogState."""
    log = LogState(data, report, columns, check_pages, options)
    if log.take_last_footer():
        FooterChecker(log).run()
        records, stream = RecordChecker(log), StreamChecker(log)
        saved = stream.run() if not log.in_place else 0
        records.run()
        if saved:
            stream.check_chain(records.chain)
        optional = [column.leaf.max_definition_level != 0 for column in report.columns.values()]
        report.safe_rows = TailChecker(log, optional).run() if log.in_place else saved
