#include "plugin/gpu/families/attention_text.h"

#include <algorithm>

#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/text_line.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kKeys = 4;    // keys per step of the loop: they share one rescaling of the sums

// Of q, and of the result, that a lane keeps. Element by element is the fallback, and kept small.
uint32_t most_parts(uint32_t width) { return width == 4 ? 32 : 8; }

std::string wide(uint32_t width, std::string_view type) { return width == 4 ? std::format("vec4<{}>", type) : std::string(type); }
std::string wide(const AttentionTile& t, std::string_view type) { return wide(t.width, type); }
uint32_t q_parts(const AttentionTile& t) { return t.q_size / t.width; }
bool keeps_q(const AttentionTile& t) { return q_parts(t) <= most_parts(t.width); }  // else it is read again for each step
uint32_t v_parts(const AttentionTile& t) { return t.columns / t.width; }
// The last tile of columns may reach past the head.
bool ragged(const AttentionTile& t) { return t.v_size % t.columns != 0; }

// Keys in memory of their own: those of the cache, or those given. Names in the text.
struct KeySource {
  std::string_view k, v;        // buffers, and their places in Place and Params
  std::string_view begin, end;  // keys
  std::string_view seen;        // the lane's end
  std::string_view before;      // keys in front of its first one, subtracted
};
constexpr KeySource kOnly{"k", "v", "0u", "all_seen", "seen", ""};
constexpr KeySource kWindowed{"k", "v", "all_first", "all_seen", "seen", ""};
constexpr KeySource kCached{"past_k", "past_v", "0u", "cached", "seen_cached", ""};
constexpr KeySource kGiven{"k", "v", "p.past", "all_seen", "seen", " - p.past"};

// The keys of one step of the loop are `stride` apart.
uint32_t stride_of(const AttentionTile& t) { return t.by_keys() ? t.lanes : 1; }
std::string key_of(const AttentionTile& t, uint32_t u) { return u == 0 ? "t" : std::format("t + {}u", u * stride_of(t)); }

// The largest score so far and the sum of weights relative to it. One more key, of which score and values are 0, is met first by a lane
// that shares its row with others.
void write_levels(std::string& s, const AttentionTile& t, const AttentionForm& form) {
  if (t.by_keys() && form.zero_key) {
    add_line(s, "  let meets_zero = part == 0u && lane == 0u;");
    add_line(s, "  var top = select(lowest(), 0.0, meets_zero);\n  var total = select(0.0, 1.0, meets_zero);");
  } else {
    add_line(s, "  var top = lowest();\n  var total = 0.0;");
  }
}

// Keys that any lane of the workgroup walks: [all_first, all_seen), from 0 without a window.
void write_range(std::string& s, const AttentionTile& t, const AttentionForm& form) {
  if (form.window) add_line(s, "  let first = first_key(min(row, p.queries - 1u), length);");
  if (t.by_keys()) {
    add_line(s, "  let part_first = {};", form.window ? "max(part * p.part_keys, first)" : "part * p.part_keys");
    add_line(s, "  let all_seen = min(seen, (part + 1u) * p.part_keys);");
    return;
  }
  add_line(s, "  let all_seen = {};", form.scores ? "p.keys" : "visible_keys(min(place.row * group_size + group_size - 1u, p.queries - 1u), length)");
  if (form.window) add_line(s, "  let all_first = first_key(place.row * group_size, length);");
}

void write_start(std::string& s, const AttentionTile& t, const AttentionForm& form) {
  if (t.by_keys()) {
    add_line(s, "  let part = tile % p.parts;\n  let place = place_of(tile / p.parts);\n  let row = place.row;");
  } else {
    add_line(s, "  let place = place_of(tile);\n  let row = place.row * group_size + lane;");
  }
  add_line(s, "  let q_at = place.q + min(row, p.queries - 1u) * p.q.row;");
  add_line(s, "  let column = place.column * {}u;", v_parts(t));
  if (keeps_q(t))
    for (uint32_t i = 0; i < q_parts(t); ++i) add_line(s, "  let q{0} = {1}(q[q_at + {0}u]);", i, wide(t, "f32"));
  for (uint32_t i = 0; i < v_parts(t); ++i) {
    add_line(s, "  var o{} = {}();", i, wide(t, "f32"));
    if (ragged(t)) add_line(s, "  let v{0}_in = min(column + {0}u, {1}u);", i, t.v_size / t.width - 1);
  }
  write_levels(s, t, form);
  add_line(s, "  let length = {};", form.has_lengths() ? "length_of(place.batch)" : "p.keys");
  add_line(s, "  let seen = visible_keys(min(row, p.queries - 1u), length);");
  write_range(s, t, form);
  if (form.past) add_line(s, "  let cached = min(all_seen, p.past);\n  let seen_cached = min(seen, cached);");
  if (form.scores) add_line(s, "  let keeps = row < p.queries && place.column == 0u;\n  let scores_at = (place.head * p.queries + row) * p.keys;");
}

