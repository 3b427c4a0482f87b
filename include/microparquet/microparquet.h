// Everything of the core.
#pragma once

#include "microparquet/durability.h"
#include "microparquet/file.h"
#include "microparquet/options.h"
#include "microparquet/reader.h"
#include "microparquet/refused_count.h"
#include "microparquet/rolling.h"
#include "microparquet/row_queue.h"
#include "microparquet/schema.h"
#include "microparquet/sorting.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "microparquet/status.h"
#include "microparquet/typed.h"
#include "microparquet/version.h"
#include "microparquet/writer.h"
