// Ops that move nothing: the executor makes their output another name of their input (views) or uploads it (constants).
#include "plugin/gpu/families/families.h"

namespace dbk::gpu {

namespace {

std::string refuse(const TypedNode&, const Capabilities&) { return {}; }
void programs(const TypedNode&, const Capabilities&, std::vector<Program>&) {}
void launch(const TypedNode&, const Capabilities&, std::vector<Dispatch>&) {}

}  // namespace

constinit const Family kView{"view", refuse, programs, launch};
constinit const Family kConstant{"constant", refuse, programs, launch};

}  // namespace dbk::gpu
