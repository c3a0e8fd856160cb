// Why the text looks as it does: line_text.cpp. Lanes hold queries, so that nothing of a row crosses lanes: largest scores and sums are
// those of vectors, and keys and values are the uniform operands.
#include "plugin/gpu/families/attention_line_text.h"

#include <algorithm>

#include "plugin/gpu/families/line_pieces.h"
#include "plugin/gpu/families/product_text.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kHalves = kAttentionLineRows / kLineLanes;  // vectors of queries
constexpr uint32_t kVectors = kAttentionLineRows / 4;          // vec4 of the queries, in arrays between programs
constexpr uint32_t kCut = 16;                                  // steps of a sum between cuts
constexpr uint32_t kMostTeams = 16;                            // subgroups of a workgroup
constexpr int64_t kMostColumns = 128;  // of a head of queries: the text grows with it

void add_places(ProgramText& text) {
  text.constant("chunk_keys", kAttentionLineChunk).arithmetic(DBK_F32);
  text.file("attention/place").file("attention/line").file("_math");
}

std::string head_text(uint32_t group_size, bool f16 = false) {
  ProgramText head(group_size);
  head.enable("subgroups");
  add_places(head);
  head.file("_line").file("_line_store");
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

// Of sums <name><i> of a subgroup: a branch that is never taken keeps all of them alive together and cuts the text.
void write_cut(std::string& s, std::string_view array, std::string_view name, uint32_t first, uint32_t end) {
  std::string all;
  for (uint32_t i = first; i < end; ++i) all += std::format("{}{}{}", all.empty() ? "" : " + ", name, i);
  add_line(s, "  if (p.zero != 0u) {{\n    {}[lane] = vec4<f32>({});\n  }}", array, all);
}

void declare_sums(std::string& s, std::string_view name, uint32_t sums) {
  for (uint32_t i = 0; i < sums; ++i) add_line(s, "  var {}{} = 0.0;", name, i);
}

// Element `step` of an array between programs, for the half of the tile's queries that is the subgroup's; `at` begins with it.
std::string half_of(std::string_view array, std::string_view at, uint32_t step) { return picked(DBK_F32, array, at, step * kVectors); }
void write_half(std::string& s, std::string_view array, std::string_view at, uint32_t step, std::string_view value) {
  for (uint32_t half = 0; half < 2; ++half) add_line(s, "  {}[{} + {}u] = {};", array, at, step * kVectors + half, stored_lanes(DBK_F32, value, half));
}

// ---- scores ----

// The products of the chunk's keys and the subgroup's queries, c<key>; their scores, s<key>.
void write_chunk_scores(std::string& s, const AttentionLine& t) {
  declare_sums(s, "c", kAttentionLineChunk);
  for (uint32_t i = 0; i < kAttentionLineChunk; ++i) add_line(s, "  let k{0}_at = unaligned(place.k + min(key + {0}u, p.keys - 1u) * p.k.row);", i);
  for (uint32_t u = 0; u < t.q_size; ++u) {
    if (u > 0 && u % kCut == 0) write_cut(s, "weights", "c", 0, kAttentionLineChunk);
    add_line(s, "  let q{} = {};", u, half_of("turned", "turned_at", u));
    for (uint32_t i = 0; i < kAttentionLineChunk; ++i) {
      if (u % 4 == 0) add_line(s, "  let k{0}_{1} = k[k{0}_at + {1}u];", i, u / 4);
      add_line(s, "  c{0} = fma(k{0}_{1}.{2}, q{3}, c{0});", i, u / 4, kComponents[u % 4], u);
    }
  }
  write_cut(s, "weights", "c", 0, kAttentionLineChunk);
  add_line(s, "  let own = min(row, p.queries - 1u);\n  let seen = visible_keys(own, p.keys);");
  for (uint32_t i = 0; i < kAttentionLineChunk; ++i) add_line(s, "  let s{0} = score_of(place, c{0}, own, key + {0}u, p.keys, seen);", i);
}

// top: the largest of <name>0 ... <name><count - 1>, by a tree; level: what they are taken relative to.
void write_top(std::string& s, std::string_view name, uint32_t count) {
  std::vector<std::string> left;
  for (uint32_t i = 0; i < count; ++i) left.push_back(std::format("{}{}", name, i));
  while (left.size() > 1) {
    std::vector<std::string> next;
    for (size_t i = 0; i < left.size(); i += 2) next.push_back(i + 1 < left.size() ? std::format("higher({}, {})", left[i], left[i + 1]) : left[i]);
    left = std::move(next);
  }
  add_line(s, "  let top = {};\n  let level = select(top, 0.0, is_lowest(top));", left.front());
}

// e<i> = e^(<name><i> - level). Compilers order one exponential behind the other, whose chains then leave most units idle; cuts
// keep a few steps of several of them together.
void write_exponentials(std::string& s, std::string_view name, uint32_t count, std::string_view array) {
  constexpr uint32_t kTogether = 8;  // as many as registers hold
  for (uint32_t first = 0; first < count; first += kTogether) {
    const uint32_t end = std::min(first + kTogether, count);
    for (uint32_t i = first; i < end; ++i)
      add_line(s, "  let t{0} = t_of({1}{0} - level);\n  let n{0} = n_of(t{0});\n  let r{0} = rest_of(t{0}, n{0});", i, name);
    write_cut(s, array, "r", first, end);
    for (uint32_t i = first; i < end; ++i) add_line(s, "  let b{0} = power_begin(r{0});", i);
    write_cut(s, array, "b", first, end);
    for (uint32_t i = first; i < end; ++i) add_line(s, "  let e{0} = power_end(n{0}, r{0}, b{0});", i);
  }
}

void write_chunk(std::string& s, const AttentionLine& t) {
  write_chunk_scores(s, t);
  write_top(s, "s", kAttentionLineChunk);
  write_exponentials(s, "s", kAttentionLineChunk, "weights");
  add_line(s, "  var total = e0;");
  for (uint32_t i = 1; i < kAttentionLineChunk; ++i) add_line(s, "  total += e{};", i);
  for (uint32_t i = 0; i < kAttentionLineChunk; ++i) write_half(s, "weights", "weights_at", i, std::format("e{}", i));
  write_half(s, "found", "found_to", 0, "top");
  write_half(s, "found", "found_to", 1, "total");
}

// ---- levels ----

// What chunks behind the last have is not defined, and counts for nothing.
void write_levels(std::string& s, uint32_t chunks) {
  for (uint32_t c = 0; c < chunks; ++c) add_line(s, "  let m{0} = select(lowest(), {1}, chunk + {0}u < p.parts);", c, half_of("found", "found_from", 2 * c));
  write_top(s, "m", chunks);
  write_exponentials(s, "m", chunks, "found");
  add_line(s, "  var total = 0.0;");
  for (uint32_t c = 0; c < chunks; ++c)
    add_line(s, "  total = fma(e{0}, select(0.0, {1}, chunk + {0}u < p.parts), total);", c, half_of("found", "found_from", 2 * c + 1));
  for (uint32_t c = 0; c < chunks; ++c) write_half(s, "found", "found_from", 2 * c, std::format("e{}", c));
  write_half(s, "rows", "rows_at", 0, "top");
  write_half(s, "rows", "rows_at", 1, "total");
}

// ---- values ----

// o<column>: the sums so far and what these keys add, whose weights become those relative to the largest score of all.
void write_value_sums(std::string& s, const AttentionLine& t, uint32_t depth) {
  constexpr uint32_t chunk = kAttentionLineChunk;
  const uint32_t sums = t.value_quads() * 4;
  add_line(s, "  let stretch = {};", half_of("rows", "rows_from", 0));
  for (uint32_t i = 0; i < sums; ++i) add_line(s, "  var o{} = select({}, 0.0, p.first_key == 0u);", i, half_of("sums", "sums_at", i));
  for (uint32_t u = 0; u < depth; ++u) {
    if (u % chunk == 0) add_line(s, "  let factor{} = stretch * {};", u / chunk, half_of("found", "found_from", u / chunk * 2));
    add_line(s, "  let w{} = factor{} * {};", u, u / chunk, half_of("weights", "weights_at", u));
    for (uint32_t i = 0; i < sums; ++i) {
      if (i % 4 == 0) add_line(s, "  let v{0}_{1} = values[values{1}_at + {0}u];", u, i / 4);
      add_line(s, "  o{0} = fma(v{1}_{2}.{3}, w{1}, o{0});", i, u, i / 4, kComponents[i % 4]);
    }
    if ((u + 1) % kCut == 0 || u + 1 == depth) write_cut(s, "sums", "o", 0, sums);
  }
}

// Lane by lane: a query's row of y takes the subgroup's columns of it.
void write_results(std::string& s, uint32_t quads) {
  add_line(s, "  let total = {};\n  let share = 1.0 / total;", half_of("rows", "totals_from", 1));
  for (uint32_t i = 0; i < quads * 4; ++i) add_line(s, "  let r{0} = select(o{0} * share, bitcast<f32>(p.unseen), total == 0.0);", i);
  for (uint32_t row = 0; row < kLineLanes; ++row)
    for (uint32_t q = 0; q < quads; ++q) {
      std::string value;
      for (uint32_t i = 0; i < 4; ++i) value += std::format("{}subgroupBroadcast(r{}, {}u)", value.empty() ? "" : ", ", 4 * q + i, row);
      add_line(s, "  let y{}_{} = vec4<f32>({});", row, q, value);
    }
  add_line(s, "  if (p.last != 0u) {{");
  for (uint32_t row = 0; row < kLineLanes; ++row) {
    add_line(s, "    if (row + {}u < p.queries) {{", row);
    for (uint32_t q = 0; q < quads; ++q) add_line(s, "      y[y_at + {0}u * p.y.row + {1}u] = y{0}_{1};", row, q);
    add_line(s, "    }}");
  }
  add_line(s, "    return;\n  }}");
}

// The largest divisor of `count` that is at most `most`.
uint32_t divisor(uint32_t count, uint32_t most) {
  uint32_t divisor = std::min(count, most);
  while (count % divisor != 0) --divisor;
  return divisor;
}

}  // namespace

