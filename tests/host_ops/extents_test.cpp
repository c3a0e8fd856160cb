// Extents as expressions: what is equal in every run has one id, and nothing else.
#include <unity.h>

#include "plugin/graph/extent_table.h"

using namespace dbk;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

const std::vector<Symbol> kSymbols{{"b", 0, -1}, {"s", 1, 512}, {"t", 0, 512}};

struct Table : ExtentTable {
  Table() : ExtentTable(kSymbols) {}
  Extent b = symbol(0), s = symbol(1), t = symbol(2);
  Extent n(int64_t value) { return constant(value); }
};

void test_equal_expressions_have_one_id() {
  Table x;
  TEST_ASSERT_EQUAL(x.product({x.b, x.s, x.n(12)}), x.product({x.n(3), x.product({x.s, x.n(4)}), x.b}));
  TEST_ASSERT_EQUAL(x.sum({x.b, x.n(1), x.n(2)}), x.sum({x.n(3), x.b}));
  TEST_ASSERT_EQUAL(x.n(6), x.product({x.n(2), x.n(3)}));
  TEST_ASSERT_EQUAL(x.b, x.product({x.b, x.n(1)}));
  TEST_ASSERT_EQUAL(x.b, x.sum({x.b, x.n(0)}));
  TEST_ASSERT_EQUAL(x.n(0), x.product({x.b, x.n(0)}));
}

// s and t have the same maximum, and two unknowns the same description.
void test_other_expressions_have_other_ids() {
  Table x;
  TEST_ASSERT_NOT_EQUAL(x.s, x.t);
  TEST_ASSERT_NOT_EQUAL(x.unknown(), x.unknown());
  TEST_ASSERT_NOT_EQUAL(x.sum({x.b, x.s}), x.product({x.b, x.s}));
}

void test_quotients_divide_or_are_unknown() {
  Table x;
  TEST_ASSERT_EQUAL(x.n(32), x.quotient(x.product({x.b, x.s, x.n(384)}), x.product({x.b, x.s, x.n(12)})));
  TEST_ASSERT_EQUAL(x.b, x.quotient(x.product({x.b, x.s}), x.s));
  const Extent odd = x.quotient(x.product({x.b, x.n(3)}), x.n(2));
  TEST_ASSERT_FALSE(x.value_of(odd).has_value());
  TEST_ASSERT_NOT_EQUAL(odd, x.quotient(x.product({x.b, x.n(3)}), x.n(2)));
  TEST_ASSERT_FALSE(x.value_of(x.quotient(x.n(6), x.n(0))).has_value());
}

void test_broadcasts() {
  Table x;
  TEST_ASSERT_EQUAL(x.b, x.broadcast(x.b, x.b));
  TEST_ASSERT_EQUAL(x.b, x.broadcast(x.b, x.n(1)));
  TEST_ASSERT_EQUAL(x.b, x.broadcast(x.n(1), x.b));
  TEST_ASSERT_EQUAL(x.n(7), x.broadcast(x.b, x.n(7)));
  TEST_ASSERT_EQUAL(x.n(0), x.broadcast(x.n(0), x.b));
  const Extent either = x.broadcast(x.b, x.s);  // any of them may be 1
  TEST_ASSERT_TRUE(either != x.b && either != x.s);
}

// The rows of a table that a sequence needs: the lesser of both extents.
void test_minima() {
  Table x;
  TEST_ASSERT_EQUAL(x.s, x.minimum(x.s, x.n(512)));  // at most 512 by declaration
  TEST_ASSERT_EQUAL(x.n(0), x.minimum(x.b, x.n(0)));
  const Extent cut = x.minimum(x.b, x.n(512));
  TEST_ASSERT_NOT_EQUAL(x.b, cut);
  TEST_ASSERT_EQUAL(x.b, x.broadcast(x.b, cut));  // if it were less it would be 512, which broadcasts with nothing else
  TEST_ASSERT_EQUAL(x.b, x.broadcast(cut, x.b));
  TEST_ASSERT_NOT_EQUAL(x.b, x.broadcast(x.b, x.minimum(x.b, x.symbol(1))));  // s may be 1
}

void test_bounds() {
  Table x;
  TEST_ASSERT_EQUAL_INT64(0, x.at_least(x.b));
  TEST_ASSERT_EQUAL_INT64(1, x.at_least(x.s));
  TEST_ASSERT_EQUAL_INT64(12, x.at_least(x.product({x.s, x.n(12)})));
  TEST_ASSERT_EQUAL_INT64(5, x.at_least(x.sum({x.b, x.n(5)})));
  TEST_ASSERT_EQUAL_INT64(INT64_MIN, x.at_least(x.sum({x.b, x.n(-5)})));
  TEST_ASSERT_EQUAL_INT64(INT64_MIN, x.at_least(x.unknown(true)));
  TEST_ASSERT_FALSE(x.at_most(x.b).has_value());
}

void test_numbers_beyond_64_bits_are_unknown() {
  Table x;
  TEST_ASSERT_FALSE(x.value_of(x.product({x.n(INT64_MAX), x.n(2)})).has_value());
  TEST_ASSERT_FALSE(x.value_of(x.sum({x.n(INT64_MAX), x.n(1)})).has_value());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_equal_expressions_have_one_id);
  RUN_TEST(test_other_expressions_have_other_ids);
  RUN_TEST(test_quotients_divide_or_are_unknown);
  RUN_TEST(test_broadcasts);
  RUN_TEST(test_minima);
  RUN_TEST(test_bounds);
  RUN_TEST(test_numbers_beyond_64_bits_are_unknown);
  return UNITY_END();
}
