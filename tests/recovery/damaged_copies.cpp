// Recovers damaged copies of a log, all in memory, as `mpq recover` does in place.
//
//   damaged_copies FILE <CASES
//
// A case is a line of damages, parted by semicolons: `cut N`, only the first N bytes are left; `bit N`, bit N is wrong,
// counted from the lowest one of the first byte; `swap A B N`, the N bytes at A and those at B have changed places. For
// each case a line says how many rows are there then and how many of them are not as they were. The first column of the
// file counts its rows.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "candidates.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/value.h"
#include "open_file.h"
#include "result.h"
#include "traces.h"
#include "view.h"

namespace {

namespace mpq = microparquet;
namespace rec = microparquet::recovery;
using mpq::Status;

using Rows = std::map<std::int64_t, std::string>;

struct Outcome {
  std::uint64_t rows = 0;
  std::uint64_t wrong = 0;
};

void require(Status status, const char* what) {
  if (status != Status::kOk) {
    throw std::runtime_error(std::string(what) + ": " + mpq::to_string(status));
  }
}

// All of a value, so that two are equal only if these are.
void append_value(std::string& text, const mpq::Value& value) {
  text += value.null ? '0' : '1';
  if (value.null) {
    return;
  }
  switch (value.type) {
    case mpq::Type::kBoolean: text += value.boolean ? '1' : '0'; return;
    case mpq::Type::kInt32:
    case mpq::Type::kFloat:
      text.append(reinterpret_cast<const char*>(&value.int32), sizeof value.int32);
      return;
    case mpq::Type::kInt64:
    case mpq::Type::kDouble:
      text.append(reinterpret_cast<const char*>(&value.int64), sizeof value.int64);
      return;
    default: text += std::to_string(value.bytes.size()) + ':' + std::string(value.bytes);
  }
}

// Calls `take(number, text)` for each row, of which the first column has the number.
template <typename Take>
void for_each_row(mpq::File& file, const Take& take) {
  constexpr std::uint32_t kBuffer = 1 << 16;
  rec::OpenFile open;
  require(open.open(file), "the file cannot be opened");
  std::vector<std::uint32_t> columns(open.reader().columns());
  for (std::uint32_t i = 0; i < columns.size(); ++i) {
    columns[i] = i;
  }
  require(open.choose(mpq::Span<const std::uint32_t>(columns), kBuffer), "its columns cannot be read");
  std::vector<mpq::Value> row(columns.size());
  for (;;) {
    const Status status = open.reader().next_row(mpq::Span<mpq::Value>(row));
    if (status == Status::kEnd) {
      return;
    }
    require(status, "its rows cannot be read");
    std::string text;
    for (const mpq::Value& value : row) {
      append_value(text, value);
    }
    take(row[0].type == mpq::Type::kInt32 ? row[0].int32 : row[0].int64, text);
  }
}

Rows rows_of(const rec::Bytes& bytes) {
  rec::MemoryMedium medium;
  require(medium.write_at(0, bytes), "memory");
  Rows rows;
  for_each_row(medium, [&](std::int64_t number, const std::string& text) { rows[number] = text; });
  return rows;
}

Outcome recovered(const rec::Bytes& bytes, const Rows& expected) {
  rec::MemoryMedium medium;
  require(medium.write_at(0, bytes), "memory");
  rec::View view(medium, {{0, bytes.size()}});
  const rec::Traces traces = rec::find_traces(view, nullptr);
  const auto id = rec::file_id_of(view, traces);
  const auto found =
      id ? rec::find_own_rows(view, traces, *id, rec::Unproved::kLeftOut, nullptr) : std::nullopt;
  Outcome outcome;
  if (!found) {
    return outcome;
  }
  const rec::Result result = rec::make_result(view, *found, nullptr);
  if (result.rows == 0) {
    return outcome;
  }
  view.set_end(rec::added_end(view, *found, result).bytes);
  std::int64_t last = -1;
  for_each_row(view, [&](std::int64_t number, const std::string& text) {
    const auto there = expected.find(number);
    outcome.rows += 1;
    const bool right = there != expected.end() && there->second == text && number > last;
    outcome.wrong += right ? 0U : 1U;
    last = number;
  });
  return outcome;
}

void damage(rec::Bytes& bytes, const std::string& text) {
  std::istringstream words(text);
  std::string what;
  std::size_t number = 0;
  if (!(words >> what >> number)) {
    throw std::runtime_error("no damage: " + text);
  }
  if (what == "cut") {
    bytes.resize(number);
  } else if (what == "bit") {
    bytes.at(number / 8) ^= std::byte{1} << number % 8;
  } else {
    std::size_t other = 0;
    std::size_t size = 0;
    words >> other >> size;
    std::swap_ranges(&bytes.at(number), &bytes.at(number + size - 1) + 1, &bytes.at(other));
  }
}

rec::Bytes damaged(rec::Bytes bytes, const std::string& line) {
  std::istringstream damages(line);
  for (std::string text; std::getline(damages, text, ';');) {
    damage(bytes, text);
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: damaged_copies FILE <CASES\n");
    return 2;
  }
  try {
    std::ifstream in(argv[1], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
    const rec::Bytes bytes(begin, begin + text.size());
    const Rows rows = rows_of(bytes);
    for (std::string line; std::getline(std::cin, line);) {
      const Outcome outcome = recovered(damaged(bytes, line), rows);
      std::printf("%llu rows, %llu wrong\n", static_cast<unsigned long long>(outcome.rows),
                  static_cast<unsigned long long>(outcome.wrong));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "damaged_copies: %s: %s\n", argv[1], error.what());
    return 1;
  }
  return 0;
}
