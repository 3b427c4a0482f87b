"""Shows that the checker accepts a correct file and names what is wrong with each damaged one."""

import io
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import good_file
import good_log
import own_structures
import packed_encodings
from log_state import rounded_up
from parquet_checker import Options, check_bytes, check_image
from page_decoding import PageError
from tiny_log import TinyLog
from tiny_writer import Padded, encode_struct, extension, packed_levels, rle_levels

CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'parquet_checker.py')


def once(kind, edit, nth=0):
    """A hook that edits the nth structure of a kind."""
    seen = [0]

    def hook(seen_kind, structure):
        if seen_kind == kind:
            if seen[0] == nth:
                edit(structure)
            seen[0] += 1
    return hook


def as_v2(**damage):
    """A hook that makes the first page, which has no levels, one of version 2, with other fields than it should have."""
    def edit(header):
        v1 = header.pop('data_page_header')
        header.update(type=3, data_page_header_v2={
            'num_values': v1['num_values'], 'num_nulls': 0, 'num_rows': v1['num_values'], 'encoding': v1['encoding'],
            'definition_levels_byte_length': 0, 'repetition_levels_byte_length': 0, 'is_compressed': False, **damage})
    return once('header', edit)


def set_in(kind, path, value, nth=0):
    """A hook that sets (or, with value None, removes) a field, 'a.b.0.c' into nested structures."""
    def edit(structure):
        *parents, last = [int(p) if p.isdigit() else p for p in path.split('.')]
        for p in parents:
            structure = structure[p]
        if value is None:
            del structure[last]
        elif callable(value):
            structure[last] = value(structure[last])
        else:
            structure[last] = value
    return once(kind, edit, nth)


COLUMN = {name: i for i, name in enumerate(('id', 'u8', 'o', 'f', 's', 'b', 'd', 'h', 't', 'iv'))}
PAGES = 3  # pages of a column in the first row group


def chunk(name, path, value):
    return set_in('chunk', path, value, COLUMN[name])


def statistics(name, field, value):
    return chunk(name, 'meta_data.statistics.' + field, value)


def schema(name, path, value):
    return set_in('footer', f'schema.{COLUMN[name] + 1}.{path}', value)


def body(name, edit):
    """Edits the first page's body of a column in the first row group; sizes and CRC follow."""
    return once('body', edit, COLUMN[name] * PAGES)


def put(position, data):
    def edit(b):
        b[position:position + len(data)] = data
    return edit


def replace_levels(new):
    """Replaces the definition levels of a page of five rows; `new` is their encoded form with the length."""
    def edit(b):
        size = struct.unpack_from('<I', b)[0]
        b[:4 + size] = new
    return edit


def with_length(run):
    return struct.pack('<I', len(run)) + run


def sorted_by(column, descending=False, nulls_first=True):
    return set_in('row_group', 'sorting_columns', None) if column is None else once(
        'row_group', lambda g: g.update(sorting_columns=[{
            'column_idx': column, 'descending': descending, 'nulls_first': nulls_first}]))


def raw(kind, data, nth=0):
    return once(kind, lambda s: s.update(raw=data), nth)


