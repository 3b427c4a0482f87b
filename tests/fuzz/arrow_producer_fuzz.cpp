// libFuzzer: any bytes as the script of a producer of Arrow arrays, which are written to a file. What is refused leaves no
// file; what is not has no fault, and is read again as it was.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "arrow_cells.h"
#include "arrow_producer.h"
#include "microparquet/desktop/arrow.h"

namespace {

using namespace microparquet;

constexpr std::uint32_t kPageBytes = 4096;  // less to be made empty each time
constexpr std::uint32_t kRowGroupRows = 64;

using Cells = std::vector<std::optional<std::string>>;

// A folder of this process's own, in memory where there is such a place, gone when it ends.
class Folder {
 public:
  Folder() {
    const std::filesystem::path in_memory = "/dev/shm";
    const bool there = std::filesystem::is_directory(in_memory);
    std::string name =
        ((there ? in_memory : std::filesystem::temp_directory_path()) / "arrow_fuzz_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file() const { return path_ / "out.parquet"; }
  bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::filesystem::path path_;
};

// Adds values; for types that the file stores as another type, only whether there is a value.
void add_cells(const ArrowSchema& type, const ArrowSchema& given, const ArrowArray& array, std::int64_t first,
               std::int64_t rows, Cells& cells) {
  for (std::int64_t row = first; row < first + rows; ++row)
    cells.push_back(cell_as_given(type, given, array, row));
}

std::vector<Cells> given_cells(const Producer& producer) {
  const ArrowSchema& schema = producer.schema();
  std::vector<Cells> cells(static_cast<std::size_t>(schema.n_children));
  for (const ArrowArray& array : producer.arrays()) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      add_cells(*schema.children[i], *schema.children[i], *array.children[i], array.offset, array.length,
                cells[i]);
    }
  }
  return cells;
}

std::vector<Cells> found_cells(const Producer& producer, const std::string& path) {
  ArrowArrayStream stream = {};
  desktop::read_arrow(path, {}, stream);
  ArrowSchema schema = {};
  if (stream.get_schema(&stream, &schema) != 0) std::abort();
  std::vector<Cells> cells(static_cast<std::size_t>(schema.n_children));
  for (;;) {
    ArrowArray array = {};
    if (stream.get_next(&stream, &array) != 0) std::abort();
    if (array.release == nullptr) break;
    check_array(schema, array);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      add_cells(*schema.children[i], *producer.schema().children[i], *array.children[i], 0, array.length,
                cells[i]);
    }
    array.release(&array);
  }
  schema.release(&schema);
  stream.release(&stream);
  return cells;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  Script script(data, size);
  Producer producer(script);
  ArrowArrayStream stream = producer.stream();
  try {
    desktop::ArrowWriteSettings settings;
    settings.page_bytes = kPageBytes;
    settings.row_group_rows = kRowGroupRows;
    desktop::write_arrow(stream, folder.file(), settings);
  } catch (const std::exception&) {
    if (!folder.empty()) std::abort();
    return 0;
  }
  if (stream.release != nullptr) std::abort();
  if (given_cells(producer) != found_cells(producer, folder.file())) std::abort();
  std::filesystem::remove(folder.file());
  return 0;
}
