// Relu: max(x, 0). A NaN stays.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Relu {
  template <class A>
  A operator()(A x) const {
    return x < A(0) ? A(0) : x;
  }
};
}  // namespace

extern constinit const HostOp host_relu = unary_op<FLOATS | I8 | I16 | I32 | I64, Relu>;

}  // namespace dbk
