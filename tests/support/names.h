// The names of the library that most tests use, without its namespace.
#pragma once

#include "microparquet/reader.h"
#include "microparquet/writer.h"

using microparquet::Field;
using microparquet::File;
using microparquet::FileAbilities;
using microparquet::Options;
using microparquet::Reader;
using microparquet::ReaderOptions;
using microparquet::Schema;
using microparquet::SortingColumn;
using microparquet::Span;
using microparquet::Status;
using microparquet::Type;
using microparquet::Value;
using microparquet::Writer;
