// ReduceLogSumExp: log(sum(exp(x))) in double, with the largest element taken out so that nothing overflows; of nothing
// it is -inf. Integers are cut toward zero.
#include <cmath>
#include <limits>

#include "host_fallback/number_cast.h"
#include "host_fallback/reduce.h"

namespace dbk {

namespace {

// The sum of exponentials is `sum` times exp(top).
struct ScaledSum {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
};

// exp(x - top), where both may be infinite.
double relative(double x, double top) { return x == top ? 1 : std::exp(x - top); }

struct ReduceLogSumExp {
  template <class T>
  using State = ScaledSum;
  template <class T>
  static ScaledSum identity() {
    return {};
  }
  template <class T>
  static ScaledSum term(Acc<T> x) {
    return {static_cast<double>(x), 1};
  }
  static ScaledSum combine(const ScaledSum& a, const ScaledSum& b) {
    const double top = larger(a.top, b.top);
    return {top, a.sum * relative(a.top, top) + b.sum * relative(b.top, top)};
  }
  template <class T>
  static Acc<T> finish(const ScaledSum& s, int64_t) {
    return number_cast<Acc<T>>(s.sum == 0 ? -std::numeric_limits<double>::infinity() : s.top + std::log(s.sum));
  }
};
}  // namespace

extern constinit const HostOp host_reduce_log_sum_exp = reduce_op<kSummable, ReduceLogSumExp>;

}  // namespace dbk
