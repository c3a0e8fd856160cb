// ReduceMean: the sum divided by the number of elements. Of nothing it is NaN, for integers 0; integers are cut toward
// zero.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceMean : Sums<> {
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

extern constinit const HostOp host_reduce_mean = reduce_op<kSummable, ReduceMean>;

}  // namespace dbk
