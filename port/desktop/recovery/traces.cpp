#include "traces.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "bytes.h"
#include "crc.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/sectors.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

using detail::FooterExtension;

constexpr std::size_t kTagBytes = 4;
constexpr std::uint32_t kCrcBytes = 4;
constexpr std::uint32_t kTailBytes = 1 + format::kFileEndBytes;  // with the stop byte
constexpr std::uint32_t kExtentBytes = 8;

// Whether the header of field 32766 ends at `end`, a list of bytes, or that of 32767, the binary that it was before.
bool is_field_header(const std::byte* end) {
  constexpr std::uint8_t kList[] = {0x09, 0xFC, 0xFF, 0x03, 0xF3};
  constexpr std::uint8_t kBinary[] = {0x08, 0xFE, 0xFF, 0x03};
  return std::memcmp(end - sizeof kList, kList, sizeof kList) == 0 ||
         std::memcmp(end - sizeof kBinary, kBinary, sizeof kBinary) == 0;
}

// The length of the extension whose bytes begin at the end of `before`: a varint after the field's header.
std::optional<std::uint32_t> length_before(ByteView before) {
  constexpr std::size_t kFieldHeader = 5;
  std::uint32_t length = 0;
  for (std::size_t bytes = 1; bytes <= 4 && bytes + kFieldHeader <= before.size(); ++bytes) {
    const std::byte* const varint = before.end() - bytes;
    if (bytes > 1 && (*varint & std::byte{0x80}) == std::byte{0}) {
      return std::nullopt;
    }
    length = length << 7 | (std::to_integer<std::uint32_t>(*varint) & 0x7F);
    if (is_field_header(varint)) {
      return length;
    }
  }
  return std::nullopt;
}

template <typename T>
T object_at(ByteView bytes, std::size_t at, std::size_t size = sizeof(T)) {
  T object = {};
  std::memcpy(&object, bytes.data() + at, size);
  return object;
}

// What the extension that begins at `tag` says of its footer. Its checksums are yet to be compared.
std::optional<FooterTrace> claimed_footer(File& file, std::uint64_t tag) {
  constexpr std::size_t kBefore = 9;
  if (tag < kBefore) {
    return std::nullopt;
  }
  const Bytes bytes = read_bytes(file, tag - kBefore, kBefore + detail::kFooterExtensionBytes);
  if (bytes.empty()) {
    return std::nullopt;
  }
  const auto extension = object_at<FooterExtension>(bytes, kBefore, detail::kFooterExtensionBytes);
  const std::optional<std::uint32_t> length = length_before(ByteView(bytes).subspan(0, kBefore));
  const std::uint32_t least = detail::kFooterExtensionBytes + kCrcBytes;
  if (extension.version != write::kFormatVersion || !length || *length < least ||
      (*length - least) % kExtentBytes != 0) {
    return std::nullopt;
  }
  const Bytes tail = read_bytes(file, tag + *length, kTailBytes);
  if (tail.empty() || object_at<std::uint32_t>(tail, 1 + format::kFooterLengthBytes) != format::kMagic) {
    return std::nullopt;
  }
  const std::uint64_t end = tag + *length + 1;
  const std::uint64_t size = object_at<std::uint32_t>(tail, 1);
  const std::uint64_t entries_end =
      std::uint64_t{extension.entries_offset} + extension.entries_bytes + extension.open_bytes;
  if (size > end || size < std::uint64_t{*length} + 1 || entries_end > size - 1 - *length) {
    return std::nullopt;
  }
  return FooterTrace{end - size, end + kTailBytes - 1, (*length - least) / kExtentBytes, extension};
}

// Whether the checksums of a footer are right.
bool genuine(File& file, const FooterTrace& trace) {
  const FooterExtension& extension = trace.extension;
  const auto size = static_cast<std::size_t>(trace.end - kTailBytes - trace.begin);
  const Bytes bytes = read_bytes(file, trace.begin, size);
  if (bytes.empty()) {
    return false;
  }
  const ByteView footer(bytes);
  const std::size_t begin = extension.entries_offset;
  const std::size_t finished = begin + extension.entries_bytes;
  const std::size_t end = finished + extension.open_bytes;
  const std::size_t crc_at = size - kCrcBytes;
  const auto part = [&](std::size_t from, std::size_t to) { return footer.subspan(from, to - from); };
  const std::uint32_t finished_crc = crc_of(0, part(begin, finished));
  return crc_of(crc_of(0, part(0, begin)), part(end, crc_at)) == object_at<std::uint32_t>(footer, crc_at) &&
         finished_crc == extension.finished_crc &&
         crc_of(finished_crc, part(finished, end)) == extension.entries_crc;
}

