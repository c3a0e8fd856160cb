// Range: kernels/_range.wgsl with the number type's file, one element per invocation; start and delta are known.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, pad[3], start[2], delta[2];
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (node.values.size() < 3 || !node.values[0] || !node.values[2]) return "start and delta are not known before the run";
  return refuse_size(node.outputs[0], caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.outputs[0].dtype;
  ProgramText text;
  text.file("_range").file(std::format("_range_{}", to_string(dtype))).writes(dtype);
  if (dtype == DBK_I64) text.file("_number_i64").file("_pair").file("_wide_product");
  out.push_back({std::format("range/{}", to_string(dtype)), text, 0, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  Params params{to_u32(count), {}, {}, {}};
  const size_t size = bits_of(node.outputs[0].dtype) / 8;
  std::memcpy(params.start, node.values[0]->data, size);
  std::memcpy(params.delta, node.values[2]->data, size);
  out.push_back({0, {output(0)}, grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kRange{"range", refuse, programs, launch};

}  // namespace dbk::gpu
