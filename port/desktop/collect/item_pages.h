// The structures that describe the pages and chunks of a new file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "byte_views.h"
#include "microparquet/codec_id.h"
#include "microparquet/encoding_id.h"
#include "thrift_dom/thrift_value.h"

namespace mpq_tool {

// PageHeader of a data page of version 1, whose levels are in RLE, without its sizes.
microparquet::recovery::ThriftValue data_page_header(std::size_t items, microparquet::EncodingId encoding);

// PageHeader of a dictionary page, without its sizes.
microparquet::recovery::ThriftValue dictionary_page_header(std::size_t entries);

// The sizes and the CRC of a PageHeader, of a page whose stored bytes are `stored`.
void set_page_sizes(microparquet::recovery::ThriftValue& header, std::size_t uncompressed_bytes,
                    const microparquet::recovery::Bytes& stored);

// The structure that `bytes` are. Throws Failure unless it is a RowGroup.
microparquet::recovery::ThriftValue parse_row_group(const microparquet::recovery::Bytes& bytes);

// The ColumnChunks of a RowGroup.
std::vector<microparquet::recovery::ThriftValue>& column_chunks(
    microparquet::recovery::ThriftValue& row_group);

// Sets the fields of a ColumnChunk on its compression and its values.
void set_chunk_facts(microparquet::recovery::ThriftValue& column_chunk, microparquet::CodecId codec,
                     microparquet::recovery::ThriftValue statistics);

}  // namespace mpq_tool
