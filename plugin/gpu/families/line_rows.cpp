#include "plugin/gpu/families/line_rows.h"

#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/text_line.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kSegment = 128, kMostParts = 16;   // as kernels/_line_rows.wgsl has them
constexpr uint32_t kVectors = kSegment / kLineLanes;  // of a segment
constexpr uint32_t kChains = 4;                       // of operations that do not wait for each other
constexpr uint32_t kSums = 2;                         // of the second stage
constexpr uint32_t kTeams = kGroupSize / kLineLanes;

// Bindings behind those of the op's operands: what the stages before found, then what this one writes.
struct Bindings {
  uint32_t firsts, seconds, written, params;
};

Bindings bindings_of(const LineRows& form, RowStage stage) {
  Bindings b{};
  uint32_t next = form.sources + (stage == RowStage::Result ? form.others : 0);
  b.firsts = stage == RowStage::First ? next : form.has_first ? next++ : 0;
  b.seconds = stage == RowStage::Result ? next++ : next;
  b.written = next;
  b.params = next + (stage == RowStage::Result ? form.results : 1);
  return b;
}

void write_bindings(std::string& s, const LineRows& form, RowStage stage) {
  const Bindings b = bindings_of(form, stage);
  const auto declare = [&](const char* name, uint32_t binding, bool written) {
    add_line(s, "@group(0) @binding({}) var<storage, {}> {}: array<{}>;", binding, written ? "read_write" : "read", name,
            written ? "f32" : "vec4<f32>");
  };
  add_line(s, "");
  if (stage == RowStage::First || form.has_first) declare("firsts", b.firsts, stage == RowStage::First);
  if (stage != RowStage::First) declare("seconds", b.seconds, stage == RowStage::Second);
  if (stage == RowStage::Result) add_line(s, "@group(0) @binding({}) var<storage, read_write> y: array<vec4<f32>>;", b.written);
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", b.params);
}

// What all segments of the row found, in every lane: `fold` for 16 parts that begin at vector `at` of `from`.
std::string whole_row(std::string_view fold, std::string_view from, std::string_view at, std::string_view none, std::string_view pair) {
  const auto eight = [&](uint32_t first) {
    return std::format("part_of({0}[{1} + {2}u], {0}[{1} + {3}u], {4}u, lane, {5})", from, at, first / 4, first / 4 + 1, first, none);
  };
  return std::format("{}({}({}, {}))", fold, pair, eight(0), eight(8));
}

void write_first_of_row(std::string& s, const LineRows& form) {
  if (!form.has_first) return add_line(s, "  let first = 0.0;");
  add_line(s, "  let firsts_at = unaligned(segment.row * {}u);", kMostParts / 4);
  add_line(s, "  let first = first_of({});", whole_row("fold_lanes", "firsts", "firsts_at", "none()", "fold"));
}

void write_firsts(std::string& s) {
  for (uint32_t k = 0; k < kVectors; ++k)
    add_line(s, "  let v{0} = select(none(), number(at, {1}u, lane), {2}u + lane >= segment.repeated);", k, 2 * k, kLineLanes * k);
  for (uint32_t c = 0; c < kChains; ++c) {
    std::string chain = std::format("v{}", c);
    for (uint32_t k = c + kChains; k < kVectors; k += kChains) chain = std::format("fold({}, v{})", chain, k);
    add_line(s, "  let c{} = {};", c, chain);
  }
  add_line(s, "  let found = fold_lanes(fold(fold(c0, c1), fold(c2, c3)));");
  add_line(s, "  if (lane == 0u) {{\n    firsts[segment.row * {}u + segment.part] = found;\n  }}", kMostParts);
}

void write_seconds(std::string& s, const LineRows& form) {
  write_first_of_row(s, form);
  for (uint32_t k = 0; k < kVectors; ++k)
    add_line(s, "  let t{0} = select(vec2<f32>(), term(number(at, {1}u, lane), first), {2}u + lane >= segment.repeated);", k, 2 * k, kLineLanes * k);
  for (uint32_t c = 0; c < kChains; ++c) {
    std::string chain = std::format("t{}", c);
    for (uint32_t k = c + kChains; k < kVectors; k += kChains) chain += std::format(" + t{}", k);
    add_line(s, "  let c{} = {};", c, chain);
  }
  add_line(s, "  let sums = (c0 + c1) + (c2 + c3);");
  add_line(s, "  let found = vec2<f32>(subgroupAdd(sums.x), subgroupAdd(sums.y));");
  add_line(s, "  if (lane == 0u) {{\n    let to = segment.row * {}u + segment.part;", kSums * kMostParts);
  add_line(s, "    seconds[to] = found.x;\n    seconds[to + {}u] = found.y;\n  }}", kMostParts);
}

