#include "predicate.h"

#include <algorithm>
#include <utility>

#include "output.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

using microparquet::detail::Comparison;

bool test_allows(Test test, Comparison found) {
  switch (test) {
    case Test::kEqual: return found == Comparison::kEqual;
    case Test::kNotEqual: return found == Comparison::kLess || found == Comparison::kGreater;
    case Test::kLess: return found == Comparison::kLess;
    case Test::kLessEqual: return found == Comparison::kLess || found == Comparison::kEqual;
    case Test::kGreater: return found == Comparison::kGreater;
    case Test::kGreaterEqual: return found == Comparison::kGreater || found == Comparison::kEqual;
    case Test::kIsNull:
    case Test::kNotNull: break;
  }
  return false;
}

Test opposite(Test test) {
  switch (test) {
    case Test::kEqual: return Test::kNotEqual;
    case Test::kNotEqual: return Test::kEqual;
    case Test::kLess: return Test::kGreaterEqual;
    case Test::kLessEqual: return Test::kGreater;
    case Test::kGreater: return Test::kLessEqual;
    case Test::kGreaterEqual: return Test::kLess;
    case Test::kIsNull: return Test::kNotNull;
    case Test::kNotNull: return Test::kIsNull;
  }
  return test;
}

class PredicateMaker {
 public:
  PredicateMaker(const std::string& text, const ParquetFile& file, std::vector<Column>& chosen)
      : text_(text), file_(file), chosen_(chosen) {}

  // Makes the predicate of the condition, or with `negated` of its opposite: NOT goes down to the tests, by
  // the rules of De Morgan, which hold with three values, too.
  Predicate make(const Condition& condition, bool negated) {
    switch (condition.kind) {
      case Condition::Kind::kNot: return make(condition.parts.front(), !negated);
      case Condition::Kind::kAnd:
      case Condition::Kind::kOr: return make_list(condition, negated);
      default: break;
    }
    Predicate predicate;
    predicate.kind = Predicate::Kind::kTest;
    predicate.test = make_test(condition, negated);
    return predicate;
  }

 private:
  Predicate make_list(const Condition& condition, bool negated) {
    Predicate predicate;
    const bool all = (condition.kind == Condition::Kind::kAnd) != negated;
    predicate.kind = all ? Predicate::Kind::kAll : Predicate::Kind::kAny;
    for (const Condition& part : condition.parts) {
      predicate.parts.push_back(make(part, negated));
    }
    return predicate;
  }

  ColumnTest make_test(const Condition& condition, bool negated) {
    const Column& column = find(condition.column);
    ColumnTest result;
    result.column = column.number;
    result.cell = place_of(column);
    if (condition.kind == Condition::Kind::kHolds) {
      return make_holds(condition, column, negated, std::move(result));
    }
    const bool nullness = condition.test == Test::kIsNull || condition.test == Test::kNotNull;
    if (condition.kind == Condition::Kind::kCompare) {
      result.kind = ColumnTest::Kind::kCompare;
      result.test = negated ? opposite(condition.test) : condition.test;
      if (nullness) {
        return result;
      }
    } else {
      const bool negative = (condition.kind == Condition::Kind::kNotIn) != negated;
      result.kind = negative ? ColumnTest::Kind::kNotIn : ColumnTest::Kind::kIn;
    }
    take_values(condition, column, result);
    return result;
  }

  ColumnTest make_holds(const Condition& condition, const Column& column, bool negated,
                        ColumnTest result) const {
    if (column.element.type != microparquet::Type::kBoolean) {
      refuse_word(text_, condition.column,
                  "column " + column.name + " is " + type_text(column.element) +
                      ": it is neither true nor false; compare it with a value");
    }
    result.kind = ColumnTest::Kind::kCompare;
    result.test = Test::kEqual;
    WrittenValue value;
    value.kind = negated ? WrittenKind::kFalse : WrittenKind::kTrue;
    result.literals.emplace_back(text_, column.name, column.element, value);
    return result;
  }

  // NULL in a list keeps NOT IN from being true of anything, and IN from nothing.
  void take_values(const Condition& condition, const Column& column, ColumnTest& result) const {
    if (!is_comparable(column.element)) {
      refuse_word(text_, condition.column,
                  "values of " + type_text(column.element) +
                      " have no order; only IS NULL and IS NOT NULL can be asked");
    }
    bool null = false;
    for (const WrittenValue& value : condition.values) {
      if (value.kind == WrittenKind::kNull) {
        null = true;
      } else {
        result.literals.emplace_back(text_, column.name, column.element, value);
      }
    }
    const bool in = result.kind == ColumnTest::Kind::kIn;
    if (null && (!in || result.literals.empty())) {
      result.kind = ColumnTest::Kind::kNever;
    }
  }

