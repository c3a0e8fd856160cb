// EyeLike: kernels/_eye_like.wgsl; of the input only the shape is read.
#include "host_fallback/number_cast.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, columns;
  float columns_inverse;
  int32_t diagonal;
  uint32_t one[2], pad[2];
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const TypedNode made{node.op, node.attrs, node.version, {}, node.outputs, {}, {}};
  return refuse_operands(made, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.outputs[0].dtype;
  ProgramText text;
  text.moves(dtype).file(bits_file(dtype)).file("_eye_like").file("_divide");
  out.push_back({std::format("eye_like/{}", moved_name(dtype)), text, 0, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const TensorType& type = node.outputs[0];
  const int64_t count = type.count(), rows = type.shape[0], columns = type.shape[1];
  if (count == 0) return;
  const int64_t k = std::clamp(node.attrs->integer("k"), -rows, columns);
  Params params{to_u32(count), to_u32(columns), inverse_of(columns), static_cast<int32_t>(k), {}, {}};
  with_type<PLAIN>(type.dtype, [&]<class T>() {
    const T one = number_cast<T>(uint8_t{1});
    std::memcpy(params.one, &one, sizeof(T));
  });
  out.push_back({0, {output(0)}, grid_of(ceil_div(invocations(count, type.dtype), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kEyeLike{"eye_like", refuse, programs, launch};

}  // namespace dbk::gpu
