// A value of any type, for rows whose schema is known at run time only.
#pragma once

#include <cstdint>
#include <string_view>

#include "microparquet/schema.h"

namespace microparquet {

// One value of a row for schemas built at run time, tagged with its physical type so that a value for the
// wrong column is found out. Bytes are not copied before append takes them.
struct Value {
  Type type = Type::kInt32;
  bool null = true;
  union {
    bool boolean;
    std::int32_t int32;
    std::int64_t int64 = 0;
    float float32;
    double float64;
  };
  std::string_view bytes = {};  // kByteArray, kFixedLenByteArray, kInt96

  constexpr Value() = default;
  static constexpr Value of(bool value) { return make(Type::kBoolean, &Value::boolean, value); }
  static constexpr Value of(std::int32_t value) { return make(Type::kInt32, &Value::int32, value); }
  static constexpr Value of(std::int64_t value) { return make(Type::kInt64, &Value::int64, value); }
  static constexpr Value of(float value) { return make(Type::kFloat, &Value::float32, value); }
  static constexpr Value of(double value) { return make(Type::kDouble, &Value::float64, value); }
  static constexpr Value of_bytes(std::string_view value) {
    return make(Type::kByteArray, &Value::bytes, value);
  }
  static constexpr Value of_fixed(std::string_view value) {
    return make(Type::kFixedLenByteArray, &Value::bytes, value);
  }

 private:
  template <typename T>
  static constexpr Value make(Type type, T Value::* member, T value) {
    Value result;
    result.type = type;
    result.null = false;
    result.*member = value;
    return result;
  }
};

}  // namespace microparquet
