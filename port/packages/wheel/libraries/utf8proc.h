// utf8proc, which the fetched sources have in a namespace of their own.
#pragma once

#include "utf8proc.hpp"

using namespace duckdb;  // NOLINT(google-build-using-namespace): programs name the functions as the library does
