#include "plugin/gpu/families/elementwise_text.h"

#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/text_line.h"

namespace dbk::gpu {

namespace {

using Kind = ElementwiseFrame::Kind;

// f(0), f(1) ... with commas between.
template <class F>
std::string list(uint32_t count, F&& f) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) text += (i ? ", " : "") + f(i);
  return text;
}

// Four elements as stored; bools are bytes of a word.
std::string vector_type(DType dtype) { return dtype == DBK_BOOL ? "u32" : std::format("vec4<{}>", to_string(dtype)); }
std::string element_type(DType dtype) { return dtype == DBK_BOOL ? "u32" : to_string(dtype); }

constexpr std::string_view kPieces = R"(
fn spread(four: vec4<f32>, at: u32, single: u32) -> vec4<f32> {
  return select(four, vec4<f32>(four[at & 3u]), single != 0u);
}

fn spread_i32(four: vec4<i32>, at: u32, single: u32) -> vec4<i32> {
  return select(four, vec4<i32>(four[at & 3u]), single != 0u);
}

fn spread_bool(word: u32, at: u32, single: u32) -> vec4<bool> {
  let bytes = (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
  return select(bytes, vec4<u32>(bytes[at & 3u]), single != 0u) != vec4<u32>();
}

fn byte_of(word: u32, at: u32) -> bool {
  return ((word >> ((at & 3u) * 8u)) & 0xffu) != 0u;
}

fn packed(four: vec4<bool>) -> u32 {
  return dot(select(vec4<u32>(), vec4<u32>(1u), four), vec4<u32>(1u, 0x100u, 0x10000u, 0x1000000u));
}
)";

class Writer {
 public:
  Writer(const ElementwiseFrame& frame, std::span<const DType> operands, DType result)
      : frame_(frame), operands_(operands), result_(result), count_(static_cast<uint32_t>(operands.size())) {}

