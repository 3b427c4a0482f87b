// The proof that a file is one of this log's, from its end or its begin.
#include "base/endian.h"
#include "base/try.h"
#include "format/record_format.h"
#include "microparquet/detail/footer_state.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/retention.h"

namespace microparquet {

namespace {

constexpr std::uint32_t kWindow = 128;
constexpr std::uint32_t kTagAndId = 12;       // the extension's tag, version and file id
constexpr std::uint32_t kSearched = 8 << 10;  // a footer of a thousand columns has its tag there
constexpr std::uint32_t kBytesAfterExtension = 1 + format::kFileEndBytes;  // with FileMetaData's stop byte
constexpr std::uint32_t kMinExtension =
    detail::kFooterExtensionBytes + sizeof(std::uint32_t);  // with its CRC; each column adds eight

std::uint32_t load(const std::byte* at) { return util::load<std::uint32_t>(at); }

class Proof {
 public:
  Proof(File& file, LogFolder& folder, const LogFile& listed)
      : file_(file), folder_(folder), listed_(listed) {}

  Status find(bool& is_own) {
    is_own = false;
    MICROPARQUET_TRY(file_.size(size_));
    if (size_ == 0) {
      is_own = true;
      return Status::kOk;
    }
    bool is_complete = false;
    MICROPARQUET_TRY(has_end(is_complete));
    return is_complete ? at_end(is_own) : at_begin(is_own);
  }

 private:
  Status has_end(bool& is_complete) {
    if (size_ < 2 * format::kMagicBytes) return Status::kOk;
    MICROPARQUET_TRY(read(size_ - format::kMagicBytes, format::kMagicBytes));
    is_complete = load(window_) == format::kMagic;
    return Status::kOk;
  }

  // Looks for the tag of the last footer's extension, from the file's end.
  Status at_end(bool& is_own) {
    const std::uint64_t first = size_ < kSearched ? 0 : size_ - kSearched;
    for (std::uint64_t end = size_; end > first + kTagAndId; end -= kWindow - kTagAndId) {
      const std::uint64_t begin = end < first + kWindow ? first : end - kWindow;
      const auto bytes = static_cast<std::uint32_t>(end - begin);
      MICROPARQUET_TRY(read(begin, bytes));
      for (std::uint32_t at = bytes - kTagAndId + 1; at-- != 0;) {
        const std::uint64_t extension = size_ - kBytesAfterExtension - (begin + at);
        if (!is_footer_tag(at) || extension < kMinExtension || extension % 8 != 0) continue;
        is_own = folder_.has_id(listed_, load(window_ + at + 8));
        return Status::kOk;
      }
      if (begin == first) break;
    }
    return Status::kOk;
  }

  // Looks at a file that was cut off: it begins with a footer, which other writers have at the end.
  Status at_begin(bool& is_own) {
    // The magic, then FileMetaData: an int32 `version`, and the list `schema`.
    constexpr std::uint32_t kFirstBytes = 7;
    const std::uint32_t head = size_ < kFirstBytes ? static_cast<std::uint32_t>(size_) : kFirstBytes;
    MICROPARQUET_TRY(read(0, head));
    constexpr std::byte kInt32{0x15};
    constexpr std::byte kList{0x19};
    for (std::uint32_t i = 0; i < head; ++i) {
      const bool is_right = i < format::kMagicBytes
                                ? window_[i] == static_cast<std::byte>(format::kMagicText[i])
                            : i == 4 ? window_[i] == kInt32
                                     : i == 5 || window_[i] == kList;
      if (!is_right) return Status::kOk;
    }
    std::uint64_t begin = 0;
    for (; begin + kTagAndId <= size_ && begin < kSearched; begin += kWindow - kTagAndId + 1) {
      const std::uint64_t rest = size_ - begin;
      const std::uint32_t bytes = rest < kWindow ? static_cast<std::uint32_t>(rest) : kWindow;
      MICROPARQUET_TRY(read(begin, bytes));
      for (std::uint32_t at = 0; at + kTagAndId <= bytes; ++at) {
        if (!is_footer_tag(at)) continue;
        is_own = folder_.has_id(listed_, load(window_ + at + 8));
        return Status::kOk;
      }
    }
    is_own = begin + kTagAndId > size_;  // cut off within its first footer
    return Status::kOk;
  }

  bool is_footer_tag(std::uint32_t at) const { return load(window_ + at) == write::kFooterTag; }

  Status read(std::uint64_t offset, std::uint32_t bytes) {
    return file_.read_at(offset, Span<std::byte>(window_, bytes));
  }

  File& file_;
  LogFolder& folder_;
  const LogFile& listed_;
  std::uint64_t size_ = 0;
  std::byte window_[kWindow] = {};
};

}  // namespace

Status is_own_file(File& file, LogFolder& folder, const LogFile& listed, bool& is_own) {
  return Proof(file, folder, listed).find(is_own);
}

}  // namespace microparquet
