#include "c_writer.h"
#include "opaque.h"

void c_writer_measure(c_writer_row* row) { microparquet::bench::opaque(*row); }
uint64_t c_writer_size(void* medium) { return medium == nullptr ? 1 : 0; }
int c_writer_read(void* medium, uint64_t, void*, size_t) { return medium == nullptr ? 1 : 0; }
int c_writer_write(void* medium, uint64_t, const void*, size_t) { return medium == nullptr ? 1 : 0; }
int c_writer_sync(void* medium, uint64_t) { return medium == nullptr ? 1 : 0; }
