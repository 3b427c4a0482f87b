// Writes one file of the interop matrix.
//
//   interop_gen OUT.parquet --layout=in_place|tailed|forward --page-bytes=N --whole-sectors=0|1 --row-group-rows=N
//               --row-group-bytes=N --rows=N --batch=N --statistics-bytes=N [--sorted-by=N] [--lives=N]
//               [--codec=lz4_raw] [--encoding=delta|rle|split|dictionary] [--pages=v2] [--index=full] TYPE:NULLS...
//
// With --lives the rows come in this number of parts, with two checkpoints in each; then the file is left as
// a power cut leaves it, and continued for the next part. With --batch the rows are given as columns, this
// many at a time. --sorted-by tells the writer that the rows are sorted by the column of that index,
// ascending. --encoding=delta is for the integers among the columns, rle for the booleans, split
// for the floats and doubles, dictionary for integers, floats, doubles and byte arrays. --index=full: with all that a desktop
// writes of pages and values, bloom filters of all columns but the booleans among it. A column is called TYPE__NULLS. Types, patterns of nulls and values are those of value_source.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/codecs.h"
#include "microparquet/compatible.h"
#include "microparquet/desktop/data_page_v2.h"
#include "microparquet/desktop/full_index.h"
#include "microparquet/encoders.h"
#include "microparquet/layout.h"
#include "microparquet/options.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/sorting.h"
#include "microparquet/writer.h"
#include "value_source.h"

namespace {

namespace mpq = microparquet;

struct Column {
  std::string name;
  std::string nulls;
  const interop::ColumnType* type = nullptr;
};

struct Job {
  std::string path;
  mpq::Options options;
  bool is_compatible = false;
  std::uint64_t rows = 0;
  std::uint64_t batch = 0;
  std::uint64_t lives = 0;
  const mpq::Compressor* compressor = nullptr;
  std::string encoding;
  bool has_v2_pages = false;
  bool has_index = false;
  std::vector<mpq::SortingColumn> sorting;
  std::vector<Column> columns;
};

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "interop_gen: %s\n", message.c_str());
  std::exit(1);
}

void require(mpq::Status status, const char* what) {
  if (status != mpq::Status::kOk) fail(std::string(what) + ": " + mpq::to_string(status));
}

std::uint32_t number(const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); }

void set_option(Job& job, const std::string& name, const std::string& value) {
  if (name == "--layout") {
    job.options.layout = value == "forward"  ? &mpq::kForward
                         : value == "tailed" ? &mpq::kInPlaceTailed
                                             : &mpq::kInPlace;
  } else if (name == "--page-bytes") {
    job.options.page_bytes = number(value);
  } else if (name == "--whole-sectors") {
    job.options.whole_sectors = value == "1";
  } else if (name == "--row-group-rows") {
    job.options.row_group_rows = number(value);
  } else if (name == "--row-group-bytes") {
    job.options.row_group_bytes = number(value);
  } else if (name == "--rows") {
    job.rows = number(value);
  } else if (name == "--batch") {
    job.batch = number(value);
  } else if (name == "--lives") {
    job.lives = number(value);
  } else if (name == "--statistics-bytes") {
    job.options.max_bound_bytes = static_cast<std::uint8_t>(number(value));
  } else if (name == "--codec" && value == "lz4_raw") {
    job.compressor = &mpq::kLz4RawCompressor;
  } else if (name == "--encoding") {
    job.encoding = value;
  } else if (name == "--compatible" && value == "1") {
    job.is_compatible = true;
  } else if (name == "--pages" && value == "v2") {
    job.has_v2_pages = true;
  } else if (name == "--index" && value == "full") {
    job.has_index = true;
  } else if (name == "--sorted-by") {
    job.sorting = {{number(value), false, false}};
  } else {
    fail("unknown option " + name);
  }
}

Column parse_column(const std::string& spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos) fail("not TYPE:NULLS: " + spec);
  const std::string type = spec.substr(0, colon);
  Column column;
  column.nulls = spec.substr(colon + 1);
  column.name = type + "__" + column.nulls;
  const auto found = interop::column_types().find(type);
  if (found == interop::column_types().end()) fail("unknown type " + type);
  if (!interop::is_null_pattern(column.nulls)) fail("unknown pattern of nulls " + column.nulls);
  column.type = &found->second;
  return column;
}

