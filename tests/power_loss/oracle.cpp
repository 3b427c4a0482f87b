#include "oracle.h"

#include <algorithm>
#include <array>

#include "microparquet/port/crc32_hardware.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "support/read_only_file.h"
#include "table_decoder.h"
#include "table_encoder.h"

namespace power_loss {

using mpq::Status;

namespace {

class MediumFile final : public support::ReadOnlyFile {
 public:
  explicit MediumFile(const Medium& medium) : medium_(medium) {}
  mpq::FileAbilities abilities() const override { return {false, true, false}; }
  Status size(std::uint64_t& bytes) override {
    bytes = medium_.size;
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override {
    if (offset > medium_.size || out.size() > medium_.size - offset) return Status::kIoError;
    medium_.read(offset, out);
    return Status::kOk;
  }

 private:
  const Medium& medium_;
};

// Options with the program's own decoder, if one of the columns has its encoder.
mpq::ReaderOptions reader_options(const mpq::Schema& schema) {
  static constexpr const mpq::Decoder* kOfTables[] = {&mpq::kPlainFixedDecoder, &mpq::kPlainBooleanDecoder,
                                                      &extension::kTableDecoder};
  const bool has_tables = std::any_of(schema.begin(), schema.end(), [](const mpq::Field& field) {
    return field.encoder == &extension::kTableEncoder;
  });
  mpq::ReaderOptions options{2560, 512, mpq::kAllDecoders, mpq::kAllDecompressors, &mpq::crc32_hardware};
  if (has_tables) options.decoders = kOfTables;
  return options;
}

std::string place_of(unsigned life, std::uint64_t row) {
  return "row " + std::to_string(row) + " of life " + std::to_string(life);
}

}  // namespace

std::uint64_t rows_of(const History& history) {
  std::uint64_t rows = 0;
  for (const Lived& lived : history) rows += lived.rows;
  return rows;
}

Oracle::Oracle(const Scenario& scenario) : scenario_(scenario), lives_(kLives) {
  const mpq::Schema schema = scenario.workload.schema;
  for (unsigned life = 0; life < kLives; ++life) {
    faults::RowSource source(scenario.workload, life);
    for (unsigned row = 0; row < rows_of_life(scenario, life); ++row) {
      const mpq::Span<const mpq::Value> values = source.row(row);
      for (std::size_t i = 0; i < values.size(); ++i) {
        Cell& cell = lives_[life].emplace_back();
        cell.null = values[i].null;
        if (!cell.null) cell.bytes = faults::bytes_of(values[i], schema[i]);
      }
    }
  }
}

std::uint32_t Oracle::extension_columns() const {
  const faults::Workload& workload = scenario_.workload;
  return workload.options.layout->in_place ? static_cast<std::uint32_t>(workload.schema.size()) : 0;
}

std::string Oracle::read(const Medium& medium, const History& before, const Lived& life, std::uint64_t least,
                         Found& found) const {
  const mpq::ReaderOptions options = reader_options(scenario_.workload.schema);
  const std::size_t columns = scenario_.workload.schema.size();
  std::vector<std::uint64_t> arena(mpq::Reader::required_bytes(columns, columns, options) / 8 + 1);
  MediumFile file(medium);
  mpq::Reader reader;
  Status status = reader.open(
      file, options, mpq::Span<std::byte>(reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8));
  if (status == Status::kOk) status = reader.choose_all();
  if (status != Status::kOk) return std::string("the reader does not open it: ") + to_string(status);
  found.opened = true;
  const std::uint64_t earlier = rows_of(before);
  if (reader.rows() < earlier + least || reader.rows() > earlier + life.offered) {
    return "there are " + std::to_string(reader.rows()) + " rows; " + std::to_string(earlier) +
           " of earlier lives and " + std::to_string(least) + " to " + std::to_string(life.offered) +
           " of this one were to be there";
  }
  std::array<char, kOriginKey.size() + kOrigin.size()> text;
  std::string_view origin;
  found.origin = reader.find_key_value(kOriginKey, text, origin) == Status::kOk && origin == kOrigin;
  if (reader.rows() != 0 && !found.origin) return "the key-value that was set is not there";
  History all = before;
  all.push_back(life);
  all.back().rows = reader.rows() - earlier;
  for (const Lived& lived : all) {
    const Cell* cell = lives_[lived.life].data();
    for (std::uint64_t row = 0; row < lived.rows; ++row) {
      for (const Gap& gap : lived.gaps) {
        if (gap.at == row) cell += gap.rows * columns;
      }
      status = reader.next_row();
      found.bad_page = status == Status::kCorrupt;
      if (status != Status::kOk)
        return place_of(lived.life, row) + " is not to be read: " + to_string(status);
      for (std::size_t i = 0; i < columns; ++i, ++cell) {
        const mpq::Cell got = reader.cell(i);
        if (got.null() == cell->null && (cell->null || got.text() == cell->bytes)) continue;
        return place_of(lived.life, row) + " has another value in column " + std::to_string(i);
      }
      ++found.right;
    }
  }
  if (reader.next_row() != Status::kEnd) return "there are more rows than the footer says";
  return reader.pages_checked() == reader.pages_read() ? "" : "there are pages without a CRC";
}

}  // namespace power_loss
