/* Files for C: an object of a port, or functions of the caller's. */
#ifndef MICROPARQUET_C_FILE_H
#define MICROPARQUET_C_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A microparquet::File of any kind: of mpq_file_of(), of a port, or made by a part of the program that is C++. One
   call at a time; never from an interrupt. */
typedef struct mpq_file mpq_file;

/* What a file can do beyond writing forward: FileAbilities in microparquet/file.h, member by member. */
typedef struct mpq_file_abilities {
  bool seek;            /* write_at anywhere */
  bool read_back;       /* read_at of what was written */
  bool shrink;          /* publishes a smaller size, then frees the space */
  uint16_t block_bytes; /* 512, or what a cut may destroy: a larger power of two */
  bool gathers;         /* parts of sectors are as good as whole ones */
} mpq_file_abilities;

/* A file of the caller's. Each function gets the `context` of mpq_file_of(); what it has to do, what a power cut may
   find, and which statuses it returns, is said of the same function of File in microparquet/file.h and, with an
   example, in port/README.md. All of them are needed: one that has nothing to do returns MPQ_OK, one that the file
   cannot do MPQ_UNSUPPORTED. */
typedef struct mpq_file_functions {
  mpq_file_abilities abilities;                       /* the same as long as the file is used */
  mpq_status (*size)(void* context, uint64_t* bytes); /* the size now */
  mpq_status (*read_at)(void* context, uint64_t offset, void* out, size_t bytes); /* all bytes or none */
  mpq_status (*write_at)(void* context, uint64_t offset, const void* data,
                         size_t bytes);               /* all bytes or none */
  mpq_status (*reserve)(void* context, uint64_t end); /* the file will be written up to there */
  mpq_status (*barrier)(void* context);               /* what was written is on the medium */
  mpq_status (*sync)(void* context, uint64_t size);   /* and the size is published */
  mpq_status (*shrink)(void* context, uint64_t size); /* a smaller size is published */
} mpq_file_functions;

/* The memory of such a file. */
typedef struct mpq_function_file {
  void* storage[3]; /* the library's */
} mpq_function_file;

/* Makes a file of functions. All three are the caller's and must stay as long as the file is used. Null: one
   of the pointers but `context` is, or one of the functions. */
mpq_file* mpq_file_of(mpq_function_file* memory, const mpq_file_functions* functions, void* context);

#ifdef __cplusplus
}
#endif

#endif
