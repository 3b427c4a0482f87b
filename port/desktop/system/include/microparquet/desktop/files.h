// Files, folders, pipes and devices of the system, which are no logs. A call that fails says why in errno, on Windows as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace microparquet::desktop {

// A descriptor with an owner. Its destructor closes it. A negative one is none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

constexpr int kInputDescriptor = 0;
constexpr int kOutputDescriptor = 1;

enum class FileKind : std::uint8_t {
  kNone,
  kFile,
  kFolder,
  kBlockDevice,
  kOther,  // a pipe, or a device that cannot seek
};

// What the system knows about a file.
struct FileState {
  FileKind kind = FileKind::kNone;
  std::uint64_t bytes = 0;
  std::int64_t changed_ns = 0;                         // time of the last change
  std::pair<std::uint64_t, std::uint64_t> identity{};  // its file system and its number there
};

// Returns the state; kNone: it cannot be found, errno says why.
FileState state_of(const std::string& path);
FileState state_of(int descriptor);

enum class Access : std::uint8_t {
  kRead,
  kReadAtOnce,  // does not wait for who writes a pipe
  kWrite,       // for a pipe or a device that is there
  kChange,      // reads and writes a file, which is made if there is none
  kReplace,     // the same, and it is empty
};

Descriptor open_file(const std::string& path, Access access);
Descriptor open_folder(const std::string& path);
// Opens a file, or a folder, of that name in an open folder, and follows no link.
Descriptor open_inside(int folder, const std::string& name, FileKind kind);

// Returns a path at which a descriptor's file can be opened once more.
std::string path_of(int descriptor);

// Returns how many bytes were moved, perhaps fewer than asked for; negative: errno.
std::ptrdiff_t read_some(int descriptor, void* out, std::size_t bytes);
std::ptrdiff_t read_some_at(int descriptor, void* out, std::size_t bytes, std::uint64_t offset);
std::ptrdiff_t write_some(int descriptor, const void* data, std::size_t bytes);
std::ptrdiff_t write_some_at(int descriptor, const void* data, std::size_t bytes, std::uint64_t offset);

// Waits for something to read, or the end. Returns 0 if there was none in that time, negative: errno.
int wait_to_read(int descriptor, int milliseconds);

// Returns where the next byte is read; negative: it cannot seek.
std::int64_t place_of(int descriptor);
// Goes to an offset.
bool seek(int descriptor, std::uint64_t offset);
// Returns where a file or block device ends; negative: errno.
std::int64_t end_of(int descriptor);
// Returns where the hole ends that begins at `offset`; 0: there is none, or the system does not tell.
std::uint64_t end_of_hole(int descriptor, std::uint64_t offset);

bool cut(int descriptor, std::uint64_t bytes);
bool put_on_disk(int descriptor);
// Puts all names of the file system on the disk, where it can.
void put_names_on_disk(int descriptor);
// Locks a file, unless another program has.
bool lock(int descriptor);

// Returns the path to which links lead; the same if there is nothing.
std::string without_links(const std::string& path);
// Moves a file to another name of the same folder, and replaces what is there.
bool replace(const std::string& from, const std::string& to);
// Whether that also replaces a file which this program has open.
#ifdef _WIN32
constexpr bool kReplacesOpenFiles = false;
#else
constexpr bool kReplacesOpenFiles = true;
#endif
bool remove_file(const std::string& path);

// Opens a file that is gone when it is closed.
Descriptor open_temporary(const std::string& folder);
// Returns the folder for such files, and the variable of the environment that names another one.
std::string temporary_folder();
const char* temporary_variable();
// Makes an empty file beside that one, with its owner and rights. Returns its path; empty: errno.
std::string make_beside(const std::string& path);

// Whether shells put files in place of a pattern, before a program sees it.
#ifdef _WIN32
constexpr bool kShellsExpand = false;
#else
constexpr bool kShellsExpand = true;
#endif
// Returns the paths that match a pattern with * and ?, in their order.
std::vector<std::string> paths_like(const std::string& pattern);

}  // namespace microparquet::desktop
