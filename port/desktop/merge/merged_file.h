// The file that rows of others are merged into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "merged_columns.h"
#include "microparquet/desktop/new_file.h"
#include "microparquet/span.h"
#include "microparquet/writer.h"
#include "thrift_dom/footer_parts.h"

namespace mpq_tool {

// A text is longer than the pages of its column.
class PageTooSmall : public std::exception {
 public:
  PageTooSmall(std::size_t column, std::size_t bytes) : column_(column), bytes_(bytes) {}

  std::size_t column() const { return column_; }
  // Length of the text.
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t column_;
  std::size_t bytes_;
};

// Row groups of a million rows, ZSTD, and the encoders of kAuto. It has its name when it is finished, and leaves nothing
// when it is not. All calls throw Failure.
class MergedFile {
 public:
  // `rows`: how many are to come. `longest`: of the texts of each column, as far as that is known. All must stay.
  MergedFile(const std::string& path, const std::vector<MergedColumn>& columns, std::uint64_t rows,
             const std::vector<std::size_t>& longest);

  // Throws PageTooSmall: begin again with longer pages.
  void append(microparquet::Span<const microparquet::ColumnData> data, std::size_t rows);
  std::uint64_t rows() const { return writer_.rows(); }
  std::uint32_t row_groups() const { return writer_.row_groups(); }
  // Returns its size.
  std::uint64_t finish(const std::vector<microparquet::recovery::TextPair>& key_values);

 private:
  microparquet::Field field_of(const MergedColumn& column, std::size_t longest) const;
  void check(microparquet::Status status);
  [[noreturn]] void ask_for_longer_pages(microparquet::Span<const microparquet::ColumnData> data,
                                         std::size_t rows) const;

  const std::vector<MergedColumn>& columns_;
  std::vector<microparquet::Field> fields_;
  microparquet::Options options_;
  std::unique_ptr<std::uint64_t[]> arena_;
  microparquet::desktop::NewFile new_file_;
  microparquet::Writer writer_;
};

}  // namespace mpq_tool
