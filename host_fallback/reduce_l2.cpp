// ReduceL2: the root of the sum of squares, in double; integers are cut toward zero.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceL2 : Sums<true> {
  template <class T>
  static double term(Acc<T> x) {
    const double d = static_cast<double>(x);
    return d * d;
  }
  template <class T>
  static Acc<T> finish(double sum, int64_t) {
    return number_cast<Acc<T>>(std::sqrt(sum));
  }
};
}  // namespace

extern constinit const HostOp host_reduce_l2 = reduce_op<kSummable, ReduceL2>;

}  // namespace dbk