uint32_t AttentionLine::gather_teams() const { return divisor(v_size / 4, kMostTeams); }
uint32_t AttentionLine::value_teams() const { return divisor(v_size / 4 / value_quads(), kMostTeams / kHalves); }

bool attention_line_possible(int64_t q_size, int64_t v_size, const AttentionForm& form, const Capabilities& caps) {
  return form.lines && line_possible(caps) && form.elements == DBK_F32 && q_size % 4 == 0 && v_size % 4 == 0 && q_size <= kMostColumns && !form.past &&
         !form.has_lengths() && !form.keys_written && !form.window && !form.zero_key && !form.scores && caps.max_group_size >= kMostTeams * kLineLanes;
}

std::string attention_gather_text(const AttentionLine& t) {
  std::string s = head_text(t.gather_teams() * kLineLanes);
  Bindings(s).read("v").write("values").params();
  begin_main(s);
  add_line(s, "  let kv_heads = p.heads / p.group;\n  let batch = group.z / kv_heads;\n  let column = group.x * {}u + team;  // of four", t.gather_teams());
  add_line(s, "  let key = group.y * {}u;\n  let from_at = head_of(p.v, batch, group.z - batch * kv_heads) + column;", kAttentionLineGathered);
  add_line(s, "  let to_at = unaligned((group.z * {}u + column) * row_of_values() + key);", t.v_size / 4);
  for (uint32_t i = 0; i < kAttentionLineGathered; ++i)
    add_line(s, "  let v{0} = v[unaligned(from_at + min(key + {0}u, p.keys - 1u) * p.v.row)];", i);
  for (uint32_t i = 0; i < kAttentionLineGathered; ++i) add_line(s, "  values[to_at + {0}u] = v{0};", i);
  return s + "}\n";
}

