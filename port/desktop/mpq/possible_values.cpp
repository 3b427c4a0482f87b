#include "possible_values.h"

#include <algorithm>

namespace mpq_tool {

namespace {

using microparquet::detail::Comparison;

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
