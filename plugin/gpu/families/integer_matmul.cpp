// MatMulInteger, QLinearMatMul and MatMulIntegerToFloat: kernels/_integer_matmul.wgsl. Four results per invocation, words of four bytes where
// rows of both operands are whole words.
#include "host_fallback/integer_matmul.h"

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

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const Operands o = operands_of(node);
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  if (o.result == Result::Code && caps.max_storage_bindings < 9) return "9 operands are more than a kernel binds";
  if (o.result == Result::Real && node.outputs[0].dtype != DBK_F32)
    return std::format("no kernel gives {}", to_string(node.outputs[0].dtype));
  return refuse_rank(loop_of(node));
}

enum : uint32_t { kWords, kBytesAnywhere };  // programs

std::string_view truth(bool b) { return b ? "true" : "false"; }

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const Operands o = operands_of(node);
  const uint32_t dims = dims_for(layout_of(node).batch.rank() + 2);
  const DType a = node.inputs[o.a].dtype, b = node.inputs[o.b].dtype, y = node.outputs[0].dtype;
  for (uint32_t program : {kWords, kBytesAnywhere}) {
    ProgramText text;
    text.constant("dims", dims).file("_number_f32").file("_stored").file("_divide");
    text.text(stored_type("a_type", a)).text(stored_type("b_type", b));
    text.text(std::format("const has_a_zero = {};\nconst has_b_zero = {};\n", truth(node.has(o.a_zero)),
                          truth(node.has(o.b_zero))));
    text.file("_integer_matmul").file(program == kWords ? "integer_matmul/sums_words" : "integer_matmul/sums_bytes");
    if (o.result == Result::Sum) text.file("integer_matmul/finish_sum");
    if (o.result == Result::Real)
      text.text(std::format("const has_bias = {};\n", truth(node.has(kBias)))).file("integer_matmul/finish_real");
    if (o.result == Result::Code)
      text.text(stored_type("scale_type", node.inputs[o.a_scale].dtype))
          .text(stored_type("y_type", y))
          .file("_math")
          .file("_quotient")
          .file("integer_matmul/finish_code");
    const char* zeros = node.has(o.a_zero) ? node.has(o.b_zero) ? "/zeros" : "/a_zero" : node.has(o.b_zero) ? "/b_zero" : "";
    out.push_back({std::format("{}/{}/{}/{}/{}d{}{}", node.op->id, to_string(a), to_string(b),
                               program == kWords ? "words" : "bytes", dims, zeros,
                               o.result == Result::Real && node.has(kBias) ? "/bias" : ""),
                   text.str(), o.result == Result::Code ? 8u : o.result == Result::Real ? 7u : 4u, 1});
  }
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Operands o = operands_of(node);
  const MatmulLayout l = layout_of(node);
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const auto [low, high] = o.result == Result::Code ? bounds_of(node.outputs[0].dtype) : std::pair{0.0f, 0.0f};
  std::vector<std::byte> params = to_params(Params{to_u32(count), to_u32(l.k), to_u32(l.n), 0, low, high, {}});
  append_dims(params, loop_of(node), dims_for(l.batch.rank() + 2));
  const auto or_a = [&](uint32_t i) { return input(node.has(i) ? i : o.a); };
  std::vector<Argument> args{input(o.a), input(o.b), or_a(o.a_zero), or_a(o.b_zero)};
  if (o.scaled()) args.insert(args.end(), {input(o.a_scale), input(o.b_scale)});
  if (o.result == Result::Code) args.insert(args.end(), {input(6), input(7)});
  if (o.result == Result::Real) args.push_back(input(node.has(kBias) ? kBias : o.a_scale));
  args.push_back(output(0));
  out.push_back({l.k % 4 == 0 && l.n % 4 == 0 ? kWords : kBytesAnywhere, args,
                 grid_of(ceil_div(ceil_div(count, 4), kGroupSize), caps), std::move(params)});
}

}  // namespace

constinit const Family kIntegerMatmul{"integer_matmul", refuse, programs, launch};
constinit const Family kScaledMatmul{"scaled_matmul", refuse, programs, launch};

}  // namespace dbk::gpu
