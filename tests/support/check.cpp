#include "support/check.h"

namespace check {

namespace {

// Zero-initialised before any constructor of a Test runs.
Test* first_test;
Test* last_test;
unsigned checks_of_test;
unsigned failures_of_test;
Stride taken;

// Takes the digits that `text` begins with off it. False: there are none, or too many.
bool take_number(std::string_view& text, unsigned& number) {
  std::size_t digits = 0;
  for (number = 0; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    number = number * 10 + static_cast<unsigned>(text[digits] - '0');
  }
  text.remove_prefix(digits);
  return digits != 0 && digits < 6;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void print_hexadecimal(std::uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    print(std::string_view(&"0123456789abcdef"[(value >> shift) & 15u], 1));
  }
}

bool run_one(const Test& test) {
  checks_of_test = 0;
  failures_of_test = 0;
  test.run();
  if (checks_of_test == 0) {
    print(test.file());
    print(": a test without a check\n");
    ++failures_of_test;
  }
  if (failures_of_test != 0) {
    print("FAILED: ");
    print(test.name());
    print("\n");
  }
  return failures_of_test == 0;
}

}  // namespace

Stride stride() { return taken; }

bool set_stride(std::string_view text) {
  Stride told;
  if (!take_number(text, told.first) || text.empty() || text.front() != '/') return false;
  text.remove_prefix(1);
  if (!take_number(text, told.step) || !text.empty() || told.first >= told.step) return false;
  taken = told;
  return true;
}

Test::Test(std::string_view name, const char* file, Body body) : name_(name), file_(file), body_(body) {
  if (last_test == nullptr) {
    first_test = this;
  } else {
    last_test->next_ = this;
  }
  last_test = this;
}

bool record(bool passed, const char* file, int line, const char* text) {
  ++checks_of_test;
  if (!passed) {
    ++failures_of_test;
    print(file);
    print(":");
    detail::print_signed(line);
    print(": ");
    print(text);
    print("\n");
  }
  return passed;
}

int run_tests(std::string_view filter) {
  unsigned passed = 0;
  unsigned failed = 0;
  for (const Test* test = first_test; test != nullptr; test = test->next()) {
    if (contains(test->name(), filter) || contains(test->file(), filter)) {
      ++(run_one(*test) ? passed : failed);
    }
  }
  detail::print_unsigned(passed);
  print(" passed, ");
  detail::print_unsigned(failed);
  print(" failed\n");
  return failed == 0 && passed != 0 ? 0 : 1;
}

namespace detail {

void print_signed(std::int64_t value) {
  if (value < 0) {
    print("-");
  }
  print_unsigned(value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                           : static_cast<std::uint64_t>(value));
}

void print_unsigned(std::uint64_t value) {
  char digits[20];
  char* const end = digits + sizeof digits;
  char* first = end;
  do {
    *--first = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  print(std::string_view(first, static_cast<std::size_t>(end - first)));
}

// The bits, which tell everything, and for ordinary values six digits after the point, which are easier to
// read.
void print_floating(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  print("0x");
  print_hexadecimal(bits, 16);
  const double magnitude = value < 0 ? -value : value;
  if (magnitude < 1e12) {
    const auto millionths = static_cast<std::uint64_t>(magnitude * 1e6);
    print(value < 0 ? " (-" : " (");
    print_unsigned(millionths / 1000000);
    print(".");
    for (std::uint64_t unit = 100000; unit != 0; unit /= 10) {
      print_unsigned(millionths / unit % 10);
    }
    print(")");
  }
}

void print_pointer(const void* value) {
  print("0x");
  print_hexadecimal(reinterpret_cast<std::uintptr_t>(value), 2 * sizeof value);
}

void print_text(std::string_view value) {
  print("\"");
  print(value);
  print("\"");
}

void print_bytes(const void* data, std::size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  print("bytes");
  for (std::size_t i = 0; i < bytes; ++i) {
    print(" ");
    print_hexadecimal(byte[i], 2);
  }
}

}  // namespace detail
}  // namespace check
