// Pad and CenterCropPad: kernels/_pad.wgsl with the mode's file. Neighbouring axes without pads are one.
#include "host_fallback/pad.h"

#include "host_fallback/number_cast.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

struct Params {  // dimensions follow
  uint32_t count, start, value[2];
};
struct Dim {
  uint32_t extent = 1;
  float inverse = 1;
  int32_t before = 0, from = 1;
  uint32_t stride = 0, pad[3] = {};
};
static_assert(sizeof(Params) == 16 && sizeof(Dim) == 32);

constexpr size_t kPads = 1, kValue = 2, kAxes = 3;  // inputs

bool centred(const TypedNode& node) { return node.op->id == "center_crop_pad"; }  // input 1 is the shape of the result

PadMode mode_of(const TypedNode& node) { return centred(node) ? PadMode::Constant : pad_mode(*node.attrs); }

bool known(const TypedNode& node, size_t i) { return !node.has(i) || (i < node.values.size() && node.values[i]); }

Pads pads_of(const TypedNode& node) {
  if (centred(node)) return centred_pads(node.inputs[0].shape, node.outputs[0].shape);
  const IntList pads = node.has(kPads) ? IntList{node.values[kPads]} : attribute_list(*node.attrs, "pads");
  const IntList axes = node.has(kAxes) ? IntList{node.values[kAxes]} : IntList{};
  return dbk::pads_of(pads, axes, node.inputs[0].shape.rank());
}

// Pads that may change from bind to bind must not change the program.
bool fixed(const TypedNode& node) { return !centred(node) && (!node.has(kPads) || (kPads < node.is_weight.size() && node.is_weight[kPads])); }

// Dimensions of the kernel, outermost first. An axis without pads continues one before it that has none either.
std::vector<Dim> dims_of(const TypedNode& node) {
  const Shape &in = node.inputs[0].shape, &out = node.outputs[0].shape, strides = dense_strides(in);
  const Pads pads = pads_of(node);
  const CroppedInput rest = cropped(in, pads);
  std::vector<Dim> dims;
  bool plain = false;
  for (uint32_t d = 0; d < in.rank(); ++d) {
    const bool continues = plain && fixed(node) && pads.before[d] == 0 && pads.behind[d] == 0;
    plain = pads.before[d] == 0 && pads.behind[d] == 0;
    if (!continues) dims.push_back({1, 1, static_cast<int32_t>(rest.added.before[d]), 1});
    Dim& dim = dims.back();
    dim.extent *= to_u32(out[d]);
    dim.inverse = inverse_of(dim.extent);
    dim.from *= static_cast<int32_t>(rest.extents[d]);
    dim.stride = to_u32(strides[d]);
  }
  if (dims.empty()) dims.emplace_back();
  return dims;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (!known(node, kPads) || !known(node, kAxes)) return "pads are not known before the run";
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  if (const size_t rank = dims_of(node).size(); rank > kMaxDims)
    return std::format("{} dimensions remain after merging, and kernels walk {}", rank, kMaxDims);
  return {};
}

constexpr const char* kFiles[] = {"_pad_constant", "_pad_edge", "_pad_reflect", "_pad_wrap"};

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const size_t dims = dims_of(node).size();
  ProgramText text;
  const char* mode = kFiles[static_cast<size_t>(mode_of(node))];
  text.constant("dims", static_cast<uint32_t>(dims)).constant("value_given", node.has(kValue)).moves(dtype);
  text.file("_pad").file(mode).file(bits_file(dtype)).file("_divide");
  out.push_back({std::format("pad/{}/{}/{}d{}", std::string_view(mode).substr(5), moved_name(dtype), dims, node.has(kValue) ? "/value" : ""),
                 text, 2, 1});
}

// The bits of the attribute `value`.
Params params_of(const TypedNode& node, uint32_t count) {
  Params params{count, static_cast<uint32_t>(cropped(node.inputs[0].shape, pads_of(node)).offset), {}};
  if (node.has(kValue) || !node.attrs->has("value")) return params;
  with_type<F32 | F16 | F64>(node.inputs[0].dtype, [&]<class T>() {
    const T number = number_cast<T>(node.attrs->real("value"));
    std::memcpy(params.value, &number, sizeof(T));
  });
  return params;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  std::vector<std::byte> params = to_params(params_of(node, to_u32(count)));
  const std::vector<Dim> dims = dims_of(node);
  for (size_t d = dims.size(); d-- > 0;) {
    const std::vector<std::byte> bytes = to_params(dims[d]);
    params.insert(params.end(), bytes.begin(), bytes.end());
  }
  out.push_back({0,
                 {input(0), input(node.has(kValue) ? kValue : 0), output(0)},
                 grid_of(ceil_div(invocations(count, node.inputs[0].dtype), kGroupSize), caps),
                 std::move(params)});
}

}  // namespace

constinit const Family kPad{"pad", refuse, programs, launch};

}  // namespace dbk::gpu
