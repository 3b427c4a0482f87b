#include "microparquet/version.h"

#include <string>

#include "support/check.h"
#include "support/file_view.h"
#include "written_file.h"

namespace mpq = microparquet;

namespace {

// The version of the project, as the build files have it.
std::string of_project() { return MICROPARQUET_CMAKE_VERSION; }

}  // namespace

TEST("version.h has the version of the project") {
  const auto text = [](int number) { return std::to_string(number); };
  const std::string version =
      text(mpq::kVersionMajor) + "." + text(mpq::kVersionMinor) + "." + text(mpq::kVersionPatch);
  CHECK_EQ(version, of_project());
  CHECK(mpq::kVersion == of_project() || mpq::kVersion == of_project() + "-dev");
}

TEST("created_by of a file has the version of the project") {
  constexpr mpq::Field kFields[] = {mpq::int32_field("n")};
  written::File file(kFields);
  REQUIRE_EQ(file.opened(), mpq::Status::kOk);
  REQUIRE_EQ(file.writer.close(), mpq::Status::kOk);
  const view::Struct footer = file.view().footer();
  const std::string created_by(footer.text(view::id::kCreatedBy));
  const bool is_released = mpq::kVersion == of_project();
  CHECK_EQ(created_by, "microparquet version " + of_project() + (is_released ? " (build 1)" : " (build d)"));
}