# name: (expected complaint, hook)
HOOKED = {
    # footer
    'version_2': ('footer.version', set_in('footer', 'version', 2)),
    'num_rows_of_file': ('footer.num_rows', set_in('footer', 'num_rows', 25)),
    'created_by_missing': ('footer.created_by', set_in('footer', 'created_by', None)),
    'created_by_without_build': ('footer.created_by', set_in('footer', 'created_by', 'microparquet version 1.0.0')),
    'created_by_two_numbers': ('footer.created_by', set_in('footer', 'created_by', 'microparquet version 1.0 (build a)')),
    'created_by_other': ('footer.created_by', set_in('footer', 'created_by', 'parquet-mr version 1.0.0 (build a)')),
    'column_orders_missing': ('footer.column_orders', set_in('footer', 'column_orders', None)),
    'column_orders_short': ('footer.column_orders', set_in('footer', 'column_orders', lambda v: v[1:])),
    'column_order_ieee': ('footer.column_orders', set_in('footer', 'column_orders.3', {'IEEE_754_TOTAL_ORDER': {}})),
    'encrypted': ('footer.unexpected_field', once('footer', lambda f: f.update(footer_signing_key_metadata=b'k'))),
    # thrift
    'required_field_missing': ('thrift.required', set_in('footer', 'num_rows', None)),
    'unknown_field': ('thrift.unknown_field', raw('footer', b'\x08' + b'\x28' + b'\x00')),
    'wrong_type_code': ('thrift.type', raw('footer', b'\x26\x02')),
    'field_twice': ('thrift.duplicate_field', raw('footer', b'\x05\x02\x02')),
    'page_header_unknown_field': ('thrift.unknown_field', raw('header', b'\x75\x02')),
    'union_of_two': ('thrift.union', schema('t', 'logicalType.DATE', {})),
    'unknown_encoding': ('thrift.enum', chunk('id', 'meta_data.encodings.0', 77)),
    'varint_too_long': ('thrift.varint', set_in('header', 'crc', lambda v: Padded(v, 6))),
    'key_not_utf8': ('thrift.utf8', set_in('footer', 'created_by', b'\xff\xfe')),
    'extension_of_others': ('extension.tag', set_in('extension', 'tag', b'fpqF')),
    'extension_of_others_in_page': ('extension.tag', raw('header', extension(b'\0\0'))),
    'extension_of_others_in_group': ('extension.tag', raw('row_group', extension(b'xmpq'))),
    'extension_not_binary': ('thrift.extension', raw('footer', b'\x05\xfe\xff\x03\x02')),
    # schema
    'name_twice': ('schema.name', schema('u8', 'name', 'id')),
    'name_differs_in_case': ('schema.name', schema('u8', 'name', 'ID')),
    'name_empty': ('schema.name', schema('u8', 'name', '')),
    'root_with_repetition': ('schema.root', once('footer', lambda f: f['schema'][0].update(repetition_type=0))),
    'root_children_wrong': ('schema.tree', set_in('footer', 'schema.0.num_children', 9)),
    'root_children_too_many': ('schema.tree', set_in('footer', 'schema.0.num_children', 11)),
    'leaf_with_children': ('schema.leaf', schema('id', 'num_children', 1)),
    'repetition_missing': ('schema.repetition', schema('id', 'repetition_type', None)),
    'converted_type_missing': ('schema.converted_type', schema('s', 'converted_type', None)),
    'converted_type_wrong': ('schema.converted_type', schema('t', 'converted_type', 9)),
    'converted_type_alone': ('schema.converted_type', schema('s', 'logicalType', None)),
    'converted_type_of_sign': ('schema.converted_type', schema('u8', 'logicalType.INTEGER.isSigned', True)),
    'annotation_on_wrong_type': ('schema.logical_type', once('footer', lambda f: f['schema'][1].update(
        converted_type=0, logicalType={'STRING': {}}))),
    'time_micros_on_int32': ('schema.logical_type', once('footer', lambda f: f['schema'][1].update(
        converted_type=8, logicalType={'TIME': {'isAdjustedToUTC': True, 'unit': {'MICROS': {}}}}))),
    'integer_of_12_bits': ('schema.logical_type', schema('u8', 'logicalType.INTEGER.bitWidth', 12)),
    'type_length_missing': ('schema.type_length', schema('iv', 'type_length', None)),
    'type_length_of_int': ('schema.type_length', schema('id', 'type_length', 4)),
    'float16_of_3_bytes': ('schema.type_length', schema('h', 'type_length', 3)),
    'decimal_scale_missing': ('schema.decimal', schema('d', 'scale', None)),
    'decimal_precision_differs': ('schema.decimal', schema('d', 'precision', 8)),
    'decimal_too_wide': ('schema.decimal', once('footer', lambda f: (
        f['schema'][7].update(precision=12),
        f['schema'][7].update(logicalType={'DECIMAL': {'scale': 2, 'precision': 12}})))),
    'precision_without_decimal': ('schema.decimal', schema('id', 'precision', 3)),
    # row groups
    'group_rows': ('row_group.num_rows', set_in('row_group', 'num_rows', 11)),
    'group_without_rows': ('row_group.num_rows', set_in('row_group', 'num_rows', 0)),
    'group_byte_size': ('row_group.total_byte_size', set_in('row_group', 'total_byte_size', lambda v: v - 1)),
    'group_compressed_size': ('row_group.total_compressed_size',
                              set_in('row_group', 'total_compressed_size', lambda v: v + 1)),
    'group_file_offset': ('row_group.file_offset', set_in('row_group', 'file_offset', lambda v: v + 1)),
    'group_ordinal': ('row_group.ordinal', once('row_group', lambda g: g.update(ordinal=3))),
    'group_column_missing': ('row_group.columns', set_in('row_group', 'columns', lambda v: v[:-1])),
    'sorted_by_unsorted': ('row_group.sorting_columns', sorted_by(COLUMN['u8'])),
    'sorted_descending_claimed': ('row_group.sorting_columns', sorted_by(COLUMN['id'], descending=True)),
    'sorted_nulls_misplaced': ('row_group.sorting_columns', sorted_by(COLUMN['o'], True, True)),
    'sorted_by_nan': ('row_group.sorting_columns', sorted_by(COLUMN['h'])),
    'sorted_by_no_column': ('row_group.sorting_columns', sorted_by(99)),
    # column chunks
    'chunk_file_offset': ('chunk.file_offset', chunk('id', 'file_offset', 4)),
    'chunk_file_path': ('chunk.unexpected_field', chunk('id', 'file_path', 'other.parquet')),
    'chunk_dictionary_missing': ('thrift.', chunk('id', 'meta_data.dictionary_page_offset', 4)),
    'chunk_type': ('chunk.type', chunk('id', 'meta_data.type', 2)),
    'chunk_path': ('chunk.path', chunk('id', 'meta_data.path_in_schema.0', 'other')),
    'chunk_codec': ('chunk.codec', chunk('id', 'meta_data.codec', 3)),
    'chunk_other_codec': ('page.codec', chunk('id', 'meta_data.codec', 1)),
    'chunk_more_values': ('chunk.num_values', chunk('id', 'meta_data.num_values', lambda v: v + 1)),
    'chunk_fewer_values': ('chunk.num_values', chunk('id', 'meta_data.num_values', lambda v: v - 1)),
    'chunk_uncompressed_size': ('chunk.total_uncompressed_size',
                                chunk('id', 'meta_data.total_uncompressed_size', lambda v: v + 1)),
    'chunk_offset_late': ('thrift.', chunk('id', 'meta_data.data_page_offset', lambda v: v + 1)),
    'chunk_offset_zero': ('chunk.range', chunk('id', 'meta_data.data_page_offset', 0)),
    'chunk_size_short': ('page.size', chunk('id', 'meta_data.total_compressed_size', lambda v: v - 1)),
    'chunk_size_huge': ('chunk.range', chunk('id', 'meta_data.total_compressed_size', 1 << 40)),
    'chunk_overlap': ('chunk.overlap', chunk('id', 'meta_data.total_compressed_size', lambda v: v + 60)),
    'chunk_encodings_empty': ('chunk.encodings', chunk('id', 'meta_data.encodings', [])),
    'chunk_encodings_no_rle': ('chunk.encodings', chunk('o', 'meta_data.encodings', [0])),
    'chunk_encodings_untrue': ('chunk.encodings', chunk('o', 'meta_data.encodings', [0, 3, 8])),
    'chunk_encodings_twice': ('chunk.encodings', chunk('o', 'meta_data.encodings', [0, 3, 0])),
    'chunk_encoding_stats': ('chunk.encoding_stats', chunk('id', 'meta_data.encoding_stats', [
        {'page_type': 0, 'encoding': 0, 'count': 4}])),
    'chunk_meta_data_missing': ('chunk.meta_data', set_in('row_group', 'columns.0.meta_data', None)),
    # page headers
    'page_without_crc': ('page.crc', set_in('header', 'crc', None)),
    'page_crc': ('page.crc', set_in('header', 'crc', lambda v: v ^ 1)),
    'page_uncompressed_size': ('page.size', set_in('header', 'uncompressed_page_size', lambda v: v + 1)),
    'page_runs_out_of_chunk': ('page.size', set_in('header', 'compressed_page_size', 1 << 20)),
    'page_size_negative': ('page.size', set_in('header', 'compressed_page_size', -1)),
    'page_type': ('page.type', set_in('header', 'type', 1)),
    'page_header_missing': ('page.header', set_in('header', 'data_page_header', None)),
    'page_two_headers': ('page.header', once('header', lambda h: h.update(index_page_header={}))),
    'page_encoding': ('page.encoding', set_in('header', 'data_page_header.encoding', 4)),
    'page_other_encoding': ('delta.blocks', set_in('header', 'data_page_header.encoding', 5)),
    'page_in_runs': ('booleans.type', set_in('header', 'data_page_header.encoding', 3)),
    'page_encoding_not_listed': ('chunk.encodings', set_in('header', 'data_page_header.encoding', 9)),
    'page_level_encoding': ('page.level_encoding', set_in('header', 'data_page_header.definition_level_encoding', 4)),
    'page_without_values': ('page.num_values', set_in('header', 'data_page_header.num_values', 0)),
    'page_more_values': ('values.size', set_in('header', 'data_page_header.num_values', 6)),
    'page_fewer_values': ('values.size', set_in('header', 'data_page_header.num_values', 4)),
    'optional_page_more_values': ('levels.slack|levels.count', set_in(
        'header', 'data_page_header.num_values', 20, COLUMN['o'] * PAGES)),
    'page_statistics': ('statistics.min_value', once('header', lambda h: h['data_page_header'].update(
        statistics=dict(good_file.ints('<i')(range(5)), min_value=struct.pack('<i', 1))))),
    # pages of version 2
    'v2_more_values': ('page.counts', as_v2(num_values=6)),
    'v2_no_values': ('page.num_values', as_v2(num_values=0)),
    'v2_more_rows': ('page.counts', as_v2(num_rows=6)),
    'v2_nulls_of_required': ('page.counts', as_v2(num_nulls=1)),
    'v2_levels_of_required': ('page.levels', as_v2(definition_levels_byte_length=4)),
    'v2_repetition_of_flat': ('page.levels', as_v2(repetition_levels_byte_length=4)),
    'v2_levels_beyond_page': ('page.levels', as_v2(definition_levels_byte_length=1 << 20)),
    'v2_levels_negative': ('page.levels', as_v2(repetition_levels_byte_length=-1)),
    'v2_encoding': ('page.encoding', as_v2(encoding=4)),
    # levels and values; page 0 of `o` has the levels 0 1 1 0 1
    'levels_slack_byte': ('levels.slack', body('o', replace_levels(with_length(b'\x03\x16\x00')))),
    'levels_slack_group': ('levels.slack', body('o', replace_levels(with_length(b'\x05\x16\x00')))),
    'levels_padding_bits': ('levels.padding', body('o', replace_levels(with_length(b'\x03\x36')))),
    'levels_too_few': ('levels.count', body('f', replace_levels(with_length(b'\x08\x01')))),
    'levels_too_many': ('levels.count', body('f', replace_levels(with_length(b'\x0c\x01')))),
    'levels_length_too_long': ('levels.truncated', body('o', put(0, b'\xff\x00\x00\x00'))),
    'levels_run_cut': ('levels.truncated', body('o', replace_levels(with_length(b'\x05\x16')))),
    'levels_run_empty': ('levels.run_length', body('o', replace_levels(with_length(b'\x00\x00\x03\x16')))),
    'levels_run_header_padded': ('levels.run_header', body('o', replace_levels(with_length(b'\x83\x00\x16')))),
    'levels_out_of_range': ('levels.range', body('o', replace_levels(with_length(b'\x0a\x02')))),
    'levels_disagree_with_values': ('values.size', body('o', replace_levels(rle_levels([1, 1, 1, 0, 1])))),
    'values_slack': ('values.size', body('id', lambda b: b.extend(b'\0\0\0\0'))),
    'values_short': ('values.size', body('id', lambda b: b.__delitem__(slice(-1, None)))),
    'booleans_padding': ('values.padding', body('b', put(0, b'\xe2'))),
    'booleans_slack': ('values.size', body('b', lambda b: b.append(0))),
    'byte_array_slack': ('values.size', body('s', lambda b: b.append(0))),
    'byte_array_cut': ('values.truncated', body('s', lambda b: b.__delitem__(slice(-1, None)))),
    'byte_array_length': ('values.truncated', body('s', lambda b: put(4 + struct.unpack_from('<I', b)[0],
                                                                      b'\xff\xff\xff\xff')(b))),
    'string_not_utf8': ('values.utf8', body('s', lambda b: put(4 + struct.unpack_from('<I', b)[0] + 5, b'\xff')(b))),
    'uint8_sign_extended': ('values.range', body('u8', put(0, b'\xff\xff\xff\xff'))),
    'decimal_digits': ('values.range', body('d', put(0, b'\x7f\xff\xff\xff\xff'))),
    # statistics
    'statistics_missing': ('statistics.missing', chunk('id', 'meta_data.statistics', None)),
    'null_count_missing': ('statistics.null_count', statistics('id', 'null_count', None)),
    'null_count_wrong': ('statistics.null_count', statistics('o', 'null_count', 5)),
    'nan_count_missing': ('statistics.nan_count', statistics('f', 'nan_count', None)),
    'nan_count_wrong': ('statistics.nan_count', statistics('h', 'nan_count', 0)),
    'nan_count_of_int': ('statistics.nan_count', statistics('id', 'nan_count', 0)),
    'distinct_count': ('statistics.distinct_count', statistics('id', 'distinct_count', 11)),
    'min_wrong': ('statistics.min_value', statistics('id', 'min_value', struct.pack('<i', 1))),
    'min_too_low': ('statistics.min_value', statistics('id', 'min_value', struct.pack('<i', -1))),
    'max_wrong': ('statistics.max_value', statistics('id', 'max_value', struct.pack('<i', 10))),
    'max_missing': ('statistics.missing_bound', statistics('t', 'max_value', None)),
    'max_missing_beside_min': ('statistics.one_sided', statistics('t', 'max_value', None)),
    'min_wrong_width': ('statistics.min_value', statistics('id', 'min_value', b'\0')),
    'unsigned_as_signed': ('statistics.max_value', statistics('u8', 'max_value', struct.pack('<i', 127))),
    'float_max_ignores_infinity': ('statistics.max_value', statistics('f', 'max_value', struct.pack('<f', 1.5))),
    'float_max_nan': ('statistics.max_value', statistics('f', 'max_value', struct.pack('<f', math.nan))),
    'float_min_positive_zero': ('statistics.min_value', statistics('f', 'min_value', struct.pack('<f', 0.0))),
    'float16_bytewise': ('statistics.min_value', statistics('h', 'min_value', struct.pack('<e', 0.5))),
    'decimal_bytewise': ('statistics.max_value', statistics('d', 'max_value', (-123).to_bytes(5, 'big', signed=True))),
    'interval_with_bounds': ('statistics.unordered', statistics('iv', 'min_value', b'\0' * 12)),
    'exact_missing': ('statistics.exact', statistics('id', 'is_min_value_exact', None)),
    'exact_false_of_exact': ('statistics.exact', statistics('id', 'is_max_value_exact', False)),
    'exact_true_of_truncated': ('statistics.exact', statistics('s', 'is_min_value_exact', True)),
    'string_min_missing': ('statistics.missing_bound', statistics('s', 'min_value', None)),
    'string_min_shorter': ('statistics.min_value', statistics('s', 'min_value', good_file.LONG[:31].encode())),
    'string_max_missing': ('statistics.missing_bound', statistics('s', 'max_value', None)),
    'string_max_not_incremented': ('statistics.max_value', statistics('s', 'max_value', b'z' * 31)),
    'string_max_splits_code_point': ('statistics.max_value', statistics('s', 'max_value', b'z' * 31 + b'\xc4')),
    'deprecated_min_wrong': ('statistics.deprecated', statistics('id', 'min', struct.pack('<i', 7))),
    'deprecated_min_of_string': ('statistics.deprecated', statistics('s', 'min', good_file.LONG[:32].encode())),
}

