/* Objects in memory of any language, which asks for their sizes instead of declaring their structs; and the version of
   the library that is linked or loaded.

     void* memory = malloc(mpq_writer_bytes());
     mpq_writer* writer;
     mpq_status status = mpq_writer_in(memory, mpq_writer_bytes(), &writer);

   Each function `_in` makes an object without contents in memory that begins on 8 bytes and stays the caller's.
   - MPQ_INVALID_ARGUMENT: a pointer is null, or the memory does not begin on 8 bytes
   - MPQ_OUT_OF_MEMORY: it is shorter than the function `_bytes` says; it stays untouched, and the pointer becomes null */
#ifndef MICROPARQUET_C_OBJECTS_H
#define MICROPARQUET_C_OBJECTS_H

#include <stddef.h>

#include "microparquet/c/clock_anchors.h"
#include "microparquet/c/file.h"
#include "microparquet/c/reader.h"
#include "microparquet/c/rolling.h"
#include "microparquet/c/status.h"
#include "microparquet/c/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the library, such as "0.2.0": of which each minor version may have other structs. Static storage. */
const char* mpq_version(void);

/* Returns the size of a writer. */
size_t mpq_writer_bytes(void);
/* Makes a writer that has not been opened. */
mpq_status mpq_writer_in(void* memory, size_t memory_bytes, mpq_writer** writer);

/* Returns the size of a reader. */
size_t mpq_reader_bytes(void);
/* Makes a reader that has not been opened. */
mpq_status mpq_reader_in(void* memory, size_t memory_bytes, mpq_reader** reader);

/* Returns the size of a log over a sequence of files. */
size_t mpq_rolling_bytes(void);
/* Makes a log for mpq_rolling_make(). */
mpq_status mpq_rolling_in(void* memory, size_t memory_bytes, mpq_rolling** log);

/* Returns the size of clock anchors. */
size_t mpq_clock_anchors_bytes(void);
/* Makes anchors for mpq_clock_anchors_begin(). */
mpq_status mpq_clock_anchors_in(void* memory, size_t memory_bytes, mpq_clock_anchors** anchors);

/* Returns the size of a file of functions. */
size_t mpq_function_file_bytes(void);
/* Makes memory for mpq_file_of(). */
mpq_status mpq_function_file_in(void* memory, size_t memory_bytes, mpq_function_file** file);

#ifdef __cplusplus
}
#endif

#endif