std::string row_of(uint32_t u, const KeySource& keys) {
  return keys.before.empty() ? std::format("t{}", u) : std::format("(t{}{})", u, keys.before);
}

// s = q . k, for each of the step's keys.
void write_products(std::string& s, const AttentionTile& t, const KeySource& keys) {
  for (uint32_t u = 0; u < kKeys; ++u) {
    add_line(s, "    let t{0} = min({2}, {1} - 1u);", u, keys.end, key_of(t, u));
    add_line(s, "    let k{0}_at = place.{1} + {2} * p.{1}.row;", u, keys.k, row_of(u, keys));
    add_line(s, "    var d{} = {}();", u, wide(t, "f32"));
  }
  if (keeps_q(t)) {
    for (uint32_t i = 0; i < q_parts(t); ++i)
      for (uint32_t u = 0; u < kKeys; ++u)
        add_line(s, "    d{0} = fma(q{1}, {2}({3}[k{0}_at + {1}u]), d{0});", u, i, wide(t, "f32"), keys.k);
  } else {
    add_line(s, "    for (var i = 0u; i < {}u; i++) {{", q_parts(t));
    add_line(s, "      let q_i = {}(q[q_at + i]);", wide(t, "f32"));
    for (uint32_t u = 0; u < kKeys; ++u) add_line(s, "      d{0} = fma(q_i, {1}({2}[k{0}_at + i]), d{0});", u, wide(t, "f32"), keys.k);
    add_line(s, "    }}");
  }
}

void write_mask(std::string& s, const AttentionTile& t, const AttentionForm& form, uint32_t u, size_t i) {
  const std::string key = form.masks_may_end ? std::format("min(t{}, max(p.mask_keys[{}], 1u) - 1u)", u, i) : std::format("t{}", u);
  add_line(s, "    s{0} = masked{1}(s{0}, place.mask{1} + min(row, p.queries - 1u) * p.mask{1}.z + {2} * p.mask{1}.w);", u, i, key);
  if (form.masks_may_end) add_line(s, "    s{0} = select(lowest(), s{0}, {2} < p.mask_keys[{1}]);", u, i, key_of(t, u));
}

void write_scores(std::string& s, const AttentionTile& t, const AttentionForm& form, const KeySource& keys) {
  for (uint32_t u = 0; u < kKeys; ++u) {
    const auto keep = [&](ScoreStage stage) {
      if (form.scores && form.stage == stage)
        add_line(s, "    if (keeps && t + {0}u < {1}) {{\n      scores[scores_at + t + {0}u] = elem(s{0});\n    }}", u, keys.end);
    };
    add_line(s, "    var s{0} = p.scale * {1};", u,
         t.width == 4 ? std::format("((d{0}.x + d{0}.y) + (d{0}.z + d{0}.w))", u) : std::format("d{}", u));
    keep(ScoreStage::Product);
    if (form.softcap && !form.cap_follows_mask) add_line(s, "    s{0} = p.softcap * tanh_of(s{0} / p.softcap);", u);
    for (size_t i = 0; i < form.masks.size(); ++i)
      if (form.masks[i] != DBK_DTYPE_NONE) write_mask(s, t, form, u, i);
    const std::string key = key_of(t, u);
    const std::string in_window = form.window && !t.by_keys() ? std::format(" && {} >= first", key) : "";
    add_line(s, "    s{0} = select(lowest(), s{0}, {1} < {2}{3});", u, key, t.by_keys() ? keys.end : keys.seen, in_window);
    keep(ScoreStage::Masked);
    if (form.softcap && form.cap_follows_mask)
      add_line(s, "    s{0} = select(p.softcap * tanh_of(s{0} / p.softcap), s{0}, is_lowest(s{0}));", u);
    keep(ScoreStage::Capped);
  }
}

