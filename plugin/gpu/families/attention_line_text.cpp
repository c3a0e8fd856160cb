// Why the text looks as it does: line_text.cpp. Lanes hold queries, so that nothing of a row crosses lanes: largest scores and sums are
// those of vectors, and keys and values are the uniform operands.
#include "plugin/gpu/families/attention_line_text.h"

#include <algorithm>

#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/product_text.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kHalves = kAttentionLineRows / kLineLanes;  // vectors of queries
constexpr uint32_t kVectors = kAttentionLineRows / 4;          // vec4 of the queries, in arrays between programs
constexpr uint32_t kSums = 4;                                  // that a subgroup has at a time, of each query: of keys or of columns
constexpr uint32_t kCut = 16;                                  // steps of a sum between cuts
constexpr uint32_t kMostValueTeams = 16;
constexpr int64_t kMostColumns = 128;  // of a head of queries: the text grows with it

std::string head_text(const AttentionLine& t, uint32_t group_size, bool f16 = false) {
  ProgramText head(group_size);
  head.enable("subgroups").constant("chunk_keys", t.chunk()).arithmetic(DBK_F32).file("attention/place").file("attention/line").file("_math").file("_line").file("_line_store");
  if (f16) head.enable("f16");
  return head.str();
}

// Bindings in order, the params last.
class Bindings {
 public:
  explicit Bindings(std::string& text) : text_(text) { text_ += '\n'; }
  Bindings& read(std::string_view name, std::string_view type = "vec4<f32>") { return bind("read", name, type); }
  Bindings& write(std::string_view name) { return bind("read_write", name, "vec4<f32>"); }
  void params() { add_line(text_, "@group(0) @binding({}) var<uniform> p: Params;\n", next_); }

 private:
  Bindings& bind(std::string_view access, std::string_view name, std::string_view type) {
    add_line(text_, "@group(0) @binding({}) var<storage, {}> {}: array<{}>;", next_++, access, name, type);
    return *this;
  }
  std::string& text_;
  uint32_t next_ = 0;
};