  const Column& find(const Word& word) const {
    const auto& columns = file_.columns();
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column& column) { return column.name == word.text; });
    if (found == columns.end()) {
      std::string known;
      for (const Column& column : columns) {
        known += (known.empty() ? "" : ", ") + column.name;
      }
      refuse_word(text_, word, file_.name() + " has no such column; it has " + known);
    }
    if (found->element.max_repetition_level != 0) {
      refuse_word(text_, word, "column " + found->name + " holds lists, which cannot be compared");
    }
    return *found;
  }

  std::size_t place_of(const Column& column) {
    const auto found = std::find_if(chosen_.begin(), chosen_.end(), [&](const Column& candidate) {
      return candidate.number == column.number;
    });
    const auto place = static_cast<std::size_t>(found - chosen_.begin());
    if (found == chosen_.end()) {
      chosen_.push_back(column);
    }
    return place;
  }

  const std::string& text_;
  const ParquetFile& file_;
  std::vector<Column>& chosen_;
};

}  // namespace

bool ColumnTest::holds(const microparquet::Cell& value) const {
  if (kind == Kind::kCompare && (test == Test::kIsNull || test == Test::kNotNull)) {
    return value.null() == (test == Test::kIsNull);
  }
  if (kind == Kind::kNever || value.null()) {
    return false;
  }
  const microparquet::Span<const std::byte> bytes(value.data, value.bytes);
  if (kind == Kind::kCompare) {
    return test_allows(test, literals.front().compare(bytes));
  }
  const bool in = std::any_of(literals.begin(), literals.end(), [&](const Literal& literal) {
    return literal.compare(bytes) == Comparison::kEqual;
  });
  return in == (kind == Kind::kIn);
}

bool Predicate::holds(const microparquet::Reader& reader) const {
  const auto part_holds = [&](const Predicate& part) { return part.holds(reader); };
  switch (kind) {
    case Kind::kAll: return std::all_of(parts.begin(), parts.end(), part_holds);
    case Kind::kAny: return std::any_of(parts.begin(), parts.end(), part_holds);
    case Kind::kTest: break;
  }
  return test.holds(reader.cell(test.cell));
}

Predicate make_predicate(const Condition& condition, const std::string& text, const ParquetFile& file,
                         std::vector<Column>& chosen) {
  return PredicateMaker(text, file, chosen).make(condition, false);
}

namespace {

// A bound compared with a literal, if it is known.
bool min_is(const PossibleValues& possible, const Literal& literal, Comparison found) {
  return possible.has_min && literal.compare(possible.min) == found;
}
bool max_is(const PossibleValues& possible, const Literal& literal, Comparison found) {
  return possible.has_max && literal.compare(possible.max) == found;
}

// NaN comes after all numbers, and bounds do not tell of it.
bool may_equal(const PossibleValues& possible, const Literal& literal) {
  if (literal.is_nan()) {
    return possible.nans;
  }
  return !min_is(possible, literal, Comparison::kGreater) && !max_is(possible, literal, Comparison::kLess);
}

bool may_be_less(const PossibleValues& possible, const Literal& literal) {
  return !min_is(possible, literal, Comparison::kGreater) && !min_is(possible, literal, Comparison::kEqual);
}

bool may_be_greater(const PossibleValues& possible, const Literal& literal) {
  if (literal.is_nan()) {
    return false;
  }
  return possible.nans ||
         (!max_is(possible, literal, Comparison::kLess) && !max_is(possible, literal, Comparison::kEqual));
}

// All values lie between bounds that equal it.
bool all_equal(const PossibleValues& possible, const Literal& literal) {
  return !possible.nans && min_is(possible, literal, Comparison::kEqual) &&
         max_is(possible, literal, Comparison::kEqual);
}

bool may_compare(Test test, const PossibleValues& possible, const Literal& literal) {
  switch (test) {
    case Test::kEqual: return may_equal(possible, literal);
    case Test::kNotEqual: return !all_equal(possible, literal);
    case Test::kLess: return may_be_less(possible, literal);
    case Test::kLessEqual: return may_be_less(possible, literal) || may_equal(possible, literal);
    case Test::kGreater: return may_be_greater(possible, literal);
    case Test::kGreaterEqual: return may_be_greater(possible, literal) || may_equal(possible, literal);
    case Test::kIsNull: return possible.nulls;
    case Test::kNotNull: return possible.values;
  }
  return true;
}

}  // namespace

void PossibleValues::check(microparquet::detail::ValueOrder order) {
  nans = nans && microparquet::detail::has_nan(order);
  const bool min_wrong = has_min && !microparquet::detail::has_place(order, min);
  const bool max_wrong = has_max && !microparquet::detail::has_place(order, max);
  if (min_wrong || max_wrong) {
    has_min = false;
    has_max = false;
  }
}

bool may_hold(const ColumnTest& test, const PossibleValues& possible) {
  using Kind = ColumnTest::Kind;
  if (test.kind == Kind::kCompare && test.test == Test::kIsNull) {
    return possible.nulls;
  }
  if (test.kind == Kind::kNever || !possible.values) {
    return false;
  }
  switch (test.kind) {
    case Kind::kNever: break;
    case Kind::kCompare:
      return test.literals.empty() || may_compare(test.test, possible, test.literals.front());
    case Kind::kIn:
      return std::any_of(test.literals.begin(), test.literals.end(),
                         [&](const Literal& literal) { return may_equal(possible, literal); });
    case Kind::kNotIn:
      return std::none_of(test.literals.begin(), test.literals.end(),
                          [&](const Literal& literal) { return all_equal(possible, literal); });
  }
  return false;
}

}  // namespace mpq_tool
