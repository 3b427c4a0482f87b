#include "leaf_items.h"

#include <algorithm>
#include <string_view>

namespace microparquet::desktop {

namespace {

constexpr std::size_t kMostAtOnce = 16384;

}  // namespace

Status LeafItems::read(Reader& reader, ColumnBuffers& buffers, std::uint64_t rows) {
  size_ = begun_ = looked_at_ = 0;
  const bool repeated = reader.max_repetition_level(reader.chosen_column(place_)) != 0;
  bool ended = false;
  while (true) {
    find_end(rows);
    if (size_ != 0 || (begun_ == rows && (ended || !repeated))) {
      break;
    }
    if (ended) {
      return Status::kCorrupt;
    }
    const std::uint64_t missing = repeated ? kMostAtOnce : rows - begun_;
    const Status status =
        read_some(reader, buffers, static_cast<std::size_t>(std::min<std::uint64_t>(missing, kMostAtOnce)));
    ended = status == Status::kEnd;
    if (status != Status::kOk && !ended) {
      return status;
    }
  }
  size_ = size_ != 0 ? size_ : definition_.size();
  return Status::kOk;
}

// Sets size() where an item begins one row more.
void LeafItems::find_end(std::uint64_t rows) {
  for (; looked_at_ < repetition_.size(); ++looked_at_) {
    if (repetition_[looked_at_] != 0) {
      continue;
    }
    if (begun_ == rows) {
      size_ = looked_at_;
      return;
    }
    ++begun_;
  }
}

Status LeafItems::read_some(Reader& reader, ColumnBuffers& buffers, std::size_t most) {
  const std::size_t items = definition_.size();
  const std::size_t bytes = values_.size();
  definition_.resize(items + most);
  repetition_.resize(items + most);
  AnyBatch batch;
  batch.places = most;
  batch.definition_levels = definition_.data() + items;
  batch.repetition_levels = repetition_.data() + items;
  const Status status = buffers.with_buffer(reader, place_, [&] {
    if (node_.file_width == 0) {
      return read_texts(reader, batch, most);
    }
    values_.resize(bytes + most * node_.file_width);
    batch.values = values_.data() + bytes;
    return reader.next_items(place_, batch);
  });
  const std::size_t came = status == Status::kOk ? batch.level_count : 0;
  definition_.resize(items + came);
  repetition_.resize(items + came);
  if (node_.file_width != 0) {
    values_.resize(bytes + (came == 0 ? 0 : batch.value_count * node_.file_width));
  }
  return status;
}

// Their bytes lie in the reader until its next call.
Status LeafItems::read_texts(Reader& reader, AnyBatch& batch, std::size_t most) {
  std::vector<std::string_view> texts(most);
  batch.values = texts.data();
  const Status status = reader.next_items(place_, batch);
  if (status != Status::kOk) {
    return status;
  }
  for (std::size_t i = 0; i < batch.value_count; ++i) {
    const auto* const begin = reinterpret_cast<const std::byte*>(texts[i].data());
    values_.insert(values_.end(), begin, begin + texts[i].size());
    ends_.push_back(values_.size());
  }
  return status;
}

void LeafItems::drop() {
  const auto whole = static_cast<std::size_t>(std::count(
      definition_.begin(), definition_.begin() + static_cast<std::ptrdiff_t>(size_), node_.definition));
  const auto erase = [](auto& from, std::size_t count) {
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
  };
  std::size_t bytes = whole * node_.file_width;
  if (node_.file_width == 0) {
    bytes = whole == 0 ? 0 : static_cast<std::size_t>(ends_[whole - 1]);
    erase(ends_, whole);
    for (std::uint64_t& end : ends_) {
      end -= bytes;
    }
  }
  erase(values_, bytes);
  erase(definition_, size_);
  erase(repetition_, size_);
  size_ = 0;
}

}  // namespace microparquet::desktop