# In good_log, the extensions of: the first footer, that of the segment, two checkpoints, the last footer. Its records: slots
# B and A of row group 0, slot B of row group 1, both emptied, slot A of row group 2. Its row groups as described: 0 twice,
# 1, 2.
FIRST, SEGMENT, CHECKPOINT, SECOND_CHECKPOINT, LAST = range(5)
PROVISIONAL, RECORD, _, EMPTIED, _, LAST_RECORD = range(6)


def extension_field(name, value, nth=LAST):
    return set_in('extension', name, value, nth)


def record_field(name, value, nth=RECORD):
    return set_in('record', name, value, nth)


def of_dictionaries(crc, changed=0):
    """A hook that has record 0 say that of its dictionaries, under a seal of which these bits are changed."""
    def edit(record):
        seal = own_structures.seal_of(crc, record['entries_crc'], record['file_id'], record['sequence'])
        data = own_structures.DICTIONARIES.pack(crc, seal ^ changed)
        record['padding'] = data + record['padding'][len(data):]
    return once('record', edit, RECORD)


def one_more(value):
    return value + 1


def first_extent(change):
    return lambda extents: [change(*extents[0])] + extents[1:]


# The same for a file in place: name: (expected complaint, hook)
LOGGED = {
    'extension_version': ('extension.missing', extension_field('version', 2)),
    'extension_version_of_checkpoint': ('sequence|footer|record', extension_field('sequence', 2, CHECKPOINT)),
    'extension_crc': ('footer.crc', extension_field('crc', 1)),
    'extension_crc_of_checkpoint': ('footer.crc', extension_field('crc', 1, CHECKPOINT)),
    'extension_file_id_of_checkpoint': ('footer.crc', extension_field('file_id', 1, CHECKPOINT)),
    'extension_sequence_first': ('footer.first', extension_field('sequence', 0, FIRST)),
    'extension_sequence_goes_back': ('footer.order', extension_field('sequence', 1 << 20, SEGMENT)),
    'extension_sequence_of_a_record': ('sequence', extension_field('sequence', 3, CHECKPOINT)),
    'extension_rows': ('extension.rows', extension_field('rows', one_more)),
    'extension_rows_of_checkpoint': ('extension.rows', extension_field('rows', one_more, CHECKPOINT)),
    'extension_slot_bytes': ('extension.slot_bytes', extension_field('slot_bytes', one_more)),
    'extension_slot_bytes_of_checkpoint': ('extension.slot_bytes', extension_field('slot_bytes', 512, CHECKPOINT)),
    'extension_finished_count': ('footer.finished', extension_field('finished_count', one_more)),
    'extension_finished_bytes': ('footer.crc', extension_field('finished_bytes', one_more)),
    'extension_finished_crc': ('footer.finished', extension_field('finished_crc', 1)),
    'extension_finished_crc_of_checkpoint': ('footer.finished', extension_field('finished_crc', 1, CHECKPOINT)),
    'extension_open_bytes': ('footer.crc', extension_field('open_bytes', one_more, CHECKPOINT)),
    'extension_entries_crc': ('footer.crc', extension_field('entries_crc', 1, CHECKPOINT)),
    'space_of_first_footer': ('extension.space', extension_field('next', 3, FIRST)),
    'space_next_behind_segment': ('extension.space', extension_field('next', 1 << 20, CHECKPOINT)),
    'space_segment_over_the_footer': ('extension.space', extension_field('segment_end', one_more, SEGMENT)),
    'space_free_segment_backwards': ('extension.space', extension_field('free_begin', 9, CHECKPOINT)),
    'space_free_segment_in_use': ('extension.space', once('extension', lambda e: e.update(free_begin=40, free_end=60),
                                                       CHECKPOINT)),
    'space_extent_over_pages': ('extension.extents', extension_field(
        'extents', first_extent(lambda begin, end: (begin - 1, end)), CHECKPOINT)),
    'space_extent_beyond_segment': ('extension.extents', extension_field(
        'extents', first_extent(lambda begin, end: (begin, 1 << 20)), CHECKPOINT)),
    'space_extents_overlap': ('extension.space', extension_field(
        'extents', first_extent(lambda begin, end: (begin, end + 1)), CHECKPOINT)),
    'space_extents_without_open_row_group': ('extension.extents', extension_field(
        'extents', first_extent(lambda begin, end: (9, 10)))),
    'dead_footer_schema': ('footer.head', set_in('footer', 'schema.1.name', 'ID', CHECKPOINT)),
    'dead_footer_created_by': ('footer.tail', set_in('footer', 'created_by', 'microparquet version 9 (build a)', CHECKPOINT)),
    'dead_footer_num_rows': ('footer.counts', set_in('footer', 'num_rows', Padded(7, 10), CHECKPOINT)),
    'dead_footer_num_rows_short': ('footer.counts', set_in('footer', 'num_rows', 6, CHECKPOINT)),
    'dead_footer_unknown_field': ('footer.tail', raw('footer', b'\x1c\x00', CHECKPOINT)),
    'dead_footer_extension_not_last': ('footer.end', once('extension', lambda e: e['extents'].append((0, 0)), CHECKPOINT)),
    'dead_entry_rows': ('row_group.num_rows', set_in('row_group', 'num_rows', one_more, 0)),
    'dead_entry_statistics': ('statistics.max_value', set_in(
        'chunk', 'meta_data.statistics.max_value', struct.pack('<i', 6), COLUMN['id'])),
    'dead_entry_size': ('page.size|footer.durable', set_in(
        'chunk', 'meta_data.total_compressed_size', one_more, COLUMN['id'])),
    'dead_entry_offset': ('footer.open', set_in('chunk', 'meta_data.data_page_offset', lambda v: v + 512, COLUMN['id'])),
    'record_tag': ('record.entry', record_field('tag', b'mpqr')),
    'record_version': ('record.entry', record_field('version', 2)),
    'record_file_id': ('record.entry', record_field('file_id', 1)),
    'record_sequence': ('sequence', record_field('sequence', 1)),
    'record_entries_crc': ('record.entry', record_field('entries_crc', 1)),
    'record_next': ('record.next', record_field('next', lambda v: v + 512)),
    'record_next_inside': ('record.next', record_field('next', 512)),
    'record_crc': ('record.entry', record_field('crc', 1)),
    'record_padding': ('record.padding', record_field('padding', lambda v: b'x' + v[1:])),
    'record_dictionaries': ('record.dictionaries', of_dictionaries(1)),
    'record_dictionaries_seal': ('record.padding', of_dictionaries(0, 1)),
    'record_emptied': ('record.entry', record_field('tag', b'mpqr', EMPTIED + 2)),
    'record_of_last_row_group': ('record.entry', record_field('entries_crc', 1, LAST_RECORD)),
    'provisional_sequence': ('record.provisional', record_field('sequence', 1000, PROVISIONAL)),
    'provisional_next': ('record.provisional', record_field('next', 512, PROVISIONAL)),
    'provisional_entries_crc': ('record.provisional', record_field('entries_crc', 1, PROVISIONAL)),
}


