// Reading rows as tagged values.
#include "base/try.h"
#include "microparquet/reader.h"

namespace microparquet {

namespace {

void take(const Cell& cell, Type type, Value& value) {
  value.type = type;
  value.null = cell.null();
  if (value.null) return;
  switch (type) {
    case Type::kBoolean: value.boolean = cell.as<bool>(); break;
    case Type::kInt32: value.int32 = cell.as<std::int32_t>(); break;
    case Type::kInt64: value.int64 = cell.as<std::int64_t>(); break;
    case Type::kFloat: value.float32 = cell.as<float>(); break;
    case Type::kDouble: value.float64 = cell.as<double>(); break;
    case Type::kInt96:
    case Type::kByteArray:
    case Type::kFixedLenByteArray: value.bytes = cell.text(); break;
  }
}

}  // namespace

Status Reader::next_row(Span<Value> row) {
  if (row.size() != state_.chosen) return Status::kInvalidArgument;
  MICROPARQUET_TRY(next_row());
  for (std::size_t i = 0; i < row.size(); ++i) take(cell(i), state_.columns[i].type, row[i]);
  return Status::kOk;
}

}  // namespace microparquet
