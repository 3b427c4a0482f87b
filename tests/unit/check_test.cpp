// The check macros themselves, as far as a passing test can show them.
#include "support/check.h"

namespace {

enum class Colour : unsigned char { kRed = 3 };

struct Pair {
  int a;
  int b;
};
bool operator==(const Pair& x, const Pair& y) { return x.a == y.a && x.b == y.b; }

}  // namespace

TEST("integers of different signs and widths compare by value") {
  CHECK(!check::detail::equal(-1, 0xFFFFFFFFu));
  CHECK(!check::detail::equal(0xFFFFFFFFFFFFFFFFull, std::int64_t{-1}));
  CHECK(check::detail::equal(std::uint8_t{255}, std::int64_t{255}));
  CHECK_EQ(sizeof(int), 4);
}

TEST("text compares by its characters, not by its place") {
  const char copy[] = {'a', 'b', '\0'};
  CHECK_EQ(copy, std::string_view("ab"));
  CHECK_EQ(copy, "ab");
  CHECK(!check::detail::equal("ab", "ac"));
}

TEST("enumerators, pointers and structs compare") {
  const int* none = nullptr;
  CHECK_EQ(Colour::kRed, Colour::kRed);
  CHECK_EQ(none, nullptr);
  CHECK_EQ((Pair{1, 2}), (Pair{1, 2}));
  CHECK(!check::detail::equal(Pair{1, 2}, Pair{2, 1}));
}