void write_results(std::string& s, const LineRows& form) {
  write_first_of_row(s, form);
  add_line(s, "  let seconds_at = unaligned(segment.row * {}u);", kSums * kMostParts / 4);
  add_line(s, "  let sums = vec2<f32>({},\n                       {});", whole_row("subgroupAdd", "seconds", "seconds_at", "0.0", "plus"),
          whole_row("subgroupAdd", "seconds", std::format("seconds_at + {}u", kMostParts / 4), "0.0", "plus"));
  add_line(s, "  let by = scaling_of(first, sums);");
  for (uint32_t k = 0; k < kVectors; ++k) add_line(s, "  let v{0} = number(at, {1}u, lane);", k, 2 * k);
  for (uint32_t k = 0; k < kVectors; ++k) add_line(s, "  let r{0} = line_result(v{0}, by, at, {1}u, lane);", k, 2 * k);
  for (uint32_t k = 0; k < kVectors; ++k) {
    add_line(s, "  y[at.x + {1}u] = low_lanes(r{0});\n  y[at.x + {2}u] = high_lanes(r{0});", k, 2 * k, 2 * k + 1);
    add_line(s, "  keep_number(at.x + {1}u, v{0});", k, 2 * k);
  }
  add_line(s, "  if (lane == 0u && segment.part == 0u) {{\n    keep(segment.row, by);\n  }}");
}

std::string entry_point(const LineRows& form, RowStage stage) {
  std::string s;
  write_bindings(s, form, stage);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {{");
  add_line(s, "  let segment = segment_of(group, groups, team);\n  let at = places_of(segment.row, segment.start);");
  switch (stage) {
    case RowStage::First: write_firsts(s); break;
    case RowStage::Second: write_seconds(s, form); break;
    case RowStage::Result: write_results(s, form); break;
  }
  return s + "}\n";
}

std::vector<RowStage> stages_of(const LineRows& form) {
  if (form.has_first) return {RowStage::First, RowStage::Second, RowStage::Result};
  return {RowStage::Second, RowStage::Result};
}

constexpr std::string_view kStageNames[] = {"first", "second", "result"};

}  // namespace

// Fewer elements take less time than two more dispatches (llvmpipe, LayerNormalization of 128 x 384: 0.30 instead of 0.25 ms of a core; of
// 2048 x 1024: 2.0 instead of 7.6).
bool line_rows_fit(int64_t rows, int64_t length, const Capabilities& caps) {
  constexpr int64_t kLeast = 64 << 10;
  return length >= kSegment && length <= int64_t{kSegment} * kMostParts && length % 4 == 0 && rows * length >= kLeast &&
         ceil_div(static_cast<uint64_t>(rows), kTeams) <= caps.max_groups;
}

void line_row_programs(const LineRows& form, const std::string& label, const TypedNode& node, std::vector<Program>& out) {
  for (const RowStage stage : stages_of(form)) {
    const Bindings b = bindings_of(form, stage);
    ProgramText text;
    text.enable("subgroups").arithmetic(DBK_F32).file("_line").file("_line_store").file("_line_rows").file("_divide");
    form.body(node, stage, b.written, text);
    text.text(written_by<entry_point>(form, stage));
    out.push_back({std::format("{}/line/{}", label, kStageNames[static_cast<size_t>(stage)]), text, b.written, b.params - b.written});
  }
}

void line_row_launch(const LineRows& form, uint32_t first_program, const std::vector<Argument>& args, LineRowParams params,
                     std::vector<Dispatch>& out) {
  params.parts = static_cast<uint32_t>(ceil_div(params.length, kSegment));
  const Argument firsts = scratch(0, uint64_t{params.rows} * kMostParts * sizeof(float));
  const Argument seconds = scratch(1, uint64_t{params.rows} * kSums * kMostParts * sizeof(float));
  for (const RowStage stage : stages_of(form)) {
    const bool ends = stage == RowStage::Result;
    std::vector<Argument> bound(args.begin(), args.begin() + form.sources + (ends ? form.others : 0));
    if (stage == RowStage::First || form.has_first) bound.push_back(firsts);
    if (stage != RowStage::First) bound.push_back(seconds);
    if (ends) bound.insert(bound.end(), args.begin() + form.sources + form.others, args.end());
    const uint32_t groups = static_cast<uint32_t>(ceil_div(params.rows, kTeams));
    out.push_back({first_program++, std::move(bound), {params.parts, groups, 1}, to_params(params)});
  }
}

}  // namespace dbk::gpu
