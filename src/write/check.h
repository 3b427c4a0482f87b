// Whether a schema and options make sense, before anything is written.
#pragma once

#include "microparquet/file.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/status.h"

namespace microparquet::write {

Status check_schema(Schema schema);

// Requires: the schema has been checked.
Status check_options(Schema schema, const Options& options, const FileAbilities& abilities);

}  // namespace microparquet::write
