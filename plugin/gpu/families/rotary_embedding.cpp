// Rotary embeddings, of one operand or of two at once: kernels/rotary_embedding.
#include "host_fallback/rotary_geometry.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct OperandParams {
  uint32_t inner = 1, outer = 1;
  float inner_inverse = 1, outer_inverse = 1;
  uint32_t tokens = 1, units = 0;
};
struct Params {  // kernels/rotary_embedding/turn.wgsl
  uint32_t count, head_units;
  float head_inverse;
  uint32_t turning, size, cache_rows, batch_rows, token_rows, tokens_inside, pad[3];
  std::array<std::array<uint32_t, 8>, 2> operands;  // OperandParams, in uniforms a multiple of 16 bytes apart
};
static_assert(sizeof(Params) == 112);

Rotary rotary_of(const TypedNode& node, size_t operand = 0) { return dbk::rotary_of(node.op->id, *node.attrs, OperandTypes(node.inputs), operand); }

uint32_t operands_of(const TypedNode& node) { return node.op->id == "rotary_heads" && node.has(kRotaryKey) && wants(node, 1) ? 2 : 1; }

// Elements of a part: sizes of heads never change.
uint32_t lanes_of(const Rotary& r) { return r.size % 8 == 0 && r.width % 8 == 0 ? 4 : 1; }

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

std::string label_of(const TypedNode& node, const Rotary& r) {
  const bool own = r.position == Rotary::Position::Own, from_first = r.position == Rotary::Position::FromFirst;
  return std::format("rotary_embedding/{}{}/{}{}{}{}", to_string(node.inputs[0].dtype), lanes_of(r) == 4 ? "x4" : "",
                     own ? "own" : from_first ? "from_first" : "listed", r.interleaved ? "/neighbours" : "", r.whole_rows ? "/whole_rows" : "",
                     operands_of(node) == 2 ? "/two" : "");
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const Rotary r = rotary_of(node);
  const bool own = r.position == Rotary::Position::Own, vectors = lanes_of(r) == 4;
  const uint32_t operands = operands_of(node), reads = operands + (own ? 2 : 3), writes = operands + (own ? 0 : 1);
  const std::string elem = std::string(to_string(node.inputs[0].dtype));
  ProgramText text;
  text.alias("part", vectors ? std::format("vec4<{}>", elem) : elem).alias("wide", vectors ? "vec4<f32>" : "f32");
  text.constant("binding_cosine", operands).constant("binding_y", reads).constant("binding_params", reads + writes);
  text.constant("neighbours", r.interleaved ? 1 : 0).constant("row_parts", r.whole_rows ? 2 : 1);
  if (!own) text.constant("binding_positions", reads - 1).constant("from_first", r.position == Rotary::Position::FromFirst ? 1 : 0);
  text.file("rotary_embedding/turn").file(operands == 2 ? "rotary_embedding/two" : "rotary_embedding/one");
  text.file(vectors && r.interleaved ? "rotary_embedding/beside" : "rotary_embedding/apart").file(own ? "rotary_embedding/own" : "rotary_embedding/listed");
  text.file("_indices").file("_divide");
  if (!own) text.file("_fault");
  out.push_back({label_of(node, r), text, reads, writes});
}

// Units of a head: those of pairs, and two parts each of what stays.
uint32_t head_units_of(const Rotary& r) {
  const int64_t lanes = lanes_of(r);
  return to_u32(r.width / 2 / lanes) + to_u32(static_cast<int64_t>(ceil_div(static_cast<uint64_t>((r.size - r.width) / lanes), 2)));
}

OperandParams operand_params(const Rotary& r) {
  return {to_u32(r.inner()), to_u32(r.outer()), inverse_of(r.inner()), inverse_of(r.outer()), to_u32(r.tokens),
          to_u32(r.batch * r.heads * r.tokens) * head_units_of(r)};
}

std::vector<Argument> arguments_of(const TypedNode& node, const Rotary& r) {
  const auto in = [](size_t i) { return input(static_cast<uint32_t>(i)); };
  const bool two = operands_of(node) == 2, own = r.position == Rotary::Position::Own;
  std::vector<Argument> args{input(0)};
  if (two) args.push_back(in(kRotaryKey));
  args.insert(args.end(), {in(r.cosine), in(r.sine)});
  if (!own) args.push_back(in(r.positions));
  args.push_back(output(0));
  if (two) args.push_back(output(1));
  if (!own) args.push_back(fault_of(static_cast<uint32_t>(r.positions)));
  return args;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Rotary r = rotary_of(node);
  const uint32_t units = head_units_of(r), lanes = lanes_of(r);
  Params params{0, units, inverse_of(units), to_u32(r.width / 2 / lanes), to_u32(r.size / lanes), to_u32(r.cache_rows), to_u32(r.batch_rows),
                to_u32(r.token_rows), r.heads_first ? 1u : 0u, {}, {}};
  for (uint32_t i = 0; i < operands_of(node); ++i) {
    const OperandParams operand = operand_params(rotary_of(node, i));
    std::memcpy(params.operands[i].data(), &operand, sizeof operand);
    params.count += operand.units;
  }
  if (params.count == 0) return;
  out.push_back({0, arguments_of(node, r), grid_of(ceil_div(uint64_t{params.count}, kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kRotaryEmbedding{"rotary_embedding", refuse, programs, launch};

}  // namespace dbk::gpu
