#include "other_kind.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "microparquet/detail/format/magic.h"

namespace microparquet::recovery {

namespace {

// How other files begin that people take for logs, and what to do with them.
struct OtherKind {
  std::string_view begin;
  const char* advice;
};
constexpr std::array<OtherKind, 5> kOtherKinds = {
    {{"\x1F\x8B", " is compressed by gzip: unpack it by gunzip first"},
     {"<!DOCTYPE", " is a web page, as sites give without a login: download the file itself"},
     {"<html", " is a web page, as sites give without a login: download the file itself"},
     {"version https://git-lfs", " is a pointer of Git LFS to a file: fetch that by git lfs pull"},
     {std::string_view("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16),
      " begins with zeros: its bytes never reached the disk, or were lost there; copy it again"}}};

}  // namespace

std::string why_another_kind(File& file) {
  std::array<char, 32> begin = {};
  std::uint64_t size = 0;
  if (file.size(size) != Status::kOk) {
    return {};
  }
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, begin.size()));
  if (bytes == 0) {
    return " is empty; a Parquet file is at least a few dozen bytes long";
  }
  if (file.read_at(0, {reinterpret_cast<std::byte*>(begin.data()), bytes}) != Status::kOk) {
    return {};
  }
  // One that ends in PAR1 is a damaged Parquet file.
  std::array<char, format::kMagicBytes> end = {};
  if (size >= end.size() &&
      file.read_at(size - end.size(), {reinterpret_cast<std::byte*>(end.data()), end.size()}) ==
          Status::kOk &&
      std::string_view(end.data(), end.size()) == format::kMagicText) {
    return {};
  }
  for (const OtherKind& kind : kOtherKinds) {
    if (std::string_view(begin.data(), bytes).substr(0, kind.begin.size()) == kind.begin) {
      return kind.advice;
    }
  }
  return {};
}

}  // namespace microparquet::recovery
