#include "microparquet/status.h"

#include <string_view>

#include "support/check.h"

using microparquet::Status;
using microparquet::to_string;

TEST("every status has a name of its own") {
  constexpr int kCodes = static_cast<int>(Status::kListTooLong) + 1;
  for (int i = 0; i < kCodes; ++i) {
    const std::string_view name = to_string(static_cast<Status>(i));
    CHECK(name.size() > 1);
    for (int j = 0; j < i; ++j) CHECK(name != to_string(static_cast<Status>(j)));
  }
  CHECK_EQ(to_string(Status::kNoSpace), "no space");
  CHECK_EQ(to_string(static_cast<Status>(200)), "?");
}
