// The table of the files of a lake.
#pragma once

#include "lake.h"

namespace mpq_tool {

// Makes LAKE/files.parquet from what the files say. Throws LakeFailure.
void write_files_table(Lake& lake);

}  // namespace mpq_tool