// Exponentials of the step's scores, and everything before scaled to the new largest one.
void write_weights(std::string& s) {
  add_line(s, "    let high = max(top, max(max(s0, s1), max(s2, s3)));");
  add_line(s, "    let level = select(high, 0.0, is_lowest(high));");
  add_line(s, "    let shrink = exp_falling(top - level);");
  add_line(s, "    top = high;");
  for (uint32_t u = 0; u < kKeys; ++u) add_line(s, "    let e{0} = exp_falling(s{0} - level);", u);
  add_line(s, "    total = fma(total, shrink, (e0 + e1) + (e2 + e3));");
}

void write_values(std::string& s, const AttentionTile& t, const KeySource& keys) {
  for (uint32_t u = 0; u < kKeys; ++u)
    add_line(s, "    let v{0}_at = place.{1} + {2} * p.{1}.row{3};", u, keys.v, row_of(u, keys), ragged(t) ? "" : " + column");
  const std::string_view splat = t.width == 4 ? "vec4<f32>" : "";
  for (uint32_t i = 0; i < v_parts(t); ++i) {
    add_line(s, "    o{0} *= shrink;", i);
    const std::string at = ragged(t) ? std::format("v{}_in", i) : std::format("{}u", i);
    for (uint32_t u = 0; u < kKeys; ++u)
      add_line(s, "    o{1} = fma({3}(e{0}), {2}({5}[v{0}_at + {4}]), o{1});", u, i, wide(t, "f32"), splat, at, keys.v);
  }
}

void write_keys(std::string& s, const AttentionTile& t, const AttentionForm& form, const KeySource& keys) {
  const std::string begin = t.by_keys() ? std::format("max(part_first, {}) + lane", keys.begin) : std::string(keys.begin);
  add_line(s, "  for (var t = {}; t < {}; t += {}u) {{", begin, keys.end, kKeys * stride_of(t));
  write_products(s, t, keys);
  write_scores(s, t, form, keys);
  write_weights(s);
  write_values(s, t, keys);
  add_line(s, "  }}");
}

// One more key, of which score and values are 0.
void write_zero_key(std::string& s, const AttentionTile& t) {
  add_line(s, "  let last_level = max(top, 0.0);\n  let last_shrink = exp_falling(top - last_level);");
  add_line(s, "  total = fma(total, last_shrink, exp_falling(-last_level));");
  for (uint32_t i = 0; i < v_parts(t); ++i) add_line(s, "  o{} *= last_shrink;", i);
}

// `store`, of columns that the head has.
std::string within_head(const AttentionTile& t, uint32_t i, std::string store) {
  return ragged(t) ? std::format("if (column + {}u < {}u) {{ {} }}", i, t.v_size / t.width, store) : store;
}

void write_stores(std::string& s, const AttentionTile& t) {
  add_line(s, "  if (row < p.queries) {{");
  add_line(s, "    let y_at = place.y + row * p.y.row + column;");
  add_line(s, "    let inverse = 1.0 / total;");
  add_line(s, "    let none = total == 0.0;");
  for (uint32_t i = 0; i < v_parts(t); ++i)
    add_line(s, "    {}", within_head(t, i, std::format("y[y_at + {0}u] = {1}(select(o{0} * inverse, {2}(bitcast<f32>(p.unseen)), none));", i,
                                                    wide(t, "elem"), wide(t, "f32"))));
  add_line(s, "  }}");
}

// What the lane found, for kernels/attention/merge.wgsl.
void write_parts(std::string& s, const AttentionTile& t) {
  add_line(s, "  let slot = ((place.head * p.queries + row) * p.parts + part) * group_size + lane;");
  add_line(s, "  let sums_at = slot * {}u + column;", t.v_size / t.width);
  for (uint32_t i = 0; i < v_parts(t); ++i) add_line(s, "  {}", within_head(t, i, std::format("sums[sums_at + {0}u] = o{0};", i)));
  add_line(s, "  if (place.column == 0u) {{\n    levels[slot] = vec2<f32>(top, total);\n  }}");
}

// Weights of keys, where they are kept: only behind all keys the largest score and the total are known, so scores are made again.
void write_kept_weights(std::string& s, const AttentionTile& t, const AttentionForm& form, const KeySource& keys) {
  add_line(s, "  for (var t = {}; t < {}; t += {}u) {{", keys.begin, keys.end, kKeys);
  write_products(s, t, keys);
  write_scores(s, t, form, keys);
  for (uint32_t u = 0; u < kKeys; ++u)
    add_line(s, "    if (keeps && t + {0}u < {1}) {{\n      scores[scores_at + t + {0}u] = elem(exp_falling(s{0} - last_level) * share);\n    }}", u, keys.end);
  add_line(s, "  }}");
}