Job parse(int argc, char** argv) {
  if (argc < 2) fail("usage: interop_gen OUT.parquet OPTIONS TYPE:NULLS...");
  Job job;
  job.path = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (argument.rfind("--", 0) == 0 && equals != std::string::npos) {
      set_option(job, argument.substr(0, equals), argument.substr(equals + 1));
    } else {
      job.columns.push_back(parse_column(argument));
    }
  }
  return job;
}

mpq::Field encoded(const mpq::Field& field, std::string_view encoding) {
  const bool integer = field.type == mpq::Type::kInt32 || field.type == mpq::Type::kInt64;
  if (encoding == "delta" && integer) return field.with_encoder(mpq::kDeltaBinaryPacked);
  if (encoding == "rle" && field.type == mpq::Type::kBoolean) return field.with_encoder(mpq::kRleBoolean);
  if (encoding == "dictionary" && field.type != mpq::Type::kBoolean &&
      field.type != mpq::Type::kFixedLenByteArray)
    return field.with_encoder(mpq::kDictionary);
  if (encoding == "split" && mpq::kByteStreamSplit.supports(field.type))
    return field.with_encoder(mpq::kByteStreamSplit);
  return field;
}

// Null: as it is, in pages of version 1.
const mpq::Compressor* compressor_of(const Job& job) {
  static constexpr mpq::desktop::DataPageV2 kStored;
  static constexpr mpq::desktop::DataPageV2 kCompressed(mpq::kLz4RawCompressor);
  if (!job.has_v2_pages) return job.compressor;
  return job.compressor != nullptr ? &kCompressed : &kStored;
}

std::vector<mpq::Field> make_schema(const Job& job) {
  std::vector<mpq::Field> fields;
  for (const Column& column : job.columns) {
    mpq::Field field = encoded(column.type->field(column.name), job.encoding);
    field.compressor = compressor_of(job);
    fields.push_back(column.nulls == "required" ? field : field.as_optional());
  }
  return fields;
}

// The indexes and bloom filters that the writer is to make.
struct Index {
  std::vector<std::vector<std::byte>> filters;
  std::vector<std::unique_ptr<mpq::desktop::NotedColumn>> columns;
  mpq::desktop::FullIndexLayout layout = {};

  void take(std::vector<mpq::Field>& schema, mpq::Options& options) {
    constexpr std::uint32_t kValues = 400;
    constexpr double kWrong = 0.01;
    constexpr std::uint32_t kPages = 3000;
    for (mpq::Field& field : schema) {
      filters.emplace_back(
          field.type == mpq::Type::kBoolean ? 0 : mpq::desktop::bloom_filter_bytes(kValues, kWrong));
      columns.push_back(std::make_unique<mpq::desktop::NotedColumn>(*field.encoder, filters.back()));
      field = field.with_encoder(*columns.back());
    }
    const std::uint32_t bytes = mpq::page_index_bytes(schema, options, kPages);
    layout = mpq::desktop::with_full_index(mpq::with_page_index(*options.layout, bytes), schema);
    options.layout = &layout;
  }
};

// One row; the bytes that its values show live in `owned`.
void make_row(const Job& job, std::uint64_t row, std::vector<interop::OwnedValue>& owned,
              std::vector<mpq::Value>& values) {
  for (std::size_t i = 0; i < job.columns.size(); ++i) {
    if (interop::is_null(job.columns[i].nulls, row)) {
      values[i] = mpq::Value();
      continue;
    }
    owned[i] = job.columns[i].type->value(row, i);
    values[i] = owned[i].value;
    values[i].bytes = owned[i].bytes;
  }
}

void append_rows(const Job& job, mpq::Writer& writer, std::uint64_t begin, std::uint64_t end) {
  std::vector<interop::OwnedValue> owned(job.columns.size());
  std::vector<mpq::Value> values(job.columns.size());
  for (std::uint64_t row = begin; row < end; ++row) {
    make_row(job, row, owned, values);
    require(writer.append(values), "append");
  }
}

// The values of one column for a batch of rows, as ColumnData shows them.
struct ColumnBatch {
  std::string fixed;  // all types but byte_array: the values one after another
  std::vector<std::string> owned;
  std::vector<std::string_view> views;
  std::vector<std::uint8_t> valid;
};