EXCUSED = Options(excuses_place_with_rows=True)


def no_slot(writer, entry):
    return bytes(writer.slot_bytes)


def later_slot(writer, entry):
    return writer.record(entry, max(writer.extents))


def torn_slot(writer, entry):
    slot = later_slot(writer, entry)
    return bytes(512) + slot[512:]


def first_slot(writer, entry):
    """Right, but for its entry: that of a row group at another place."""
    return writer.record(writer.entries[0], max(writer.extents))


class Accepts(unittest.TestCase):
    """Correct files cause no complaint."""

    def clean(self, data, options=None):
        report = check_bytes(data, options)
        self.assertEqual([str(c) for c in report.complaints], [])
        return report

    def test_a_page_of_version_2(self):
        self.clean(good_file.write(as_v2()))

    def test_good_file(self):
        report = self.clean(good_file.write())
        for column in good_file.columns():
            values = report.columns[column.element['name']].values
            self.assertEqual(len(values), good_file.ROWS)
            for got, want in zip(values, column.values):
                self.assertTrue(got == want or (got != got and want != want), (got, want))
        self.assertEqual(report.row_groups, [12, 12])

    def test_good_log(self):
        report = self.clean(good_log.write())
        for column in good_file.columns():
            values = report.columns[column.element['name']].values
            self.assertEqual(repr(values), repr(column.values))
        self.assertEqual(report.row_groups, [12, 6, 6])
        self.assertEqual(report.chain, [])

    def test_record_that_tells_of_dictionaries(self):
        self.clean(good_log.write(of_dictionaries(0)))

    def test_last_footer_inside_the_segment(self):
        self.assertEqual(self.clean(good_log.closed_in_its_segment()).row_groups, [12, 6, 6])

    def test_last_footer_that_does_not_count_yet(self):
        for debris in (False, True):
            report = self.clean(good_log.cut_while_it_closes(), Options(debris=debris))
            self.assertEqual((report.row_groups, report.chain), ([12, 6], [6]))

    def test_good_log_that_was_cut(self):
        """The rows after the last footer are found by its record."""
        report = self.clean(good_log.cut())
        self.assertEqual(report.row_groups, [12, 6])
        self.assertEqual(report.chain, [12])

    def test_larger_blocks(self):
        """Footers that end on blocks of more than a sector, and what is on no such block then."""
        for data in (good_log.write(block=1024), good_log.closed_in_its_segment(block=1024)):
            self.assertEqual(self.clean(data).row_groups, [12, 6, 6])
            self.clean(data, Options(debris=True))

    def test_slots_before_the_head_of_a_dictionary(self):
        for block, head in ((512, 512), (512, 1536), (1024, 2048)):
            data = good_log.write(block=block, head=head)
            self.assertEqual(self.clean(data).row_groups, [12, 6, 6])
            self.clean(data, Options(debris=True))

    def test_the_same_entry_of_an_earlier_history_in_a_head(self):
        head, slots = 2 * TinyLog.slot_bytes, 2 * TinyLog.slot_bytes
        data = bytearray(good_log.write(head=head))
        slot_a = data.index(b'mpqR') + 36 - TinyLog.slot_bytes
        left = data[slot_a:slot_a + TinyLog.slot_bytes]
        trailer = bytearray(left[-36:])
        trailer[20:24] = bytes(4)  # it continued other entries
        trailer[32:] = zlib.crc32(trailer[:32]).to_bytes(4, 'little')
        data[slot_a + slots:slot_a + slots + TinyLog.slot_bytes] = left[:-36] + trailer
        self.clean(bytes(data), Options(debris=True))

    def test_segment_over_footers(self):
        for rows in (3, 6, 12):
            data = good_log.over_footers(rows)
            self.assertEqual(self.clean(data).row_groups, [12, rows])
            self.clean(data, Options(debris=True))

    def test_debris(self):
        """Footers that were cut, those of other files and of a history that ended are no fault of a used medium's file."""
        for data in (good_log.write(extension_field('crc', 1, CHECKPOINT)), good_log.forked(),
                     good_log.write(extension_field('file_id', 1, CHECKPOINT))):
            self.assertTrue(check_bytes(data).complaints)
            self.clean(data, Options(debris=True))

    def test_debris_in_free_space(self):
        """An old footer at another place than it was written to, as a file that was shortened finds it in new clusters."""
        data = bytearray(good_log.cut())
        footers = [footer for footer in own_structures.all_footers(bytes(data), len(good_file.columns())) if footer.genuine()]
        segment, last = footers[1], footers[-1].extension
        place = (last.segment_end - 1) * 512
        self.assertEqual((segment.extension.rows, last.next * 512 < place), (0, True))
        data[place:place + segment.end - segment.start] = data[segment.start:segment.end]
        data[segment.start:segment.end] = bytes(segment.end - segment.start)
        self.assertTrue(check_bytes(bytes(data)).complaints)
        self.clean(bytes(data), Options(debris=True))

    def test_left_by_an_interruption(self):
        """Slot A of a row group that ended as slot B says: never written, torn, or with rows that are void."""
        for slot_a in (no_slot, torn_slot, later_slot):
            self.assertEqual(self.clean(good_log.left(slot_a)).row_groups, [12, 6, 6])

    def test_lost_behind_an_interruption(self):
        """Slot A tells of a row group that continued in the interrupted one's extents, and was lost."""
        self.assertEqual(self.clean(good_log.lost_behind_an_interruption()).row_groups, [12, 6, 6])

    def test_destroyed_behind_an_interruption(self):
        """Slot A, emptied or written again, was lost with its block: slot B is emptied."""
        data = good_log.write(record_field('tag', b'mpqr', EMPTIED + 2))
        self.assertTrue(check_bytes(data).complaints)
        self.clean(data, Options(debris=True))

    def test_torn_padding(self):
        """No checksum covers what stands between entry and trailer."""
        data = good_log.write(record_field('padding', lambda v: b'x' + v[1:]))
        self.assertTrue(check_bytes(data).complaints)
        self.clean(data, Options(debris=True))

    def test_moved_footers(self):
        """Old footers that a used medium has in new clusters are none of the file, as little as a copy of what is."""
        data = good_log.left(no_slot, between=4096)
        footers = list(own_structures.all_footers(data, len(COLUMN)))
        sector = rounded_up(footers[SECOND_CHECKPOINT].end)
        for footer in footers[:-1]:
            moved, place = bytearray(data), sector + footer.start % 512
            bytes_moved = data[footer.start:footer.end]
            self.assertEqual(data[place:place + len(bytes_moved)], bytes(len(bytes_moved)))
            moved[place:place + len(bytes_moved)] = bytes_moved
            self.assertTrue(check_bytes(bytes(moved)).complaints)
            self.clean(bytes(moved), Options(debris=True))

    def test_known_block(self):
        for block in (512, 1024):
            self.clean(good_log.write(block=block), Options(block_bytes=block))

    def test_place_that_has_rows(self):
        """The footer by which an old library closed an interrupted file before a row came; but for it nothing is excused."""
        self.assertEqual(self.codes_of_old_close(), {'extension.space'})
        self.assertEqual(self.codes_of_old_close(options=EXCUSED), set())
        for other in ({'sequence': 32769}, {'next': 7}, {'free_begin': 40, 'free_end': 60}):
            self.assertEqual(self.codes_of_old_close(other, EXCUSED), {'extension.space'}, other)

    def codes_of_old_close(self, change=None, options=None):
        hook = once('extension', lambda e: e.update(change), 3) if change else None
        return check_bytes(good_log.closed_at_its_last_row_group(hook), options).codes

    def test_check_image(self):
        self.assertEqual(check_image(good_log.cut()), [])
        with tempfile.NamedTemporaryFile() as file:
            file.write(good_log.write(record_field('crc', 1)))
            file.flush()
            self.assertEqual([c.code for c in check_image(file.name)], ['record.entry'])

    def test_dead_bytes_between_chunks(self):
        self.clean(good_file.write(gap=b'PAR1 dead bytes PAR1' * 9))

    def test_padded_varints_and_our_extension(self):
        def hook(kind, structure):
            if kind == 'header':
                structure['crc'] = Padded(structure['crc'], 5)
                structure['data_page_header']['num_values'] = Padded(structure['data_page_header']['num_values'], 5)
                structure['raw'] = extension(b'mpq' + b'\0' * 20)
            if kind == 'footer':
                structure['num_rows'] = Padded(structure['num_rows'], 10)
        self.clean(good_file.write(hook))

    def test_run_length_levels(self):
        self.clean(good_file.write(change=lambda cs: setattr(cs[COLUMN['o']], 'levels', rle_levels)))
        self.clean(good_file.write(change=lambda cs: setattr(cs[COLUMN['f']], 'levels', packed_levels)))

    def test_no_row_groups(self):
        def change(columns):
            for column in columns:
                column.values = []
        report = self.clean(good_file.write(change=change))
        self.assertEqual(report.rows(), [])

    def test_true_sorting_claims(self):
        self.clean(good_file.write(sorted_by(COLUMN['id'])))

        def nulls_last(columns):
            columns[COLUMN['o']].values = [-i if i % 12 < 8 else None for i in range(24)]
        self.clean(good_file.write(sorted_by(COLUMN['o'], descending=True, nulls_first=False), nulls_last))

    def test_row_group_without_optional_fields(self):
        def hook(kind, structure):
            if kind == 'row_group':
                del structure['file_offset'], structure['total_compressed_size']
        self.clean(good_file.write(hook))

    def test_bounds_that_cannot_be_raised_are_left_out(self):
        def change(columns):
            column = columns[COLUMN['s']]
            column.element['converted_type'], column.element['logicalType'] = None, None
            column.element = {k: v for k, v in column.element.items() if v is not None}
            column.values = [b'\xff' * 40] * 24
            column.statistics = lambda values: {'null_count': 0}
        self.clean(good_file.write(change=change))

    def test_a_bound_that_a_longer_value_was_cut_to_may_be_called_inexact(self):
        low, high = b'a' * 32, b'a' * 31 + b'b'  # both are values, too

        def with_values(values):
            def change(columns):
                column = columns[COLUMN['s']]
                column.values = values
                column.statistics = lambda of: good_file.bounds(low, high, of, is_min_value_exact=False, is_max_value_exact=False)
            return good_file.write(change=change)
        self.clean(with_values([b'a' * 40, low, high, b'a' * 35] * 6))
        self.assertEqual(check_bytes(with_values([low, high] * 12), Options()).codes, {'statistics.exact'})

    def test_statistics_length_is_an_option(self):
        data = good_file.write()
        self.assertIn('statistics.min_value', check_bytes(data, Options(statistics_length=64)).codes)

    def test_other_writer_reads_the_good_file(self):
        """The good file is good by somebody else's word."""
        import pyarrow.parquet
        table = pyarrow.parquet.read_table(io.BytesIO(good_file.write()), columns=['id', 'o', 's', 't', 'd', 'b', 'u8'],
                                           page_checksum_verification=True)
        self.assertEqual(table['id'].to_pylist(), list(range(24)))
        self.assertEqual(table['o'].to_pylist(), good_file.columns()[COLUMN['o']].values)
        self.assertEqual(str(table['d'][2]), '999.99')

    def test_file_of_another_writer(self):
        """A plain file of pyarrow breaks only rules that are ours alone."""
        import pyarrow
        import pyarrow.parquet
        table = pyarrow.table({'i': pyarrow.array([3, None, 7] * 1000, pyarrow.int32()),
                               's': [f'row {i}' for i in range(3000)], 'f': [i / 7 for i in range(3000)]})
        out = io.BytesIO()
        pyarrow.parquet.write_table(table, out, use_dictionary=False, compression='NONE', version='1.0',
                                    data_page_version='1.0', write_page_checksum=True, data_page_size=1024,
                                    row_group_size=1000)
        report = check_bytes(out.getvalue(), Options(application='any'))
        foreign = {'footer.version', 'schema.root', 'statistics.exact', 'statistics.nan_count', 'chunk.encoding_stats',
                   'statistics.deprecated', 'footer.created_by', 'chunk.unexpected_field', 'row_group.ordinal'}
        self.assertEqual(report.codes - foreign, set(), [str(c) for c in report.complaints if c.code not in foreign])
        self.assertEqual(report.columns['i'].values, [3, None, 7] * 1000)

    def test_page_index(self):
        """The page index of pyarrow is right, and a change of any byte of its bounds, places or counts is found."""
        import pyarrow
        import pyarrow.parquet
        table = pyarrow.table({'i': pyarrow.array(range(70_000, 73_000), pyarrow.int32()),
                               's': [None if i % 3 == 0 else f'row {i}' for i in range(3000)]})
        out = io.BytesIO()
        pyarrow.parquet.write_table(table, out, use_dictionary=False, compression='NONE', version='1.0', data_page_version='1.0',
                                    write_page_checksum=True, data_page_size=1024, write_page_index=True)
        data = out.getvalue()
        report = check_bytes(data, Options(application='any'))
        self.assertEqual([str(c) for c in report.complaints if c.code.startswith('page_index')], [])
        begin = max(end for _, end, _ in report.pages)
        end = len(data) - 8 - struct.unpack_from('<I', data, len(data) - 8)[0]
        found = set()
        for place in range(begin, end):
            changed = bytearray(data)
            changed[place] ^= 1
            codes = check_bytes(bytes(changed), Options(application='any')).codes - report.codes
            self.assertTrue(codes, f'the byte at {place} of [{begin}, {end}) may be anything')
            found |= codes
        for code in ('locations', 'null_counts', 'min_values', 'max_values'):
            self.assertIn(f'page_index.{code}', found)

    def test_encodings_and_codecs_of_another_writer(self):
        import pyarrow
        import pyarrow.parquet
        longs = [(-1) ** i * i ** 7 % (1 << 62) for i in range(3000)]
        values = {'i': pyarrow.array([3, None, -7 << 20] * 1000, pyarrow.int32()), 'l': pyarrow.array(longs, pyarrow.int64()),
                  'u': pyarrow.array([i * 0x9E3779B1 % (1 << 32) for i in range(3000)], pyarrow.uint32()),
                  'f': pyarrow.array([i / 8 for i in range(3000)], pyarrow.float32()),
                  'd': pyarrow.array([None if i % 5 == 0 else i / 7 for i in range(3000)])}
        encodings = {'i': 'DELTA_BINARY_PACKED', 'l': 'DELTA_BINARY_PACKED', 'u': 'DELTA_BINARY_PACKED',
                     'f': 'BYTE_STREAM_SPLIT', 'd': 'BYTE_STREAM_SPLIT'}
        for codec in ('none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'):
            out = io.BytesIO()
            pyarrow.parquet.write_table(pyarrow.table(values), out, use_dictionary=False, compression=codec, version='1.0',
                                        data_page_version='1.0', write_page_checksum=True, data_page_size=1024,
                                        row_group_size=1000, column_encoding=encodings)
            report = check_bytes(out.getvalue(), Options(application='any'))
            for name, array in values.items():
                self.assertEqual(report.columns[name].values, array.to_pylist(), name)


