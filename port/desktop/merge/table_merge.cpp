#include "table_merge.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "merged_rows.h"
#include "microparquet/schema.h"
#include "microparquet/text/grouped_digits.h"
#include "read_failure.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;

constexpr std::size_t kMostPageText = std::size_t{1} << 28;

// Throws DamagedInput for what goes wrong with reading an input.
template <typename Read>
auto reading(std::size_t input, Read read) {
  try {
    return read();
  } catch (const Failure& failure) {
    throw DamagedInput(input, failure.what());
  }
}

MergedColumn constant_column(const std::string& name) {
  MergedColumn column;
  column.name = name;
  column.optional = true;
  column.element.leaf = true;
  column.element.depth = 1;
  column.element.type = mpq::Type::kByteArray;
  column.element.logical = mpq::string_field("").logical;
  return column;
}

// A text in each of some rows; empty: nulls.
class ConstantRows {
 public:
  ConstantRows(const std::string& text, std::size_t rows)
      : texts_(rows, text), valid_(rows, text.empty() ? 0 : 1) {}

  mpq::ColumnData data() const { return {texts_.data(), valid_.data()}; }

 private:
  std::vector<std::string_view> texts_;
  std::vector<std::uint8_t> valid_;
};

}  // namespace

TableMerge::TableMerge(const MergedColumns& columns, const std::vector<MergeInput>& inputs,
                       const std::vector<ConstantColumn>& constants)
    : columns_(columns), inputs_(inputs), constants_(constants) {
  for (const ConstantColumn& constant : constants) {
    written_.push_back(constant_column(constant.name));
  }
  written_.insert(written_.end(), columns.all().begin(), columns.all().end());
}

TableMergeResult TableMerge::write(const std::string& output, const Progress& progress,
                                   const KeyValues& key_values) const {
  std::vector<std::size_t> longest(written_.size());
  for (;;) {
    try {
      return write(output, longest, progress, key_values);
    } catch (const PageTooSmall& small) {
      if (small.bytes() > kMostPageText) {
        throw Failure("column " + written_[small.column()].name + " has a text of " +
                      mpq::text::grouped_digits(small.bytes()) +
                      " bytes, which is too long for a page; nothing was written to " + output);
      }
      longest[small.column()] = std::min(kMostPageText, 2 * small.bytes());
    }
  }
}

TableMergeResult TableMerge::write(const std::string& output, const std::vector<std::size_t>& longest,
                                   const Progress& progress, const KeyValues& key_values) const {
  TableMergeResult result;
  std::uint64_t all = 0;
  std::uint64_t done = 0;
  for (const MergeInput& input : inputs_) {
    all += input.rows;
  }
  MergedFile out(output, written_, all, longest);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    result.rows.push_back(copy(i, out, [&](std::uint64_t rows) { progress(done + rows); }));
    done += result.rows.back();
  }
  result.bytes = out.finish(key_values(result.rows));
  result.row_groups = out.row_groups();
  return result;
}

std::uint64_t TableMerge::copy(std::size_t input, MergedFile& out,
                               const std::function<void(std::uint64_t)>& progress) const {
  const std::size_t most = rows_at_once(inputs_[input], &columns_);
  const auto from = reading(input, [&] { return std::make_unique<InputRows>(inputs_[input]); });
  MergedRows rows(columns_, inputs_[input], most);
  std::vector<ConstantRows> constants;
  std::vector<mpq::ColumnData> data;
  for (const ConstantColumn& constant : constants_) {
    constants.emplace_back(constant.texts[input], most);
    data.push_back(constants.back().data());
  }
  std::uint64_t copied = 0;
  while (const std::size_t count = reading(input, [&] { return from->next(most); })) {
    const std::vector<mpq::ColumnData>& converted = rows.convert(from->data(), count);
    data.resize(constants.size());
    data.insert(data.end(), converted.begin(), converted.end());
    out.append(data, count);
    copied += count;
    progress(copied);
  }
  return copied;
}

}  // namespace mpq_tool
