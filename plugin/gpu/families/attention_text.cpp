#include "plugin/gpu/families/attention_text.h"

#include <algorithm>

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kKeys = 4;    // keys per step of the loop: they share one rescaling of the sums

// Of q, and of the result, that a lane keeps. Element by element is the fallback, and kept small.
uint32_t most_parts(uint32_t width) { return width == 4 ? 32 : 8; }

template <class... Args>
void line(std::string& text, std::format_string<Args...> form, Args&&... args) {
  text += std::format(form, std::forward<Args>(args)...);
  text += '\n';
}

std::string wide(const AttentionTile& t, std::string_view type) {
  return t.width == 4 ? std::format("vec4<{}>", type) : std::string(type);
}
uint32_t q_parts(const AttentionTile& t) { return t.q_size / t.width; }
bool keeps_q(const AttentionTile& t) { return q_parts(t) <= most_parts(t.width); }  // else it is read again for each step
uint32_t v_parts(const AttentionTile& t) { return t.columns / t.width; }
// The last tile of columns may reach past the head.
bool ragged(const AttentionTile& t) { return t.v_size % t.columns != 0; }

void write_start(std::string& s, const AttentionTile& t) {
  line(s, "  let place = place_of(tile);");
  line(s, "  let row = place.row * group_size + lane;");
  line(s, "  let q_at = place.q + min(row, p.queries - 1u) * p.q.row;");
  line(s, "  let column = place.column * {}u;", v_parts(t));
  if (keeps_q(t))
    for (uint32_t i = 0; i < q_parts(t); ++i) line(s, "  let q{0} = {1}(q[q_at + {0}u]);", i, wide(t, "f32"));
  for (uint32_t i = 0; i < v_parts(t); ++i) {
    line(s, "  var o{} = {}();", i, wide(t, "f32"));
    if (ragged(t)) line(s, "  let v{0}_in = min(column + {0}u, {1}u);", i, t.v_size / t.width - 1);
  }
  line(s, "  var top = lowest();");
  line(s, "  var total = 0.0;");
  line(s, "  let seen = visible_keys(min(row, p.queries - 1u));");
  line(s, "  let all_seen = visible_keys(min(place.row * group_size + group_size - 1u, p.queries - 1u));");
}

// s = q . k, for each of the step's keys.
void write_products(std::string& s, const AttentionTile& t) {
  for (uint32_t u = 0; u < kKeys; ++u) {
    line(s, "    let t{0} = min(t + {0}u, all_seen - 1u);", u);
    line(s, "    let k{0}_at = place.k + t{0} * p.k.row;", u);
    line(s, "    var d{} = {}();", u, wide(t, "f32"));
  }
  if (keeps_q(t)) {
    for (uint32_t i = 0; i < q_parts(t); ++i)
      for (uint32_t u = 0; u < kKeys; ++u)
        line(s, "    d{0} = fma(q{1}, {2}(k[k{0}_at + {1}u]), d{0});", u, i, wide(t, "f32"));
  } else {
    line(s, "    for (var i = 0u; i < {}u; i++) {{", q_parts(t));
    line(s, "      let q_i = {}(q[q_at + i]);", wide(t, "f32"));
    for (uint32_t u = 0; u < kKeys; ++u) line(s, "      d{0} = fma(q_i, {1}(k[k{0}_at + i]), d{0});", u, wide(t, "f32"));
    line(s, "    }}");
  }
}

void write_scores(std::string& s, const AttentionTile& t, const AttentionTypes& types) {
  for (uint32_t u = 0; u < kKeys; ++u) {
    line(s, "    var s{0} = p.scale * {1};", u,
         t.width == 4 ? std::format("((d{0}.x + d{0}.y) + (d{0}.z + d{0}.w))", u) : std::format("d{}", u));
    if (types.softcap) line(s, "    s{0} = p.softcap * tanh_of(s{0} / p.softcap);", u);
    if (types.masking() != AttentionMasking::None)
      line(s, "    s{0} = masked(s{0}, place.mask + min(row, p.queries - 1u) * p.mask.z + t{0} * p.mask.w);", u);
    line(s, "    s{0} = select(lowest(), s{0}, t + {0}u < seen);", u);
  }
}

// Exponentials of the step's scores, and everything before scaled to the new largest one.
void write_weights(std::string& s) {
  line(s, "    let high = max(top, max(max(s0, s1), max(s2, s3)));");
  line(s, "    let level = select(high, 0.0, is_lowest(high));");
  line(s, "    let shrink = exp_falling(top - level);");
  line(s, "    top = high;");
  for (uint32_t u = 0; u < kKeys; ++u) line(s, "    let e{0} = exp_falling(s{0} - level);", u);
  line(s, "    total = fma(total, shrink, (e0 + e1) + (e2 + e3));");
}

