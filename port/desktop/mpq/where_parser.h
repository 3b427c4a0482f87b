// Conditions as people write them.
#pragma once

#include <string>

#include "condition.h"

namespace mpq_tool {

// Takes a text apart:
//
//   condition   all_of { OR all_of }
//   all_of      negated { AND negated }
//   negated     NOT negated | "(" condition ")" | test
//   test        column, which holds true or false
//             | column ( "=" | "<>" | "<" | "<=" | ">" | ">=" ) value, or the value first
//             | column [NOT] IN "(" value { "," value } ")"
//             | column [NOT] BETWEEN value AND value
//             | column IS [NOT] NULL
//   column      name | "name in double quotes"
//   value       number | 'text' | x'hexadecimal' | TRUE | FALSE | NULL
//
// "!=" is "<>", "==" is "=". Words of the language may be written in letters of any case. Throws WrongRequest.
Condition parse_condition(const std::string& text);

}  // namespace mpq_tool
