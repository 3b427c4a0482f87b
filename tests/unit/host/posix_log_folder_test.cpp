// The folder of a log on a POSIX system: the newest files stay, and so does everything that is not the log's.
#include "microparquet/port/posix_log_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "microparquet/rolling.h"
#include "microparquet/static_writer.h"
#include "support/check.h"

using microparquet::Status;

namespace {

struct Counted {
  std::int64_t number = 0;
};
constexpr auto kCounted = microparquet::schema(microparquet::column("number", &Counted::number));
using CountedWriter = microparquet::StaticWriter<kCounted>;

// A folder that is gone with everything in it at the end.
class TestFolder {
 public:
  TestFolder() : made_(mkdtemp(path_) != nullptr) {}
  ~TestFolder() {
    std::error_code error;
    static_cast<void>(std::filesystem::remove_all(path_, error));
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  bool is_made() const { return made_; }
  std::string path(const std::string& name) const { return std::string(path_) + "/" + name; }

 private:
  char path_[32] = "/tmp/microparquet-XXXXXX";
  bool made_;
};

bool exists(const std::string& path) {
  struct stat about = {};
  return lstat(path.c_str(), &about) == 0;
}

class CountedFolder final : public microparquet::PosixLogFolder {
 public:
  explicit CountedFolder(const TestFolder& folder) : PosixLogFolder(folder.path("log")) {}
  bool has_id(const microparquet::LogFile& file, std::uint32_t id) override { return id == 40 + file.split; }
};

bool write_file(const std::string& path, std::uint32_t id) {
  microparquet::PosixFile file;
  CountedWriter writer;
  return file.create(path.c_str()) == Status::kOk && writer.open(file, {{}, id}) == Status::kOk &&
         writer.append({1}) == Status::kOk && writer.close() == Status::kOk && file.close() == Status::kOk;
}

}  // namespace

TEST("on a POSIX system the newest files of a log stay, and all of others") {
  const TestFolder folder;
  REQUIRE(folder.is_made());
  for (const char* name : {"log", "log/00000001", "log/00000002", "log/00000003.kept"})
    REQUIRE(mkdir(folder.path(name).c_str(), 0700) == 0);
  for (std::uint32_t split = 1; split <= 6; ++split) {
    char name[48];
    std::snprintf(name, sizeof name, "log/%08u/%08u.parquet", split < 4 ? 1U : 2U, split);
    REQUIRE(write_file(folder.path(name), 40 + split));
  }
  REQUIRE(write_file(folder.path("log/00000002/00000001.parquet"), 7));  // of another log
  std::ofstream(folder.path("log/00000002/notes.txt")) << "text";
  std::ofstream(folder.path("log/00000002/00000003.parquet")) << "not Parquet";
  REQUIRE(symlink("/etc/hostname", folder.path("log/00000002/00000002.parquet").c_str()) == 0);

  CountedFolder log(folder);
  microparquet::RetentionLimits limits;
  limits.when_full = microparquet::WhenFull::kDropOldest;
  limits.low_water = 1;  // there is as much
  limits.files = 2;
  microparquet::Retention retention(log, limits);
  retention.begin_file(2, 6);
  std::uint32_t now_ms = 0;
  for (unsigned i = 0; i < 1'000; ++i) CHECK(retention.step(now_ms += 100) == Status::kOk);
  CHECK_EQ(retention.removed(), 4U);
  CHECK(!exists(folder.path("log/00000001")));
  CHECK(!exists(folder.path("log/00000002/00000004.parquet")));
  for (const char* name : {"00000005.parquet", "00000006.parquet", "00000001.parquet", "00000002.parquet",
                           "00000003.parquet", "notes.txt"})
    CHECK(exists(folder.path(std::string("log/00000002/") + name)));
  CHECK(exists(folder.path("log/00000003.kept")));
  std::uint64_t bytes = 0;
  bool is_done = false;
  CHECK(log.count_free(1, bytes, is_done) == Status::kOk && is_done && bytes != 0);
}

TEST("a log's folder that is not there has no files") {
  const TestFolder folder;
  CountedFolder log(folder);
  std::uint32_t session = 0;
  CHECK(log.list_sessions() == Status::kOk && log.next_session(session) == Status::kEnd);
}
