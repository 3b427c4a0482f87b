// libFuzzer: any bytes as what is to be recovered: a file of any writer that is damaged, or the image of a medium with
// files on it. What is said to be kept is there.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "candidates.h"
#include "fuzz_input.h"
#include "image_files.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/read_all.h"
#include "result.h"

namespace {

using namespace microparquet;
namespace rec = microparquet::recovery;

// A recovery looks for what may lie beyond the end.
class Medium final : public support::ReadOnlyFile {
 public:
  Medium(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (offset > size_ || out.size() > size_ - offset) return Status::kIoError;
    std::memcpy(out.data(), data_ + offset, out.size());
    return Status::kOk;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

void no_progress(std::uint64_t) {}

Status choose_flat_columns(Reader& reader) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t column = 0; column < reader.columns(); ++column) {
    if (reader.max_repetition_level(column) == 0) columns.push_back(column);
  }
  return reader.choose(Span<const std::uint32_t>(columns.data(), columns.size()));
}

// The file as it is when the footer is added.
void read_recovered(File& file, std::uint64_t rows) {
  ReaderOptions options;
  options.buffer_bytes = 4096;
  options.decoders = kAllDecoders;
  options.bit_packed_levels = &read_bit_packed_levels;
  options.decompressors = desktop::decompressors();
  std::vector<std::uint64_t> arena(1 << 16);
  Reader reader;
  if (!open_exactly(reader, file, options, arena, choose_flat_columns)) return;
  if (reader.rows() != rows) std::abort();
  Status status = Status::kOk;
  while (status == Status::kOk) {
    status = reader.next_row();
    if (status == Status::kValueTooLarge) status = reader.skip_row();
  }
  if (status == Status::kCorrupt || status == Status::kIoError) std::abort();
}

void recover(rec::View& view, const std::optional<rec::Found>& found) {
  if (!found) return;
  const rec::Result result = rec::make_result(view, *found, no_progress);
  if (result.rows == 0) return;
  const rec::AddedEnd end = rec::added_end(view, *found, result);
  view.set_end(end.bytes);
  read_recovered(view, result.rows);
}

void recover_file(File& medium, std::size_t size) {
  rec::View view(medium, {{0, size}});
  const rec::Traces traces = rec::find_traces(view, no_progress);
  recover(view, rec::find_rows(view, traces, std::nullopt, rec::Unproved::kKept, no_progress));
}

void recover_image(File& medium) {
  for (rec::ImageFile& file : rec::find_image_files(medium, no_progress).files)
    recover(file.view,
            rec::find_own_rows(file.view, file.traces, file.file_id, rec::Unproved::kKept, no_progress));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Medium medium(data, size);
  const std::string_view magic = format::kMagicText;
  const bool is_file = size >= magic.size() && std::memcmp(data, magic.data(), magic.size()) == 0;
  try {
    is_file ? recover_file(medium, size) : recover_image(medium);
  } catch (const microparquet::desktop::Failure&) {
    // Nothing in it can be believed, and that is said.
  }
  return 0;
}
