// Element-wise ops of two operands with broadcasting. Equal shapes and single elements, and broadcasts that leave fours
// of neighbours together, go through kernels/_binary.wgsl; every other one, and types without vectors of four, through
// kernels/_binary_strided.wgsl, an element at a time. One operand alone (Max of one) is combined with itself. CPU adapters have
// kernels/_binary_line.wgsl for whole, row and single operands.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/functor.h"
#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/two_operands.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/_binary.wgsl; dimensions follow
  uint32_t vectors, a_single, b_single, pad;
};
struct LineParams {  // kernels/_binary_line.wgsl
  uint32_t vectors, zero, row;
  float row_inverse;
  uint32_t a_row, b_row, pad[2];
};
static_assert(sizeof(Params) == 16 && sizeof(LineParams) == 32);

// Integer division of anything by zero fails: another program looks for it first.
bool divides(const TypedNode& node) {
  return (node.op->id == "div" || node.op->id == "mod") && contains(INTS, node.inputs[0].dtype);
}

// Programs: fours in one dimension, fours in up to three (rows, columns, channels, masks), anything; the last two only
// for ranks over 1, then those of CPU adapters. Types without vectors have the third alone.
enum : uint32_t { kFlat, kVectors, kStrided };

uint32_t dims_of(uint32_t program, uint32_t rank) {
  if (program == kFlat) return 1;
  return program == kVectors ? std::min(dims_for(rank), 3u) : dims_for(rank);
}

// Null, or the family that runs the node: more operands than two, or of two types.
const Family* relative_of(const TypedNode& node) {
  if (node.inputs.size() > 2) return &kMeanOfMany;
  return node.inputs[second(node)].dtype != node.inputs[0].dtype ? &kMixedPower : nullptr;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (const Family* relative = relative_of(node)) return relative->refuse(node, caps);
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(broadcast_loop(node));
}

// The attribute that two ops have, as a constant; returns what the program's label gets for it.
std::string_view add_way(const TypedNode& node, ProgramText& text) {
  if (node.op->id == "mod") {
    const bool of_dividend = node.attrs->integer("fmod") != 0;
    text.constant("of_dividend", of_dividend);
    return of_dividend ? "/dividend" : "/divisor";
  }
  if (node.op->id == "bit_shift") {
    const bool leftward = node.attrs->text("direction") == "LEFT";
    text.constant("leftward", leftward);
    return leftward ? "/left" : "/right";
  }
  return "";
}

void add_program(const TypedNode& node, ProgramText& text, std::string_view frame, const std::string& variant,
                 std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  text.arithmetic(dtype).file(frame).file("_divide");
  if (frame != "_binary_line") text.file("_places");
  if (frame == "_binary_strided") text.file("_binary_apply").alias("made", number_type(dtype)).reads(dtype).writes(dtype);
  add_functor(text, functor_of(*node.op, *node.attrs, dtype), dtype);
  out.push_back({std::format("{}{}/{}/{}", node.op->id, add_way(node, text), to_string(dtype), variant), text, 2, 1});
}

// Operands that are one element for all in a line program. A variant for a single weight only: its shape never changes.
struct Singles {
  bool a = false, b = false;
  friend bool operator==(const Singles&, const Singles&) = default;
};

std::vector<Singles> line_variants(const TypedNode& node, const Capabilities& caps) {
  if (!line_possible(caps) || node.inputs[0].dtype != DBK_F32) return {};
  const auto single = [&](size_t i) {
    return node.has(i) && i < node.is_weight.size() && node.is_weight[i] && node.inputs[i].count() == 1;
  };
  std::vector<Singles> variants{{}};
  if (single(0) != single(1)) variants.push_back({single(0), single(1)});
  return variants;
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  if (const Family* relative = relative_of(node)) return relative->programs(node, caps, out);
  const uint32_t rank = node.outputs[0].shape.rank();
  for (uint32_t program : {kFlat, kVectors, kStrided}) {
    if (has_vectors(node.inputs[0].dtype) ? program != kFlat && rank < 2 : program != kStrided) continue;
    const uint32_t dims = dims_of(program, rank);
    ProgramText text;
    text.constant("dims", dims);
    if (program == kStrided)
      add_program(node, text, "_binary_strided", std::format("strided{}d", dims), out);
    else
      add_program(node, text, "_binary", std::format("vectors{}d", dims), out);
  }
  for (const Singles& singles : line_variants(node, caps)) {
    ProgramText text;
    text.enable("subgroups").constant("a_single", singles.a).constant("b_single", singles.b).file("_line").file("_line_store");
    add_program(node, text, "_binary_line", std::format("line{}{}", singles.a ? "/a1" : "", singles.b ? "/b1" : ""),
                out);
  }
  if (divides(node)) {
    const DType dtype = node.inputs[0].dtype;
    ProgramText text;
    text.arithmetic(dtype).reads(dtype).file("_divisors").file("_fault");
    out.push_back({std::format("divisors/{}", to_string(dtype)), text, 1, 1});
  }
}

