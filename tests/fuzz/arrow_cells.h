// Arrays of the Arrow C data interface, looked at by what its specification says and nothing of this project.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "microparquet/desktop/arrow_abi.h"

// Ends the program where the array's lengths, offsets, nulls or children do not fit each other or the type, and reads every
// byte of it, for a sanitizer to see those that are not there.
void check_array(const ArrowSchema& type, const ArrowArray& array);

// The bytes of value `row` of a column that has no children; nothing: a null. Of texts in any layout those of the text, of a
// dictionary's index those of its entry.
std::optional<std::string> cell_of(const ArrowSchema& type, const ArrowArray& array, std::int64_t row);

// Whether a file has the values of the type as they are: else as others, such as seconds as milliseconds.
bool stays_the_same(const ArrowSchema& type);

// As cell_of(), of a column of any type: of a list, map or struct the cells that it has inside. `given` is the type that was
// written: of values that a file has as others the cell is empty.
std::optional<std::string> cell_as_given(const ArrowSchema& type, const ArrowSchema& given,
                                         const ArrowArray& array, std::int64_t row);
