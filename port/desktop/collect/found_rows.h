// The rows that were found of a source, as files that can be read one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "candidates.h"
#include "result.h"
#include "view.h"

namespace mpq_tool {

class FoundRows {
 public:
  // Requires: `view` and `found` stay. Changes what is after the end of `view`.
  FoundRows(microparquet::recovery::View& view, const microparquet::recovery::Found& found);

  std::uint64_t rows() const { return result_.rows; }
  // Of those that are known of, and with them that cannot be kept.
  std::uint64_t lost() const { return lost_; }
  // The first of them, counted from 0; none: none is lost.
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

}  // namespace mpq_tool
