#include "host_fallback/op.h"

namespace dbk {

const Tensor& Infer::value(size_t i) const {
  if (!known(i)) throw Unknown{i};
  return *inputs_[i].value;
}

}  // namespace dbk
