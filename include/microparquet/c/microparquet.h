/* All of microparquet for C99. README.md of this folder says what C programs link. */
#ifndef MICROPARQUET_C_MICROPARQUET_H
#define MICROPARQUET_C_MICROPARQUET_H

#include "microparquet/c/clock_anchors.h"
#include "microparquet/c/compatible.h"
#include "microparquet/c/file.h"
#include "microparquet/c/file_start.h"
#include "microparquet/c/nested.h"
#include "microparquet/c/objects.h"
#include "microparquet/c/options.h"
#include "microparquet/c/reader.h"
#include "microparquet/c/rolling.h"
#include "microparquet/c/schema.h"
#include "microparquet/c/status.h"
#include "microparquet/c/writer.h"

#endif