void begin_main(std::string& s) {
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {{");
}

// Sums of a subgroup: c<i>_<half>. A branch that is never taken keeps all of them alive together and cuts the text.
void write_cut(std::string& s, std::string_view array) {
  std::string all;
  for (uint32_t i = 0; i < kSums; ++i)
    for (uint32_t h = 0; h < kHalves; ++h) all += std::format("{}c{}_{}", all.empty() ? "" : " + ", i, h);
  add_line(s, "  if (p.zero != 0u) {{\n    {}[lane] = vec4<f32>({});\n  }}", array, all);
}

void declare_sums(std::string& s) {
  for (uint32_t i = 0; i < kSums; ++i)
    for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  var c{}_{} = 0.0;", i, h);
}

// Both vectors of 16 queries that begin at `at` plus `step` rows, as <name>_<half>.
void write_queries(std::string& s, std::string_view name, std::string_view array, std::string_view at, uint32_t step) {
  for (uint32_t h = 0; h < kHalves; ++h)
    add_line(s, "  let {0}_{1} = pick({2}[{3} + {4}u], {2}[{3} + {5}u], lane);", name, h, array, at, step * kVectors + 2 * h, step * kVectors + 2 * h + 1);
}

void write_vectors(std::string& s, std::string_view array, std::string_view at, uint32_t step, std::string_view value, uint32_t h) {
  add_line(s, "  {0}[{1} + {2}u] = low_lanes({3});\n  {0}[{1} + {4}u] = high_lanes({3});", array, at, step * kVectors + 2 * h, value,
           step * kVectors + 2 * h + 1);
}

// ---- scores ----

// What becomes of a product of a query and a key.
void write_score(std::string& s, const AttentionLine& t, const AttentionForm& form) {
  add_line(s, "fn score(product: f32, place: Place, row: u32, key: u32) -> f32 {{");
  add_line(s, "  let own = min(row, p.queries - 1u);\n  var s = p.scale * product;");
  if (form.softcap && !form.cap_follows_mask) add_line(s, "  s = p.softcap * tanh_of(s / p.softcap);");
  for (size_t i = 0; i < form.masks.size(); ++i) {
    if (form.masks[i] == DBK_DTYPE_NONE) continue;
    const std::string end = form.masks_may_end ? std::format("p.mask_keys[{}]", i) : "p.keys";
    add_line(s, "  s = masked{0}(s, place.mask{0}{2} + min(key, {1} - 1u) * p.mask{0}.w);", i, end,
             t.shared_masks ? "" : std::format(" + own * p.mask{}.z", i));
    if (form.masks_may_end) add_line(s, "  s = select(lowest(), s, key < {});", end);
  }
  add_line(s, "  s = select(lowest(), s, key < visible_keys(own, p.keys));");
  if (form.softcap && form.cap_follows_mask) add_line(s, "  s = select(p.softcap * tanh_of(s / p.softcap), s, is_lowest(s));");
  add_line(s, "  return s;\n}}\n");
}

// The products of keys `first` ... of the chunk, and their scores: s<key>_<half>.
void write_scores(std::string& s, const AttentionLine& t, uint32_t first) {
  for (uint32_t i = 0; i < kSums; ++i) {
    for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  c{}_{} = 0.0;", i, h);
    add_line(s, "  let k{0}_at = unaligned(place.k + min(key + {0}u, p.keys - 1u) * p.k.row);", first + i);
  }
  // An address of its own, else the elements that an earlier block loaded would be kept, one by one.
  const std::string q_at = std::format("q{}_at", first);
  add_line(s, "  let {} = unaligned(tile * {}u + {}u * p.zero);", q_at, t.q_size * kVectors, first);
  for (uint32_t u = 0; u < t.q_size; ++u) {
    if (u % kCut == 0) write_cut(s, "weights");
    write_queries(s, std::format("q{}_{}", first, u), "turned", q_at, u);
    for (uint32_t i = 0; i < kSums; ++i) {
      if (u % 4 == 0) add_line(s, "  let k{0}_{1} = k[k{0}_at + {1}u];", first + i, u / 4);
      for (uint32_t h = 0; h < kHalves; ++h)
        add_line(s, "  c{0}_{1} = fma(k{5}_{2}.{3}, q{6}_{4}_{1}, c{0}_{1});", i, h, u / 4, kComponents[u % 4], u, first + i, first);
    }
  }
  write_cut(s, "weights");
  for (uint32_t i = 0; i < kSums; ++i)
    for (uint32_t h = 0; h < kHalves; ++h) {
      const std::string name = std::format("s{}_{}", first + i, h);
      add_line(s, "  let {} = score(c{}_{}, place, place.row * {}u + {}u + lane, key + {}u);", name, i, h, kAttentionLineRows, h * kLineLanes, first + i);
      add_line(s, "  top_{0} = max(top_{0}, {1});", h, name);
      write_vectors(s, "weights", "weights_at", first + i, name, h);
    }
}

// Scores become weights, in place: few values are alive at a time.
void write_weights(std::string& s, const AttentionLine& t) {
  for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  let level_{0} = select(top_{0}, 0.0, is_lowest(top_{0}));\n  var total_{0} = 0.0;", h);
  for (uint32_t key = 0; key < t.chunk(); ++key) {
    if (key % kSums == 0) add_line(s, "  if (p.zero != 0u) {{\n    weights[lane] = vec4<f32>(total_0 + total_1);\n  }}");
    const std::string score = std::format("t{}", key);
    write_queries(s, score, "weights", "weights_at", key);
    for (uint32_t h = 0; h < kHalves; ++h) {
      add_line(s, "  let e{0}_{1} = exp_falling({2}_{1} - level_{1});\n  total_{1} += e{0}_{1};", key, h, score);
      write_vectors(s, "weights", "weights_at", key, std::format("e{}_{}", key, h), h);
    }
  }
  for (uint32_t h = 0; h < kHalves; ++h) {
    write_vectors(s, "found", "found_to", 0, std::format("top_{}", h), h);
    write_vectors(s, "found", "found_to", 1, std::format("total_{}", h), h);
  }
}

// ---- values ----

// o<column>_<half>: the sums so far, and for every chunk its factor times what its keys add.
void write_value_sums(std::string& s, const AttentionLine& t, uint32_t depth) {
  const uint32_t chunk = t.chunk();
  add_line(s, "  let weights_at = unaligned((group.x * p.parts * chunk_keys + p.first_key) * {}u);", kVectors);
  add_line(s, "  let v_at = unaligned(place.v + p.first_key * p.v.row + column);");
  add_line(s, "  let found_from = unaligned(found_at(group.x, p.first_key / chunk_keys));");
  add_line(s, "  let sums_at = unaligned((group.x * {}u + column * 4u) * {}u);", t.v_size, kVectors);
  for (uint32_t i = 0; i < kSums; ++i) {
    write_queries(s, std::format("before{}", i), "sums", "sums_at", i);
    for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  var o{0}_{1} = select(before{0}_{1}, 0.0, p.first_key == 0u);", i, h);
  }
  for (uint32_t u = 0; u < depth; ++u) {
    if (u % chunk == 0)
      for (uint32_t i = 0; i < kSums; ++i)
        for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  c{}_{} = 0.0;", i, h);
    write_queries(s, std::format("w{}", u), "weights", "weights_at", u);
    add_line(s, "  let v{0} = v[v_at + {0}u * p.v.row];", u);
    for (uint32_t i = 0; i < kSums; ++i)
      for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  c{0}_{1} = fma(v{2}.{3}, w{2}_{1}, c{0}_{1});", i, h, u, kComponents[i]);
    if ((u + 1) % chunk != 0 && u + 1 != depth) continue;
    write_cut(s, "sums");
    const std::string factor = std::format("factor{}", u / chunk);
    write_queries(s, factor, "found", "found_from", u / chunk * 2);
    for (uint32_t i = 0; i < kSums; ++i)
      for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  o{0}_{1} = fma({2}_{1}, c{0}_{1}, o{0}_{1});", i, h, factor);
  }
}

// Lane by lane: a query's row of y takes four columns of it.
void write_results(std::string& s) {
  add_line(s, "  let totals_from = unaligned(found_at(group.x, 0u));");
  write_queries(s, "total", "found", "totals_from", 1);
  add_line(s, "  let y_at = place.y + place.row * {}u * p.y.row + column;", kAttentionLineRows);
  for (uint32_t i = 0; i < 4; ++i)
    for (uint32_t h = 0; h < kHalves; ++h)
      add_line(s, "  let r{0}_{1} = select(o{0}_{1}, bitcast<f32>(p.unseen), total_{1} == 0.0);", i, h);
  for (uint32_t row = 0; row < kAttentionLineRows; ++row) {
    std::string value;
    for (uint32_t i = 0; i < 4; ++i)
      value += std::format("{}subgroupBroadcast(r{}_{}, {}u)", value.empty() ? "" : ", ", i, row / kLineLanes, row % kLineLanes);
    add_line(s, "  let y{} = vec4<f32>({});", row, value);
  }
  add_line(s, "  if (p.last != 0u) {{");
  for (uint32_t row = 0; row < kAttentionLineRows; ++row)
    add_line(s, "    if (place.row * {1}u + {0}u < p.queries) {{ y[y_at + {0}u * p.y.row] = y{0}; }}", row, kAttentionLineRows);
  add_line(s, "    return;\n  }}");
}

}  // namespace

uint32_t AttentionLine::value_teams() const {
  uint32_t teams = std::min(v_size / 4, kMostValueTeams);
  while (v_size / 4 % teams != 0) --teams;  // each column of four has one subgroup, which adds to its sums
  return teams;
}

bool attention_line_possible(int64_t q_size, int64_t v_size, const AttentionForm& form, const Capabilities& caps) {
  return form.lines && line_possible(caps) && form.elements == DBK_F32 && q_size % 4 == 0 && v_size % 4 == 0 && q_size <= kMostColumns && !form.past &&
         !form.has_lengths() && !form.keys_written && !form.window && !form.zero_key && !form.scores && caps.max_group_size >= kAttentionLineTeams * kLineLanes;
}

std::string attention_turn_text(const AttentionLine& t) {
  std::string s = head_text(t, kLineLanes);
  Bindings(s).read("q").write("turned").params();
  begin_main(s);
  add_line(s, "  let place = place_of(group.x);");
  for (uint32_t r = 0; r < kAttentionLineRows; ++r)
    add_line(s, "  let q{0} = q[unaligned(place.q + min(place.row * {1}u + {0}u, p.queries - 1u) * p.q.row + group.y)];", r, kAttentionLineRows);
  add_line(s, "  let at = unaligned((group.x * {}u + group.y * 4u) * {}u);", t.q_size, kVectors);
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t r = 0; r < kVectors; ++r)
      add_line(s, "  turned[at + {0}u] = vec4<f32>(q{1}.{5}, q{2}.{5}, q{3}.{5}, q{4}.{5});", c * kVectors + r, 4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3,
               kComponents[c]);
  return s + "}\n";
}