std::string attention_turn_text(const AttentionLine& t) {
  std::string s = head_text(kLineLanes);
  Bindings(s).read("q").write("turned").params();
  begin_main(s);
  add_line(s, "  let place = line_place(group);");
  for (uint32_t r = 0; r < kAttentionLineRows; ++r)
    add_line(s, "  let q{0} = q[unaligned(place.q + min(place.row * {1}u + {0}u, p.queries - 1u) * p.q.row + group.x)];", r, kAttentionLineRows);
  add_line(s, "  let at = unaligned((tile_of(group) * {}u + group.x * 4u) * {}u);", t.q_size, kVectors);
  write_turned(s, "q", kAttentionLineRows, "at", "f32");
  return s + "}\n";
}

std::string attention_scores_text(const AttentionLine& t, const AttentionForm& form) {
  std::string s = head_text(kAttentionLineTeams * kHalves * kLineLanes, form.has_f16_mask());
  Bindings bindings(s);
  bindings.read("turned").read("k");
  for (size_t i = 0; i < form.masks.size(); ++i)
    if (form.masks[i] != DBK_DTYPE_NONE) bindings.read(std::format("mask{}", i), mask_element(form.masks[i]));
  bindings.write("weights").write("found").params();
  s += mask_functions(form);
  s += score_function(form, t.shared_masks);
  begin_main(s);
  add_line(s, "  let place = line_place(group);\n  let tile = tile_of(group);");
  add_line(s, "  let chunk = group.x * {}u + team / {}u;\n  let half = team % {}u;\n  let key = chunk * chunk_keys;", kAttentionLineTeams, kHalves, kHalves);
  add_line(s, "  let row = place.row * {}u + half * {}u + lane;", kAttentionLineRows, kLineLanes);
  add_line(s, "  let turned_at = unaligned((place.head * p.row_tiles + place.row) * {}u + half * 2u);", t.q_size * kVectors);
  add_line(s, "  let weights_at = unaligned((tile * p.parts * chunk_keys + key) * {}u + half * 2u);", kVectors);
  add_line(s, "  let found_to = unaligned(found_at(tile, chunk) + half * 2u);");
  write_chunk(s, t);
  return s + "}\n";
}