class Encodings(unittest.TestCase):
    """Pages that are wrong in one byte."""

    # Blocks of 128 values in 4 miniblocks; 4 values from 5 on; 1 more at least, 2 bits each: 0 1 3.
    DELTA = bytes([0x80, 1, 4, 4, 10, 2, 2, 0, 0, 0, 0b110100, 0, 0, 0, 0, 0, 0, 0])

    def decode(self, encoding, physical, body, count):
        leaf = type('Leaf', (), {'physical': physical, 'unsigned': False, 'type_length': None})
        return packed_encodings.DECODERS[encoding](b'..' + body, 2, 2 + len(body), leaf, count)

    def wrong(self, code, encoding, physical, body, count):
        with self.assertRaises(PageError) as caught:
            self.decode(encoding, physical, body, count)
        self.assertEqual(caught.exception.code, code)

    def delta(self, at, byte):
        return self.DELTA[:at] + bytes([byte]) + self.DELTA[at + 1:]

    def test_delta(self):
        self.assertEqual(self.decode(5, 'INT32', self.DELTA, 4), [5, 6, 8, 12])
        self.assertEqual(self.decode(5, 'INT64', bytes([0x80, 1, 4, 1, 1]), 1), [-1])
        top = self.delta(4, 0xFE)[:5] + bytes([0xFF, 0xFF, 0xFF, 0x0F]) + self.DELTA[5:]  # from 2^31 - 1 on
        self.assertEqual(self.decode(5, 'INT32', top, 4), [(1 << 31) - 1, -1 << 31, 2 - (1 << 31), 6 - (1 << 31)])
        self.wrong('delta.count', 5, 'INT32', self.DELTA, 5)
        self.wrong('delta.blocks', 5, 'INT32', self.delta(2, 3), 4)
        self.wrong('delta.blocks', 5, 'INT32', self.delta(2, 0), 4)
        self.wrong('delta.width', 5, 'INT32', self.delta(6, 33), 4)
        self.wrong('delta.width', 5, 'INT32', self.delta(7, 1), 4)
        self.wrong('delta.padding', 5, 'INT32', self.delta(10, 0b1110100), 4)
        self.wrong('delta.padding', 5, 'INT32', self.delta(17, 1), 4)
        self.wrong('delta.slack', 5, 'INT32', self.DELTA + b'\0', 4)
        self.wrong('delta.truncated', 5, 'INT32', self.DELTA[:-1], 4)
        self.wrong('delta.truncated', 5, 'INT32', self.DELTA[:8], 4)
        self.wrong('delta.varint', 5, 'INT32', self.DELTA[:4], 4)
        self.wrong('delta.type', 5, 'FLOAT', self.DELTA, 4)

    def test_runs_of_booleans(self):
        self.assertEqual(self.decode(3, 'BOOLEAN', bytes([2, 0, 0, 0, 6, 1]), 3), [True] * 3)
        self.wrong('booleans.length', 3, 'BOOLEAN', bytes([2, 0, 0, 0, 6, 1, 0]), 3)
        self.wrong('levels.count', 3, 'BOOLEAN', bytes([2, 0, 0, 0, 6, 1]), 4)

    def test_streams(self):
        self.assertEqual(self.decode(9, 'INT32', bytes([1, 2, 0, 0, 0, 0, 0, 1]), 2), [1, 2 + (1 << 24)])
        self.wrong('values.size', 9, 'INT32', bytes(9), 2)
        self.wrong('split.type', 9, 'BYTE_ARRAY', bytes(8), 2)


