// ReduceMean: the sum divided by the number of elements. Of nothing it is NaN, for integers 0; integers are cut toward
// zero.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceMean {
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
  static Acc<T> finish(State<T> sum, int64_t count) {
    if constexpr (std::is_floating_point_v<Acc<T>>) {
      return static_cast<Acc<T>>(sum / static_cast<double>(count));
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      return count == 0 ? T(0) : static_cast<T>(static_cast<Wide>(static_cast<T>(sum)) / static_cast<Wide>(count));
    }
  }
};
}  // namespace

extern constinit const HostOp host_reduce_mean = reduce_op<FLOATS | I32 | I64 | U32 | U64, ReduceMean>;

}  // namespace dbk
