// ReduceL1: the sum of absolute values; floats are added in double, integers wrap.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceL1 : Sums<> {
  template <class T>
  static State<T> term(Acc<T> x) {
    const State<T> s = static_cast<State<T>>(x);
    return x < Acc<T>(0) ? -s : s;
  }
};
}  // namespace

extern constinit const HostOp host_reduce_l1 = reduce_op<kSummable, ReduceL1>;

}  // namespace dbk
