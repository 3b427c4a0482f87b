// Random options of programs on a computer.
#pragma once

#include "plan.h"
#include "small_reader.h"

namespace lives {

// See Vary: encodings, compressions, versions of data pages, sizes of pages a column, indexes with bloom filters, all other
// sizes and times, and courses of values for these to suit, or not.
void vary_options(Plan& plan, Chance& chance, bool first);

// See small::Unpack.
bool unpack_page(int codec, std::string_view bytes, std::size_t plain_bytes, std::string& plain);

}  // namespace lives
