// ReduceMax: the largest element; a NaN wins, as in NumPy. Of nothing it is -inf or the type's lowest number.
#include <limits>

#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceMax : Choice {
  template <class T>
  static State<T> identity() {
    using L = std::numeric_limits<Acc<T>>;
    return L::has_infinity ? static_cast<Acc<T>>(-L::infinity()) : L::lowest();
  }
  template <class S>
  static S combine(S a, S b) {
    return larger(a, b);
  }
};
}  // namespace

extern constinit const HostOp host_reduce_max = reduce_op<FLOATS | I8 | I32 | I64 | U8 | U32 | U64 | BOOL, ReduceMax>;

}  // namespace dbk
