// The tests' own check macros: the same on a desktop and on a bare microcontroller, where the known
// frameworks take more flash than the program under test. No heap, no streams, no exceptions.
//
//   TEST("a page ends at its last whole row") {
//     REQUIRE(writer.open(file) == Status::kOk);  // ends this test when it fails
//     CHECK_EQ(page.rows(), 128);                 // reports both values, and continues
//   }
//
// A test passes when all of its checks hold and it made at least one. A failed check prints its place, its
// text and, for CHECK_EQ, the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace check {

// A test, entered by TEST into a list that is threaded through static objects. The files' order is the
// linker's.
class Test {
 public:
  using Body = void (*)();
  Test(std::string_view name, const char* file, Body body);

  std::string_view name() const { return name_; }
  const char* file() const { return file_; }
  Test* next() const { return next_; }
  void run() const { body_(); }

 private:
  std::string_view name_;
  const char* file_;
  Body body_;
  Test* next_ = nullptr;
};

// The places of a long sweep that this run takes: every `step`-th from `first` on. All of them, unless main()
// receives a stride: an emulated board is slow, and takes a part that other boards do not.
struct Stride {
  unsigned first = 0;
  unsigned step = 1;
};
Stride stride();

// Takes FIRST/STEP. False: it is none, or no place would be taken.
bool set_stride(std::string_view text);

// Runs the tests whose name or file contains `filter`; empty runs all. Prints failures and the last line
// "N passed, N failed". Returns 0 when all passed and there were any, else 1.
int run_tests(std::string_view filter);

// Writes the output; defined beside main.
void print(std::string_view text);

// Counts one check of the running test. Returns `passed`; when it is false, prints the place and the text.
bool record(bool passed, const char* file, int line, const char* text);

namespace detail {

void print_signed(std::int64_t value);
void print_unsigned(std::uint64_t value);
void print_floating(double value);
void print_pointer(const void* value);
void print_text(std::string_view value);
void print_bytes(const void* data, std::size_t bytes);

template <typename T>
void print_value(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    print(value ? "true" : "false");
  } else if constexpr (std::is_enum_v<T>) {
    print_value(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    print_floating(static_cast<double>(value));
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    print_signed(value);
  } else if constexpr (std::is_integral_v<T>) {
    print_unsigned(value);
  } else if constexpr (std::is_null_pointer_v<T>) {
    print("nullptr");
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    print_text(value);
  } else if constexpr (std::is_pointer_v<T>) {
    print_pointer(value);
  } else {
    print_bytes(&value, sizeof value);
  }
}

// Compares by value, whatever the signs and widths of two integers.
template <typename A, typename B>
bool equal(const A& a, const B& b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    if constexpr (std::is_signed_v<A> != std::is_signed_v<B>) {
      if constexpr (std::is_signed_v<A>) {
        return a >= 0 && static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b);
      } else {
        return b >= 0 && static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b);
      }
    } else {
      return a == b;
    }
  } else if constexpr (std::is_convertible_v<const A&, std::string_view> &&
                       std::is_convertible_v<const B&, std::string_view>) {
    return std::string_view(a) == std::string_view(b);
  } else {
    return a == b;
  }
}

template <typename A, typename B>
bool record_equal(const A& a, const B& b, const char* file, int line, const char* text) {
  if (record(equal(a, b), file, line, text)) {
    return true;
  }
  print("  left:  ");
  print_value(a);
  print("\n  right: ");
  print_value(b);
  print("\n");
  return false;
}

}  // namespace detail
}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)

#define TEST(name) CHECK_TEST(name, CHECK_JOIN(test_at_line_, __LINE__))
#define CHECK_TEST(name, function)                                                \
  static void function();                                                         \
  static ::check::Test CHECK_JOIN(function, _entry)(name, __FILE__, &(function)); \
  static void function()

// Each is an expression of type bool: whether the check held.
#define CHECK(expression) ::check::record(static_cast<bool>(expression), __FILE__, __LINE__, #expression)
#define CHECK_EQ(a, b) ::check::detail::record_equal((a), (b), __FILE__, __LINE__, #a " == " #b)

// The same, leaving the function, which returns void, when they do not hold.
#define REQUIRE(expression)   \
  do {                        \
    if (!CHECK(expression)) { \
      return;                 \
    }                         \
  } while (false)
#define REQUIRE_EQ(a, b)   \
  do {                     \
    if (!CHECK_EQ(a, b)) { \
      return;              \
    }                      \
  } while (false)
