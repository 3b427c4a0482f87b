#include "microparquet/desktop/string_encoders.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "packed_numbers.h"

namespace microparquet::desktop::detail {

namespace {

using PageBytes = std::vector<std::byte>;

// Shows `visit` the values of a page in PLAIN.
template <typename Visit>
void visit_values(const EndingPage& page, Visit visit) {
  for (const std::byte* at = page.values; at != page.cursor;) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    at += sizeof bytes;
    visit(std::string_view(reinterpret_cast<const char*>(at), bytes));
    at += bytes;
  }
}

void append_text(PageBytes& out, std::string_view text) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), bytes, bytes + text.size());
}

// Where it is smaller than the page in PLAIN.
void take_body(EndingPage& page, const PageBytes& body) {
  if (body.size() >= static_cast<std::size_t>(page.cursor - page.values)) {
    page.set_encoding(EncodingId::kPlain);
    return;
  }
  std::memcpy(page.values, body.data(), body.size());
  page.cursor = page.values + body.size();
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

}  // namespace

void finish_packed_lengths(EndingPage& page) {
  microparquet::detail::finish_plain(page);
  std::vector<std::uint32_t> lengths;
  PageBytes values;
  visit_values(page, [&](std::string_view value) {
    lengths.push_back(static_cast<std::uint32_t>(value.size()));
    append_text(values, value);
  });
  PageBytes body;
  append_packed(body, lengths);
  body.insert(body.end(), values.begin(), values.end());
  take_body(page, body);
}

void finish_shared_prefixes(EndingPage& page) {
  microparquet::detail::finish_plain(page);
  std::vector<std::uint32_t> prefixes;
  std::vector<std::uint32_t> lengths;
  PageBytes rests;
  std::string_view before;
  visit_values(page, [&](std::string_view value) {
    const std::size_t prefix = shared_prefix(before, value);
    prefixes.push_back(static_cast<std::uint32_t>(prefix));
    lengths.push_back(static_cast<std::uint32_t>(value.size() - prefix));
    append_text(rests, value.substr(prefix));
    before = value;
  });
  PageBytes body;
  append_packed(body, prefixes);
  append_packed(body, lengths);
  body.insert(body.end(), rests.begin(), rests.end());
  take_body(page, body);
}

}  // namespace microparquet::desktop::detail
