// Rotary embeddings: kernels/_rotary_embedding.wgsl and a file that tells where a token finds its row of the caches.
#include "host_fallback/rotary_geometry.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, size, inner, outer;
  float size_inverse, inner_inverse, outer_inverse;
  uint32_t width, tokens, cache_rows, tokens_inside, interleaved;
};
static_assert(sizeof(Params) == 48);

Rotary rotary_of(const TypedNode& node) { return dbk::rotary_of(node.op->id, *node.attrs, OperandTypes(node.inputs)); }

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const Rotary r = rotary_of(node);
  const bool own = r.position == Rotary::Position::Own, from_first = r.position == Rotary::Position::FromFirst;
  ProgramText text;
  text.arithmetic(node.inputs[0].dtype).constant("binding_y", own ? 3 : 4).constant("binding_params", own ? 4 : 6);
  if (!own) text.constant("from_first", from_first ? 1 : 0);
  text.file("_rotary_embedding").file(own ? "_rotary_embedding_own" : "_rotary_embedding_listed").file("_indices").file("_divide");
  if (!own) text.file("_fault");
  out.push_back({std::format("rotary_embedding/{}/{}", to_string(node.inputs[0].dtype), own ? "own" : from_first ? "from_first" : "listed"), text,
                 own ? 3u : 4u, own ? 1u : 2u});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const Rotary r = rotary_of(node);
  const Params params{to_u32(count), to_u32(r.size), to_u32(r.inner()), to_u32(r.outer()), inverse_of(r.size), inverse_of(r.inner()),
                      inverse_of(r.outer()), to_u32(r.width), to_u32(r.tokens), to_u32(r.cache_rows), r.heads_first ? 1u : 0u,
                      r.interleaved ? 1u : 0u};
  const Argument cosine = input(static_cast<uint32_t>(r.cosine)), sine = input(static_cast<uint32_t>(r.sine));
  std::vector<Argument> args{input(0), cosine, sine, output(0)};
  if (r.position != Rotary::Position::Own)
    args = {input(0), cosine, sine, input(static_cast<uint32_t>(r.positions)), output(0), fault_of(static_cast<uint32_t>(r.positions))};
  out.push_back({0, std::move(args), grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kRotaryEmbedding{"rotary_embedding", refuse, programs, launch};

}  // namespace dbk::gpu
