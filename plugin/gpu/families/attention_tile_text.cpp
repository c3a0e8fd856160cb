#include "plugin/gpu/families/attention_tile_text.h"

#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/text_line.h"

namespace dbk::gpu {

namespace {

// ---- loads ----

// `quad_of_NAME`: four elements of the row that begins at `row`; zeros behind its last one.
void write_quad_load(std::string& s, const FlashTile& t, std::string_view name, uint32_t size) {
  add_line(s, "fn quad_of_{}(row: u32, quad: u32) -> vec4<elem> {{", name);
  if (t.width == 4) {
    add_line(s, "  return {}[row + quad];\n}}\n", name);
    return;
  }
  add_line(s, "  let at = row + quad * 4u;");
  if (size % 4 == 0) {
    add_line(s, "  return vec4<elem>({0}[at], {0}[at + 1u], {0}[at + 2u], {0}[at + 3u]);\n}}\n", name);
    return;
  }
  add_line(s, "  let last = {}u - quad * 4u;", size - 1);
  add_line(s, "  return vec4<elem>({0}[at], select(elem(), {0}[at + min(1u, last)], last >= 1u), select(elem(), {0}[at + min(2u, last)], last >= 2u),", name);
  add_line(s, "                    select(elem(), {0}[at + min(3u, last)], last >= 3u));\n}}\n", name);
}

// `quad_of_key`, `quad_of_value`: of key t, from the cache or from what is given; zeros from key `end` on.
void write_key_load(std::string& s, const AttentionForm& form, std::string_view function, std::string_view name) {
  add_line(s, "fn {}(place: Place, t: u32, quad: u32, end: u32) -> vec4<elem> {{", function);
  add_line(s, "  if (t >= end) {{\n    return vec4<elem>();\n  }}");
  if (form.past) add_line(s, "  if (t < p.past) {{\n    return quad_of_past_{0}(place.past_{0} + t * p.past_{0}.row, quad);\n  }}", name);
  add_line(s, "  return quad_of_{0}(place.{0} + {1} * p.{0}.row, quad);\n}}\n", name, form.past ? "(t - p.past)" : "t");
}

void write_loads(std::string& s, const FlashTile& t, const AttentionForm& form) {
  write_quad_load(s, t, "q", t.q_size);
  for (const bool past : {false, true}) {
    if (past && !form.past) continue;
    write_quad_load(s, t, past ? "past_k" : "k", t.q_size);
    write_quad_load(s, t, past ? "past_v" : "v", t.v_size);
  }
  write_key_load(s, form, "quad_of_key", "k");
  write_key_load(s, form, "quad_of_value", "v");
}

// ---- scores ----

// Keys of the block, each begun at another quad, so that neighbours read different banks of the memory.
void write_keys(std::string& s, const FlashTile& t) {
  const uint32_t quads = t.q_quads();
  add_line(s, "    for (var i = lane; i < {}u; i += group_size) {{", t.keys * quads);
  add_line(s, "      let key = i / {0}u;\n      let quad = i % {0}u;", quads);
  add_line(s, "      block[key * {0}u + (quad + key / 4u) % {0}u] = quad_of_key(place, first + key, quad, end);\n    }}", quads);
  add_line(s, "    workgroupBarrier();");
}

// s<row>: products of the invocation's rows and its four keys.
void write_products(std::string& s, const FlashTile& t) {
  const uint32_t quads = t.q_quads();
  for (uint32_t i = 0; i < t.rows_each; ++i) add_line(s, "    var s{} = vec4<f32>();", i);
  add_line(s, "    for (var quad = 0u; quad < {}u; quad++) {{", quads);
  add_line(s, "      let at = across * {}u + (quad + across) % {}u;", 4 * quads, quads);
  for (uint32_t j = 0; j < 4; ++j) add_line(s, "      let k{0} = vec4<f32>(block[at + {1}u]);", j, j * quads);
  for (uint32_t i = 0; i < t.rows_each; ++i) {
    add_line(s, "      let q{0} = vec4<f32>(queries[(down + {0}u) * {1}u + quad]);", i, quads);
    add_line(s, "      s{0} = vec4<f32>(plus_product(s{0}.x, q{0}, k0), plus_product(s{0}.y, q{0}, k1), plus_product(s{0}.z, q{0}, k2),", i);
    add_line(s, "                     plus_product(s{0}.w, q{0}, k3));", i);
  }
  add_line(s, "    }}");
}

void write_scores(std::string& s, const FlashTile& t, const AttentionForm& form) {
  add_line(s, "    let t = first + across * 4u;");
  for (uint32_t i = 0; i < t.rows_each; ++i) {
    std::string scores;
    const std::string seen = form.window ? std::format("seen{0}, begun{0}", i) : std::format("seen{}", i);
    for (uint32_t j = 0; j < 4; ++j)
      scores += std::format("{}score_of(place, s{}.{}, row{}, t + {}u, end, {})", j == 0 ? "" : ", ", i, kComponents[j], i, j, seen);
    add_line(s, "    s{} = vec4<f32>({});", i, scores);
    add_line(s, "    found[(down + {0}u) * {1}u + across] = largest(s{0});", i, t.across());
  }
  add_line(s, "    workgroupBarrier();");
}

// ---- weights and values ----

// The values take the place of the keys, which nobody reads any more.
void write_values(std::string& s, const FlashTile& t) {
  const uint32_t quads = t.v_quads();
  add_line(s, "    for (var i = lane; i < {}u; i += group_size) {{", t.keys * quads);
  add_line(s, "      block[i] = quad_of_value(place, first + i / {0}u, i % {0}u, end);\n    }}", quads);
}

// Exponentials of the block's scores, and everything before scaled to the new largest one. All that share a row find the same level; each
// sums the weights of its own keys.
void write_weights(std::string& s, const FlashTile& t) {
  for (uint32_t i = 0; i < t.rows_each; ++i) {
    add_line(s, "    var high{0} = top{0};", i);
    add_line(s, "    for (var i = 0u; i < {0}u; i++) {{\n      high{1} = max(high{1}, found[(down + {1}u) * {0}u + i]);\n    }}", t.across(), i);
    add_line(s, "    let level{0} = select(high{0}, 0.0, is_lowest(high{0}));", i);
    add_line(s, "    let shrink{0} = exp_falling(top{0} - level{0});\n    top{0} = high{0};", i);
    add_line(s, "    let e{0} = weights_of(s{0}, level{0});", i);
    add_line(s, "    total{0} = fma(total{0}, shrink{0}, (e{0}.x + e{0}.y) + (e{0}.z + e{0}.w));", i);
    add_line(s, "    weights[(down + {0}u) * {1}u + across] = e{0};", i, t.across());
    for (uint32_t c = 0; c < t.quads_each(); ++c) add_line(s, "    o{0}_{1} *= shrink{0};", i, c);
  }
  add_line(s, "    workgroupBarrier();");
}

void write_sums(std::string& s, const FlashTile& t) {
  add_line(s, "    for (var four = 0u; four < {}u; four++) {{", t.across());
  for (uint32_t i = 0; i < t.rows_each; ++i) add_line(s, "      let w{0} = weights[(down + {0}u) * {1}u + four];", i, t.across());
  for (uint32_t c = 0; c < t.quads_each(); ++c)
    for (uint32_t j = 0; j < 4; ++j) {
      add_line(s, "      let v{0}_{1} = vec4<f32>(block[four * {2}u + {3}u + quad{0}]);", c, j, 4 * t.v_quads(), j * t.v_quads());
      for (uint32_t i = 0; i < t.rows_each; ++i)
        add_line(s, "      o{0}_{1} = fma(vec4<f32>(w{0}.{2}), v{1}_{3}, o{0}_{1});", i, c, kComponents[j], j);
    }
  add_line(s, "    }}\n    workgroupBarrier();");
}

// ---- around the loop ----

void write_start(std::string& s, const FlashTile& t, const AttentionForm& form) {
  add_line(s, "  let place = place_of(tile);");
  add_line(s, "  for (var i = lane; i < {}u; i += group_size) {{", t.rows * t.q_quads());
  add_line(s, "    queries[i] = quad_of_q(place.q + min(place.row * {0}u + i / {1}u, p.queries - 1u) * p.q.row, i % {1}u);\n  }}", t.rows, t.q_quads());
  add_line(s, "  let across = lane % {0}u;\n  let down = lane / {0}u * {1}u;  // the invocation's first row", t.across(), t.rows_each);
  for (uint32_t c = 0; c < t.quads_each(); ++c) add_line(s, "  let quad{0} = min(across + {1}u, {2}u);", c, c * t.across(), t.v_quads() - 1);
  add_line(s, "  let length = {};", form.has_lengths() ? "length_of(place.batch)" : "p.keys");
  for (uint32_t i = 0; i < t.rows_each; ++i) {
    add_line(s, "  let row{0} = min(place.row * {1}u + down + {0}u, p.queries - 1u);", i, t.rows);
    add_line(s, "  let seen{0} = visible_keys(row{0}, length);", i);
    if (form.window) add_line(s, "  let begun{0} = first_key(row{0}, length);", i);
    add_line(s, "  var top{0} = lowest();\n  var total{0} = 0.0;", i);
    for (uint32_t c = 0; c < t.quads_each(); ++c) add_line(s, "  var o{}_{} = vec4<f32>();", i, c);
  }
  add_line(s, "  let end = visible_keys(min(place.row * {}u + {}u, p.queries - 1u), length);  // of all rows", t.rows, t.rows - 1);
}

// The sums of weights of all that share a row.
void write_totals(std::string& s, const FlashTile& t, const AttentionForm& form) {
  for (uint32_t i = 0; i < t.rows_each; ++i) add_line(s, "  found[(down + {0}u) * {1}u + across] = total{0};", i, t.across());
  add_line(s, "  workgroupBarrier();");
  for (uint32_t i = 0; i < t.rows_each; ++i) {
    add_line(s, "  var sum{} = 0.0;", i);
    add_line(s, "  for (var i = 0u; i < {0}u; i++) {{\n    sum{1} += found[(down + {1}u) * {0}u + i];\n  }}", t.across(), i);
    if (!form.zero_key) continue;
    // One more key, of which score and values are 0.
    add_line(s, "  let last_level{0} = max(top{0}, 0.0);\n  let last_shrink{0} = exp_falling(top{0} - last_level{0});", i);
    add_line(s, "  sum{0} = fma(sum{0}, last_shrink{0}, exp_falling(-last_level{0}));", i);
    for (uint32_t c = 0; c < t.quads_each(); ++c) add_line(s, "  o{0}_{1} *= last_shrink{0};", i, c);
  }
}

void write_quad_store(std::string& s, const FlashTile& t, uint32_t row, uint32_t c) {
  const std::string quad = std::format("across + {}u", c * t.across());
  const std::string value = std::format("select(o{}_{} * inverse, vec4<f32>(bitcast<f32>(p.unseen)), none)", row, c);
  if (t.width == 4) {
    const std::string store = std::format("y[y_at + {}] = vec4<elem>({});", quad, value);
    add_line(s, "    {}", (c + 1) * t.across() > t.v_quads() ? std::format("if ({} < {}u) {{ {} }}", quad, t.v_quads(), store) : store);
    return;
  }
  add_line(s, "    let r{} = {};", c, value);
  for (uint32_t j = 0; j < 4; ++j) {
    const std::string column = std::format("({}) * 4u + {}u", quad, j);
    add_line(s, "    if ({0} < {1}u) {{ y[y_at + {0}] = elem(r{2}.{3}); }}", column, t.v_size, c, kComponents[j]);
  }
}

void write_stores(std::string& s, const FlashTile& t) {
  for (uint32_t i = 0; i < t.rows_each; ++i) {
    add_line(s, "  if (place.row * {}u + down + {}u < p.queries) {{", t.rows, i);
    add_line(s, "    let y_at = place.y + row{0} * p.y.row;\n    let inverse = 1.0 / sum{0};\n    let none = sum{0} == 0.0;", i);
    for (uint32_t c = 0; c < t.quads_each(); ++c) write_quad_store(s, t, i, c);
    add_line(s, "  }}");
  }
}

void write_memory(std::string& s, const FlashTile& t) {
  add_line(s, "var<workgroup> queries: array<vec4<elem>, {}>;", t.rows * t.q_quads());
  add_line(s, "var<workgroup> block: array<vec4<elem>, {}>;  // of keys, then of their values", t.block_quads());
  add_line(s, "var<workgroup> weights: array<vec4<f32>, {}>;  // of rows, each four keys at a time", t.rows * t.across());
  add_line(s, "var<workgroup> found: array<f32, {}>;  // of what an invocation has of a row: the largest score; at last the sum of weights\n", t.rows * t.across());
}

void write_main(std::string& s, const FlashTile& t, const AttentionForm& form) {
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  add_line(s, "  let tile = flat_group(group, groups);\n  if (tile >= p.tiles) {{\n    return;\n  }}");
  write_start(s, t, form);
  add_line(s, "  for (var first = {}; first < end; first += {}u) {{", form.window ? std::format("first_key(place.row * {}u, length)", t.rows) : "0u", t.keys);
  write_keys(s, t);
  write_products(s, t);
  write_scores(s, t, form);
  write_values(s, t);
  write_weights(s, t);
  write_sums(s, t);
  add_line(s, "  }}");
  write_totals(s, t, form);
  write_stores(s, t);
  s += "}\n";
}

}  // namespace

// Cores of GPUs have some 64 KB for all their workgroups, so that beyond kMostMemory one would have a core for itself; sums beyond kMostSums
// floats leave the registers of some.
std::optional<FlashTile> flash_tile(int64_t q_size, int64_t v_size, uint32_t width, DType elements, const Capabilities& caps) {
  constexpr uint32_t kMostMemory = 32 << 10, kMostSums = 64;
  struct Size {
    uint32_t rows, keys, rows_each;
  };
  // Rows decide how often keys are read, rows of an invocation how many products a load of its memory feeds.
  constexpr Size kSizes[] = {{64, 32, 4}, {64, 16, 2}, {32, 32, 2}, {32, 16, 2}, {32, 16, 1}, {16, 16, 1}};
  if (std::max(q_size, v_size) > kMostMemory) return std::nullopt;
  for (const Size& size : kSizes) {
    const FlashTile tile{size.rows, size.keys, size.rows_each, width, static_cast<uint32_t>(q_size), static_cast<uint32_t>(v_size), bits_of(elements) / 8};
    if (tile.memory() <= std::min(caps.max_group_memory, kMostMemory) && tile.threads() <= caps.max_group_size && tile.sums() <= kMostSums) return tile;
  }
  return std::nullopt;
}

std::string flash_text(const FlashTile& t, const AttentionForm& form) {
  ProgramText head(t.threads());
  head.arithmetic(form.elements).file("attention/place").file("_math").file("attention/tile");
  if (form.has_f16_mask()) head.enable("f16");
  std::string s = head.str();
  add_line(s, "\n// A workgroup: {} queries, {} keys at a time; an invocation: {} rows, {} quads of the result in each.", t.rows, t.keys, t.rows_each, t.quads_each());
  s += attention_bindings(form, t.width);
  write_memory(s, t);
  s += attention_functions(form);
  write_loads(s, t, form);
  s += score_function(form);
  write_main(s, t, form);
  return s;
}

std::string flash_label(const FlashTile& t, const AttentionForm& form) {
  return std::format("attention/{}/tile{}x{}x{}x{}/{}+{}{}", to_string(form.elements), t.rows, t.keys, t.rows_each, t.width, t.q_size, t.v_size, form_label(form));
}

}  // namespace dbk::gpu
