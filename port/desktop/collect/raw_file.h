// A file of the lake while it is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "candidates.h"
#include "collected.h"
#include "lake.h"
#include "microparquet/compressor.h"
#include "microparquet/desktop/files.h"
#include "microparquet/file.h"
#include "result.h"
#include "thrift_dom/footer_parts.h"
#include "view.h"

namespace mpq_tool {

// A file of the lake while it is made: nobody relies on it before it has its place, so that it is put on the disk once.
class WorkFile final : public microparquet::File {
 public:
  // An empty file at `path`, or with `keeps` the one that is there. kIoError: error() says why.
  microparquet::Status open(const std::string& path, bool keeps);
  // All that was written is on the disk.
  microparquet::Status flush();
  // errno of the call that failed last.
  int error() const { return error_; }

  microparquet::FileAbilities abilities() const override;
  microparquet::Status size(std::uint64_t& bytes) override;
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override;
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override;
  microparquet::Status sync(std::uint64_t size) override;
  microparquet::Status shrink(std::uint64_t size) override;

 private:
  microparquet::Status failed(int error);

  microparquet::desktop::Descriptor file_;
  int error_ = 0;
  std::uint64_t bytes_ = 0;
};

// The rows that were found of a source, as files that can be read one after another.
class FoundRows {
 public:
  // Requires: `view` and `found` stay. Changes what is after the end of `view`.
  FoundRows(microparquet::recovery::View& view, const microparquet::recovery::Found& found);

  std::uint64_t rows() const { return result_.rows; }
  // Rows known to exist that are lost, those included that cannot be kept.
  std::uint64_t lost() const { return lost_; }
  // The first lost row, counted from 0; none: no row is lost.
  std::optional<std::uint64_t> first_lost() const { return first_lost_; }

  // Calls `visit(file)` for each file that has some of the rows, in their order, as long as it returns kOk.
  template <typename Visit>
  microparquet::Status visit(Visit visit);

  const microparquet::recovery::Result& result() const { return result_; }
  microparquet::recovery::View& view() { return view_; }

 private:
  void find_lost();
  microparquet::File& described(std::size_t& part);

  microparquet::recovery::View& view_;
  const microparquet::recovery::Found& found_;
  microparquet::recovery::Result result_;
  std::uint64_t lost_ = 0;
  std::optional<std::uint64_t> first_lost_;
};

template <typename Visit>
microparquet::Status FoundRows::visit(Visit visit) {
  microparquet::Status status = microparquet::Status::kOk;
  for (std::size_t part = 0; part < result_.parts.size() && status == microparquet::Status::kOk;) {
    if (const auto& rows = result_.parts[part].rows; rows) {
      ++part;
      status = visit(static_cast<microparquet::File&>(*rows->file));
    } else {
      status = visit(described(part));
    }
  }
  return status;
}

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

  // Rows that were written.
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
