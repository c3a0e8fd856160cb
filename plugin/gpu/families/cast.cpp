// Cast: kernels/_cast.wgsl with a file that reads the source type and one that writes the target, four elements per
// invocation, where both have a WGSL type or are bytes or 64-bit integers, which are pairs of words. Other types go through
// f32: kernels/_convert.wgsl.
#include "host_fallback/cast.h"
#include "plugin/gpu/families/convert.h"
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

bool has_words(DType from, DType to) {
  const bool both = contains(kVectors | BOOL | I64, from) && contains(kVectors | kBytes | BOOL | I64, to);
  // Out of range, an integer wraps into a byte and a float saturates.
  return both && !(from == DBK_I64 && to == DBK_I64) && !(contains(FLOATS, from) && contains(kBytes, to));
}

// Integers of 32 bits are no floats: they wrap where f32 has rounded already.
bool through_float(DType from, DType to) {
  return contains(kThroughFloat & ~I32, from) && contains(kThroughFloat & ~I32, to);
}

Convert convert_of(const TypedNode& node) {
  const DType from = node.inputs[0].dtype, to = node.outputs[0].dtype;
  const bool bounded = contains(FLOATS | SMALL_FLOATS, from) && contains(I8 | U8 | I16 | U16, to);
  return {.functor = "cast_number", .from = from, .to = to, .conversion = conversion_of(*node.attrs), .bounded = bounded};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const DType from = node.inputs[0].dtype, to = node.outputs[0].dtype;
  if (!has_words(from, to) && !through_float(from, to)) return std::format("no kernel casts {} to {}", to_string(from), to_string(to));
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  return refuse_operands(moved, caps);  // of what CastLike resembles only the type is read
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType from = node.inputs[0].dtype, to = node.outputs[0].dtype;
  if (!has_words(from, to)) return out.push_back(convert_program(convert_of(node)));
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
  if (!has_words(node.inputs[0].dtype, node.outputs[0].dtype))
    return out.push_back(convert_launch(convert_of(node), node, {}, input(0), input(0), caps));
  const uint64_t vectors = ceil_div(count, 4);
  out.push_back(
      {0, {input(0), output(0)}, grid_of(ceil_div(vectors, kGroupSize), caps), to_params(Params{to_u32(vectors), to_u32(count), {}})});
}

}  // namespace

constinit const Family kCast{"cast", refuse, programs, launch};
constinit const Family kCastLike{"cast_like", refuse, programs, launch};

}  // namespace dbk::gpu
