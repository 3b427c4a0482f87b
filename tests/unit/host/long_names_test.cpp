// Columns whose names are longer than 16 bits count.
#include <string>
#include <vector>

#include "microparquet/reader.h"
#include "support/check.h"
#include "support/names.h"
#include "support/read_only_file.h"

namespace {

class StringFile final : public support::ReadOnlyFile {
 public:
  explicit StringFile(std::string bytes) : bytes_(std::move(bytes)) {}
  Status size(std::uint64_t& bytes) override {
    bytes = bytes_.size();
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    bytes_.copy(reinterpret_cast<char*>(out.data()), out.size(), static_cast<std::size_t>(offset));
    return Status::kOk;
  }

 private:
  std::string bytes_;
};

std::string varint(std::size_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value % 0x80 + 0x80);
  return bytes + static_cast<char>(value);
}

// A required INT32 column, as SchemaElement.
std::string leaf(const std::string& name) {
  return std::string("\x15\x02\x25\x00\x18", 5) + varint(name.size()) + name + '\0';
}

// FileMetaData of a schema of these columns, without rows.
std::string file_of(const std::vector<std::string>& names) {
  std::string footer = "\x15\x02\x19";
  footer += static_cast<char>((names.size() + 1) << 4 | 12);
  footer += "\x48\x01s\x15" + varint(names.size() * 2) + '\0';
  for (const std::string& name : names) footer += leaf(name);
  footer += std::string("\x16\x00\x19\x0c\x00", 5);
  std::string length;
  for (unsigned i = 0; i < 4; ++i) length += static_cast<char>(footer.size() >> (8 * i) & 0xFF);
  return "PAR1" + footer + length + "PAR1";
}

}  // namespace

TEST("reader: columns are found by names of any length") {
  for (const std::size_t length : {65533U, 65534U, 65535U, 65536U, 70000U}) {
    const std::string name(length, 'b');
    StringFile file(file_of({"a", name, "c"}));
    std::vector<std::uint64_t> arena(1024);
    const ReaderOptions options;
    Reader reader;
    REQUIRE_EQ(reader.open(file, options, {reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8}),
               Status::kOk);
    std::uint32_t column = 99;
    CHECK_EQ(reader.find_column(name, column), Status::kOk);
    CHECK_EQ(column, 1U);
    CHECK_EQ(reader.find_column(std::string(length, 'z'), column), Status::kInvalidArgument);
    CHECK_EQ(reader.find_column(name.substr(1), column), Status::kInvalidArgument);
    CHECK_EQ(reader.find_column("c", column), Status::kOk);
    CHECK_EQ(column, 2U);
  }
}
