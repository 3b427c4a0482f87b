#include "thrift_dom/mended_headers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "chunk_pages.h"
#include "format/page_header_reader.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"
#include "thrift_dom/chunk_places.h"
#include "thrift_dom/compact_bytes.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/header_check.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kMostDictionaryHeader = 256;

// What the header at the beginning of `bytes` would be; none when it is no such header.
std::optional<Bytes> mended_header(ByteView bytes) {
  using format::PageHeaderField;
  std::size_t used = 0;
  auto header = ThriftValue::parse_struct(bytes, used);
  if (!header) {
    return std::nullopt;
  }
  ThriftValue* const dictionary = header->find(PageHeaderField::kDictionaryPageHeader);
  if (dictionary == nullptr || dictionary->type() != ThriftValue::Type::kStruct) {
    return std::nullopt;
  }
  dictionary->set(format::DictionaryPageHeaderField::kEncoding,
                  ThriftValue::of_i32(static_cast<int>(EncodingId::kPlain)));
  Bytes mended = header->serialise();
  detail::Window window = window_on(mended);
  format::PageHeader seen;
  const bool holds = mended.size() == used && format::read_page_header(window, seen) == Status::kOk &&
                     header_is_exact(mended);
  return holds ? std::optional(std::move(mended)) : std::nullopt;
}

bool has_proper_header(ByteView bytes) {
  detail::Window window = window_on(bytes);
  format::PageHeader header;
  return format::read_page_header(window, header) == Status::kOk;
}

bool mend_header(View& view, ByteView chunk) {
  const auto places = places_of(chunk);
  if (!places || places->elsewhere || begin_of(places->info) >= view.bytes()) {
    return false;
  }
  const std::uint64_t at = begin_of(places->info);
  const Bytes bytes = read_bytes(
      view, at, static_cast<std::size_t>(std::min<std::uint64_t>(kMostDictionaryHeader, view.bytes() - at)));
  auto mended = bytes.empty() || has_proper_header(bytes) ? std::nullopt : mended_header(bytes);
  if (!mended) {
    return false;
  }
  view.replace(at, std::move(*mended));
  return true;
}

}  // namespace

std::vector<bool> mend_dictionary_headers(View& view, const std::vector<Bytes>& entries) {
  std::vector<bool> mended;
  for (const Bytes& entry : entries) {
    bool any = false;
    if (const auto parts = take_apart(entry)) {
      for (const ByteView chunk : parts->columns) {
        any = mend_header(view, chunk) || any;
      }
    }
    mended.push_back(any);
  }
  return mended;
}

}  // namespace microparquet::recovery
