"""Lists the parts of a Parquet file by the strict checker's parser and by zlib: the yardstick of `mpq pages`."""
import zlib

import pyarrow.parquet
from harness import check, check_equal

PAGE_HEADER_BYTES = 1 << 16


class Page:
    """A page as its header tells: every member of it is read here again."""

    def __init__(self, data, begin, end_of_file):
        from parquet_thrift import ENUMS
        from thrift_compact import Parser
        header = Parser(data, begin, min(end_of_file, begin + PAGE_HEADER_BYTES)).struct("PageHeader")
        self.begin, self.body, self.end = begin, header.end, header.end + header.compressed_page_size
        self.type = ENUMS["PageType"][header.type]
        specific = {"DATA_PAGE": header.data_page_header, "DATA_PAGE_V2": header.data_page_header_v2,
                    "DICTIONARY_PAGE": header.dictionary_page_header}[self.type]
        self.values, self.encoding = specific.num_values, ENUMS["Encoding"][specific.encoding]
        self.rows = specific.num_rows if self.type == "DATA_PAGE_V2" else None
        self.padding = header.end - begin - len(shortest(header))
        self.crc = "absent" if header.crc is None else \
            "ok" if zlib.crc32(data[self.body:self.end]) == header.crc & 0xFFFFFFFF else "wrong"


def shortest(record):
    """The bytes of a structure that says the same, without the field for extensions."""
    import tiny_writer
    from thrift_compact import Record

    def plain(value):
        return {name: plain(field) for name, field in value.fields.items() if field is not None} \
            if isinstance(value, Record) else value

    return tiny_writer.encode_struct(record.struct_name, plain(record))


def chunks_of(path):
    """(row group, column, path, codec, begin, end) of each column chunk, by pyarrow."""
    metadata = pyarrow.parquet.read_metadata(path)
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(column)
            begin = chunk.data_page_offset
            if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < begin:
                begin = chunk.dictionary_page_offset
            yield group, chunk.path_in_schema, chunk.compression, begin, begin + chunk.total_compressed_size


def pages_of(path):
    """(row group, column, codec, Page) of each page that the footer describes, chunk by chunk."""
    data = memoryview(open(path, "rb").read())
    for group, column, codec, begin, end in chunks_of(path):
        while begin < end:
            page = Page(data, begin, len(data))
            yield group, column, codec, page
            begin = page.end


def check_pages(path, lines):
    """The lines of mpq that tell of pages in the footer against those found here."""
    kinds = {"data_page": "DATA_PAGE", "data_page_v2": "DATA_PAGE_V2", "dictionary_page": "DICTIONARY_PAGE"}
    found = {line["offset"]: line for line in lines if line["kind"] in kinds}
    count = 0
    for group, column, codec, page in pages_of(path):
        line = found.get(page.begin)
        check(line is not None, f"{path}: no line for the page at {page.begin}")
        told = (line["row_group"], line["column"], kinds[line["kind"]], line["offset"] + line["bytes"], line["values"],
                line["encoding"], line["crc"], line["padding"])
        check_equal(told, (group, column, page.type, page.end, page.values, page.encoding, page.crc, page.padding),
                    f"{path}: the page at {page.begin}")
        if page.rows is not None:
            check_equal(line["rows"], page.rows, f"{path}: rows of the page at {page.begin}")
        else:
            check(line["codec"] == codec, path, line)
        count += 1
    check_equal(len(found), count, f"{path}: pages")


def check_every_byte(path, lines, size):
    """Each byte of the file is in exactly one line."""
    position = 0
    for line in lines:
        check_equal(line["offset"], position, f"{path}: where a line begins")
        check(line["bytes"] > 0, path, line)
        position += line["bytes"]
    check_equal(position, size, f"{path}: bytes in all lines")


def check_own_parts(path, data, lines, columns):
    """Footers and records against the structures that the checker finds by itself."""
    import own_structures
    told = {(line["offset"], line["offset"] + line["bytes"]): line for line in lines}
    footers = [footer for footer in own_structures.all_footers(data, columns) if footer.genuine()]
    check(footers and footers[-1].end == len(data), f"{path}: no footer of ours at the end")
    for footer in footers:
        line = told.get((footer.start, footer.end))
        check(line is not None and line["kind"] == ("footer" if footer is footers[-1] else "old_footer"), path, line)
        check_equal(line["rows"], footer.extension.rows, f"{path}: rows of the footer at {footer.start}")
    check_equal(sum(line["kind"] in ("footer", "old_footer") for line in lines), len(footers), f"{path}: footers")
    extension = footers[-1].extension
    slots = {}
    position = data.find(own_structures.RECORD_TAG)
    while position >= 0:
        begin = position + own_structures.TRAILER.size - extension.slot_bytes
        if begin >= 0 and begin + extension.slot_bytes <= len(data):
            slot = own_structures.Slot(data, begin, extension.slot_bytes)
            if slot.is_of(extension.file_id):
                slots[begin] = "emptied_slot" if slot.entry_bytes == 0 else "record" if slot.next else "checkpoint_record"
        position = data.find(own_structures.RECORD_TAG, position + 1)
    kinds = ("record", "checkpoint_record", "emptied_slot")
    check_equal({line["offset"]: line["kind"] for line in lines if line["kind"] in kinds}, slots, f"{path}: slots")
    for line in lines:
        if line["kind"] == "zeros":
            check(not any(data[line["offset"]:line["offset"] + line["bytes"]]), path, line)
