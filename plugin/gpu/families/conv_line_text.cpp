// The text follows the rules of line_text.cpp: no branch or loop before the stores, addresses of unknown low bits, and a
// store that never happens to keep all sums alive together.
#include "plugin/gpu/families/conv_line_text.h"

#include "plugin/gpu/families/line_pieces.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/text_line.h"

namespace dbk::gpu {

namespace {

uint32_t vectors_of(const LineConv& t) { return t.columns / kLineLanes; }

// The last tile of a row is moved back inside; a tile behind the last one computes that again. Neither stores what is not its own.
void write_places(std::string& s, const LineConv& t) {
  add_line(s, "  let tile = flat_group(group, groups) * {}u + team;", kLineConvTeams);
  add_line(s, "  let place = place_of(min(tile, p.tiles - 1u));");
  add_line(s, "  let channel = place.channel * {}u;", t.rows);
  add_line(s, "  let column = min(place.column * {0}u, p.width - {0}u);", t.columns);
  add_line(s, "  let first = p.k_start == 0u;");
  add_line(s, "  let x_at = place.x + column;");
  for (uint32_t i = 0; i < t.rows; ++i) {
    add_line(s, "  let channel{0} = min(channel + {0}u, p.channels_out - 1u);", i);
    add_line(s, "  let w{0}_at = unaligned_element(place.w + channel{0} * p.w_channel{1});", i, t.transposed ? "" : " + p.k_start");
    add_line(s, "  let c{0}_at = unaligned((((place.part * p.channels_out + channel{0}) * p.rows + place.row) * p.width + column) / 4u);", i);
    for (uint32_t j = 0; j < vectors_of(t); ++j)
      add_line(s, "  var c{0}_{1} = select(pick(c[c{0}_at + {2}u], c[c{0}_at + {3}u], lane), 0.0, first);", i, j, 2 * j, 2 * j + 1);
  }
}

// Eight neighbours in an array of single elements, one for each lane.
std::string eight(std::string_view array, std::string_view at, uint32_t first) {
  std::string text = "pick(";
  for (uint32_t e = 0; e < 8; ++e)
    text += std::format("{}{}[{} + {}u]{}", e % 4 == 0 ? "vec4<f32>(" : "", array, at, first + e, e % 4 == 3 ? "), " : ", ");
  return text + "lane)";
}

void write_products(std::string& s, const LineConv& t) {
  for (uint32_t u = 0; u < t.depth; ++u) {
    const std::string listed = std::format("[{}].{}", u / 4, kComponents[u % 4]);
    const std::string at = std::format("x{}_at", u);
    add_line(s, "  let {} = unaligned_element(x_at + p.offsets{});", at, listed);
    if (t.transposed) add_line(s, "  let w_{} = p.w_offsets{};", u, listed);
    for (uint32_t j = 0; j < vectors_of(t); ++j) add_line(s, "  let x{}_{} = {};", u, j, eight("x", at, j * kLineLanes));
    for (uint32_t i = 0; i < t.rows; ++i) {
      add_line(s, "  let w{0}_{1} = w[w{0}_at + {2}];", i, u, t.transposed ? std::format("w_{}", u) : std::format("{}u", u));
      for (uint32_t j = 0; j < vectors_of(t); ++j) add_line(s, "  c{0}_{1} = fma(w{0}_{2}, x{2}_{1}, c{0}_{1});", i, j, u);
    }
  }
}

void write_finish(std::string& s, const LineConv& t, const ConvFinish& finish) {
  using Place = EpilogueOperand::Place;
  const Epilogue& epilogue = finish.epilogue;
  for (uint32_t i = 0; i < t.rows; ++i) {
    add_line(s, "  let own{0} = place.group * p.channels_out + channel{0};\n  let r{0}_at = unaligned_element(c{0}_at * 4u);", i);
    for (uint32_t j = 0; j < vectors_of(t); ++j) {
      std::string value = std::format("c{}_{} + bias_of(own{})", i, j, i);
      for (size_t e = 0; e < epilogue.operands.size(); ++e) {
        const Place place = epilogue.operands[e].place;
        const std::string array = std::format("e{}", e);
        value += place == Place::Whole    ? ", " + eight(array, std::format("r{}_at", i), j * kLineLanes)
                 : place == Place::Column ? std::format(", e{}[own{}]", e, i)
                                          : std::format(", e{}[0]", e);
      }
      add_line(s, "  c{}_{} = {};", i, j, epilogue ? "value(" + value + ")" : value);
    }
  }
}

// What a program stores, and the array: sums, and results of their type, go on where they are.
DType stored_by(const std::optional<ConvFinish>& finish) { return finish ? finish->stored() : DType{DBK_F32}; }
std::string_view array_of(DType stored) { return stored == DBK_F32 ? "c" : "y"; }

void write_stores(std::string& s, const LineConv& t, DType stored) {
  const std::string_view array = array_of(stored);
  const auto quarter = [&](uint32_t i, uint32_t q) { return stored_lanes(stored, std::format("c{}_{}", i, q / 2), q % 2); };
  std::string all;
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < vectors_of(t); ++j) all += std::format("{}c{}_{}", all.empty() ? "" : " + ", i, j);
  add_line(s, "  let v0_0 = {};", quarter(0, 0));
  add_line(s, "  let theirs = place.column * {}u - column;", t.columns);
  add_line(s, "  if (subgroupBroadcast({}, 0u) == 1.2345e37 && tile < p.tiles && theirs == 0u) {{\n    {}[c0_at] = v0_0;\n  }}", all, array);
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t q = 0; q < 2 * vectors_of(t); ++q)
      if (i + q > 0) add_line(s, "  let v{}_{} = {};", i, q, quarter(i, q));
  for (uint32_t i = 0; i < t.rows; ++i) {
    add_line(s, "  if (tile < p.tiles && channel + {}u < p.channels_out) {{", i);
    for (uint32_t q = 0; q < 2 * vectors_of(t); ++q)
      add_line(s, "    if (theirs <= {2}u) {{ {3}[c{0}_at + {1}u] = v{0}_{1}; }}", i, q, 4 * q, array);
    add_line(s, "  }}");
  }
}

