// BitShift: a's bits moved by b places to the left or right, as `direction` says; zeros follow, and nothing is left where b
// is the width or more.
#include "host_fallback/binary.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = U8 | U16 | U32 | U64;

struct Left {
  template <class A>
  A operator()(A a, A b) const {
    return b < 8 * sizeof(A) ? static_cast<A>(a << b) : A(0);
  }
};
struct Right {
  template <class A>
  A operator()(A a, A b) const {
    return b < 8 * sizeof(A) ? static_cast<A>(a >> b) : A(0);
  }
};

void infer(Infer& infer) {
  const std::string& direction = infer.attrs().text("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    fail(DBK_INVALID_ARGUMENT, "direction is '{}', not 'LEFT' or 'RIGHT'", direction);
  infer_binary(infer);
}

void compute(Compute& c) {
  if (c.attrs().text("direction") == "LEFT")
    compute_binary<kTypes, Left>(c);
  else
    compute_binary<kTypes, Right>(c);
}

}  // namespace

extern constinit const HostOp host_bit_shift{kTypes, 0, infer, compute};

}  // namespace dbk