class Complains(unittest.TestCase):
    """Each damage is named."""

    def named(self, data, code, options=None):
        report = check_bytes(data, options)
        wanted = code.split('|')
        self.assertTrue(any(c.startswith(w) for c in report.codes for w in wanted),
                        f'{code} not among {[str(c) for c in report.complaints]}')

    def test_key_twice(self):
        self.named(good_file.write(key_values=[('a', '1'), ('a', '2')]), 'footer.key_value')

    def test_places_on_no_block(self):
        for name in ('next', 'segment_end'):
            hook = extension_field(name, lambda value: value + 1, CHECKPOINT)
            self.named(good_log.write(hook, block=1024), 'extension.space')

    def test_places_on_no_known_block(self):
        """Places that are right for the smallest blocks they allow are wrong for the blocks that the caller knows."""
        self.named(good_log.write(), 'footer.sector', Options(block_bytes=1024))
        self.named(good_log.write(block=1024), 'footer.sector', Options(block_bytes=512))

    def test_damaged_footer_before_a_row_group_takes_its_place(self):
        """A footer that no row group has touched must be whole."""
        data = bytearray(good_log.over_footers())
        footer = list(own_structures.all_footers(data, len(COLUMN)))[-2]
        data[footer.crc_at] ^= 1
        self.named(bytes(data), 'footer.crc')

    def test_slot_a_without_an_interruption(self):
        for slot_a in (no_slot, torn_slot, later_slot):
            self.named(good_log.left(slot_a, gap=False), 'record.entry')

    def test_records_before_the_head_of_a_dictionary(self):
        self.named(good_log.write(record_field('entries_crc', 1), head=1536), 'record.entry')

    def test_slot_a_of_another_row_group(self):
        self.named(good_log.left(first_slot), 'record.entry')

    def test_footer_out_of_place_on_a_used_medium(self):
        """Its sequence is in order, so it is the file's own."""
        for hook in (extension_field('next', 1 << 20, CHECKPOINT), extension_field('next', 0, CHECKPOINT),
                     extension_field('segment_end', 1 << 20, SEGMENT)):
            self.named(good_log.write(hook), 'extension.space|footer.first', Options(debris=True))

    def test_footers_on_different_blocks(self):
        data = good_log.write(block=1024)
        first = next(footer for footer in own_structures.all_footers(data, len(good_file.columns())) if footer.start != 4)
        self.named(data[:first.start - 1] + data[first.start:first.end] + bytes(1) + data[first.end:], 'footer.sector')

    def test_page_not_whole_sectors(self):
        self.named(good_file.write(), 'page.sector', Options(sector=True))

    def test_magic_at_start(self):
        self.named(b'PARX' + good_file.write()[4:], 'file.magic')

    def test_magic_at_end(self):
        self.named(good_file.write()[:-4] + b'PARE', 'file.magic')

    def test_bytes_after_end(self):
        self.named(good_file.write() + b'\0', 'file.magic')

    def test_too_short(self):
        self.named(b'PAR1PAR1', 'file.size')
        self.named(b'', 'file.size')

    def test_footer_length_too_large(self):
        data = good_file.write()
        self.named(data[:-8] + struct.pack('<I', len(data)) + b'PAR1', 'file.footer_length')

    def test_footer_length_one_more(self):
        data = good_file.write()
        size = struct.unpack('<I', data[-8:-4])[0]
        self.named(data[:-8] + b'\0' + struct.pack('<I', size + 1) + b'PAR1', 'file.footer_length')

    def test_footer_cut(self):
        data = good_file.write()
        size = struct.unpack('<I', data[-8:-4])[0]
        self.named(data[:-9] + struct.pack('<I', size - 1) + b'PAR1', 'thrift.truncated')

    def test_every_byte_of_a_page_counts(self):
        """One flipped bit in any byte of a page is a complaint; the first page of each column stands for all."""
        data = good_file.write()
        for start, end, _ in check_bytes(data).pages[:PAGES * len(COLUMN):PAGES]:
            for i in range(start, end):
                damaged = bytearray(data)
                damaged[i] ^= 1 << (i % 8)
                self.assertTrue(check_bytes(bytes(damaged)).complaints, f'byte {i} of page [{start}, {end})')

    def test_every_byte_of_a_dead_footer_counts(self):
        """But for the tag by which it is known."""
        data = good_log.write()
        footer = list(own_structures.all_footers(data, len(COLUMN)))[CHECKPOINT]
        for i in [*range(footer.start, footer.extension_at, 5), *range(footer.extension_at + 8, footer.end)]:
            damaged = bytearray(data)
            damaged[i] ^= 1 << (i % 8)
            self.assertTrue(check_bytes(bytes(damaged)).complaints, f'byte {i} of footer [{footer.start}, {footer.end})')

    def test_every_byte_of_a_record_counts(self):
        data = good_log.write()
        group = check_bytes(data).footer.row_groups[0]
        size = own_structures.footer_at_end(data, len(data), len(COLUMN)).extension.slot_bytes
        begin = min(chunk.meta_data.data_page_offset for chunk in group.columns) - 2 * size
        for i in [*range(begin, begin + size - 36, 13), *range(begin + size - 36, begin + size)]:
            damaged = bytearray(data)
            damaged[i] ^= 1 << (i % 8)
            self.assertTrue(check_bytes(bytes(damaged)).complaints, f'byte {i - begin} of the record')

    def test_file_without_its_extension(self):
        """Writes a file as another writer would that only calls itself ours."""
        data = bytearray(good_file.write())
        position = data.rfind(b'mpqF')
        data[position:position + 4] = b'mpqX'
        self.named(bytes(data), 'extension.missing')

    def test_all_nan_has_no_bounds(self):
        def change(columns):
            columns[COLUMN['f']].values = [math.nan] * 24
            columns[COLUMN['f']].statistics = lambda v: good_file.bounds(
                struct.pack('<f', math.nan), struct.pack('<f', math.nan), v, nan_count=len(v))
        self.named(good_file.write(change=change), 'statistics.unordered')

    def test_time_of_day_range(self):
        def change(columns):
            columns[COLUMN['t']].element['logicalType'] = {'TIME': {'isAdjustedToUTC': True, 'unit': {'MICROS': {}}}}
            columns[COLUMN['t']].element['converted_type'] = 8
        self.named(good_file.write(change=change), 'values.range')

    def test_program_says_where_and_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            good, bad = os.path.join(folder, 'good.parquet'), os.path.join(folder, 'bad.parquet')
            for path, hook in ((good, None), (bad, set_in('header', 'crc', lambda v: v ^ 1))):
                with open(path, 'wb') as f:
                    f.write(good_file.write(hook))
            run = subprocess.run([sys.executable, CHECKER, good], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (0, ''))
            run = subprocess.run([sys.executable, CHECKER, good, bad], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertRegex(run.stdout, r'^\S+bad\.parquet: offset \d+ \(0x[0-9a-f]+\): page\.crc: row group 0 column id')


def add_hooked_tests():
    """One test a row of HOOKED and LOGGED. The hooks count structures, so each is used once."""
    for table, file in ((HOOKED, good_file), (LOGGED, good_log)):
        for name, (code, hook) in table.items():
            def test(self, code=code, hook=hook, file=file):
                self.named(file.write(hook), code)
            setattr(Complains, f'test_{name}', test)


add_hooked_tests()
