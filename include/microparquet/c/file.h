/* Files for C: an object of a port, or functions of the caller. */
#ifndef MICROPARQUET_C_FILE_H
#define MICROPARQUET_C_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A microparquet::File of any kind: from mpq_file_of(), from a port, or from C++ code of the program. One call at a
   time; never from an interrupt. */
typedef struct mpq_file mpq_file;

/* Abilities of a file beyond writing forward: FileAbilities in microparquet/file.h, member by member. */
typedef struct mpq_file_abilities {
  bool seek;            /* write_at anywhere */
  bool read_back;       /* read_at of written bytes */
  bool shrink;          /* publishes a smaller size, then frees the space */
  uint16_t block_bytes; /* bytes that a cut may destroy: 512 or a larger power of two */
  bool gathers;         /* parts of sectors are as good as whole ones */
} mpq_file_abilities;

/* Functions of the caller's file. Each gets the `context` of mpq_file_of(). The same function of File in
   microparquet/file.h, and port/README.md with an example, describe its work, its statuses and the effects of a power
   cut. All functions are needed: one with nothing to do returns MPQ_OK, one that the file cannot support
   MPQ_UNSUPPORTED. */
typedef struct mpq_file_functions {
  mpq_file_abilities abilities; /* abilities; they do not change while the file is used */
  mpq_status (*size)(void* context, uint64_t* bytes);                             /* the present size */
  mpq_status (*read_at)(void* context, uint64_t offset, void* out, size_t bytes); /* all bytes or none */
  mpq_status (*write_at)(void* context, uint64_t offset, const void* data,
                         size_t bytes);               /* all bytes or none */
  mpq_status (*reserve)(void* context, uint64_t end); /* the file will be written up to there */
  mpq_status (*barrier)(void* context);               /* puts written bytes on the medium */
  mpq_status (*sync)(void* context, uint64_t size);   /* puts them there and publishes the size */
  mpq_status (*shrink)(void* context, uint64_t size); /* a smaller size is published */
} mpq_file_functions;

/* Memory of such a file. */
typedef struct mpq_function_file {
  void* storage[3]; /* the library's */
} mpq_function_file;

/* Makes a file of functions. All three are the caller's and must stay as long as the file is used. Returns null if one
   of the functions, or of the pointers apart from `context`, is null. */
mpq_file* mpq_file_of(mpq_function_file* memory, const mpq_file_functions* functions, void* context);

#ifdef __cplusplus
}
#endif

#endif
