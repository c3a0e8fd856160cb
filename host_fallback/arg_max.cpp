// ArgMax: where the largest element along an axis is.
#include "host_fallback/arg.h"

namespace dbk {

namespace {
struct ArgMax {
  template <class A>
  bool operator()(A a, A b) const {
    return a > b;
  }
};
}  // namespace

extern constinit const HostOp host_arg_max = arg_op<NUMBERS, ArgMax>;

}  // namespace dbk