class Search {
 public:
  Search(File& file, const Progress& progress) : file_(file), bytes_(bytes_of(file)), progress_(progress) {}

  Traces run() {
    constexpr std::size_t kStep = 4 << 20;
    Bytes window;
    for (std::uint64_t at = 0; at < bytes_; at += kStep) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kStep + kTagBytes - 1, bytes_ - at));
      load(at, size, window);
      look(at, window);
      if (progress_) {
        progress_(at + size);
      }
    }
    return std::move(traces_);
  }

 private:
  // What cannot be read becomes zeros, sector by sector.
  void load(std::uint64_t at, std::size_t size, Bytes& window) {
    window.resize(size);
    if (file_.read_at(at, window) == Status::kOk) {
      return;
    }
    for (std::size_t done = 0; done < size; done += detail::kSectorBytes) {
      const Span<std::byte> sector(window.data() + done,
                                   std::min<std::size_t>(detail::kSectorBytes, size - done));
      if (file_.read_at(at + done, sector) != Status::kOk) {
        std::memset(sector.data(), 0, sector.size());
      }
    }
  }

  void look(std::uint64_t at, const Bytes& window) {
    const std::string_view text(reinterpret_cast<const char*>(window.data()), window.size());
    for (std::size_t i = text.find("mpq"); i != text.npos && i + 3 < text.size();
         i = text.find("mpq", i + 1)) {
      if (text[i + 3] == 'F') {
        look_at_footer(at + i);
      } else if (text[i + 3] == 'R') {
        if (const auto slot = slot_before(file_, at + i + kTrailerBytes)) {
          traces_.slots.push_back(*slot);
        }
      }
    }
  }

  // Genuine footers do not overlap, and few are torn. What claims more bytes than that is made to cost time.
  void look_at_footer(std::uint64_t tag) {
    const auto footer = claimed_footer(file_, tag);
    if (!footer || footer->end - footer->begin > bytes_to_sum_) {
      return;
    }
    bytes_to_sum_ -= footer->end - footer->begin;
    if (genuine(file_, *footer)) {
      traces_.footers.push_back(*footer);
    }
  }

  static constexpr std::uint64_t kMinToSum = 64 << 20;

  File& file_;
  std::uint64_t bytes_;
  std::uint64_t bytes_to_sum_ = 4 * bytes_ + kMinToSum;
  const Progress& progress_;
  Traces traces_;
};

}  // namespace

Traces find_traces(File& file, const Progress& progress) { return Search(file, progress).run(); }

std::optional<FooterTrace> last_footer(File& file) {
  const std::uint64_t size = bytes_of(file);
  const Bytes tail = size > kTailBytes ? read_bytes(file, size - kTailBytes, kTailBytes) : Bytes();
  if (tail.empty() || object_at<std::uint32_t>(tail, 1) > size - kTailBytes) {
    return std::nullopt;
  }
  const std::uint32_t bytes = object_at<std::uint32_t>(tail, 1);
  const std::uint64_t begin = size - kTailBytes + 1 - bytes;
  const Bytes footer = read_bytes(file, begin, bytes);
  const std::string_view text(reinterpret_cast<const char*>(footer.data()), footer.size());
  for (std::size_t tag = text.rfind("mpqF"); tag != text.npos;
       tag = tag != 0 ? text.rfind("mpqF", tag - 1) : text.npos) {
    const auto footer_trace = claimed_footer(file, begin + tag);
    if (footer_trace && footer_trace->end == size) {
      return genuine(file, *footer_trace) ? footer_trace : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<SlotTrace> slot_before(File& file, std::uint64_t end) {
  const Bytes bytes = end >= kTrailerBytes ? read_bytes(file, end - kTrailerBytes, kTrailerBytes) : Bytes();
  if (bytes.empty()) {
    return std::nullopt;
  }
  const ByteView view(bytes);
  const auto trailer = object_at<write::RecordTrailer>(view, 0);
  const auto crc = object_at<std::uint32_t>(view, sizeof trailer);
  if (trailer.tag != write::kRecordTag || trailer.version != write::kFormatVersion ||
      crc_of(0, view.subspan(0, sizeof trailer)) != crc) {
    return std::nullopt;
  }
  return SlotTrace{end, trailer};
}

}  // namespace microparquet::recovery
