// ReduceSum: floats are added in double, integers wrap; nothing to add gives 0.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceSum {
  template <class T>
  using State = SumOf<T>;
  template <class T>
  static State<T> identity() {
    return 0;
  }
  template <class T>
  static State<T> term(Acc<T> x) {
    return static_cast<State<T>>(x);
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

extern constinit const HostOp host_reduce_sum = reduce_op<FLOATS | I32 | I64 | U32 | U64, ReduceSum>;

}  // namespace dbk
