// MatMulInteger, QLinearMatMul and MatMulIntegerToFloat: kernels/_integer_matmul.wgsl. Four results per invocation, words of four bytes where
// rows of both operands are whole words. Where the adapter has matrices of bytes they make the sums (byte_coop.h), on software adapters only
// if they are forced; what becomes of the sums is the same program's work then.
#include "host_fallback/integer_matmul.h"

#include "plugin/gpu/families/byte_coop.h"
#include "plugin/gpu/families/column_panels.h"
#include "plugin/gpu/families/convert.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

struct Params {  // dimensions follow
  uint32_t count, k, n, zero;
  float low, high;
  uint32_t pad[2];
};
static_assert(sizeof(Params) == 32 && sizeof(StrideDim<6>) == 32);

// Inputs by their meaning, and what becomes of the sums; MatMulInteger has no scales.
enum class Result : uint8_t { Sum, Code, Real };
struct Operands {
  uint32_t a, b, a_zero, b_zero, a_scale, b_scale;
  Result result;
  bool scaled() const { return result != Result::Sum; }
};
Operands operands_of(const TypedNode& node) {
  if (node.op->id == "matmul_integer") return {0, 1, 2, 3, 0, 0, Result::Sum};
  if (node.op->id == "qlinear_matmul") return {0, 3, 2, 5, 1, 4, Result::Code};
  return {0, 1, 4, 5, 2, 3, Result::Real};
}
constexpr uint32_t kBias = 6;  // of MatMulIntegerToFloat

MatmulLayout layout_of(const TypedNode& node) {
  const Operands o = operands_of(node);
  return matmul_layout(node.inputs[o.a].shape, node.inputs[o.b].shape);
}

StridedLoop<6> loop_of(const TypedNode& node) {
  const Operands o = operands_of(node);
  const MatmulLayout l = layout_of(node);
  const auto matrix = [&](const Shape& batch, int64_t size, int64_t row, int64_t column) {
    Shape strides = broadcast_strides(batch, l.batch);
    for (int64_t& s : strides) s *= size;
    strides.push_back(row);
    strides.push_back(column);
    return strides;
  };
  const auto numbers = [&](uint32_t i, bool of_rows, bool there) {
    if (!there) return Shape::filled(l.batch.rank() + 2, 0);
    const MatrixPlaces places = places_of(node.inputs[i].shape, l, of_rows, "numbers");
    Shape strides = places.batch;
    strides.push_back(places.row);
    strides.push_back(places.column);
    return strides;
  };
  return {l.matrices(),
          {matrix(l.batch_a, l.m * l.k, l.k, 0), matrix(l.batch_b, l.k * l.n, 0, 1),
           numbers(o.a_zero, true, node.has(o.a_zero)), numbers(o.b_zero, false, node.has(o.b_zero)),
           numbers(o.a_scale, true, o.scaled()), numbers(o.b_scale, false, o.scaled())}};
}

bool coop_forced(const Capabilities& caps) { return caps.controls.matmul_family == "coop"; }
bool coop_wanted(const Capabilities& caps) { return coop_forced(caps) || !caps.cpu_adapter; }
bool coop_possible(const ByteProduct& p, const Capabilities& caps) { return coop_wanted(caps) && refuse_byte_coop(p, caps).empty(); }

ByteProduct product_of(const TypedNode& node, const Capabilities& caps) {
  const Operands o = operands_of(node);
  ByteProduct p{layout_of(node), {node.inputs[o.a].dtype, node.inputs[o.b].dtype, node.has(o.a_zero), node.has(o.b_zero)}};
  const MatmulLayout& l = p.layout;
  const auto matrices = [&](const Shape& batch, int64_t size) {
    Shape strides = broadcast_strides(batch, l.batch);
    for (int64_t& s : strides) s *= size;
    return strides;
  };
  Shape a_zeros = Shape::filled(l.batch.rank(), 0), b_zeros = a_zeros;
  if (p.form.a_zero) {
    const MatrixPlaces places = places_of(node.inputs[o.a_zero].shape, l, true, "numbers");
    a_zeros = places.batch, p.a_zero_row = places.row;
  }
  if (p.form.b_zero) {
    const MatrixPlaces places = places_of(node.inputs[o.b_zero].shape, l, false, "numbers");
    b_zeros = places.batch, p.b_zero_column = places.column;
  }
  p.batch = {l.batch, {matrices(l.batch_a, l.m * l.k), matrices(l.batch_b, l.k * l.n), a_zeros, b_zeros}};
  p.b_weight = o.b < node.is_weight.size() && node.is_weight[o.b] && node.inputs[o.b].shape.rank() == 2;
  if (coop_possible(p, caps)) p.panels = byte_coop_storage(p, caps);
  return p;
}

