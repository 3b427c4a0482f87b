// Arrow arrays as a writer's columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "array_check.h"
#include "microparquet/desktop/arrow_abi.h"
#include "microparquet/schema.h"
#include "microparquet/writer.h"

namespace microparquet::desktop {

// Values of an array as ColumnData has them. They lie in the array where they are the same in both.
struct ImportedValues {
  const void* values = nullptr;
  std::vector<std::byte> made;          // values that had to be converted
  std::vector<std::string_view> texts;  // values of byte arrays
  std::vector<std::uint8_t> valid;      // 1 for each value, or 0 for a null; empty: all have values
  const char* wrong = nullptr;          // fault of a value; null: none

  bool has_value(std::int64_t i) const { return valid.empty() || valid[static_cast<std::size_t>(i)] != 0; }
};

class ArrowColumn {
 public:
  // `name`: that of the column in messages. Throws Failure: there is no such type in a file. `schema` must stay.
  ArrowColumn(const ArrowSchema& schema, const std::string& name);

  // The column's field, with that name and PLAIN as its encoder.
  const Field& field() const { return field_; }
  // Bytes of a value as the writer takes it; texts: sizeof(std::string_view).
  std::uint32_t width() const { return width_; }

  // Throws Failure: the array is not what check_column() asks for.
  void check(const ArrowArray& array, std::int64_t slots) const {
    check_column(name_, array, slots, buffers_);
  }

  // The `count` values from `first` on, which stay as long as `array` and until the next call. With `visible` only those are
  // there that it marks with 1; what the others hold does not matter. Throws Failure: the array is not what check_column()
  // asks for, or they do not fit the type that the schema says.
  ColumnData import(const ArrowArray& array, std::int64_t first, std::int64_t count,
                    const std::uint8_t* visible = nullptr);

 private:
  using Convert = std::function<void(const ArrowArray& array, std::int64_t first, std::int64_t count,
                                     ImportedValues& out)>;

  void set_type(std::string_view format);
  bool take(const Field& field, Convert convert);
  bool set_number_type(std::string_view format);
  bool set_text_type(std::string_view format);
  bool set_time_type(std::string_view format);
  bool set_fixed_type(std::string_view format);
  void set_decimal(std::string_view parameters);
  void set_timestamp(std::string_view parameters);
  void mark_values(const ArrowArray& array, std::int64_t begin, std::int64_t count,
                   const std::uint8_t* visible);
  void import_dictionary(const ArrowArray& array, std::int64_t count);
  [[noreturn]] void refuse(std::string_view format) const;

  std::string name_;
  Field field_;
  Convert convert_;
  BufferCount buffers_;
  std::uint32_t width_ = 0;
  std::unique_ptr<ArrowColumn> dictionary_;  // null: the array has the values themselves
  ImportedValues imported_;
};

}  // namespace microparquet::desktop
