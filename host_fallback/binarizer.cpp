// Binarizer: 1 above the threshold, else 0.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Binarizer {
  double threshold;
  explicit Binarizer(const Attributes& attrs) : threshold(attrs.real("threshold")) {}
  template <class A>
  A operator()(A x) const {
    return static_cast<double>(x) > threshold ? A(1) : A(0);
  }
};
}  // namespace

extern constinit const HostOp host_binarizer = unary_op<F32 | F64 | I32 | I64, Binarizer>;

}  // namespace dbk