// Empty, or why matrices of subgroups do not make the sums with these extents.
std::string refuse_coop(const ByteProduct& p, const Capabilities& caps) {
  constexpr int64_t kLeastRows = 9;
  if (!coop_wanted(caps)) return "software adapters compute matrices of subgroups element by element";
  if (std::string why = refuse_byte_coop(p, caps); !why.empty()) return why;
  if (std::string why = refuse_byte_coop_extents(p, caps); !why.empty()) return why;
  const int64_t rows = p.layout.m * p.layout.batch.count();
  if (!coop_forced(caps) && !p.stored() && rows < kLeastRows) return std::format("{} {} most of a matrix empty", rows, rows == 1 ? "row leaves" : "rows leave");
  if (const int64_t bytes = rows * p.layout.n * 4; bytes > static_cast<int64_t>(caps.max_binding))
    return std::format("sums take {} bytes, a binding holds {}", bytes, caps.max_binding);
  return {};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const Operands o = operands_of(node);
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps, /*except=*/o.b); !reason.empty()) return reason;
  for (const DType dtype : {node.inputs[o.b].dtype, o.result == Result::Code ? node.outputs[0].dtype : DType{DBK_I8}})
    if (!contains(kBytes, dtype)) return std::format("no kernel multiplies codes of {}", to_string(dtype));
  if (o.result == Result::Code && caps.max_storage_bindings < 9) return "9 operands are more than a kernel binds";
  if (o.result == Result::Real && node.outputs[0].dtype != DBK_F32)
    return std::format("no kernel gives {}", to_string(node.outputs[0].dtype));
  const ByteProduct p = product_of(node, caps);
  if (std::string reason = p.stored() ? refuse_coop(p, caps) : refuse_size(node.inputs[o.b], caps); !reason.empty()) return reason;  // nobody else reads a stored B
  return refuse_rank(loop_of(node));
}

// Where sums come from: kernels/integer_matmul/sums_*.wgsl.
enum Sums : uint32_t { kWords, kBytesAnywhere, kStored };
constexpr std::string_view kSums[] = {"words", "bytes", "stored"};

Program program_of(const TypedNode& node, Sums sums) {
  const Operands o = operands_of(node);
  const uint32_t dims = dims_for(layout_of(node).batch.rank() + 2);
  const DType a = node.inputs[o.a].dtype, b = node.inputs[o.b].dtype, y = node.outputs[0].dtype;
  const bool bias = o.result == Result::Real && node.has(kBias);
  ProgramText text;
  text.constant("dims", dims).file("_number_f32").file("_stored").file("_divide");
  text.text(stored_type("a_type", a)).text(stored_type("b_type", b));
  text.text(std::format("const has_a_zero = {};\nconst has_b_zero = {};\n", node.has(o.a_zero), node.has(o.b_zero)));
  text.file("_integer_matmul").file(std::format("integer_matmul/sums_{}", kSums[sums]));
  if (o.result == Result::Sum) text.file("integer_matmul/finish_sum");
  if (o.result == Result::Real) text.text(std::format("const has_bias = {};\n", bias)).file("integer_matmul/finish_real");
  if (o.result == Result::Code)
    text.text(stored_type("scale_type", node.inputs[o.a_scale].dtype))
        .text(stored_type("y_type", y))
        .file("_math")
        .file("_quotient")
        .file("integer_matmul/finish_code");
  const char* zeros = node.has(o.a_zero) ? node.has(o.b_zero) ? "/zeros" : "/a_zero" : node.has(o.b_zero) ? "/b_zero" : "";
  return {std::format("{}/{}/{}/{}/{}d{}{}", node.op->id, to_string(a), to_string(b), kSums[sums], dims, zeros, bias ? "/bias" : ""), text,
          o.result == Result::Code ? 8u : o.result == Result::Real ? 7u : 4u, 1};
}

