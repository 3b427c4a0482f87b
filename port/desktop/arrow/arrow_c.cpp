#include "microparquet/desktop/arrow_c.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "microparquet/desktop/arrow.h"

// A library for Windows shows all names where none is marked.
#ifdef _WIN32
#define MICROPARQUET_ARROW_SHOWN __declspec(dllexport)
#else
#define MICROPARQUET_ARROW_SHOWN __attribute__((visibility("default")))
#endif

namespace {

// Runs `action`. No exception leaves a function of C.
template <typename Action>
int guarded(char* error, std::size_t error_bytes, Action action) {
  try {
    action();
    return 0;
  } catch (const std::exception& failure) {
    if (error_bytes != 0) {
      const std::size_t length = std::min(std::strlen(failure.what()), error_bytes - 1);
      std::memcpy(error, failure.what(), length);
      error[length] = 0;
    }
    return 1;
  }
}

int read(const char* path, const char* const* columns, size_t column_count, uint32_t batch_rows,
         bool physical, ArrowArrayStream* stream, char* error, size_t error_bytes) {
  return guarded(error, error_bytes, [&] {
    microparquet::desktop::ArrowReadSettings settings;
    settings.columns.assign(columns, columns + column_count);
    settings.batch_rows = batch_rows != 0 ? batch_rows : settings.batch_rows;
    settings.physical = physical;
    microparquet::desktop::read_arrow(path, settings, *stream);
  });
}

}  // namespace

MICROPARQUET_ARROW_SHOWN int microparquet_read_arrow(const char* path, const char* const* columns,
                                                     size_t column_count, uint32_t batch_rows,
                                                     ArrowArrayStream* stream, char* error,
                                                     size_t error_bytes) {
  return read(path, columns, column_count, batch_rows, false, stream, error, error_bytes);
}

MICROPARQUET_ARROW_SHOWN int microparquet_read_arrow_physical(const char* path, const char* const* columns,
                                                              size_t column_count, uint32_t batch_rows,
                                                              ArrowArrayStream* stream, char* error,
                                                              size_t error_bytes) {
  return read(path, columns, column_count, batch_rows, true, stream, error, error_bytes);
}

MICROPARQUET_ARROW_SHOWN int microparquet_write_arrow(ArrowArrayStream* stream, const char* path,
                                                      const char* codec, char* error, size_t error_bytes) {
  return guarded(error, error_bytes, [&] {
    microparquet::desktop::ArrowWriteSettings settings;
    settings.codec = codec != nullptr ? codec : settings.codec;
    microparquet::desktop::write_arrow(*stream, path, settings);
  });
}