template <typename T>
void append_bytes(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_fixed(std::string& out, const mpq::Field& field, const interop::OwnedValue& owned) {
  switch (field.type) {
    case mpq::Type::kBoolean: append_bytes(out, owned.value.boolean); break;
    case mpq::Type::kInt32: append_bytes(out, owned.value.int32); break;
    case mpq::Type::kInt64: append_bytes(out, owned.value.int64); break;
    case mpq::Type::kFloat: append_bytes(out, owned.value.float32); break;
    case mpq::Type::kDouble: append_bytes(out, owned.value.float64); break;
    default: out += owned.bytes;
  }
}

ColumnBatch make_batch(const Job& job, const mpq::Field& field, std::size_t column, std::uint64_t first,
                       std::uint64_t rows) {
  ColumnBatch batch;
  for (std::uint64_t row = first; row < first + rows; ++row) {
    const bool null = interop::is_null(job.columns[column].nulls, row);
    batch.valid.push_back(null ? 0 : 1);
    const interop::OwnedValue owned = job.columns[column].type->value(row, column);
    if (field.type == mpq::Type::kByteArray) {
      batch.owned.push_back(null ? std::string() : owned.bytes);
    } else {
      append_fixed(batch.fixed, field, owned);
    }
  }
  for (const std::string& bytes : batch.owned) batch.views.push_back(bytes);
  return batch;
}

void append_batch(const Job& job, const std::vector<mpq::Field>& schema, mpq::Writer& writer,
                  std::uint64_t first, std::uint64_t rows) {
  std::vector<ColumnBatch> batches;
  batches.reserve(schema.size());
  for (std::size_t i = 0; i < schema.size(); ++i)
    batches.push_back(make_batch(job, schema[i], i, first, rows));
  std::vector<mpq::ColumnData> columns(schema.size());
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const bool views = schema[i].type == mpq::Type::kByteArray;
    columns[i].values = views ? static_cast<const void*>(batches[i].views.data()) : batches[i].fixed.data();
    if (schema[i].repetition == mpq::Repetition::kOptional) columns[i].valid = batches[i].valid.data();
  }
  require(writer.append_columns(columns, rows), "append_columns");
}

void append_batches(const Job& job, const std::vector<mpq::Field>& schema, mpq::Writer& writer) {
  for (std::uint64_t first = 0; first < job.rows; first += job.batch) {
    append_batch(job, schema, writer, first, std::min(job.batch, job.rows - first));
  }
}

// Rows from `begin` on, and in place some more that the cut takes away; forward, POSIX would show a part of
// them.
void live(const Job& job, const std::vector<mpq::Field>& schema, mpq::Span<std::byte> arena,
          std::uint64_t begin, std::uint64_t end) {
  mpq::PosixFile file;
  require(file.open_for_append(job.path.c_str()), "create");
  mpq::Writer writer;
  require(writer.resume(file, schema, job.options, arena), "resume");
  if (begin == 0) require(writer.set_key_value("interop", "matrix"), "set_key_value");
  const std::uint64_t middle = begin + (end - begin) / 3;
  append_rows(job, writer, begin, middle);
  require(writer.checkpoint(), "checkpoint");
  append_rows(job, writer, middle, end);
  require(writer.checkpoint(), "checkpoint");
  if (job.options.layout->in_place) append_rows(job, writer, 0, (end - begin) / 2);
  require(file.close(), "close the file");
}

void write(Job job) {
  std::vector<mpq::Field> schema = make_schema(job);
  if (job.is_compatible) {
    if (!mpq::is_compatible(mpq::Schema(schema))) fail("columns that not every reader takes");
    job.options = mpq::compatible(job.options);
  }
  Index index;
  if (job.has_index) index.take(schema, job.options);
  if (!job.sorting.empty()) job.options.sorting = mpq::sorted_by(job.sorting);
  std::vector<std::byte> arena(mpq::Writer::required_bytes(schema, job.options));
  if (job.lives != 0) std::remove(job.path.c_str());
  for (std::uint64_t i = 0; i < job.lives; ++i) {
    live(job, schema, arena, job.rows * i / job.lives, job.rows * (i + 1) / job.lives);
  }
  if (job.lives != 0) return;
  mpq::PosixFile file;
  require(file.create(job.path.c_str(), mpq::Existing::kOverwrite), "create");
  mpq::Writer writer;
  require(writer.open(file, schema, job.options, arena), "open");
  if (job.batch == 0) {
    append_rows(job, writer, 0, job.rows);
  } else {
    append_batches(job, schema, writer);
  }
  require(writer.set_key_value("interop", "matrix"), "set_key_value");
  require(writer.close(), "close");
  require(file.close(), "close the file");
}

}  // namespace

int main(int argc, char** argv) {
  write(parse(argc, argv));
  return 0;
}