std::string masked_score(DType mask, size_t i) {
  if (mask == DBK_BOOL) return std::format("select(p.filter_value, score, ((mask{}[at >> 2u] >> ((at & 3u) * 8u)) & 0xffu) != 0u)", i);
  if (mask == DBK_I32) return std::format("score + select(p.filter_value, 0.0, mask{}[at] != 0)", i);
  return std::format("select(score + f32(mask{0}[at]), lowest(), is_lowest(f32(mask{0}[at])))", i);
}

}  // namespace

std::string_view mask_element(DType mask) {
  return mask == DBK_BOOL ? "u32" : mask == DBK_F16 ? "f16" : mask == DBK_I32 ? "i32" : "f32";
}

std::string mask_functions(const AttentionForm& form) {
  std::string s;
  for (size_t i = 0; i < form.masks.size(); ++i)
    if (form.masks[i] != DBK_DTYPE_NONE)
      add_line(s, "fn masked{}(score: f32, at: u32) -> f32 {{\n  return {};\n}}\n", i, masked_score(form.masks[i], i));
  return s;
}

std::string attention_functions(const AttentionForm& form) {
  std::string s = mask_functions(form);
  if (!form.has_lengths()) return s;
  s += kernel_text("_fault");
  add_line(s, "\nfn length_of(batch: u32) -> u32 {{\n"
          "  let length = {};\n"
          "  if (length.y != 0u || length.x > p.keys) {{\n    report_fault(1u, batch, length);\n  }}\n"
          "  return min(length.x, p.keys);\n}}\n",
       form.lengths == DBK_I64 ? "lengths[batch]" : std::format("vec2<u32>(lengths[batch]{}, 0u)", form.lengths_are_last ? " + 1u" : ""));
  return s;
}

std::string score_function(const AttentionForm& form, bool shared_masks) {
  std::string s;
  add_line(s, "fn score_of(place: Place, product: f32, row: u32, t: u32, end: u32, seen: u32{}) -> f32 {{", form.window ? ", begun: u32" : "");
  add_line(s, "  var s = p.scale * product;");
  if (form.softcap && !form.cap_follows_mask) add_line(s, "  s = p.softcap * tanh_of(s / p.softcap);");
  for (size_t i = 0; i < form.masks.size(); ++i) {
    if (form.masks[i] == DBK_DTYPE_NONE) continue;
    const std::string last = form.masks_may_end ? std::format("min(end, max(p.mask_keys[{}], 1u))", i) : "end";
    const std::string of_row = shared_masks ? "" : std::format(" + row * p.mask{}.z", i);
    add_line(s, "  s = masked{0}(s, place.mask{0}{2} + min(t, {1} - 1u) * p.mask{0}.w);", i, last, of_row);
    if (form.masks_may_end) add_line(s, "  s = select(lowest(), s, t < p.mask_keys[{}]);", i);
  }
  add_line(s, "  s = select(lowest(), s, t < seen{});", form.window ? " && t >= begun" : "");
  if (form.softcap && form.cap_follows_mask) add_line(s, "  s = select(p.softcap * tanh_of(s / p.softcap), s, is_lowest(s));");
  add_line(s, "  return s;\n}}\n");
  return s;
}

std::string attention_bindings(const AttentionForm& form, uint32_t width, bool by_keys) {
  std::string s;
  uint32_t binding = 0;
  const auto bind = [&](std::string_view access, std::string_view name, std::string_view element) {
    add_line(s, "@group(0) @binding({}) var<storage, {}> {}: array<{}>;", binding++, access, name, element);
  };
  bind("read", "q", wide(width, "elem"));
  const auto bind_keys = [&](std::string_view access) {
    for (const char* name : {"k", "v"}) bind(access, name, wide(width, "elem"));
  };
  if (!form.keys_written) bind_keys("read");
  if (form.past)
    for (const char* name : {"past_k", "past_v"}) bind("read", name, wide(width, "elem"));
  for (size_t i = 0; i < form.masks.size(); ++i)
    if (form.masks[i] != DBK_DTYPE_NONE) bind("read", std::format("mask{}", i), mask_element(form.masks[i]));
  if (form.has_lengths()) bind("read", "lengths", form.lengths == DBK_I64 ? "vec2<u32>" : "u32");
  if (form.keys_written) bind_keys("read_write");
  if (by_keys) bind("read_write", "sums", wide(width, "f32")), bind("read_write", "levels", "vec2<f32>");
  else bind("read_write", "y", wide(width, "elem"));
  if (form.scores) bind("read_write", "scores", "elem");
  if (form.has_lengths()) bind("read_write", "fault", "atomic<u32>");
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", binding);
  return s;
}

