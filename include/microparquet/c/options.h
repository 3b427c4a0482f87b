/* Settings of a writer, for C: Options in microparquet/options.h, member by member, which describes each.

     mpq_options options = mpq_default_options;
     options.page_bytes = 1024;
*/
#ifndef MICROPARQUET_C_OPTIONS_H
#define MICROPARQUET_C_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Constants, whose values C++ does not see here. NOLINTBEGIN(bugprone-dynamic-static-initializers) */

/* Place of the open row group: see layout.h. */
typedef struct mpq_layout mpq_layout;
extern const mpq_layout mpq_in_place;                /* makes checkpoints; the default */
extern const mpq_layout mpq_in_place_no_checkpoints; /* saves a kilobyte of code */
extern const mpq_layout* const mpq_in_place_tailed;  /* for few rows between two checkpoints or boots */
extern const mpq_layout* const mpq_in_place_saving;  /* the same, and tick() saves */
extern const mpq_layout mpq_forward;                 /* row groups wait in memory; for pipes and flash */
extern const mpq_layout* const mpq_forward_saving;   /* the same with saves, for files */

/* Column by which rows are sorted. */
typedef struct mpq_sorting_column {
  uint32_t column;  /* index among the columns */
  bool descending;  /* the largest value first */
  bool nulls_first; /* nulls come before values */
} mpq_sorting_column;

/* Checks whether rows are sorted as declared. */
typedef struct mpq_sort_checker mpq_sort_checker;
extern const mpq_sort_checker* const mpq_row_sort_checker; /* compares the rows */

/* Order in which rows arrive: see sorting.h. All zero: none. */
typedef struct mpq_sort_order {
  const mpq_sorting_column* columns; /* the first counts most */
  size_t column_count;               /* number of columns */
  const mpq_sort_checker* checker;   /* mpq_row_sort_checker */
} mpq_sort_order;

/* Checksum; `crc` is that of the bytes before. */
typedef uint32_t (*mpq_crc32)(uint32_t crc, const void* data, size_t bytes);
/* Checksum by a table of 512 bytes. */
uint32_t mpq_crc32_fast(uint32_t crc, const void* data, size_t bytes);
/* Checksum by a table of 128 bytes. */
uint32_t mpq_crc32_small(uint32_t crc, const void* data, size_t bytes);

/* Compilers must expect another view of its members: the library reads them as Options. */
#if defined(__GNUC__)
#define MICROPARQUET_MAY_ALIAS __attribute__((__may_alias__))
#else
#define MICROPARQUET_MAY_ALIAS
#endif

/* Settings of a writer: see the head of this file. */
typedef struct MICROPARQUET_MAY_ALIAS mpq_options {
  uint32_t page_bytes;       /* size of a page with its header */
  bool whole_sectors;        /* pages begin and end on sectors, in place */
  uint8_t transfer_align;    /* alignment of memory that goes to the file in whole sectors */
  const mpq_layout* layout;  /* place of waiting row groups */
  uint32_t row_group_rows;   /* largest number; 0: no such limit */
  uint32_t row_group_bytes;  /* size in the file, or in memory; 0: it grows with the file */
  uint32_t row_group_ms;     /* greatest age; 0: no such limit */
  uint32_t checkpoint_ms;    /* time between checkpoints; 0: on request only */
  uint32_t max_loss_ms;      /* longest time between checkpoints */
  uint32_t save_ms;          /* longest time without a save, in layouts that save; 0: on request only */
  uint16_t checkpoint_ratio; /* bytes stored for each byte a checkpoint costs */
  uint16_t max_row_groups_in_memory; /* forward, where the file cannot be read back */
  uint8_t max_bound_bytes;           /* length of bounds of texts */
  uint8_t max_key_values;            /* places for key-values */
  uint16_t block_bytes;              /* bytes that a cut may destroy */
  mpq_sort_order sorting;            /* order in which rows arrive */
  uint32_t file_id;                  /* another for each file on a medium */
  mpq_crc32 checksum;                /* checksum of pages, records and footers */
} mpq_options;
#undef MICROPARQUET_MAY_ALIAS

/* Options to copy and change. */
extern const mpq_options mpq_default_options;

/* NOLINTEND(bugprone-dynamic-static-initializers) */

#ifdef __cplusplus
}
#endif

#endif
