// ReduceL2: the root of the sum of squares, in double; integers are cut toward zero.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceL2 {
  template <class T>
  using State = double;
  template <class T>
  static State<T> identity() {
    return 0;
  }
  template <class T>
  static State<T> term(Acc<T> x) {
    const double d = static_cast<double>(x);
    return d * d;
  }
  template <class S>
  static S combine(S a, S b) {
    return a + b;
  }
  template <class T>
  static Acc<T> finish(State<T> sum, int64_t) {
    return number_cast<Acc<T>>(std::sqrt(sum));
  }
};
}  // namespace

extern constinit const HostOp host_reduce_l2 = reduce_op<FLOATS | I32 | I64 | U32 | U64, ReduceL2>;

}  // namespace dbk
