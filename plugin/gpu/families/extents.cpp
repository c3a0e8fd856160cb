// Shape and Size: the numbers are known when a launch is made and travel with it; kernels/_list.wgsl writes them down. Only
// where somebody computes with them: what decides shapes never reaches a device.
#include <span>

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kMost = DBK_MAX_RANK / 2;  // vectors: two numbers in each

struct Params {
  uint32_t vectors, pad[3];
  int64_t numbers[DBK_MAX_RANK];
};
static_assert(sizeof(Params) % 16 == 0);

std::string refuse(const TypedNode&, const Capabilities&) { return {}; }

void programs(const TypedNode&, const Capabilities&, std::vector<Program>& out) {
  ProgramText text;
  out.push_back({"extents", text.constant("most", kMost).file("_list"), 0, 1});
}

void launch(const TypedNode& node, const Capabilities&, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  Params params{to_u32(ceil_div(static_cast<uint64_t>(count), 2)), {}, {}};
  const Attributes& attrs = *node.attrs;
  const Tensor in{node.inputs[0], nullptr};
  Tensor result{node.outputs[0], params.numbers};
  Compute compute({&attrs, node.version}, std::span(&in, 1), std::span(&result, 1));
  node.op->host->compute(compute);
  out.push_back({0, {output(0)}, {1, 1, 1}, to_params(params)});
}

}  // namespace

constinit const Family kExtents{"extents", refuse, programs, launch};

}  // namespace dbk::gpu