bool AttentionForm::has_f16_mask() const { return std::ranges::find(masks, DType{DBK_F16}) != masks.end(); }

uint32_t AttentionForm::reads() const {
  const auto there = std::ranges::count_if(masks, [](DType mask) { return mask != DBK_DTYPE_NONE; });
  return (keys_written ? 1u : 3u) + (past ? 2 : 0) + static_cast<uint32_t>(there) + (has_lengths() ? 1 : 0);
}

// A CPU adapter runs subgroup after subgroup, so a workgroup is one; GPUs hide latency behind larger ones.
AttentionTile attention_tile(int64_t q_size, int64_t v_size, uint32_t width, AttentionTile::Owns owns, const Capabilities& caps) {
  const uint32_t lanes = caps.cpu_adapter ? std::clamp(caps.subgroup_max, 4u, 16u) : std::clamp(caps.subgroup_max, 32u, 64u);
  const uint32_t most = caps.cpu_adapter ? most_parts(width) * width : std::min(most_parts(width) * width, 64u);  // GPUs spill sooner
  return {lanes, width, static_cast<uint32_t>(q_size), static_cast<uint32_t>(v_size),
          static_cast<uint32_t>(std::min<int64_t>(v_size, most)), owns};
}

std::string attention_text(const AttentionTile& t, const AttentionForm& form) {
  ProgramText head(t.lanes);
  head.arithmetic(form.elements).file("attention/place").file("_math");
  if (form.has_f16_mask()) head.enable("f16");
  std::string s = head.str();
  add_line(s, "\n// Each lane owns {} of {} elements and {} columns of the result.", t.by_keys() ? "keys" : "a query row", t.q_size, t.columns);
  s += attention_bindings(form, t.width, t.by_keys());
  s += attention_functions(form);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  add_line(s, "  let tile = flat_group(group, groups);");
  add_line(s, "  if (tile >= p.tiles) {{\n    return;\n  }}");
  write_start(s, t, form);
  if (form.past) write_keys(s, t, form, kCached);
  write_keys(s, t, form, form.past ? kGiven : form.window && !t.by_keys() ? kWindowed : kOnly);
  if (t.by_keys()) {
    write_parts(s, t);
    return s + "}\n";
  }
  if (form.zero_key) write_zero_key(s, t);
  if (form.scores && form.stage == ScoreStage::Weights) {
    add_line(s, "  let last_level = select(top, 0.0, is_lowest(top));\n  let share = select(1.0 / total, 0.0, total == 0.0);");
    if (form.past) write_kept_weights(s, t, form, kCached);
    write_kept_weights(s, t, form, form.past ? kGiven : kOnly);
  }
  write_stores(s, t);
  return s + "}\n";
}

std::string form_label(const AttentionForm& form) {
  std::string label;
  if (form.past) label += "/past";
  for (DType mask : form.masks)
    if (mask != DBK_DTYPE_NONE) label += std::format("/{}mask_{}", form.masks_may_end ? "short_" : "", to_string(mask));
  if (form.softcap) label += form.cap_follows_mask ? "/mask_softcap" : "/softcap";
  if (form.has_lengths()) label += std::format("/lengths_{}", to_string(form.lengths));
  if (form.window) label += "/window";
  if (form.zero_key) label += "/zero_key";
  if (form.keys_written) label += "/written";
  if (form.scores) label += std::format("/scores{}", static_cast<int>(form.stage));
  return label;
}

std::string attention_label(const AttentionTile& t, const AttentionForm& form) {
  const std::string label = std::format("attention/{}/{}{}x{}/{}+{}", to_string(form.elements), t.by_keys() ? "keys" : "rows", t.lanes, t.width, t.q_size, t.columns);
  return label + form_label(form);
}

}  // namespace dbk::gpu
