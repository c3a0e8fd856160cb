// ArgMin: where the smallest element along an axis is.
#include "host_fallback/arg.h"

namespace dbk {

namespace {
struct ArgMin {
  template <class A>
  bool operator()(A a, A b) const {
    return a < b;
  }
};
}  // namespace

extern constinit const HostOp host_arg_min = arg_op<NUMBERS, ArgMin>;

}  // namespace dbk
