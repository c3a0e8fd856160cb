// ReduceLogSum: the logarithm of the sum, in double; of nothing it is -inf. Integers are cut toward zero.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceLogSum {
  template <class T>
  using State = double;
  template <class T>
  static State<T> identity() {
    return 0;
  }
  template <class T>
  static State<T> term(Acc<T> x) {
    return static_cast<double>(x);
  }
  template <class S>
  static S combine(S a, S b) {
    return a + b;
  }
  template <class T>
  static Acc<T> finish(State<T> sum, int64_t) {
    return number_cast<Acc<T>>(std::log(sum));
  }
};
}  // namespace

extern constinit const HostOp host_reduce_log_sum = reduce_op<FLOATS | I32 | I64 | U32 | U64, ReduceLogSum>;

}  // namespace dbk