// Programs in order: sums of words and of bytes, where B is stored as it is; those of matrices of subgroups, and what finishes their sums.
uint32_t first_of_coop(const ByteProduct& p) { return p.stored() ? 0 : 2; }

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const ByteProduct p = product_of(node, caps);
  if (!p.stored()) out.insert(out.end(), {program_of(node, kWords), program_of(node, kBytesAnywhere)});
  if (!coop_possible(p, caps)) return;
  byte_coop_programs(p, caps, out);
  if (operands_of(node).scaled()) out.push_back(program_of(node, kStored));
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Operands o = operands_of(node);
  const ByteProduct p = product_of(node, caps);
  const MatmulLayout& l = p.layout;
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const auto or_a = [&](uint32_t i) { return input(node.has(i) ? i : o.a); };
  std::vector<Argument> args{input(o.a), input(o.b), or_a(o.a_zero), or_a(o.b_zero)};
  uint32_t program = l.k % 4 == 0 && l.n % 4 == 0 ? kWords : kBytesAnywhere;
  if (refuse_coop(p, caps).empty()) {
    const Argument sums = o.scaled() ? scratch(2, static_cast<uint64_t>(count) * 4) : output(0);
    byte_coop_launch(p, {args[0], args[1], args[2], args[3], sums}, first_of_coop(p), caps, out);
    if (!o.scaled()) return;
    args[0] = sums;
    program = first_of_coop(p) + byte_coop_program_count(p);
  }
  const auto [low, high] = o.result == Result::Code ? bounds_of(node.outputs[0].dtype) : std::pair{0.0f, 0.0f};
  std::vector<std::byte> params = to_params(Params{to_u32(count), to_u32(l.k), to_u32(l.n), 0, low, high, {}});
  append_dims(params, loop_of(node), dims_for(l.batch.rank() + 2));
  if (o.scaled()) args.insert(args.end(), {input(o.a_scale), input(o.b_scale)});
  if (o.result == Result::Code) args.insert(args.end(), {input(6), input(7)});
  if (o.result == Result::Real) args.push_back(input(node.has(kBias) ? kBias : o.a_scale));
  args.push_back(output(0));
  out.push_back({program, args, grid_of(ceil_div(ceil_div(count, 4), kGroupSize), caps), std::move(params)});
}

std::vector<Panel> panels(const TypedNode& node, const Capabilities& caps, uint32_t input) {
  const Shape& shape = node.inputs[input].shape;
  const ByteProduct p = product_of(node, caps);
  if (input == operands_of(node).b && p.stored()) return p.panels;
  return {{0, shape.rank() > 0 ? shape[shape.rank() - 1] : 1}};
}

Choice choice(const TypedNode& node, const Capabilities& caps) {
  if (node.outputs[0].count() == 0) return {"none", "", "the result is empty", {}};
  const ByteProduct p = product_of(node, caps);
  const std::string why_not = refuse_coop(p, caps);
  if (why_not.empty())
    return {"coop", byte_coop_tile(p, caps),
            (coop_forced(caps) ? "option matmul_family" : "matrices of subgroups take bytes, and their sums are exact") + told_of_panels(p.panels), {}};
  std::string reason = "four sums of bytes per invocation";
  if (coop_forced(caps)) reason += "; option matmul_family=coop cannot: " + why_not;
  return {"integers", "1x4", reason, {{"coop", why_not}}};
}

}  // namespace

constinit const Family kIntegerMatmul{"integer_matmul", refuse, programs, launch, panels, choice};
constinit const Family kScaledMatmul{"scaled_matmul", refuse, programs, launch, panels, choice};

}  // namespace dbk::gpu
