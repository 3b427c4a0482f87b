// A file of the lake while it is written.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "collected.h"
#include "found_rows.h"
#include "lake_failure.h"
#include "microparquet/compressor.h"
#include "thrift_dom/footer_key_values.h"

namespace mpq_tool {

// Rows are encoded again, in large pages. Those with lists, structs, and types
// that a Writer has not are copied page by page where that is smaller.
// All calls throw Failure for what cannot be read, and LakeFailure for what cannot be written.
class RawFile {
 public:
  // The file is made at `path`. `compressor` null: none.
  RawFile(std::string path, const microparquet::Compressor* compressor)
      : path_(std::move(path)), compressor_(compressor) {}

  // Writes all rows. Marks are made at each of `marked` rows, too.
  void write(FoundRows& rows, const std::vector<microparquet::recovery::FooterField>& fields,
             const std::set<std::uint64_t>& marked);

  // Of what was written.
  std::uint64_t rows() const { return marks_.empty() ? 0 : marks_.back().rows; }
  const std::vector<RowsMark>& marks() const { return marks_; }

  // Gives the file its key-values, on the disk. Returns its size.
  std::uint64_t finish(const std::vector<microparquet::recovery::TextPair>& key_values);

 private:
  microparquet::Status encode(FoundRows& rows, const std::vector<microparquet::recovery::Leaf>& leaves,
                              std::uint32_t page_bytes, const std::set<std::uint64_t>& marked);
  void encode(FoundRows& rows, const std::vector<microparquet::recovery::Leaf>& leaves,
              const std::set<std::uint64_t>& marked);
  void write_items(FoundRows& rows, const std::vector<microparquet::recovery::FooterField>& fields,
                   const std::vector<microparquet::recovery::Leaf>& leaves);
  void copy(FoundRows& rows, const std::vector<microparquet::recovery::FooterField>& fields);

  std::string path_;
  const microparquet::Compressor* compressor_;
  std::vector<RowsMark> marks_;
};

}  // namespace mpq_tool
