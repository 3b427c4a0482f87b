#include "microparquet/version.h"

#include <string>

#include "support/check.h"
#include "support/file_view.h"
#include "written_file.h"

namespace mpq = microparquet;

namespace {

// The version of the project, as the build files have it.
const std::string kVersion = MICROPARQUET_CMAKE_VERSION;

}  // namespace

TEST("version.h has the version of the project") {
  const auto text = [](int number) { return std::to_string(number); };
  const std::string version =
      text(mpq::kVersionMajor) + "." + text(mpq::kVersionMinor) + "." + text(mpq::kVersionPatch);
  CHECK_EQ(version, kVersion);
  CHECK(mpq::kVersion == kVersion || mpq::kVersion == kVersion + "-dev");
}

TEST("created_by of a file has the version of the project") {
  constexpr mpq::Field kFields[] = {mpq::int32_field("n")};
  written::File file(kFields);
  REQUIRE_EQ(file.opened(), mpq::Status::kOk);
  REQUIRE_EQ(file.writer.close(), mpq::Status::kOk);
  const view::Struct footer = file.view().footer();
  const std::string created_by(footer.text(view::id::kCreatedBy));
  const bool is_released = mpq::kVersion == kVersion;
  CHECK_EQ(created_by, "microparquet version " + kVersion + (is_released ? " (build 1)" : " (build d)"));
}
