#include "next_name.h"

#include "microparquet/desktop/files.h"
#include "type_guess.h"

namespace csv_log {

std::string numbered_name(const std::string& path, unsigned number) {
  if (number <= 1) {
    return path;
  }
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_extension = dot != path.npos && dot != 0 && (slash == path.npos || dot > slash + 1);
  const std::string stem = path.substr(0, has_extension ? dot : path.npos);
  return stem + "-" + std::to_string(number) + (has_extension ? path.substr(dot) : "");
}

unsigned last_number(const std::string& path) {
  using namespace microparquet::desktop;
  unsigned number = 0;
  while (state_of(numbered_name(path, number + 1)).kind != FileKind::kNone) {
    ++number;
  }
  return number;
}

void widen(ColumnPlan& column, const std::vector<std::string>& strangers) {
  const CellRules rules;
  TypeGuess guess(rules, ToldForms{true, column.dates, {'\0', '\0'}}, std::nullopt);
  for (const std::string& text : strangers) {
    guess.see(text, 1);
  }
  ColumnType type = guess.type();
  const ColumnType& before = column.type;
  if (is_number(before) && is_number(type) && type.number_form.thousands == '\0') {
    const bool whole =
        before.kind == Kind::kInteger && type.kind == Kind::kInteger && before.is_signed && type.is_signed;
    type.kind = whole || guess.is_beyond_doubles() ? Kind::kInteger : Kind::kDouble;
  } else if (type.kind != before.kind || is_number(type)) {
    type = ColumnType();
  }
  const bool same = to_string(stored(type)) == to_string(stored(before)) &&
                    type.date_order == before.date_order && !has_date(type);
  column.type = same ? ColumnType() : type;
  column.optional = true;
}

}  // namespace csv_log
