"""The structures of parquet.thrift as tables: field id -> (name, type, required)."""


def _enum(first, *names):
    return {first + i: name for i, name in enumerate(names)}


ENUMS = {
    'Type': _enum(0, 'BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY',
                  'FIXED_LEN_BYTE_ARRAY'),
    'ConvertedType': _enum(0, 'UTF8', 'MAP', 'MAP_KEY_VALUE', 'LIST', 'ENUM', 'DECIMAL', 'DATE', 'TIME_MILLIS',
                           'TIME_MICROS', 'TIMESTAMP_MILLIS', 'TIMESTAMP_MICROS', 'UINT_8', 'UINT_16', 'UINT_32',
                           'UINT_64', 'INT_8', 'INT_16', 'INT_32', 'INT_64', 'JSON', 'BSON', 'INTERVAL'),
    'FieldRepetitionType': _enum(0, 'REQUIRED', 'OPTIONAL', 'REPEATED'),
    'Encoding': {0: 'PLAIN', 2: 'PLAIN_DICTIONARY', 3: 'RLE', 4: 'BIT_PACKED', 5: 'DELTA_BINARY_PACKED',
                 6: 'DELTA_LENGTH_BYTE_ARRAY', 7: 'DELTA_BYTE_ARRAY', 8: 'RLE_DICTIONARY', 9: 'BYTE_STREAM_SPLIT',
                 10: 'ALP'},
    'CompressionCodec': _enum(0, 'UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'),
    'PageType': _enum(0, 'DATA_PAGE', 'INDEX_PAGE', 'DICTIONARY_PAGE', 'DATA_PAGE_V2'),
    'BoundaryOrder': _enum(0, 'UNORDERED', 'ASCENDING', 'DESCENDING'),
    'EdgeInterpolationAlgorithm': _enum(0, 'SPHERICAL', 'VINCENTY', 'THOMAS', 'ANDOYER', 'KARNEY'),
}

UNIONS = {'TimeUnit', 'LogicalType', 'ColumnOrder', 'EncryptionAlgorithm', 'ColumnCryptoMetaData', 'BloomFilterAlgorithm',
          'BloomFilterHash', 'BloomFilterCompression'}

_KINDS = {'bool', 'i8', 'i16', 'i32', 'i64', 'double', 'binary', 'string'}


def _kind(text):
    if text.startswith('list<'):
        return ('list', _kind(text[5:-1]))
    if text in _KINDS:
        return text
    return ('enum' if text in ENUMS else 'struct', text)


def _struct(*lines):
    """Each line: 'id name type' for an optional field, 'id! name type' for a required one."""
    table = {}
    for line in lines:
        number, name, kind = line.split()
        table[int(number.rstrip('!'))] = (name, _kind(kind), number.endswith('!'))
    return table


