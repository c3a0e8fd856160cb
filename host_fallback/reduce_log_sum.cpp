// ReduceLogSum: the logarithm of the sum, in double; of nothing it is -inf. Integers are cut toward zero.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceLogSum : Sums<true> {
  template <class T>
  static Acc<T> finish(double sum, int64_t) {
    return number_cast<Acc<T>>(std::log(sum));
  }
};
}  // namespace

extern constinit const HostOp host_reduce_log_sum = reduce_op<kSummable, ReduceLogSum>;

}  // namespace dbk
