// Functions of the worker that runs the core: they give it the dropped file, and take what it says and makes. Offsets are numbers of JavaScript,
// exact up to 2^53.
#pragma once

#include <cstdint>

#define MICROPARQUET_OF_PAGE(name) __attribute__((import_module("page"), import_name(#name)))

extern "C" {

// Bytes of the dropped file. 0: they are there.
MICROPARQUET_OF_PAGE(read) int page_read(double offset, void* out, std::uint32_t bytes);

// How far it is.
MICROPARQUET_OF_PAGE(progress)
void page_progress(const char* what, std::uint32_t what_bytes, double done);

// A file that was found begins: its name on the image, and its title, or neither where the dropped file is the one. The lines
// after it are about it.
MICROPARQUET_OF_PAGE(found)
void page_found(const char* name, std::uint32_t name_bytes, const char* title, std::uint32_t title_bytes);
MICROPARQUET_OF_PAGE(line)
void page_line(const char* what, std::uint32_t what_bytes, const char* text, std::uint32_t text_bytes);
// A sentence about the file system of an image.
MICROPARQUET_OF_PAGE(note) void page_note(const char* text, std::uint32_t bytes);

// The rescued file begins; gets bytes; and gets a piece of the dropped file.
MICROPARQUET_OF_PAGE(create) void page_create();
MICROPARQUET_OF_PAGE(write) void page_write(const void* data, std::uint32_t bytes);
MICROPARQUET_OF_PAGE(take) void page_take(double offset, double bytes);
// Bytes of the rescued file. 0: they are there.
MICROPARQUET_OF_PAGE(read_created) int page_read_created(double offset, void* out, std::uint32_t bytes);

// The found file ends. Outcome: as that of recovery, or kOutcomeComplete.
MICROPARQUET_OF_PAGE(end) void page_end(std::uint32_t outcome);
// Nothing was found, or no more: a sentence that begins with the name of the file.
MICROPARQUET_OF_PAGE(failed) void page_failed(const char* text, std::uint32_t bytes);

}  // extern "C"

namespace microparquet::rescue {

inline constexpr std::uint32_t kOutcomeComplete = 4;  // the file needs nothing

}  // namespace microparquet::rescue
