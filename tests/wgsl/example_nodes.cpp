#include "tests/wgsl/example_nodes.h"

#include <algorithm>
#include <map>

#include "tests/wgsl/example_families.h"

using namespace dbk;
using namespace dbk::gpu;

namespace wgsl {

TypedNode ExampleNode::view() {
  for (size_t i = 0; i < inputs.size() && !axes.empty(); ++i) {
    if ((known >> i & 1) == 0) continue;
    tensors[i] = {inputs[i], axes.data()};
    values[i] = &tensors[i];
  }
  weights[1] = weight_b;
  return {op, &attrs, version, inputs, outputs, {values, inputs.size()}, {weights, inputs.size()}};
}

std::deque<ExampleNode> example_nodes() {
  const std::map<std::string_view, void (*)(const OpRow&, DType, families::Nodes&)> makers{
#define DBK_FAMILY(family) {#family, families::family},
#include "example_families.inc"
#undef DBK_FAMILY
  };
  families::Nodes nodes;
  for (const OpRow& op : all_ops()) {
    const auto maker = makers.find(op.family);
    if (maker == makers.end()) continue;  // no kernel
    for (DType t : families::kTypes)
      if (contains(op.gpu_dtypes, t)) maker->second(op, t, nodes);
  }
  add_expression_nodes(nodes);
  return nodes;
}

std::vector<Adapter> example_adapters() {
  Capabilities bare;
  Capabilities gpu;
  gpu.f16 = gpu.subgroups = true;
  gpu.max_storage_bindings = 16;
  gpu.subgroup_min = gpu.subgroup_max = 32;
  gpu.robust = false;
  Capabilities cpu = gpu;
  cpu.cpu_adapter = true;
  cpu.subgroup_min = cpu.subgroup_max = 8;
  Capabilities cpu_checked = cpu;
  cpu_checked.robust = true;
  std::vector<Adapter> adapters{{"bare", bare}, {"gpu", gpu}, {"cpu", cpu}, {"cpu, checked", cpu_checked}};
  for (const char* family : {"lane", "tile", "gemv"}) {
    adapters.push_back({family, gpu});
    adapters.back().caps.controls.matmul_family = family;
  }
  Adapter coop{"coop", cpu_checked};  // as llvmpipe has it
  coop.caps.matrices = {{8, 8, 8, "f16", "f16"}, {8, 8, 8, "f16", "f32"}, {8, 8, 8, "u8", "u32"}, {8, 8, 8, "i8", "i32"}};
  coop.caps.controls.matmul_family = "coop";
  adapters.push_back(coop);
  adapters.push_back({"gemv, packed", coop.caps});
  adapters.back().caps.controls.matmul_family = "gemv", adapters.back().caps.controls.matmul_variant = "4x64-packed";
  for (const char* family : {"tile", "coop"}) {  // with k in parts
    const auto whole = std::ranges::find(adapters, std::string_view(family), &Adapter::name);
    adapters.push_back(*whole);
    adapters.back().name = family[0] == 't' ? "tile, split" : "coop, split";
    adapters.back().caps.controls.matmul_variant = "split";
  }
  Adapter square{"matrices of 16", gpu};  // as NVIDIA and AMD have it
  square.caps.matrices = {{16, 16, 16, "f16", "f32"}, {16, 16, 16, "f16", "f16"}, {16, 16, 32, "i8", "i32"}};
  adapters.push_back(square);
  Adapter flat{"matrices of 8 rows", gpu};  // as Intel has it
  flat.caps.subgroup_min = 16;
  flat.caps.matrices = {{8, 16, 16, "f16", "f32"}, {8, 16, 32, "u8", "u32"}};
  adapters.push_back(flat);
  Adapter plain{"matrices of f32", gpu};  // as Apple has it
  plain.caps.matrices = {{8, 8, 8, "f32", "f32"}, {8, 8, 8, "f16", "f16"}};
  adapters.push_back(plain);
  return adapters;
}

}  // namespace wgsl
