// Cast: kernels/_cast.wgsl with a file that reads the source type and one that writes the target, four elements per
// invocation. 64-bit integers are pairs of words.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t vectors, count, pad[2];
};
static_assert(sizeof(Params) == 16);

constexpr DTypeSet kVectors = F32 | F16 | I32;  // types with a WGSL type of their own
constexpr DTypeSet kBytes = I8 | U8;

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const DType from = node.inputs[0].dtype, to = node.outputs[0].dtype;
  if (!contains(kVectors | BOOL | I64, from) || !contains(kVectors | kBytes | BOOL | I64, to) || (from == DBK_I64 && to == DBK_I64))
    return std::format("no kernel casts {} to {}", to_string(from), to_string(to));
  // Out of range, a float wraps into a byte on the host and saturates in WGSL.
  if (contains(FLOATS, from) && contains(kBytes, to))
    return std::format("no kernel casts {} to {}", to_string(from), to_string(to));
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  return refuse_operands(moved, caps);  // of what CastLike resembles only the type is read
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType from = node.inputs[0].dtype, to = node.outputs[0].dtype;
  const bool real = contains(FLOATS, from) || (from == DBK_I64 && contains(FLOATS, to));
  ProgramText text;
  text.alias("value", real ? "f32" : "i32").file("_cast");
  if (from == DBK_BOOL)
    text.file("_cast_from_bool");
  else if (from == DBK_I64)
    text.file("_cast_from_i64").file(real ? "_cast_i64_real" : to == DBK_BOOL ? "_cast_i64_truth" : "_cast_i64_low");
  else
    text.alias("source", std::format("vec4<{}>", to_string(from))).file("_cast_from_vector");
  if (to == DBK_BOOL) {
    text.constant("magnitude", real ? 0x7FFFFFFFu : 0xFFFFFFFFu).file("_cast_to_bool");
  } else if (contains(kBytes, to)) {
    text.file("_cast_to_byte");
  } else if (to == DBK_I64) {
    text.file("_cast_to_i64").file(real ? "_cast_i64_whole" : "_cast_i64_sign");
  } else if (real && to == DBK_I32) {
    text.alias("stored", "vec4<i32>").file("_cast_to_i32");
  } else {
    text.alias("stored", std::format("vec4<{}>", to_string(to))).alias("wide", contains(FLOATS, to) ? "f32" : "i32");
    text.file("_cast_to_vector");
  }
  out.push_back({std::format("cast/{}/{}", to_string(from), to_string(to)), text.str(), 1, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const uint64_t vectors = ceil_div(count, 4);
  out.push_back(
      {0, {input(0), output(0)}, grid_of(ceil_div(vectors, kGroupSize), caps), to_params(Params{to_u32(vectors), to_u32(count), {}})});
}

}  // namespace

constinit const Family kCast{"cast", refuse, programs, launch};
constinit const Family kCastLike{"cast_like", refuse, programs, launch};

}  // namespace dbk::gpu
