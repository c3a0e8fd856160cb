// Not: true where x is false.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Not {
  template <class A>
  A operator()(A x) const {
    return !x;
  }
};
}  // namespace

extern constinit const HostOp host_not = unary_op<BOOL, Not>;

}  // namespace dbk
