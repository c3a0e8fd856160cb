// ReduceProd: floats are multiplied in double, integers wrap; nothing to multiply gives 1.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceProd {
  template <class T>
  using State = SumOf<T>;
  template <class T>
  static State<T> identity() {
    return 1;
  }
  template <class T>
  static State<T> term(Acc<T> x) {
    return static_cast<State<T>>(x);
  }
  template <class S>
  static S combine(S a, S b) {
    return a * b;
  }
  template <class T>
  static Acc<T> finish(State<T> product, int64_t) {
    return static_cast<Acc<T>>(product);
  }
};
}  // namespace

extern constinit const HostOp host_reduce_prod = reduce_op<FLOATS | I32 | I64 | U32 | U64, ReduceProd>;

}  // namespace dbk
