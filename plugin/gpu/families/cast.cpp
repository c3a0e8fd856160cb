// Cast and CastLike. Types with vectors of four, and bools, go through kernels/_cast.wgsl with a file that reads the source type
// and one that writes the target, four elements per invocation; other types of whole bytes through kernels/_cast_each.wgsl. Types
// below 16 bits and small floats go through f32: kernels/_convert.wgsl.
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

constexpr DTypeSet kFours = F32 | F16 | I32 | BOOL;
constexpr DTypeSet kAny = F32 | F16 | BF16 | INTS | BOOL;

bool is_plain(const TypedNode& node) { return contains(kAny, node.inputs[0].dtype) && contains(kAny, node.outputs[0].dtype); }
bool by_fours(const TypedNode& node) { return contains(kFours, node.inputs[0].dtype) && contains(kFours, node.outputs[0].dtype); }

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
  if (!is_plain(node) && !through_float(from, to)) return std::format("no kernel casts {} to {}", to_string(from), to_string(to));
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  return refuse_operands(moved, caps);  // of what CastLike resembles only the type is read
}

ProgramText text_by_fours(DType from, DType to) {
  const bool real = contains(FLOATS, from);
  ProgramText text;
  text.alias("value", real ? "f32" : "i32").file("_cast");
  if (from == DBK_BOOL)
    text.file("_cast_from_bool");
  else
    text.alias("source", std::format("vec4<{}>", to_string(from))).file("_cast_from_vector");
  if (to == DBK_BOOL) {
    text.constant("magnitude", real ? 0x7FFFFFFFu : 0xFFFFFFFFu).file("_cast_to_bool");
  } else if (real && to == DBK_I32) {
    text.alias("stored", "vec4<i32>").file("_cast_to_i32");
  } else {
    text.alias("stored", std::format("vec4<{}>", to_string(to))).alias("wide", contains(FLOATS, to) ? "f32" : "i32");
    text.file("_cast_to_vector");
  }
  return text;
}

// Both 64-bit integers are pairs of words.
std::string_view signed_kind(DType dtype) { return dtype == DBK_U64 ? "i64" : number_kind(dtype); }

ProgramText text_by_elements(DType from, DType to) {
  const bool real = contains(FLOATS, from);
  ProgramText text;
  text.arithmetic(from).reads(from).alias("made", number_type(to)).writes(to).file("_cast_each");
  text.constant("made_bits", bits_of(to)).constant("unsigned", (real ? to : from) == DBK_U64);
  if (!real) text.file(std::format("_wide_{}", signed_kind(from)));
  text.file(std::format("{}_{}", real ? "_whole" : "_cut", signed_kind(to)));
  return text;
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  if (!is_plain(node)) return out.push_back(convert_program(convert_of(node)));
  const DType from = node.inputs[0].dtype, to = node.outputs[0].dtype;
  out.push_back({std::format("cast/{}/{}", to_string(from), to_string(to)),
                 by_fours(node) ? text_by_fours(from, to) : text_by_elements(from, to), 1, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  if (!is_plain(node))
    return out.push_back(convert_launch(convert_of(node), node, {}, input(0), input(0), caps));
  const uint64_t vectors = ceil_div(count, 4);
  const uint64_t threads = by_fours(node) ? vectors : invocations(count, node.outputs[0].dtype);
  out.push_back(
      {0, {input(0), output(0)}, grid_of(ceil_div(threads, kGroupSize), caps), to_params(Params{to_u32(vectors), to_u32(count), {}})});
}

}  // namespace

constinit const Family kCast{"cast", refuse, programs, launch};
constinit const Family kCastLike{"cast_like", refuse, programs, launch};

}  // namespace dbk::gpu