  std::string write() {
    write_bindings();
    if (frame_.kind == Kind::Line) write_line_store();
    else s_ += kPieces;
    if (frame_.kind == Kind::Strided) write_element();
    add_line(s_, "\n@compute @workgroup_size(group_size)");
    add_line(s_, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
    if (frame_.kind == Kind::Line) write_line_main();
    else write_vector_main();
    return s_ + "}\n";
  }

 private:
  void write_bindings() {
    add_line(s_, "\nstruct Dim {{\n  extent: u32,\n  inverse: f32,");
    for (uint32_t i = 0; i < kMaxExpressionOperands; ++i) add_line(s_, "  s{}: u32,", i);
    add_line(s_, "}}\n\nstruct Params {{\n  vectors: u32,\n  count: u32,\n  singles: u32,  // bit i: operand i is one element for four results");
    add_line(s_, "  zero: u32,\n  dims: array<Dim, dims>,\n}}\n");
    for (uint32_t i = 0; i < count_; ++i) {
      const std::string type = frame_.kind == Kind::Strided ? element_type(operands_[i]) : vector_type(operands_[i]);
      add_line(s_, "@group(0) @binding({0}) var<storage, read> in{0}: array<{1}>;", i, type);
    }
    add_line(s_, "@group(0) @binding({}) var<storage, read_write> out: array<{}>;", count_, vector_type(result_));
    add_line(s_, "@group(0) @binding({}) var<uniform> p: Params;", count_ + 1);
  }

  // Where the operands of coordinate `rest` lie: at0, at1 ...
  void write_places() {
    for (uint32_t i = 0; i < count_; ++i) add_line(s_, "  var at{} = 0u;", i);
    add_line(s_, "  for (var d = 0u; d < dims - 1u; d++) {{");
    add_line(s_, "    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);");
    add_line(s_, "    let coordinate = rest - next * p.dims[d].extent;");
    for (uint32_t i = 0; i < count_; ++i) add_line(s_, "    at{0} += coordinate * p.dims[d].s{0};", i);
    add_line(s_, "    rest = next;\n  }}");
    for (uint32_t i = 0; i < count_; ++i) add_line(s_, "  at{0} += rest * p.dims[dims - 1u].s{0};", i);
  }

  void write_element() {
    add_line(s_, "\nfn element(index: u32) -> {} {{", register_type(result_));
    add_line(s_, "  var rest = min(index, p.count - 1u);");
    write_places();
    add_line(s_, "  return value({});\n}}", list(count_, [&](uint32_t i) {
           if (operands_[i] == DBK_BOOL) return std::format("byte_of(in{0}[at{0} >> 2u], at{0})", i);
           return std::format("{1}(in{0}[at{0}])", i, register_type(operands_[i]));
         }));
  }

  void write_vector_main() {
    add_line(s_, "        @builtin(local_invocation_index) lane: u32) {{");
    add_line(s_, "  let i = flat_group(group, groups) * group_size + lane;");
    add_line(s_, "  if (i >= p.vectors) {{\n    return;\n  }}");
    if (frame_.kind == Kind::Strided) return write_store("element(4u * i)", "element(4u * i + 1u)", "element(4u * i + 2u)", "element(4u * i + 3u)");
    add_line(s_, "  var rest = i;");
    write_places();
    for (uint32_t i = 0; i < count_; ++i) {
      if (operands_[i] == DBK_BOOL) add_line(s_, "  let v{0} = spread_bool(in{0}[at{0} >> 2u], at{0}, p.singles & {1}u);", i, 1u << i);
      else if (operands_[i] == DBK_I32) add_line(s_, "  let v{0} = spread_i32(in{0}[at{0} >> 2u], at{0}, p.singles & {1}u);", i, 1u << i);
      else add_line(s_, "  let v{0} = spread(vec4<f32>(in{0}[at{0} >> 2u]), at{0}, p.singles & {1}u);", i, 1u << i);
    }
    const auto call = [&](char component) {
      return std::format("value({})", list(count_, [&](uint32_t i) { return std::format("v{}.{}", i, component); }));
    };
    write_store(call('x'), call('y'), call('z'), call('w'));
  }

  void write_store(const std::string& x, const std::string& y, const std::string& z, const std::string& w) {
    const std::string four = std::format("vec4<{}>({}, {}, {}, {})", register_type(result_), x, y, z, w);
    add_line(s_, "  out[i] = {};", result_ == DBK_BOOL ? std::format("packed({})", four) : std::format("{}({})", vector_type(result_), four));
  }

  void write_line_store() {
    add_line(s_, "\nfn store(at: u32, v: f32) {{\n  out[at] = low_lanes(v);\n  out[at + 1u] = high_lanes(v);\n}}");
  }

  bool single(uint32_t i) const { return frame_.singles >> i & 1; }

  // Each subgroup takes 32 neighbours of a row; the last ones of a single row are taken again.
  void write_line_main() {
    add_line(s_, "        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {{");
    add_line(s_, "  let run = flat_group(group, groups) * (group_size / {}u) + team;", kLineLanes);
    add_line(s_, "  let first = min(run * {0}u, p.vectors - {0}u);", kLineVectors);
    add_line(s_, "  let row = divide(first, p.dims[0].extent, p.dims[0].inverse);");
    add_line(s_, "  let column = first - row * p.dims[0].extent;");
    for (uint32_t i = 0; i < count_; ++i)
      if (!single(i)) add_line(s_, "  let at{0} = unaligned(row * p.dims[1].s{0} + column);", i);
    add_line(s_, "  let out_at = unaligned(first);");
    for (uint32_t v = 0; v < kLineVectors; v += 2)
      add_line(s_, "  let r{} = value({});", v / 2, list(count_, [&](uint32_t i) {
             if (single(i)) return std::format("in{}[0].x", i);
             return std::format("pick(in{0}[at{0} + {1}u], in{0}[at{0} + {2}u], lane)", i, v, v + 1);
           }));
    for (uint32_t v = 0; v < kLineVectors; v += 2) add_line(s_, "  store(out_at + {}u, r{});", v, v / 2);
  }

  const ElementwiseFrame& frame_;
  std::span<const DType> operands_;
  DType result_;
  uint32_t count_;
  std::string s_;
};

}  // namespace

std::string elementwise_text(const ElementwiseFrame& frame, const Expression& expression, std::span<const DType> operands, DType result) {
  ProgramText text;
  text.constant("dims", frame.dims).file("_divide");
  if (frame.kind == Kind::Line) text.enable("subgroups").file("_line").file("_line_store");
  if (result == DBK_F16) text.enable("f16");
  add_expression(text, expression, operands);
  return text.text(Writer(frame, operands, result).write()).str();
}

std::string elementwise_label(const ElementwiseFrame& frame, const Expression& expression, std::span<const DType> operands, DType result) {
  constexpr std::string_view kNames[] = {"vectors", "strided", "line"};
  const std::string from = operands.front() == result ? "" : std::format("{}-", to_string(operands.front()));
  const std::string singles = frame.singles ? std::format("/singles{}", frame.singles) : "";
  return std::format("elementwise/{}/{}{}/{}{}d{}", expression_label(expression), from, to_string(result),
                     kNames[static_cast<size_t>(frame.kind)], frame.dims, singles);
}

}  // namespace dbk::gpu
