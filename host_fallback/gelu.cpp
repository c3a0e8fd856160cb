// Gelu: x * Phi(x), Phi being the normal distribution function; with approximate = "tanh" the usual tanh formula
// instead.
#include "host_fallback/elementary.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {

struct GeluExact {
  using Wide = void;
  template <class A>
  A operator()(A x) const {
    return elementary::gelu(x);
  }
};
struct GeluTanh {
  using Wide = void;
  template <class A>
  A operator()(A x) const {
    return elementary::gelu_tanh(x);
  }
};

void infer(Infer& infer) {
  const std::string& approximate = infer.attrs().text("approximate");
  if (approximate != "none" && approximate != "tanh")
    fail(DBK_INVALID_ARGUMENT, "approximate is '{}', not 'none' or 'tanh'", approximate);
  infer_unary(infer);
}

void compute(Compute& c) {
  if (c.attrs().text("approximate") == "tanh")
    compute_unary<FLOATS, GeluTanh>(c);
  else
    compute_unary<FLOATS, GeluExact>(c);
}

}  // namespace

extern constinit const HostOp host_gelu{FLOATS, 0, infer, compute};

}  // namespace dbk
