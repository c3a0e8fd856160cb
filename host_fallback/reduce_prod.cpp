// ReduceProd: floats are multiplied in double, integers wrap; nothing to multiply gives 1.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceProd : Sums<> {
  template <class T>
  static State<T> identity() {
    return 1;
  }
  template <class S>
  static S combine(S a, S b) {
    return a * b;
  }
};
}  // namespace

extern constinit const HostOp host_reduce_prod = reduce_op<kSummable, ReduceProd>;

}  // namespace dbk
