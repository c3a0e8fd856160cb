// Log: natural logarithm; -inf at 0, NaN below.
#include "host_fallback/elementary.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Log {
  template <class A>
  A operator()(A x) const {
    return elementary::log(x);
  }
};
}  // namespace

extern constinit const HostOp host_log = unary_op<FLOATS, Log>;

}  // namespace dbk
