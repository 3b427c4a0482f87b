/* The only error type of the library, for C: see Status in microparquet/status.h, which tells the caller what to do
   about each. */
#ifndef MICROPARQUET_C_STATUS_H
#define MICROPARQUET_C_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Statuses, with the numbers of Status. */
typedef enum mpq_status {
  MPQ_OK,               /* done */
  MPQ_END,              /* no more rows, values or row groups: leave the loop; not an error */
  MPQ_INVALID_ARGUMENT, /* an argument, option or column is wrong, or a pointer null: correct the program */
  MPQ_WRONG_STATE,      /* the call is not allowed now: correct the program */
  MPQ_OUT_OF_MEMORY,    /* the memory given is too small */
  MPQ_VALUE_TOO_LARGE,  /* the value does not fit in one page: shorten it, or give the column larger pages */
  MPQ_NULL_VALUE,       /* null for a required column */
  MPQ_LIMIT_REACHED,    /* no further row group fits in this file: close it, continue in a new one */
  MPQ_NO_SPACE,         /* the medium is full: close, which in place has its space reserved */
  MPQ_IO_ERROR,         /* the file failed: repeat the call, or give up */
  MPQ_MEDIUM_LOST,      /* the medium is gone: when it is back, open the file again, mpq_writer_reconnect() */
  MPQ_NOT_PARQUET,      /* no Parquet file */
  MPQ_CORRUPT,   /* the file contradicts itself or its checksums; of a writer: mpq_writer_checkpoint() */
  MPQ_ENCRYPTED, /* the file is encrypted */
  MPQ_SCHEMA_MISMATCH, /* the file has other columns: continue in a new one */
  MPQ_UNSUPPORTED      /* legal Parquet that needs a decoder or codec not given */
} mpq_status;

/* Returns the name of a status for messages, such as "no space". Static storage. */
const char* mpq_status_text(mpq_status status);

#ifdef __cplusplus
}
#endif

#endif