void look_for_zeros(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  std::vector<Program> all;
  programs(node, caps, all);
  const int64_t count = node.inputs[1].count();
  out.push_back({static_cast<uint32_t>(all.size() - 1),
                 {input(1), fault_of(1)},
                 grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps),
                 to_params(StridedParams{to_u32(count), {}})});
}

// Whether an operand's elements for four neighbours of the result lie side by side, aligned, or are one.
bool has_fours(const Shape& strides) {
  const uint32_t last = strides.rank() - 1;
  if (strides[last] == 0) return true;
  return strides[last] == 1 && std::all_of(strides.begin(), strides.end() - 1, [](int64_t s) { return s % 4 == 0; });
}

uint32_t choose(const StridedLoop<2>& loop, uint32_t rank) {
  if (loop.extent.rank() == 1) return kFlat;
  const bool fours = loop.run_length() % 4 == 0 && has_fours(loop.strides[0]) && has_fours(loop.strides[1]);
  return fours && loop.extent.rank() <= dims_of(kVectors, rank) ? kVectors : kStrided;
}

// Counts the last dimension in fours; the last four of a flat tensor may reach into its padding.
StridedLoop<2> in_fours(StridedLoop<2> loop) {
  const uint32_t last = loop.extent.rank() - 1;
  loop.extent[last] = static_cast<int64_t>(ceil_div(loop.extent[last], 4));
  for (Shape& strides : loop.strides) strides[last] *= 4;
  return loop;
}

// Adds the launch of a line program where one fits.
bool launch_line(const TypedNode& node, const StridedLoop<2>& loop, const Capabilities& caps,
                 std::vector<Dispatch>& out) {
  const std::vector<Singles> variants = line_variants(node, caps);
  const uint32_t rank = loop.extent.rank();
  const auto fit = std::ranges::find(variants, Singles{loop.step(0) == 0, loop.step(1) == 0});
  const uint64_t row = ceil_div(loop.run_length(), 4),
                 vectors = rank == 2 ? static_cast<uint64_t>(loop.extent[0]) * row : row;
  if (fit == variants.end()) return false;
  const bool rows_fit = rank == 1 || (rank == 2 && !fit->a && !fit->b && loop.run_length() % (4 * kLineVectors) == 0 &&
                                      has_fours(loop.strides[0]) && has_fours(loop.strides[1]));
  if (vectors < kLineVectors || !rows_fit) return false;
  const auto row_step = [&](size_t operand) { return rank == 2 ? to_u32(loop.strides[operand][0] / 4) : 0u; };
  const LineParams params{to_u32(vectors), 0, to_u32(row), inverse_of(row), row_step(0), row_step(1), {}};
  const uint32_t before = node.outputs[0].shape.rank() < 2 ? 1 : 3;
  out.push_back({before + static_cast<uint32_t>(fit - variants.begin()),
                 {input(0), input(second(node)), output(0)},
                 grid_of(ceil_div(vectors, kGroupSize), caps),
                 to_params(params)});
  return true;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (const Family* relative = relative_of(node)) return relative->launch(node, caps, out);
  const Shape& shape = node.outputs[0].shape;
  if (shape.count() == 0) return;
  const StridedLoop<2> loop = broadcast_loop(node);
  if (divides(node)) look_for_zeros(node, caps, out);
  if (launch_line(node, loop, caps, out)) return;
  const DType dtype = node.inputs[0].dtype;
  const uint32_t program = has_vectors(dtype) ? choose(loop, shape.rank()) : kStrided;
  const StridedLoop<2> walked = program == kStrided ? loop : in_fours(loop);
  const int64_t count = walked.extent.count();
  const auto single = [&](size_t operand) { return loop.step(operand) == 0 ? 1u : 0u; };
  std::vector<std::byte> params = program == kStrided ? to_params(StridedParams{to_u32(count), {}})
                                                      : to_params(Params{to_u32(count), single(0), single(1), 0});
  append_dims(params, walked, dims_of(program, shape.rank()));
  out.push_back({has_vectors(dtype) ? program : 0,
                 {input(0), input(second(node)), output(0)},
                 grid_of(ceil_div(invocations(count, dtype), kGroupSize), caps),
                 std::move(params)});
}

}  // namespace

constinit const Family kBinary{"binary", refuse, programs, launch};

}  // namespace dbk::gpu
