#include "merged_items.h"

#include <cerrno>
#include <utility>

#include "file_footer.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/native_file.h"
#include "raw_file.h"
#include "read_failure.h"

namespace mpq_tool {

namespace mpq = microparquet;
namespace rec = mpq::recovery;
using mpq::Status;

MergedItems::MergedItems(std::string path, const MergeInput& first)
    : path_(std::move(path)), part_path_(path_ + ".part") {
  mpq::desktop::NativeFile file;
  rec::OpenFile open;
  rec::Footer footer;
  std::uint64_t begin = 0;
  const bool is_read = file.open_for_reading(first.file->path().c_str()) == Status::kOk &&
                       open.open(file) == Status::kOk && open.read_leaves(leaves_) == Status::kOk &&
                       rec::read_footer(file, footer, begin) == Status::kOk && !footer.entries.empty();
  if (!is_read) {
    throw Failure(first.file->name() + ": it has no row group to go by; leave it out");
  }
  fields_ = std::move(footer.fields);
  rows_ = std::make_unique<ItemRows>(leaves_);
  is_part_ = true;
  out_ = std::make_unique<ItemFile>(part_path_, leaves_, footer.entries.front(),
                                    mpq::desktop::find_codec("zstd")->compressor);
}

MergedItems::~MergedItems() {
  if (is_part_) {
    static_cast<void>(mpq::desktop::remove_file(part_path_));
  }
}

bool MergedItems::add(const MergeInput& input) {
  mpq::desktop::NativeFile file;
  return file.open_for_reading(input.file->path().c_str()) == Status::kOk &&
         rows_->read(file, *out_) == Status::kOk;
}

std::uint64_t MergedItems::finish(const std::vector<rec::TextPair>& key_values) {
  out_->finish(fields_);
  row_groups_ = out_->row_groups();
  WorkFile file;
  std::uint64_t bytes = 0;
  Status status = file.open(part_path_, true);
  if (status == Status::kOk) {
    status = rec::replace_key_values(file, key_values, bytes);
  }
  if (status == Status::kOk) {
    status = file.flush();
  }
  if (status != Status::kOk) {
    throw Failure(part_path_ + ": " +
                  (status == Status::kCorrupt ? "what was written does not come back; check the disk"
                                              : mpq::desktop::error_text(file.error())));
  }
  if (!mpq::desktop::replace(part_path_, path_)) {
    throw Failure(path_ + ": " + mpq::desktop::error_text(errno));
  }
  is_part_ = false;
  return bytes;
}

}  // namespace mpq_tool