std::string attention_scores_text(const AttentionLine& t, const AttentionForm& form) {
  std::string s = head_text(t, kAttentionLineTeams * kLineLanes, form.has_f16_mask());
  Bindings bindings(s);
  bindings.read("turned").read("k");
  for (size_t i = 0; i < form.masks.size(); ++i)
    if (form.masks[i] != DBK_DTYPE_NONE) bindings.read(std::format("mask{}", i), mask_element(form.masks[i]));
  bindings.write("weights").write("found").params();
  s += mask_functions(form);
  write_score(s, t, form);
  begin_main(s);
  add_line(s, "  let tile = p.first_tile + group.x;\n  let place = place_of(tile);");
  add_line(s, "  let chunk = group.y * {}u + team;\n  let key = chunk * chunk_keys;", kAttentionLineTeams);
  add_line(s, "  let weights_at = unaligned((group.x * p.parts * chunk_keys + key) * {}u);\n  let found_to = found_at(group.x, chunk);", kVectors);
  for (uint32_t h = 0; h < kHalves; ++h) add_line(s, "  var top_{} = lowest();", h);
  declare_sums(s);
  for (uint32_t first = 0; first < t.chunk(); first += kSums) write_scores(s, t, first);
  write_weights(s, t);
  return s + "}\n";
}

std::string attention_scores_label(const AttentionLine& t, const AttentionForm& form) {
  return std::format("attention/f32/line/scores/{}{}{}", t.q_size, t.shared_masks ? "/shared" : "", form_label(form));
}

std::string attention_levels_text(const AttentionLine& t) {
  ProgramText text;
  text.constant("chunk_keys", t.chunk()).arithmetic(DBK_F32).file("attention/place").file("attention/line").file("_math").file("attention/levels");
  return text.str();
}

std::string attention_values_text(const AttentionLine& t, uint32_t depth) {
  std::string s = head_text(t, t.value_teams() * kLineLanes);
  Bindings(s).read("weights").read("found").read("v").write("sums").write("y").params();
  begin_main(s);
  add_line(s, "  let place = place_of(p.first_tile + group.x);\n  let column = group.y * {}u + team;  // of four", t.value_teams());
  declare_sums(s);
  write_value_sums(s, t, depth);
  write_results(s);
  for (uint32_t i = 0; i < 4; ++i)
    for (uint32_t h = 0; h < kHalves; ++h) write_vectors(s, "sums", "sums_at", i, std::format("o{}_{}", i, h), h);
  return s + "}\n";
}

}  // namespace dbk::gpu
