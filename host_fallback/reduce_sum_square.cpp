// ReduceSumSquare: the sum of squares; floats are added in double, integers wrap.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceSumSquare {
  template <class T>
  using State = SumOf<T>;
  template <class T>
  static State<T> identity() {
    return 0;
  }
  template <class T>
  static State<T> term(Acc<T> x) {
    const State<T> s = static_cast<State<T>>(x);
    return s * s;
  }
  template <class S>
  static S combine(S a, S b) {
    return a + b;
  }
  template <class T>
  static Acc<T> finish(State<T> sum, int64_t) {
    return static_cast<Acc<T>>(sum);
  }
};
}  // namespace

extern constinit const HostOp host_reduce_sum_square = reduce_op<FLOATS | I32 | I64 | U32 | U64, ReduceSumSquare>;

}  // namespace dbk
