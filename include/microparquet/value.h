// Value of any type, for rows whose schema is known only at run time.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "microparquet/schema.h"

namespace microparquet {

// One value of a row for schemas built at run time, tagged with its physical type which detects a value for
// the wrong column. append() copies its bytes, nothing before does.
struct Value {
  Type type = Type::kInt32;  // tells which member below is valid
  bool null = true;          // there is no value
  union {
    bool boolean;
    std::int32_t int32;
    std::int64_t int64 = 0;
    float float32;
    double float64;
  };
  std::string_view bytes = {};  // kByteArray, kFixedLenByteArray, kInt96

  constexpr Value() = default;
  // Makes a value from a bool, float or double, or from a signed integer of any name: up to 32 bits an int32,
  // otherwise an int64.
  template <typename T>
  static constexpr Value of(T value) {
    constexpr bool kSigned = std::is_integral_v<T> && std::is_signed_v<T>;
    static_assert(std::is_same_v<T, bool> || std::is_same_v<T, float> || std::is_same_v<T, double> || kSigned,
                  "no type of value; cast unsigned integers to the signed ones that hold their bits");
    if constexpr (std::is_same_v<T, bool>) {
      return make(Type::kBoolean, &Value::boolean, value);
    } else if constexpr (std::is_same_v<T, float>) {
      return make(Type::kFloat, &Value::float32, value);
    } else if constexpr (std::is_same_v<T, double>) {
      return make(Type::kDouble, &Value::float64, value);
    } else if constexpr (sizeof(T) <= sizeof(std::int32_t)) {
      return make(Type::kInt32, &Value::int32, static_cast<std::int32_t>(value));
    } else {
      return make(Type::kInt64, &Value::int64, static_cast<std::int64_t>(value));
    }
  }
  // Makes a kByteArray. The bytes are not copied.
  static constexpr Value of_bytes(std::string_view value) {
    return make(Type::kByteArray, &Value::bytes, value);
  }
  // Makes a kFixedLenByteArray. The bytes are not copied.
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