void write_values(std::string& s, const AttentionTile& t) {
  for (uint32_t u = 0; u < kKeys; ++u) line(s, "    let v{0}_at = place.v + t{0} * p.v.row{1};", u, ragged(t) ? "" : " + column");
  const std::string_view splat = t.width == 4 ? "vec4<f32>" : "";
  for (uint32_t i = 0; i < v_parts(t); ++i) {
    line(s, "    o{0} *= shrink;", i);
    const std::string at = ragged(t) ? std::format("v{}_in", i) : std::format("{}u", i);
    for (uint32_t u = 0; u < kKeys; ++u)
      line(s, "    o{1} = fma({3}(e{0}), {2}(v[v{0}_at + {4}]), o{1});", u, i, wide(t, "f32"), splat, at);
  }
}

void write_stores(std::string& s, const AttentionTile& t) {
  line(s, "  if (row < p.queries) {{");
  line(s, "    let y_at = place.y + row * p.y.row + column;");
  line(s, "    let inverse = 1.0 / total;");
  line(s, "    let none = total == 0.0;");
  for (uint32_t i = 0; i < v_parts(t); ++i) {
    std::string store = std::format("y[y_at + {0}u] = {1}(select(o{0} * inverse, {2}(bitcast<f32>(p.unseen)), none));", i,
                                    wide(t, "elem"), wide(t, "f32"));
    if (ragged(t)) store = std::format("if (column + {}u < {}u) {{ {} }}", i, t.v_size / t.width, store);
    line(s, "    {}", store);
  }
  line(s, "  }}");
}

void write_bindings(std::string& s, const AttentionTile& t, const AttentionTypes& types) {
  uint32_t binding = 0;
  for (char name : {'q', 'k', 'v'})
    line(s, "@group(0) @binding({}) var<storage, read> {}: array<{}>;", binding++, name, wide(t, "elem"));
  if (types.masking() != AttentionMasking::None)
    line(s, "@group(0) @binding({}) var<storage, read> mask: array<{}>;", binding++,
         types.masking() == AttentionMasking::Kept ? "u32" : "mask_elem");
  line(s, "@group(0) @binding({}) var<storage, read_write> y: array<{}>;", binding++, wide(t, "elem"));
  line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", binding);
  if (types.masking() == AttentionMasking::Added)
    line(s, "fn masked(score: f32, at: u32) -> f32 {{\n  return score + f32(mask[at]);\n}}\n");
  if (types.masking() == AttentionMasking::Kept)
    line(s, "fn masked(score: f32, at: u32) -> f32 {{\n"
            "  return select(lowest(), score, ((mask[at >> 2u] >> ((at & 3u) * 8u)) & 0xffu) != 0u);\n}}\n");
  line(s, "fn is_lowest(x: f32) -> bool {{\n  return bitcast<u32>(x) == 0xff800000u;\n}}\n");
}

}  // namespace

AttentionMasking AttentionTypes::masking() const {
  if (mask == DBK_DTYPE_NONE) return AttentionMasking::None;
  return mask == DBK_BOOL ? AttentionMasking::Kept : AttentionMasking::Added;
}

// A CPU adapter runs subgroup after subgroup, so a workgroup is one; GPUs hide latency behind larger ones.
AttentionTile attention_tile(int64_t q_size, int64_t v_size, uint32_t width, const Capabilities& caps) {
  const uint32_t lanes = caps.cpu_adapter ? std::clamp(caps.subgroup_max, 4u, 16u) : std::clamp(caps.subgroup_max, 32u, 64u);
  const uint32_t most = caps.cpu_adapter ? most_parts(width) * width : std::min(most_parts(width) * width, 64u);  // GPUs spill sooner
  return {lanes, width, static_cast<uint32_t>(q_size), static_cast<uint32_t>(v_size),
          static_cast<uint32_t>(std::min<int64_t>(v_size, most))};
}

std::string attention_text(const AttentionTile& t, const AttentionTypes& types) {
  ProgramText head(t.lanes);
  head.arithmetic(types.elements).file("attention/place").file("_math");
  if (types.masking() == AttentionMasking::Added) head.alias("mask_elem", to_string(types.mask));
  std::string s = head.str();
  line(s, "\n// Each lane owns a query row of {} elements and {} columns of the result.", t.q_size, t.columns);
  write_bindings(s, t, types);
  line(s, "@compute @workgroup_size(group_size)");
  line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  line(s, "  let tile = flat_group(group, groups);");
  line(s, "  if (tile >= p.tiles) {{\n    return;\n  }}");
  write_start(s, t);
  line(s, "  for (var t = 0u; t < all_seen; t += {}u) {{", kKeys);
  write_products(s, t);
  write_scores(s, t, types);
  write_weights(s);
  write_values(s, t);
  line(s, "  }}");
  write_stores(s, t);
  return s + "}\n";
}

std::string attention_label(const AttentionTile& t, const AttentionTypes& types) {
  std::string mask;
  if (types.masking() != AttentionMasking::None) mask = std::format("/mask_{}", to_string(types.mask));
  return std::format("attention/{}/rows{}x{}/{}+{}{}{}", to_string(types.elements), t.lanes, t.width, t.q_size, t.columns, mask,
                     types.softcap ? "/softcap" : "");
}

}  // namespace dbk::gpu
