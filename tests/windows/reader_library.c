// The reader's library of a wheel as Python's ctypes takes it, in a program without a manifest, whose code page is not UTF-8: copies
// a file of a folder whose name is none of that code page. Run by tests/groups/wheel on wine.
//   reader_library LIBRARY
#include <stdint.h>
#include <stdio.h>
#include <windows.h>

enum { kErrorBytes = 4096, kPlaces = 8 };

// An ArrowArrayStream.
struct Stream {
  void* places[kPlaces];
};

typedef int (*Read)(const char*, const char* const*, size_t, uint32_t, struct Stream*, char*, size_t);
typedef int (*Write)(struct Stream*, const char*, const char*, char*, size_t);

int main(int count, char** words) {
  char error[kErrorBytes] = "";
  const HMODULE library = count == 2 ? LoadLibraryA(words[1]) : NULL;
  if (library == NULL) {
    printf("not loaded: %lu\n", GetLastError());
    return 1;
  }
  const Read read = (Read)(void*)GetProcAddress(library, "microparquet_read_arrow");
  const Write write = (Write)(void*)GetProcAddress(library, "microparquet_write_arrow");
  struct Stream stream;
  if (read == NULL || write == NULL ||
      read("l\xC3\xA4ufe/zstd.parquet", NULL, 0, 0, &stream, error, sizeof error) != 0 ||
      write(&stream, "l\xC3\xA4ufe/copy.parquet", "zstd", error, sizeof error) != 0) {
    printf("%s\n", error);
    return 1;
  }
  return 0;
}