std::string attention_scores_label(const AttentionLine& t, const AttentionForm& form) {
  return std::format("attention/f32/line/scores/{}{}{}", t.q_size, t.shared_masks ? "/shared" : "", form_label(form));
}

std::string attention_levels_text(uint32_t stretch_chunks) {
  std::string s = head_text(kHalves * kLineLanes);
  Bindings(s).write("found").write("rows").params();
  begin_main(s);
  add_line(s, "  let chunk = group.x * {}u;", stretch_chunks);
  add_line(s, "  let found_from = unaligned(found_at(group.y, chunk) + team * 2u);\n  let rows_at = unaligned(rows_at(group.y, group.x) + team * 2u);");
  write_levels(s, stretch_chunks);
  return s + "}\n";
}

std::string attention_rows_text() {
  ProgramText text;
  add_places(text);
  return text.file("attention/rows").str();
}

std::string attention_values_text(const AttentionLine& t, uint32_t depth) {
  std::string s = head_text(t.value_teams() * kHalves * kLineLanes);
  Bindings(s).read("weights").read("found").read("rows").read("values").write("sums").write("y").params();
  begin_main(s);
  add_line(s, "  let place = line_place(group);\n  let tile = tile_of(group);\n  let half = team % {}u;", kHalves);
  add_line(s, "  let row = place.row * {}u + half * {}u;", kAttentionLineRows, kLineLanes);
  add_line(s, "  let column = (group.x * {}u + team / {}u) * {}u;  // of four", t.value_teams(), kHalves, t.value_quads());
  add_line(s, "  let weights_at = unaligned((tile * p.parts * chunk_keys + p.first_key) * {}u + half * 2u);", kVectors);
  for (uint32_t q = 0; q < t.value_quads(); ++q)
    add_line(s, "  let values{0}_at = unaligned(values_of(place, {1}u, column + {0}u) + p.first_key);", q, t.v_size / 4);
  add_line(s, "  let found_from = unaligned(found_at(tile, p.first_key / chunk_keys) + half * 2u);");
  add_line(s, "  let rows_from = unaligned(rows_at(tile, p.stretch) + half * 2u);");
  add_line(s, "  let totals_from = unaligned(rows_at(tile, 0u) + half * 2u);");
  add_line(s, "  let sums_at = unaligned((tile * {}u + column * 4u) * {}u + half * 2u);", t.v_size, kVectors);
  add_line(s, "  let y_at = place.y + row * p.y.row + column;");
  write_value_sums(s, t, depth);
  write_results(s, t.value_quads());
  for (uint32_t i = 0; i < t.value_quads() * 4; ++i) write_half(s, "sums", "sums_at", i, std::format("o{}", i));
  return s + "}\n";
}

}  // namespace dbk::gpu
