// Definitions of the objects in microparquet/c/schema.h.
#pragma once

#include "microparquet/c/schema.h"
#include "microparquet/schema.h"

struct mpq_type {
  microparquet::Field field;  // field without a name
};

struct mpq_encoding {
  void (*apply)(microparquet::Field& field);
};

struct mpq_optional {
  void (*apply)(microparquet::Field& field);
};
