// libFuzzer: a file that is followed while another program writes it: each time it is opened it is longer, what is after
// the rows that have been read may have changed, and some of it changes while it is read. The input:
//
//   three numbers of three bytes   how long it is when it is opened first and then, and where it changes meanwhile
//   read, change                   a byte each: with which read it changes, and what its bytes are combined with
//   the file
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz_input.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"

namespace {

using namespace microparquet;

constexpr std::size_t kHead = 11;
constexpr std::uint64_t kMaxRows = 5000;
constexpr unsigned kLooks = 3;

class FollowedFile final : public support::ReadOnlyFile {
 public:
  FollowedFile(const std::uint8_t* data, std::size_t size) : data_(data + kHead), size_(size - kHead) {
    const auto number = [&](unsigned i) {
      return (data[3 * i] | std::size_t{data[3 * i + 1]} << 8 | std::size_t{data[3 * i + 2]} << 16) %
             (size_ + 1);
    };
    lengths_[0] = std::min(number(0), number(1));
    lengths_[1] = std::max(number(0), number(1));
    lengths_[2] = size_;
    changes_at_ = number(2);
    change_in_ = data[9];
    change_ = data[10];
  }

  // Another look.
  void look(unsigned i) {
    length_ = lengths_[i];
    reads_ = 0;
  }
  // Whether the file was read after the change.
  bool changed() const { return change_ != 0 && reads_ > change_in_; }

  Status size(std::uint64_t& bytes) override {
    bytes = length_;
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    // The reader knows the size of the file: it has no reason to ask for more.
    if (offset > length_ || out.size() > length_ - offset) std::abort();
    ++reads_;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t at = static_cast<std::size_t>(offset) + i;
      const bool other = changed() && at >= changes_at_;
      out[i] = static_cast<std::byte>(other ? data_[at] ^ change_ : data_[at]);
    }
    return Status::kOk;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t lengths_[kLooks];
  std::size_t length_ = 0;
  std::size_t changes_at_;
  unsigned change_in_;
  std::uint8_t change_;
  unsigned reads_ = 0;
};

Status choose_columns(Reader& reader) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t column = 0; column < reader.columns() && columns.size() < 16; ++column) {
    if (reader.max_repetition_level(column) == 0) columns.push_back(column);
  }
  return reader.choose(Span<const std::uint32_t>(columns.data(), columns.size()));
}

// Reads the rows from `next` on, as far as they come.
void follow(FollowedFile& file, std::uint64_t& next) {
  ReaderOptions options;
  options.buffer_bytes = 256;
  options.footer_bytes = 64;
  options.decoders = kAllDecoders;
  options.bit_packed_levels = &read_bit_packed_levels;
  options.decompressors = desktop::decompressors();
  std::vector<std::uint64_t> arena(4096);
  Reader reader;
  if (!open_exactly(reader, file, options, arena, choose_columns) || reader.rows() < next) return;
  if (next != 0 && next < reader.rows() && reader.seek_row(next) != Status::kOk) return;
  if (next == reader.rows()) return;
  Status status = Status::kOk;
  for (std::uint64_t rows = 0; rows < kMaxRows; ++rows, ++next) {
    status = rows % 3 == 2 ? reader.skip_row() : reader.next_row();
    if (status == Status::kValueTooLarge) status = reader.skip_row();
    if (status != Status::kOk) break;
  }
  if (status == Status::kEnd && next != reader.rows()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kHead) return 0;
  FollowedFile file(data, size);
  std::uint64_t next = 0;
  for (unsigned i = 0; i < kLooks; ++i) {
    file.look(i);
    follow(file, next);
  }
  return 0;
}
