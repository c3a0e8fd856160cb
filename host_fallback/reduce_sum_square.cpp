// ReduceSumSquare: the sum of squares; floats are added in double, integers wrap.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceSumSquare : Sums<> {
  template <class T>
  static State<T> term(Acc<T> x) {
    const State<T> s = static_cast<State<T>>(x);
    return s * s;
  }
};
}  // namespace

extern constinit const HostOp host_reduce_sum_square = reduce_op<kSummable, ReduceSumSquare>;

}  // namespace dbk