void write_bindings(std::string& s, const std::optional<ConvFinish>& finish) {
  add_line(s, "\n@group(0) @binding(0) var<storage, read> x: array<f32>;");
  add_line(s, "@group(0) @binding(1) var<storage, read> w: array<f32>;");
  uint32_t binding = 2 + (finish && finish->has_bias ? 1 : 0);
  for (size_t e = 0; finish && e < finish->epilogue.operands.size(); ++e)
    add_line(s, "@group(0) @binding({}) var<storage, read> e{}: array<f32>;", binding++, e);
  const DType stored = stored_by(finish);
  if (stored != DBK_F32) add_line(s, "@group(0) @binding({}) var<storage, read> c: array<vec4<f32>>;", binding++);
  add_line(s, "@group(0) @binding({}) var<storage, read_write> {}: array<vec4<{}>>;", binding, array_of(stored), to_string(stored));
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;", binding + 1);
}

}  // namespace

std::string line_conv_text(const LineConv& t, const std::optional<ConvFinish>& finish) {
  ProgramText head(kLineConvTeams * kLineLanes);
  head.enable("subgroups").alias("elem", "f32").file("_line").file("_line_store").file("_divide").file("conv/line");
  if (finish) {
    if (finish->has_bias) head.constant("binding_bias", 2);
    head.file(finish->has_bias ? "conv/bias" : "conv/bias_none");
    add_epilogue(head, DBK_F32, finish->epilogue);
    if (finish->stored() == DBK_F16) head.file("_line_f16");
  }
  std::string s = head.str();
  write_bindings(s, finish);
  add_line(s, "\n// One subgroup: {} channels by {} results, {} taps.", t.rows, t.columns, t.depth);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {{");
  write_places(s, t);
  write_products(s, t);
  if (finish) write_finish(s, t, *finish);
  write_stores(s, t, stored_by(finish));
  return s + "}\n";
}

std::string line_conv_label(const LineConv& t, const std::optional<ConvFinish>& finish) {
  const std::string end = !finish ? "" : (finish->has_bias ? "/bias" : "") + epilogue_label(finish->epilogue) + "/end";
  return std::format("{}/f32/line{}x{}x{}{}", t.transposed ? "conv_transpose" : "conv", t.rows, t.columns, t.depth, end);
}

}  // namespace dbk::gpu