STRUCTS = {
    'FileMetaData': _struct('1! version i32', '2! schema list<SchemaElement>', '3! num_rows i64',
                            '4! row_groups list<RowGroup>', '5 key_value_metadata list<KeyValue>',
                            '6 created_by string', '7 column_orders list<ColumnOrder>',
                            '8 encryption_algorithm EncryptionAlgorithm', '9 footer_signing_key_metadata binary'),
    'SchemaElement': _struct('1 type Type', '2 type_length i32', '3 repetition_type FieldRepetitionType',
                             '4! name string', '5 num_children i32', '6 converted_type ConvertedType',
                             '7 scale i32', '8 precision i32', '9 field_id i32', '10 logicalType LogicalType'),
    'LogicalType': _struct('1 STRING Empty', '2 MAP Empty', '3 LIST Empty', '4 ENUM Empty',
                           '5 DECIMAL DecimalType', '6 DATE Empty', '7 TIME TimeType', '8 TIMESTAMP TimeType',
                           '10 INTEGER IntType', '11 UNKNOWN Empty', '12 JSON Empty', '13 BSON Empty',
                           '14 UUID Empty', '15 FLOAT16 Empty', '16 VARIANT VariantType', '17 GEOMETRY GeometryType',
                           '18 GEOGRAPHY GeographyType', '19 FILE Empty'),
    'Empty': _struct(),
    'DecimalType': _struct('1! scale i32', '2! precision i32'),
    'TimeType': _struct('1! isAdjustedToUTC bool', '2! unit TimeUnit'),
    'TimeUnit': _struct('1 MILLIS Empty', '2 MICROS Empty', '3 NANOS Empty'),
    'IntType': _struct('1! bitWidth i8', '2! isSigned bool'),
    'VariantType': _struct('1 specification_version i8'),
    'GeometryType': _struct('1 crs string'),
    'GeographyType': _struct('1 crs string', '2 algorithm EdgeInterpolationAlgorithm'),
    'KeyValue': _struct('1! key string', '2 value string'),
    'ColumnOrder': _struct('1 TYPE_ORDER Empty', '2 IEEE_754_TOTAL_ORDER Empty', '3 INT96_TIMESTAMP_ORDER Empty'),
    'RowGroup': _struct('1! columns list<ColumnChunk>', '2! total_byte_size i64', '3! num_rows i64',
                        '4 sorting_columns list<SortingColumn>', '5 file_offset i64', '6 total_compressed_size i64',
                        '7 ordinal i16'),
    'SortingColumn': _struct('1! column_idx i32', '2! descending bool', '3! nulls_first bool'),
    'ColumnChunk': _struct('1 file_path string', '2! file_offset i64', '3 meta_data ColumnMetaData',
                           '4 offset_index_offset i64', '5 offset_index_length i32', '6 column_index_offset i64',
                           '7 column_index_length i32', '8 crypto_metadata ColumnCryptoMetaData',
                           '9 encrypted_column_metadata binary'),
    'ColumnMetaData': _struct('1! type Type', '2! encodings list<Encoding>', '3! path_in_schema list<string>',
                              '4! codec CompressionCodec', '5! num_values i64', '6! total_uncompressed_size i64',
                              '7! total_compressed_size i64', '8 key_value_metadata list<KeyValue>',
                              '9! data_page_offset i64', '10 index_page_offset i64', '11 dictionary_page_offset i64',
                              '12 statistics Statistics', '13 encoding_stats list<PageEncodingStats>',
                              '14 bloom_filter_offset i64', '15 bloom_filter_length i32',
                              '16 size_statistics SizeStatistics', '17 geospatial_statistics GeospatialStatistics'),
    'Statistics': _struct('1 max binary', '2 min binary', '3 null_count i64', '4 distinct_count i64',
                          '5 max_value binary', '6 min_value binary', '7 is_max_value_exact bool',
                          '8 is_min_value_exact bool', '9 nan_count i64'),
    'PageEncodingStats': _struct('1! page_type PageType', '2! encoding Encoding', '3! count i32'),
    'SizeStatistics': _struct('1 unencoded_byte_array_data_bytes i64', '2 repetition_level_histogram list<i64>',
                              '3 definition_level_histogram list<i64>'),
    'GeospatialStatistics': _struct('1 bbox BoundingBox', '2 geospatial_types list<i32>'),
    'BoundingBox': _struct('1! xmin double', '2! xmax double', '3! ymin double', '4! ymax double', '5 zmin double',
                           '6 zmax double', '7 mmin double', '8 mmax double'),
    'PageHeader': _struct('1! type PageType', '2! uncompressed_page_size i32', '3! compressed_page_size i32',
                          '4 crc i32', '5 data_page_header DataPageHeader', '6 index_page_header Empty',
                          '7 dictionary_page_header DictionaryPageHeader', '8 data_page_header_v2 DataPageHeaderV2'),
    'DataPageHeader': _struct('1! num_values i32', '2! encoding Encoding', '3! definition_level_encoding Encoding',
                              '4! repetition_level_encoding Encoding', '5 statistics Statistics'),
    'DictionaryPageHeader': _struct('1! num_values i32', '2! encoding Encoding', '3 is_sorted bool'),
    'DataPageHeaderV2': _struct('1! num_values i32', '2! num_nulls i32', '3! num_rows i32', '4! encoding Encoding',
                                '5! definition_levels_byte_length i32', '6! repetition_levels_byte_length i32',
                                '7 is_compressed bool', '8 statistics Statistics'),
    'BloomFilterHeader': _struct('1! numBytes i32', '2! algorithm BloomFilterAlgorithm', '3! hash BloomFilterHash',
                                 '4! compression BloomFilterCompression'),
    'BloomFilterAlgorithm': _struct('1 BLOCK Empty'),
    'BloomFilterHash': _struct('1 XXHASH Empty'),
    'BloomFilterCompression': _struct('1 UNCOMPRESSED Empty'),
    'PageLocation': _struct('1! offset i64', '2! compressed_page_size i32', '3! first_row_index i64'),
    'OffsetIndex': _struct('1! page_locations list<PageLocation>', '2 unencoded_byte_array_data_bytes list<i64>'),
    'ColumnIndex': _struct('1! null_pages list<bool>', '2! min_values list<binary>', '3! max_values list<binary>',
                           '4! boundary_order BoundaryOrder', '5 null_counts list<i64>',
                           '6 repetition_level_histograms list<i64>', '7 definition_level_histograms list<i64>',
                           '8 nan_counts list<i64>'),
    'EncryptionAlgorithm': _struct('1 AES_GCM_V1 AesGcm', '2 AES_GCM_CTR_V1 AesGcm'),
    'AesGcm': _struct('1 aad_prefix binary', '2 aad_file_unique binary', '3 supply_aad_prefix bool'),
    'ColumnCryptoMetaData': _struct('1 ENCRYPTION_WITH_FOOTER_KEY Empty',
                                    '2 ENCRYPTION_WITH_COLUMN_KEY EncryptionWithColumnKey'),
    'EncryptionWithColumnKey': _struct('1! path_in_schema list<string>', '2 key_metadata binary'),
}


def first_page_of(meta):
    """Offset of a column chunk's begin: that of its dictionary page, if it has one."""
    return min(place for place in (meta.data_page_offset, meta.dictionary_page_offset) if place is not None)
