// Names for the files of an image in one folder.
#pragma once

#include <string>
#include <vector>

namespace mpq_tool {

// A name for each of the files, whose names on the image have folders in front; `otherwise` is a name for each that has none.
// No two are the same, in letters of any case, nor is one that of another while it is written (NewFile): a later one gets
// "-2" before its ending. What a folder's entry may say and no file should be called, such as "..", a control character or a
// name that is too long, is replaced.
std::vector<std::string> names_apart(const std::vector<std::string>& names,
                                     const std::vector<std::string>& otherwise);

}  // namespace mpq_tool
